"""`schemas_generate` and `schemas_valid`: the catalog is whole, and what clients see are JSON Schemas of 2020-12."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ...jsonschema.meta import first_error
from ...resources import schemas
from ...runtime import VERSION
from ...runtime.schema.kinds import SchemaError
from ...runtime.schema.validator import compile_validator
from ..finding import PROJECT, REBUILD, Check, Finding, fail, ok, plural, several, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..context import Context

DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""What a schema without `$schema` is (2026-07-28, 2025-11-25)."""

CASES = ("inputSchema", "outputSchema")


def schemas_generate(context: Context) -> Finding:
    """Hold the catalog to its own schema, and compile every schema in it as the server will."""
    project = context.project
    if project.catalog is None:
        return fail(project.problems.get("catalog.json", "there is no catalog"), REBUILD)
    form = json.loads((schemas() / "catalog.schema.json").read_bytes())
    ours = project.catalog.get("runtime") == VERSION  # another version's form is not ours to judge; see drift
    problems = compile_validator(form).problems(project.catalog) if ours else []
    broken = [f"{'/'.join(map(str, each.path)) or 'the catalog'}: {each.message}" for each in problems]
    if broken:
        return fail("catalog.json does not have the form of a catalog", REBUILD, broken)
    faulty, count = [], 0
    for owner, schema in _catalog_schemas(context):
        count += 1
        try:
            compile_validator(schema)
        except SchemaError as error:
            faulty.append(f"{owner}: {error}")
    if faulty:
        return fail(
            f"{plural(len(faulty), 'schema')} cannot be compiled", "Correct the schema and build again.", faulty
        )
    return ok(f"the catalog is whole; {plural(count, 'schema')} can be compiled")


def _catalog_schemas(context: Context) -> Iterator[tuple[str, Any]]:
    project = context.project
    for tool in project.entries("tools"):
        definition = tool["definition"]
        for case in CASES:
            if case in definition:
                yield f"{case} of `{shown(str(definition.get('name')), 64)}`", definition[case]
    for kind in ("templates", "prompts"):
        for entry in project.entries(kind):
            if "arguments" in entry:
                yield f"arguments of `{shown(str(entry['definition'].get('name')), 64)}`", entry["arguments"]


def schemas_valid(context: Context) -> Finding:
    """Hold every listed schema to the meta-schema, and its references to itself."""
    survey = context.best()
    if not survey.served:
        return context.blocked()
    faulty, count = [], 0
    for tool in survey.tools:
        for case in CASES:
            if case not in tool:
                continue
            count += 1
            schema, owner = tool[case], f"{case} of `{shown(str(tool.get('name')), 64)}`"
            if not isinstance(schema, dict):
                faulty.append(f"{owner} is no object")
            elif str(schema.get("$schema", DIALECT)).rstrip("#") == DIALECT and (error := _first_error(schema)):
                faulty.append(f"{owner}{error}")
    if faulty:
        action = "Correct the schema: clients refuse the tool, some of them the whole list."
        return fail(f"{plural(len(faulty), 'schema')} of {count} are no JSON Schema 2020-12", action, faulty)
    return ok(f"{several(count, 'schema')} valid JSON Schema 2020-12")


def _first_error(schema: dict[str, Any]) -> str | None:
    try:
        error = first_error(schema)
    except RecursionError:
        return " is nested too deeply"
    if error is None:
        return None
    return f" at {error.pointer or 'its root'}: {error.reason}"


CHECKS = (Check(id="schemas_generate", title="The catalog is whole", run=schemas_generate, kinds=PROJECT),)
WIRE_CHECKS = (Check(id="schemas_valid", title="Schemas are JSON Schema 2020-12", run=schemas_valid),)
