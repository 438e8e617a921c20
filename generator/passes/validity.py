"""Schemas that are none leave their tools out; patterns that cannot or should not be enforced are reported."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.codec import thaw
from ..jsonschema import patterns
from ..jsonschema.patterns import CHECKED_ELSEWHERE, pattern_problems
from ..jsonschema.subschemas import Schema, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..ir.model import Server, Tool

UNSUPPORTED = frozenset(
    {"$recursiveRef", "additionalItems", "dependencies", "disallow", "divisibleBy", "extends", "id", "nullable"}
)
"""Keywords of older drafts and of OpenAPI 3.0 that would assert something there and are silent in 2020-12."""

SHOWN = 60
"""Characters of a pattern that a message shows."""


def apply(server: Server) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server without the tools whose schemas are none, and what was found in the others."""
    patterns.begin()
    kept, found = [], []
    for tool in server.tools:
        schemas: list[tuple[str, Schema]] = [("input", tool.input_schema), ("result", tool.result_schema)]
        # Only an author's own schemas can be broken; those the front ends make are proven right by tests.
        broken = list(_broken(tool, [(kind, thaw(each)) for kind, each in schemas])) if tool.verbatim else []
        found.extend(broken)
        if not broken:
            kept.append(tool)
            found.extend(_patterns(tool, schemas))
    return replace(server, tools=tuple(kept)), tuple(found)


def _broken(tool: Tool, schemas: Iterable[tuple[str, Schema]]) -> Iterable[Diagnostic]:
    from ..jsonschema.meta import first_error

    for kind, schema in schemas:
        if schema is None:
            continue
        problem = first_error(schema)
        if problem is not None:
            place = f"at {problem.pointer}: " if problem.pointer else ""
            yield Diagnostic(
                rule=rule("invalid-schema"),
                message=f"the {kind} schema of tool `{tool.name}` cannot be used: {place}{problem.reason}",
                span=tool.span,
                pointer=problem.pointer,
                unit=tool.name,
            )
        elif (unsupported := _unsupported(schema)) is not None:
            yield Diagnostic(
                rule=rule("unsupported-keyword"),
                message=f"the {kind} schema of tool `{tool.name}` uses `{unsupported}`: it asserts nothing in 2020-12",
                span=tool.span,
                unit=tool.name,
            )


def _unsupported(schema: Schema) -> str | None:
    used: Iterable[Mapping[str, Any]] = walk(schema)
    return next((keyword for part in used for keyword in sorted(UNSUPPORTED.intersection(part))), None)


def _patterns(tool: Tool, schemas: Iterable[tuple[str, Schema]]) -> Iterable[Diagnostic]:
    seen: set[str] = set()
    for _, schema in schemas:
        for problem in pattern_problems(schema):
            if problem.pattern in seen or problem.pattern in CHECKED_ELSEWHERE:
                continue
            seen.add(problem.pattern)
            shown = problem.pattern if len(problem.pattern) <= SHOWN else f"{problem.pattern[: SHOWN - 1]}…"
            slow = problem.kind == "slow"
            yield Diagnostic(
                rule=rule("slow-pattern" if slow else "untranslatable-pattern"),
                message=f"the pattern `{shown}` of tool `{tool.name}` is shown to clients but not enforced: "
                f"{problem.reason}",
                span=tool.span,
                unit=tool.name,
                hint="Write it so that a text can be read in one way only, or bound it with a maximum length."
                if slow
                else "Write it as ECMA-262 and Python both understand it.",
            )
