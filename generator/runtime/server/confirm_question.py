"""The question whether a tool may run: its form, its first line, and the same with another name of the tool. Pure."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

RUN, WARNING = "Run ", " It may destroy something."
"""How the question's first line begins, and how it may end."""

FORM = {
    "type": "object",
    "properties": {"confirm": {"type": "boolean", "title": "Run it"}},
    "required": ["confirm"],
}


def first_line(name: str, title: str | None, *, destructive: bool) -> str:
    """Return the line that asks; the arguments follow."""
    what = f"{title} ({name})" if title else name
    return f"{RUN}{what}?{WARNING if destructive else ''}"


def renamed(params: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a question with another name of the tool, which a gateway has; what is no such question stays as it is."""
    message = params.get("message")
    if type(message) is not str or params.get("requestedSchema") != FORM:
        return params
    line, newline, more = message.partition("\n")
    said = line.removesuffix(WARNING)
    what = said[len(RUN) : -1]
    title, _, name = what.removesuffix(")").rpartition(" (")
    if said != f"{RUN}{what}?":
        return params
    if what in names:
        what = names[what]
    elif name in names and what == f"{title} ({name})":
        what = f"{title} ({names[name]})"
    return {**params, "message": f"{RUN}{what}?{line[len(said) :]}{newline}{more}"}
