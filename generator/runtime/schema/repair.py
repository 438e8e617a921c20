"""Report the problems of a call's arguments so that a model can repair them in one turn (decision 16).

The text is what the model reads: one line for each problem with its code, its place as a JSON pointer (RFC 6901),
what is wrong, and the next action. The data says the same for programs. What a client sent appears as its type, and
its content only where that is a short string or number.
"""

from __future__ import annotations

from .compiler import Options, Site
from .describe import described
from .examples import NOTHING, example_of
from .holders import holder_of
from .kinds import SchemaError
from .nearest import nearest
from .problems import SHOWN, printable
from .references import Library
from .wording import REASONS, UNKNOWN, code_of, constraint_of, listed, literal, message_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .problems import Path, Problem

CAP = 10
"""Problems that are told; the text says how many more there are."""

ERROR_TYPE = "InputError"
"""What `errorData.type` is for every problem with arguments: readers of the source systems know it (R027)."""

LONGEST_EXAMPLE = 120
"""Characters of an example in the text; the data holds it whole."""


def report(
    tool: str, problems: list[Problem], schema: Any, total: int | None = None, *, skip_patterns: Iterable[str] = ()
) -> dict[str, Any]:
    """Return `text` for the model, `problems` as data, and `errorData` for the first one in R027's shape.

    `schema` is the advertised input schema; `total` counts the problems found when more were found than are given;
    `skip_patterns` are the patterns that are not enforced.
    """
    site = site_of(schema, frozenset(skip_patterns))
    told = [tell(problem, site) for problem in problems[:CAP]]
    count = max(total or 0, len(problems))
    lines = [f"{count} problem{'' if count == 1 else 's'} with the arguments of {tool}:"]
    lines.extend(f"- [{data['code']}] {printable(data['path']) or '/'}: {sentence}" for data, sentence in told)
    if count > len(told):
        lines.append(f"and {count - len(told)} more.")
    first = dict(told[0][0]) if told else {}
    first.pop("path", None)
    error = {"tool": tool, "errorCode": first.pop("code", None), "type": ERROR_TYPE, **first, "schema": schema}
    return {"text": "\n".join(lines), "problems": [data for data, _ in told], "errorData": error}


def site_of(schema: Any, skip_patterns: frozenset[str] = frozenset()) -> Site:
    """Return a site in which parts of the schema can be asked whether they accept an example."""
    library = Library()
    options = Options(assert_formats=True, assert_content=True, strict_patterns=True, skip_patterns=skip_patterns)
    place = library.read(schema)
    return Site(library, options, place, (place,) if place.dynamic else (), {})


def tell(problem: Problem, site: Site) -> tuple[dict[str, Any], str]:
    """Return a problem as data, and the sentence or two that say it."""
    code = code_of(problem)
    without = code == UNKNOWN or problem.keyword in ("false", "propertyNames")
    example = NOTHING if without else example_of(problem.schema, site)
    suggestion = suggested(problem, code, example, site)
    data: dict[str, Any] = {
        "code": code,
        "path": pointer(problem.path),
        "argument": dotted(problem.path),
        "reason": REASONS[code],
        "constraint": constraint_of(problem),
        "suggestion": suggestion,
    }
    if example is not NOTHING:
        data["example"] = example
    return data, f"{message_of(problem)}. {suggestion}".rstrip()


def suggested(problem: Problem, code: str, example: Any, site: Site) -> str:
    """Name the next action: the likely name or value, or what to send with an example that the schema accepts."""
    if code == UNKNOWN:
        return _known_names(problem, site)
    if problem.keyword == "enum" and isinstance(problem.value, str):
        meant = nearest(problem.value, (value for value in problem.constraint if isinstance(value, str)))
        if meant is not None:
            return f"Did you mean {literal(meant)}? Allowed: {listed(problem.constraint)}."
    if problem.keyword == "uniqueItems":
        return "Send each item once."
    if problem.keyword == "propertyNames":
        return _other_names(problem, site)
    try:
        words = described(problem.schema, site)
    except (SchemaError, RecursionError, TypeError):
        words = ""
    if not words:
        return "" if example is NOTHING else f"For example {_short(example)}."
    plain = words == "a string" or example is NOTHING or words == literal(example)
    if plain or words.startswith("one of ") or words in ("true or false", "null"):
        return f"Send {words}."
    return f"Send {words}, for example {_short(example)}."


def _other_names(problem: Problem, site: Site) -> str:
    """Say what the members may be called."""
    wanted = problem.constraint
    if not isinstance(wanted, dict):
        return "Leave it out."
    if "enum" in wanted:
        meant = nearest(str(problem.value), (name for name in wanted["enum"] if isinstance(name, str)))
        lead = f"Did you mean {literal(meant)}? " if meant is not None else ""
        return f"{lead}Allowed names: {listed(wanted['enum'])}."
    try:
        return f"Its name must be {described({'type': 'string', **wanted}, site)}."
    except (SchemaError, RecursionError, TypeError):
        return "Leave it out."


def _known_names(problem: Problem, site: Site) -> str:
    name = str(problem.path[-1])
    holder = holder_of(name, site.place.root) if len(problem.path) == 1 else None
    if holder is not None and holder[1]:
        return f"Put it into `{holder[0]}`."
    meant = nearest(name, problem.names)
    if meant is not None:
        return f"Did you mean {literal(meant)}?"
    if holder is not None:
        return f"Put it into `{holder[0]}`, or leave it out; the known names are {listed(problem.names)}."
    if problem.names:
        return f"Leave it out; the known names are {listed(problem.names)}."
    return "Leave it out."


def _short(example: Any) -> str:
    text = literal(example)
    return text if len(text) <= LONGEST_EXAMPLE else text[: LONGEST_EXAMPLE - 3] + "..."


def pointer(path: Path) -> str:
    """Write a path as a JSON pointer; a name that a client made up is cut."""
    return "".join("/" + _cut(str(step)).replace("~", "~0").replace("/", "~1") for step in path)


def dotted(path: Path) -> str:
    """Write a path as `name[0].member` (R028)."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{_cut(step)}" if text else _cut(step)
    return text


def _cut(name: str) -> str:
    return name if len(name) <= SHOWN else name[: SHOWN - 3] + "..."
