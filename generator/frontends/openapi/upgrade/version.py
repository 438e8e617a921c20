"""Find out which version of which specification a document follows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .findings import Unreadable
from .sources import wrong_type
from .values import kind_of, shown, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model import Dialect
    from ..place import Place
    from .findings import Findings

NEWEST_MINOR = 2
"""The newest minor version of OpenAPI 3 that is known here."""

SWAGGER_MINOR = -1
"""Stands for Swagger 2.0 where minor versions of OpenAPI 3 are compared."""

VERSION = re.compile(r"(\d{1,3})(?:\.(\d{1,3}))?(?![\d])")

OTHER_KINDS = {
    "asyncapi": "an AsyncAPI document",
    "arazzo": "an Arazzo document",
    "overlay": "an overlay, which belongs to --overlay",
    "swaggerVersion": "a Swagger 1.x document",
    "$schema": "a JSON Schema",
    "discoveryVersion": "a Google discovery document",
    "openrpc": "an OpenRPC document",
}
"""Members that show what a document without `openapi` or `swagger` is instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The version as written, and how the document is to be read."""

    written: str
    dialect: Dialect
    minor: int


def read_version(root: object, place: Place, findings: Findings) -> Version:
    """Return the document's version; raises Unreadable for everything that is no OpenAPI or Swagger 2.0."""
    if not isinstance(root, dict):
        raise Unreadable("not-an-api-description", f"the document is {kind_of(root)}, not an object", place)
    key = "openapi" if "openapi" in root else "swagger"
    if key not in root:
        raise _other_kind(root, place)
    written = root[key]
    if isinstance(written, int | float) and not isinstance(written, bool):
        findings.warn("version-not-text", f"`{key}` should be text, found a number", place.at(key))
        written = text(written)
    if not isinstance(written, str):
        raise wrong_type(key, "text", written, place.at(key))
    return _understood(written.strip(), place.at(key), findings)


def _other_kind(root: Mapping[str, object], place: Place) -> Unreadable:
    kind = next((kind for member, kind in OTHER_KINDS.items() if member in root), None)
    message = f"this is {kind}" if kind else "the document has neither `openapi` nor `swagger`"
    return Unreadable("not-an-api-description", message, place)


def _understood(written: str, place: Place, findings: Findings) -> Version:
    match = VERSION.match(written)
    major = int(match[1]) if match else 0
    minor = int(match[2]) if match and match[2] else None
    if major == 2 and minor in (0, None):
        return Version(written=written, dialect="2.0", minor=SWAGGER_MINOR)
    if major != 3:
        raise Unreadable("unsupported-version", f"version `{shown(written)}` is not supported", place)
    if minor is None or minor > NEWEST_MINOR:
        findings.warn("unknown-version", f"version `{shown(written)}` is read as 3.{NEWEST_MINOR}", place)
        minor = NEWEST_MINOR
    return Version(written=written, dialect="3.0" if minor == 0 else "3.1", minor=minor)
