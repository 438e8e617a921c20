"""The second pass: say what is wrong with a value that the first pass refused.

For each node that is ever refused, its keywords become *steps*, made once: a step looks at the value and adds
problems. A step asks the compiled check of each part first, so that only the parts that are wrong are walked. Every
node walked counts against a budget: a hostile value cannot make its explanation expensive.
"""

from __future__ import annotations

from _thread import allocate_lock

from .compiler import build
from .explain_arrays import ARRAY_STEPS
from .explain_objects import OBJECT_STEPS
from .kinds import PREDICATES, always, types_of
from .problems import Problem, Report
from .unions import UNION_STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .compiler import Node
    from .kinds import Check
    from .problems import Path, Step

    Explain = Callable[[Node, Any, Path, Report], None]
    Maker = Callable[[Node, Explain], Step]


_preparing = allocate_lock()


def explain(node: Node, value: Any, path: Path, report: Report) -> None:
    """Add to the report the problems of a value: none if the node accepts it, else at least one or a full report."""
    of_type, steps = node.explanation or prepare(node)
    report.budget -= 1
    room = report.room
    if room <= 0 or report.budget <= 0:
        report.room = 0
        return
    if not of_type(value):
        report.add(Problem(path, "type", node.schema["type"], value, node.schema))
        return
    for step in steps:
        step(value, path, report)
        if report.room <= 0:
            return
    if report.room == room and not node.accepts(value):  # refused, and no keyword knows why
        schema = node.schema
        report.add(Problem(path, "false" if schema is False else "schema", schema, value, schema))


def prepare(node: Node) -> tuple[Check, tuple[Step, ...]]:
    """Make a node's steps and keep them on it; one thread at a time, so that none meets a half-built part."""
    with _preparing:
        if node.explanation is None:
            node.explanation = _prepared(node)
        return node.explanation


def _prepared(node: Node) -> tuple[Check, tuple[Step, ...]]:
    schema = node.schema
    of_type: Check = always
    steps: list[Step] = []
    if type(schema) is dict:
        skipped = node.site.place.dialect.skipped
        if "type" in schema and "type" not in skipped:
            of_type = _of_types(types_of(schema) or ())
        steps = [MAKERS[keyword](node, explain) for keyword in schema if keyword in MAKERS and keyword not in skipped]
    return of_type, tuple(steps)


def _of_types(names: tuple[str, ...]) -> Check:
    if len(names) == 1:
        return PREDICATES[names[0]]
    tests = [PREDICATES[name] for name in names]
    return lambda value: any(test(value) for test in tests)


COMPANIONS = {
    "contentEncoding": ("contentMediaType", "contentSchema"),
    "contentMediaType": ("contentEncoding", "contentSchema"),
}
"""Keywords that mean something only beside another one."""


def _alone(keyword: str) -> Maker:
    """Make the maker of a keyword that speaks of the value itself: its own check decides."""

    def maker(node: Node, _: Explain) -> Step:
        schema = node.schema
        companions = {name: schema[name] for name in COMPANIONS.get(keyword, ()) if name in schema}
        if keyword == "contentMediaType" and "contentEncoding" in companions:
            return _nothing  # the encoding's step speaks for both
        check = build({keyword: schema[keyword], **companions}, node.site)

        def step(value: Any, path: Path, report: Report) -> None:
            if not check(value):
                report.add(Problem(path, keyword, schema[keyword], value, schema))

        return step

    return maker


def _nothing(value: Any, path: Path, report: Report) -> None:
    """Add nothing."""


def _reference(node: Node, explain: Explain) -> Step:
    return _apply([node.site.refer(node.schema["$ref"])], explain)


def _dynamic_reference(node: Node, explain: Explain) -> Step:
    return _apply([node.site.refer_dynamically(node.schema["$dynamicRef"])], explain)


def _all_of(node: Node, explain: Explain) -> Step:
    return _apply([node.site.node(arm) for arm in node.schema["allOf"]], explain)


def _apply(nodes: list[Node], explain: Explain) -> Step:
    def step(value: Any, path: Path, report: Report) -> None:
        for node in nodes:
            if not node.accepts(value):
                explain(node, value, path, report)

    return step


def _condition(node: Node, explain: Explain) -> Step:
    schema, site = node.schema, node.site
    test = site.node(schema["if"])
    then, other = site.node(schema.get("then", True)), site.node(schema.get("else", True))

    def step(value: Any, path: Path, report: Report) -> None:
        branch = then if test.accepts(value) else other
        if not branch.accepts(value):
            explain(branch, value, path, report)

    return step


def _negation(node: Node, _: Explain) -> Step:
    inner = node.site.node(node.schema["not"])

    def step(value: Any, path: Path, report: Report) -> None:
        if inner.accepts(value):
            report.add(Problem(path, "not", inner.schema, value, node.schema))

    return step


SELF = (
    "enum", "const", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength",
    "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "minItems", "maxItems", "uniqueItems",
    "minProperties", "maxProperties",
)  # fmt: skip

MAKERS: dict[str, Maker] = {
    **{keyword: _alone(keyword) for keyword in SELF},
    **OBJECT_STEPS,
    **ARRAY_STEPS,
    **UNION_STEPS,
    "$ref": _reference,
    "$dynamicRef": _dynamic_reference,
    "allOf": _all_of,
    "not": _negation,
    "if": _condition,
}
"""How the step of each keyword is made."""
