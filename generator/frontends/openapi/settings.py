"""What is asked of one reading of an API description, and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...config import Config
from ...config.openapi import Wanted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ...config.openapi import OperationRule
    from ...diagnostics.model import Diagnostic
    from ...ir.model import Json, Server
    from .model import Api
    from .schemas import Schemas


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenApiRequest(Wanted):
    """One reading: the description, how it may be loaded, which operations are wanted and how they are served.

    `source` is a path or an http(s) URL. `operations` are operation keys (`GET /pets/{id}`), operation ids or globs
    over either, `expose` globs over tool names, operation ids and keys. Empty means no restriction, except that an
    `expose` of None means it was not given: given and empty is an error.
    `known_names` maps operation keys to the tool names of earlier runs, which win. `rules` are by operation key or
    operation id. `listed` tells that lists of tools show them, which leaves less room for each of very many.
    """

    source: str
    config: Config = field(default_factory=Config)
    ref_root: Path | None = None
    allow_remote_refs: bool = False
    allow_private_hosts: bool = False
    overlays: tuple[str, ...] = ()
    name: str | None = None
    package: str | None = None
    base_url: str | None = None
    operations: tuple[str, ...] = ()
    expose: tuple[str, ...] | None = None
    hide: tuple[str, ...] = ()
    known_names: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, OperationRule] = field(default_factory=dict)
    limits: Mapping[str, Json] = field(default_factory=dict)
    hooks: bool = True
    models: Literal["auto", "typeddict", "none"] = "auto"
    stubs: bool = False
    listed: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """What was read; `server` is None when the description cannot be read at all, and may have no tools.

    `left_out` names the operations that were wanted and cannot be served. `api` and `schemas` are what the typed
    models of the emitted package are made from.
    """

    server: Server | None
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: tuple[str, ...] = ()
    refused_views: tuple[str, ...] = ()
    api: Api | None = None
    schemas: Schemas | None = None
