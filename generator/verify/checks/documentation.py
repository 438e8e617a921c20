"""`documentation`: what has no description. Never a failure: it works, and models use it worse (R182)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..finding import Check, Finding, ok, plural, shown, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..context import Context


def documentation(context: Context) -> Finding:
    """Look for tools and parameters without a description."""
    survey = context.best()
    if not survey.served:
        return context.blocked()
    lacking = [each for tool in survey.tools for each in _lacking(tool)]
    lacking += [
        f"{kind.removesuffix('s')} `{shown(str(item.get('name')), 64)}` has no description"
        for kind in ("resources", "templates", "prompts")
        for item in survey.lists.get(kind, ())
        if not _says(item.get("description"))
    ]
    if lacking:
        action = "Describe them at the source: a docstring with `Args:`, or `description` in the API's document."
        return warn(f"missing: {plural(len(lacking), 'description')}", action, lacking)
    return ok("everything has a description")


def _lacking(tool: dict[str, Any]) -> Iterator[str]:
    name = shown(str(tool.get("name")), 64)
    if not _says(tool.get("description")):
        yield f"tool `{name}` has no description"
    schema = tool.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for parameter, of in (properties if isinstance(properties, dict) else {}).items():
        if isinstance(of, dict) and "$ref" not in of and not _says(of.get("description")):
            yield f"parameter `{shown(parameter, 64)}` of `{name}` has no description"


def _says(text: object) -> bool:
    return isinstance(text, str) and bool(text.strip())


CHECKS = (Check(id="documentation", title="Everything is described", run=documentation),)
