"""Steps that explain the keywords of objects; see `explain`."""

from __future__ import annotations

from .kinds import PLAIN
from .problems import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Node
    from .explain import Explain, Maker
    from .problems import Path, Report, Step


def _properties(node: Node, explain: Explain) -> Step:
    members = []
    for name, schema in node.schema["properties"].items():
        # An object's own parts are asked one by one anyway: asking for the whole first would only double the work.
        inner = node.site.node(schema)
        schema = schema if isinstance(schema, dict) else {}  # noqa: PLW2901 (true and false say nothing)
        nested = "properties" in schema
        members.append((name, inner, nested, "type" in schema and inner.accepts in PLAIN))

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for name, inner, nested, plain in members:
            if name in value and (nested or not inner.accepts(value[name])):
                if plain:  # nothing but a type: there is one thing to say
                    report.add(Problem((*path, name), "type", inner.schema["type"], value[name], inner.schema))
                else:
                    explain(inner, value[name], (*path, name), report)
                if report.room <= 0:
                    return

    return step


def _required(node: Node, _: Explain) -> Step:
    names = node.schema["required"]
    declared = node.schema.get("properties", {})

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for name in names:
            if name not in value:
                report.add(Problem((*path, name), "required", True, None, declared.get(name, True)))  # noqa: FBT003 (JSON)

    return step


def _additional(node: Node, explain: Explain) -> Step:
    schema, site = node.schema, node.site
    declared = schema.get("properties", {})
    searches = [site.search(pattern) for pattern in schema.get("patternProperties", ())]
    rest = site.node(schema["additionalProperties"])
    if not searches and rest.schema is False:
        return _closed(declared)

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for name, item in value.items():
            # A pattern that is not enforced (None) may have matched.
            if name not in declared and not any(search is None or search(name) for search in searches):
                left_over(rest, "additionalProperties", item, (*path, name), report, explain, tuple(declared))
                if report.room <= 0:
                    return

    return step


def _closed(declared: dict[str, Any]) -> Step:
    """Make the step of the commonest case: nothing but the declared members."""
    names = tuple(declared)

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for name in value:
            if name not in declared:
                report.add(Problem((*path, name), "additionalProperties", False, value[name], False, names))  # noqa: FBT003 (JSON)

    return step


def left_over(
    rest: Node, keyword: str, item: Any, path: Path, report: Report, explain: Explain, names: tuple[str, ...] = ()
) -> None:
    """Explain a member or item that no other keyword speaks of; `names` are those that would have been known."""
    if rest.schema is False:
        report.add(Problem(path, keyword, False, item, rest.schema, names))  # noqa: FBT003 (JSON)
    elif not rest.accepts(item):
        explain(rest, item, path, report)


def _pattern_properties(node: Node, explain: Explain) -> Step:
    site = node.site
    members = [
        (site.search(pattern), site.node(schema)) for pattern, schema in node.schema["patternProperties"].items()
    ]

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for search, inner in members:
            for name, item in value.items():
                if search is not None and search(name) is not None and not inner.accepts(item):
                    explain(inner, item, (*path, name), report)

    return step


def _property_names(node: Node, _: Explain) -> Step:
    inner = node.site.node(node.schema["propertyNames"])

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for name in value:
            if not inner.accepts(name):
                report.add(Problem((*path, name), "propertyNames", inner.schema, name, node.schema))

    return step


def _dependent_required(node: Node, _: Explain) -> Step:
    table = node.schema["dependentRequired"]
    declared = node.schema.get("properties", {})

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for name, needed in table.items():
            for other in needed:
                if name in value and other not in value:
                    report.add(
                        Problem(
                            (*path, other),
                            "dependentRequired",
                            {name: needed},
                            None,
                            declared.get(other, True),
                            (name,),
                        )
                    )

    return step


def _dependent_schemas(node: Node, explain: Explain) -> Step:
    inner = [(name, node.site.node(schema)) for name, schema in node.schema["dependentSchemas"].items()]

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not dict:
            return
        for name, dependent in inner:
            if name in value and not dependent.accepts(value):
                explain(dependent, value, path, report)

    return step


def _unevaluated(node: Node, explain: Explain) -> Step:
    from .unevaluated import left_names, sibling

    rest = node.site.node(node.schema["unevaluatedProperties"])
    beside = sibling(node.schema, "unevaluatedProperties", node.site)

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is dict:
            for name in left_names(beside, value):
                left_over(rest, "unevaluatedProperties", value[name], (*path, name), report, explain)

    return step


OBJECT_STEPS: dict[str, Maker] = {
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "patternProperties": _pattern_properties,
    "propertyNames": _property_names,
    "dependentRequired": _dependent_required,
    "dependentSchemas": _dependent_schemas,
    "unevaluatedProperties": _unevaluated,
}
"""How the step of each of these keywords is made."""
