"""How a function is called, and what everything that is called is built in."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...ir.model import PythonCall

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...config import Config
    from .lazy_imports import ImportReach
    from .signatures import Signature
    from .subjects import Subject
    from .tool_schemas import Schemas
    from .type_reader import Types


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a tool is built in: settings, types, how modules are reached, what imports are reached.

    `links` are options of tools that the module states as data (`__mcp_ui__`), by function.
    """

    config: Config
    types: Types
    module_targets: Mapping[str, str]
    reach: ImportReach
    links: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def python_call(
    subject: Subject, written: Subject, signature: Signature, schemas: Schemas, around: Surroundings
) -> PythonCall:
    """Return how a subject is called; `written` is the definition in its source."""
    module, qualname = subject.target
    return PythonCall(
        target=f"{around.module_targets.get(module, module)}:{qualname}",
        is_async=isinstance(written.node, ast.AsyncFunctionDef),
        positional=tuple(signature.positional),
        star=signature.star,
        star_star=signature.star_star,
        names=signature.names,
        inject=signature.inject,
        conversions=schemas.conversions,
        definitions=schemas.definitions,
        prepare=schemas.prepare,
        field_defaults=tuple(signature.field_defaults),
        exact_numbers=schemas.exact_numbers,
        lazy_imports=around.reach.of(written),
    )
