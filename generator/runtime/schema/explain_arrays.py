"""Steps that explain the keywords of arrays; see `explain`."""

from __future__ import annotations

from .compiler import build
from .explain_objects import left_over
from .problems import Problem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Node
    from .explain import Explain, Maker
    from .problems import Path, Report, Step


def _items(node: Node, explain: Explain) -> Step:
    schema = node.schema
    inner = node.site.node(schema["items"])
    skip = 0 if "prefixItems" in node.site.place.dialect.skipped else len(schema.get("prefixItems", ()))
    accepts = inner.accepts

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not list:
            return
        if inner.schema is False:
            if len(value) > skip:
                report.add(Problem(path, "items", False, value, schema))  # noqa: FBT003 (JSON)
            return
        for index in range(skip, len(value)):
            if not accepts(value[index]):
                explain(inner, value[index], (*path, index), report)
                if report.room <= 0:
                    return

    return step


def _prefix_items(node: Node, explain: Explain) -> Step:
    inner = [node.site.node(schema) for schema in node.schema["prefixItems"]]

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is not list:
            return
        for index, (position, item) in enumerate(zip(inner, value, strict=False)):
            if not position.accepts(item):
                explain(position, item, (*path, index), report)

    return step


def _contains(node: Node, _: Explain) -> Step:
    schema = node.schema
    part = {name: schema[name] for name in ("contains", "minContains", "maxContains") if name in schema}
    check = build(part, node.site)

    def step(value: Any, path: Path, report: Report) -> None:
        if not check(value):
            report.add(Problem(path, "contains", part, value, schema))

    return step


def _unevaluated(node: Node, explain: Explain) -> Step:
    from .unevaluated import left_indices, sibling

    rest = node.site.node(node.schema["unevaluatedItems"])
    beside = sibling(node.schema, "unevaluatedItems", node.site)

    def step(value: Any, path: Path, report: Report) -> None:
        if type(value) is list:
            for index in left_indices(beside, value):
                left_over(rest, "unevaluatedItems", value[index], (*path, index), report, explain)

    return step


ARRAY_STEPS: dict[str, Maker] = {
    "items": _items,
    "prefixItems": _prefix_items,
    "contains": _contains,
    "unevaluatedItems": _unevaluated,
}
"""How the step of each of these keywords is made."""
