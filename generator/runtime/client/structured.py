"""`structuredContent` of an answer: what the advertised schema promises, whatever the API sent (decisions 14 and 31).

A client may refuse a whole result whose structured content breaks the schema: what does not fit is left out of it and
named; the text keeps everything.
"""

from __future__ import annotations

from . import exact_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..schema.validator import Validator

META_SCHEMA = "mcpgen/schema"
"""The key under `_meta` that says where an answer differs from the API's own description."""

ROUNDS = 5
"""How often what does not fit is taken out, each time the object it was required in; then all of it is left out."""

MOST_PROBLEMS = 100
"""Places of one answer that are taken out in one round."""

MOST_TOLD = 5
"""Places that are named."""

RECEIVED = "received"
"""The member under which an answer stands that is of another kind than the promised one."""

STAND_INS: tuple[Any, ...] = (None, [], {}, "", 0, False)
"""What takes the place of a result that is missing, in the order in which it is tried."""


class Shape:
    """What a tool promised of its structured content: nothing (`validator` None), an object, or a wrapped value."""

    __slots__ = ("promised", "validator", "wrap")

    def __init__(self, schema: dict[str, Any] | None, *, wrap: bool) -> None:
        self.promised = schema is not None
        self.wrap = wrap
        self.validator = _validator(schema)

    def of(self, value: Any) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
        """Return the structured content for an answer's value, and a note for `_meta` when it does not fit."""
        if not self.promised:
            return (exact_json.plain(value) if type(value) is dict else None), None
        plain = exact_json.plain(value)
        if self.wrap or type(plain) is not dict:
            plain = {"result": plain}
        if self.validator is None or self.validator.accepts(plain):
            return plain, None
        return self._reduced(plain, self.validator)

    def missing(self) -> dict[str, Any] | None:
        """Return what stands for an answer that is no JSON value at all, None when nothing was promised."""
        if not self.promised:
            return None
        for stand_in in STAND_INS if self.wrap else ():
            made = {"result": stand_in}
            if self.validator is None or self.validator.accepts(made):
                return made
        return {}

    def _reduced(self, plain: dict[str, Any], validator: Validator) -> tuple[dict[str, Any] | None, dict[str, Any]]:
        problems = validator.problems(plain, MOST_PROBLEMS)
        places = list(dict.fromkeys(_place(problem.path) for problem in problems))
        note = {
            "note": "the answer differs from the API's description; the text has all of it",
            "at": places[:MOST_TOLD],
        }
        reduced: Any = plain
        for _ in range(ROUNDS):
            paths = [_present(reduced, problem.path) for problem in problems]
            if not all(paths):
                break
            reduced = _without(reduced, paths)
            if validator.accepts(reduced):
                return reduced, note
            problems = validator.problems(reduced, MOST_PROBLEMS)
        return self._beside(plain["result"] if self.wrap else plain, validator), {**note, "received": RECEIVED}

    def _beside(self, received: Any, validator: Validator) -> dict[str, Any] | None:
        """Return what stands for a promised result, with what came instead beside it: nobody takes it for no result."""
        made = self.missing()
        whole = {**(made or {}), RECEIVED: received}
        return whole if validator.accepts(whole) else made


def _validator(schema: dict[str, Any] | None) -> Validator | None:
    if schema is None:
        return None
    from ..schema.kinds import SchemaError
    from ..schema.validator import compile_validator

    try:
        return compile_validator(schema, assert_formats=False, assert_content=False)
    except SchemaError:  # it is advertised as it is, and nobody can hold anything against it
        return None


def _place(path: tuple[str | int, ...]) -> str:
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path[:8])
    return text.removeprefix(".")[:80] or "the whole"


def _present(value: Any, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return as much of a path as leads somewhere: what lacks a member is taken out in its place."""
    for depth, step in enumerate(path):
        try:
            value = value[step]
        except (LookupError, TypeError):
            return path[:depth]
    return path


def _without(value: Any, paths: list[tuple[str | int, ...]]) -> Any:
    """Return a copy without the places that the paths lead to."""
    gone = {path[0] for path in paths if len(path) == 1}
    below: dict[str | int, list[tuple[str | int, ...]]] = {}
    for path in paths:
        if len(path) > 1 and path[0] not in gone:
            below.setdefault(path[0], []).append(path[1:])
    if type(value) is dict:
        return {
            name: _without(item, below[name]) if name in below else item
            for name, item in value.items()
            if name not in gone
        }
    if type(value) is list:
        return [_without(item, below[n]) if n in below else item for n, item in enumerate(value) if n not in gone]
    return value
