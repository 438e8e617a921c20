"""The table `[tool.mcpgen.openapi]`: how a description is read and its server behaves; fields and values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ..ir.model import Annotations, Json
from .kinds import (
    BASE_URL,
    COUNT,
    FLAG,
    METHODS,
    RATE,
    SECONDS,
    SIZE,
    TEXT,
    TEXTS,
    TOOL_NAME,
    VALUES,
    Named,
    Table,
    choice,
    frozen,
)
from .serve import SCOPES

if TYPE_CHECKING:
    from collections.abc import Mapping

ANNOTATIONS = Table(
    description="What the tool tells clients about its effects.",
    fields={"read_only": FLAG, "destructive": FLAG, "idempotent": FLAG, "open_world": FLAG},
)

OPERATION = Table(
    description="One operation; the key is `GET /pets/{id}`, its operationId, or the name of its tool.",
    fields={
        "name": TOOL_NAME, "title": TEXT, "description": TEXT, "hide": FLAG, "annotations": ANNOTATIONS,
        "defaults": VALUES, "timeout": SECONDS, "scopes": SCOPES,
    },
)  # fmt: skip

RATE_LIMIT = Table(
    description="How many requests the server sends.", fields={"per_second": RATE, "burst": COUNT},
    required=("per_second",),
)  # fmt: skip

BREAKER = Table(
    description="When the server stops asking an API that fails, and for how long.",
    fields={"failures": COUNT, "reset": SECONDS},
)

LIMITS = Table(
    description="What a request may take.",
    fields={
        "timeout": SECONDS, "retries": SIZE, "max_answer_bytes": COUNT, "max_result_bytes": COUNT,
        "rate_limit": RATE_LIMIT, "breaker": BREAKER,
    },
)  # fmt: skip

OPENAPI = Table(
    description="How an API description is read, and how its server asks the API.",
    fields={
        "base_url": BASE_URL, "include_tags": TEXTS, "exclude_tags": TEXTS, "include_paths": TEXTS,
        "exclude_paths": TEXTS, "methods": METHODS, "models": choice("auto", "typeddict", "none"), "overlays": TEXTS,
        "ref_root": TEXT, "allow_remote_refs": FLAG, "allow_private_hosts": FLAG,
        "discovery": FLAG, "budget": COUNT,
        "operations": Named(item=OPERATION, description="Settings of single operations."), "limits": LIMITS,
    },
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRule:
    """What the user, or an extension of the description, says about one operation; None and empty mean not stated.

    `hide` leaves the operation out, or keeps one that an extension hides (False). `defaults` are values of arguments,
    by argument or wire name, that hold when the caller gives none. `timeout` is in seconds.
    """

    name: str | None = None
    title: str | None = None
    description: str | None = None
    hide: bool | None = None
    annotations: Annotations = field(default_factory=Annotations)
    defaults: Mapping[str, Json] = field(default_factory=dict)
    timeout: float | None = None
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which operations of a description are wanted; empty means no restriction.

    Tags and methods are matched without regard to case, paths are globs (`/repos/*`).
    """

    include_tags: tuple[str, ...] = ()
    exclude_tags: tuple[str, ...] = ()
    include_paths: tuple[str, ...] = ()
    exclude_paths: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenApiSettings(Wanted):
    """What `[tool.mcpgen.openapi]` says; paths are relative to the settings file, `limits` holds what is stated.

    `budget` is in tokens.
    """

    base_url: str | None = None
    models: Literal["auto", "typeddict", "none"] = "auto"
    overlays: tuple[str, ...] = ()
    ref_root: str | None = None
    allow_remote_refs: bool = False
    allow_private_hosts: bool = False
    discovery: bool = False
    budget: int | None = None
    operations: Mapping[str, OperationRule] = field(default_factory=dict)
    limits: Mapping[str, Json] = field(default_factory=dict)


def openapi_settings(table: Mapping[str, Any]) -> OpenApiSettings:
    """Return the values of a table that was checked."""
    values: dict[str, Any] = {key: frozen(value) for key, value in table.items()}
    operations = {key: _operation(each) for key, each in values.pop("operations", {}).items()}
    return OpenApiSettings(operations=operations, **values)


def _operation(table: Mapping[str, Any]) -> OperationRule:
    values: dict[str, Any] = {key: frozen(value) for key, value in table.items()}
    annotations = values.pop("annotations", {})
    return OperationRule(annotations=Annotations(**annotations), **values)
