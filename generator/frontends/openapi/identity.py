"""What a server is called: by the user, by its description's file, or by the API's title."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ...ir.names import command_of, id_of, package_of

if TYPE_CHECKING:
    from .model import Api
    from .settings import OpenApiRequest

DEFAULT_VERSION = "0.1.0"
"""The version of a server whose description has none that a Python package can have."""

MAX_DERIVED = 32
"""Characters of a name made from a title: hosts show it before every tool's name."""

GENERIC_STEMS = frozenset(
    {
        "",
        "api",
        "api-docs",
        "api_docs",
        "api-spec",
        "apidocs",
        "definition",
        "description",
        "index",
        "main",
        "oas",
        "openapi",
        "openapi-spec",
        "openapi3",
        "root",
        "schema",
        "server",
        "service",
        "spec",
        "swagger",
        "v1",
        "v2",
        "v3",
    }
)
"""File names that say what the file is and not whose API it describes."""

_VERSION = re.compile(
    r"[0-9]{1,9}(?:\.[0-9]{1,9}){0,5}(?:(?:a|b|rc)[0-9]{1,9})?(?:\.post[0-9]{1,9})?(?:\.dev[0-9]{1,9})?"
)
"""A version as packages have them (PEP 440, in its normal form)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The id, package, command and version of a server."""

    id: str
    package: str
    command: str
    version: str


def identity_of(api: Api, request: OpenApiRequest) -> Identity:
    """Return what the server is called; names that were given are taken as they are."""
    config = request.config
    name = id_of(request.name or config.name or _derived(api, request.source))
    return Identity(
        id=name,
        package=request.package or config.package or package_of(name),
        command=command_of(name),
        version=config.version or _version(api.api_version) or DEFAULT_VERSION,
    )


def website_of(api: Api) -> str | None:
    """Return the address of the API's documentation, when it is a plain web address."""
    address = (api.external_docs or "").strip()
    if not re.fullmatch(r"https?://[\x21-\x7e]+", address):
        return None
    try:
        return address if urlsplit(address).hostname and "@" not in urlsplit(address).netloc else None
    except ValueError:
        return None


def _derived(api: Api, source: str) -> str:
    """Return the file's stem, or the API's title where the stem says nothing."""
    path = urlsplit(source).path if "://" in source else source
    stem = PurePath(path).stem
    if stem.lower() not in GENERIC_STEMS:
        return stem
    words = re.sub(r"_+", "_", id_of(api.title)) if api.title.strip() else ""
    if len(words) > MAX_DERIVED:
        words = words[: MAX_DERIVED + 1].rpartition("_")[0] or words[:MAX_DERIVED]
    return words or PurePath(path).parent.name or "api"


def _version(text: str) -> str | None:
    """Return the API's own version when a package can have it; `v1.2` counts as `1.2`."""
    version = text.strip().removeprefix("v")
    return version if _VERSION.fullmatch(version) else None
