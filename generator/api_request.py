"""From the words of `from-openapi` and the settings to a request of the pipeline; all problems are told at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from .build_values import ApiRequest
from .config import Config, load_config
from .config.kinds import address_problem, is_method
from .config.openapi import Wanted
from .diagnostics.model import Diagnostic
from .diagnostics.rules import rule
from .on_disk import is_file, is_folder
from .request import (
    DESCRIPTION_ENDINGS,
    GLOB_CHARACTERS,
    Words,
    disabled,
    identity,
    is_path,
    name_problems,
    source_folder,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .frontends.openapi.settings import OpenApiRequest
    from .passes.budget import Exposure

ADDRESSES = ("http://", "https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiWords(Wanted):
    """What the user typed; empty and None mean that the settings decide. Paths are relative to the working folder."""

    source: str
    name: str | None = None
    package: str | None = None
    config: str | None = None
    strict: bool = False
    base_url: str | None = None
    operations: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    models: Literal["auto", "typeddict", "none"] | None = None
    stubs: bool = False
    ref_root: str | None = None
    allow_remote_refs: bool = False
    allow_private_hosts: bool = False
    exposure: Exposure | None = None
    budget: int | None = None
    known_names: Mapping[str, str] = field(default_factory=dict)


def is_address(source: str) -> bool:
    """Return whether a source is an http or https address."""
    return source.lower().startswith(ADDRESSES)


def is_description(source: str) -> bool:
    """Return whether a source can only be meant as an API description: by its ending, or as an address."""
    return is_address(source) or (Path(source).suffix.lower() in DESCRIPTION_ENDINGS and is_path(source))


def prepared_api(words: ApiWords) -> tuple[ApiRequest | None, tuple[Diagnostic, ...]]:
    """Return the request, or None when the words or the settings are wrong, and what is wrong with them."""
    folder = Path.cwd() if is_address(words.source) else source_folder(words.source)
    loaded = load_config(folder, explicit=Path(words.config) if words.config else None)
    config = loaded.config
    problems = [
        *name_problems(Words(source=words.source, name=words.name, package=words.package)),
        *loaded.diagnostics,
        *disabled(config),
        *_wrong(words),
    ]
    exposure = words.exposure or ("discovery" if config.openapi.discovery and words.budget is None else None)
    reading = replace(_reading(words, config), listed=exposure != "discovery")
    problems += _no_folder(reading.ref_root, words, config)
    if problems:
        return None, tuple(problems)
    return ApiRequest(
        reading=reading,
        strict=words.strict or config.strict,
        exposure=exposure,
        budget=words.budget or config.openapi.budget,
    ), ()


def _reading(words: ApiWords, config: Config) -> OpenApiRequest:
    """Return what is read and how: the command's words win over the settings, lists of both do not mix."""
    from .frontends.openapi.settings import OpenApiRequest

    told = config.openapi
    root = words.ref_root or _beside(config, told.ref_root)
    return OpenApiRequest(
        source=words.source,
        config=config,
        ref_root=Path(root) if root else None,
        allow_remote_refs=words.allow_remote_refs or told.allow_remote_refs,
        allow_private_hosts=words.allow_private_hosts or told.allow_private_hosts,
        overlays=words.overlays or tuple(str(_beside(config, path)) for path in told.overlays),
        name=identity(words.name or config.name),
        package=words.package or config.package,
        base_url=words.base_url or told.base_url,
        include_tags=words.include_tags or told.include_tags,
        exclude_tags=words.exclude_tags or told.exclude_tags,
        include_paths=words.include_paths or told.include_paths,
        exclude_paths=words.exclude_paths or told.exclude_paths,
        methods=words.methods or told.methods,
        operations=words.operations,
        expose=config.expose or None,
        hide=config.hide,
        known_names=words.known_names,
        rules=told.operations,
        limits=told.limits,
        models=words.models or told.models,
        stubs=words.stubs,
    )


def _beside(config: Config, path: str | None) -> str | None:
    """Return a path of the settings as seen from the working folder: it is relative to the settings file."""
    if path is None or config.folder is None or is_address(path):
        return path
    return str(config.folder / path)


def _wrong(words: ApiWords) -> Iterable[Diagnostic]:
    """Yield what is wrong with the options, and a source that is no description."""
    if words.base_url is not None and (reason := address_problem(words.base_url)) is not None:
        # The value is not shown: it may hold a password.
        message = f"--base-url is not acceptable: {reason}"
        hint = "Name the API's address, for example `--base-url https://api.example.com/v1`."
        yield Diagnostic(rule=rule("unusable-base-url"), message=message, hint=hint, unit="--base-url")
    for method in words.methods:
        if not is_method(method):
            message = f"--methods `{method[:20]}` is no HTTP method"
            hint = "Name methods with commas between, for example `--methods get,post`."
            yield Diagnostic(rule=rule("unusable-option"), message=message, hint=hint, unit="--methods")
    if is_file(words.source) and Path(words.source).suffix.lower() in (".py", ".pyi", ".pyw"):
        message = f"`{words.source[:200]}` is a Python file, not a description of an API"
        hint = f"Use `mcpgen build {words.source[:200]}` for a module."
        yield Diagnostic(rule=rule("not-a-description"), message=message, hint=hint, unit="SOURCE")


def _no_folder(root: Path | None, words: ApiWords, config: Config) -> Iterable[Diagnostic]:
    """Refuse a root of references that is no folder: nothing could be below it."""
    if root is None or is_folder(root):
        return
    told = "--ref-root" if words.ref_root else "openapi.ref_root"
    span = None if words.ref_root else config.span("openapi", "ref_root")
    name = "unusable-option" if words.ref_root else "invalid-setting"
    message = f"`{told}` names `{str(root)[:200]}`, which is no folder"
    yield Diagnostic(rule=rule(name), message=message, span=span, unit=told)


def operations_named(request: ApiRequest, identifiers: Mapping[str, str]) -> frozenset[str]:
    """Return the operations the user asked for by name, by their keys where their ids are known (decision 7)."""
    patterns = (*request.reading.operations, *request.config.expose)
    literal = {pattern for pattern in patterns if not GLOB_CHARACTERS & set(pattern)}
    return frozenset([*literal, *(key for key, name in identifiers.items() if name in literal)])
