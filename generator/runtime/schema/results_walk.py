"""The walk over a result that is not plain JSON.

Rules. One handler per class, chosen by `results_rules` and kept. A handler gets the value and the walk and may only
go on through `Walk.convert`, `Walk.items` and `Walk.pairs`, which count depth and values, notice cycles, and add
their step to the path of a problem on its way out. Whatever a user's own method raises becomes a `ResultProblem` that
names the class; no message ever contains a `repr`.
"""

from __future__ import annotations

from .exception_text import exception_text, one_line, type_name
from .object_keys import key_text
from .plain_json import MAX_INTEGER_BITS, is_text
from .results_problem import ResultProblem
from .results_rules import handler_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .results_problem import Bounds


class Walk:
    """One conversion: what is open above the current value, and how many values are left.

    `missing_is_null` is set inside numpy and pandas values, where NaN means "no value".
    """

    __slots__ = ("bounds", "left", "missing_is_null", "open")

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.left = bounds.values
        self.missing_is_null = False
        self.open: set[int] = set()

    def top(self, value: Any) -> Any:
        """Convert a whole result."""
        try:
            return self.convert(value)
        except RecursionError:
            raise _too_deep() from None

    def convert(self, value: Any) -> Any:
        """Return the JSON form of one value, whatever it is."""
        kind = type(value)
        leaf = _LEAVES.get(kind)
        if leaf is not None:
            return leaf(self, value)
        identity = id(value)
        if identity in self.open:
            raise ResultProblem("circular-reference", f"circular reference: this {type_name(kind)} contains itself")
        if len(self.open) >= self.bounds.depth:
            raise _too_deep()
        self.open.add(identity)
        try:
            return handler_for(kind)(value, self)
        except (ResultProblem, RecursionError):
            raise
        except Exception as error:
            said = f"{type_name(type(error))}: {exception_text(error)}"
            message = f"{type_name(kind)} could not be turned into JSON: {said}"
            raise ResultProblem("conversion-failed", message) from error
        finally:
            self.open.discard(identity)

    def number(self, value: float) -> float | None:
        """Return a finite number; NaN is null inside numpy and pandas values and a problem elsewhere."""
        if value - value == 0:
            return value
        if self.missing_is_null and value != value:
            return None
        name = "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
        raise ResultProblem("not-json-number", f"{name} is not a JSON number")

    def items(self, values: Iterable[Any]) -> list[Any]:
        """Convert the items of an array."""
        converted: list[Any] = []
        try:
            for item in values:
                self._count()
                converted.append(self.convert(item))
        except ResultProblem as problem:
            problem.enter(len(converted))
            raise
        return converted

    def pairs(self, pairs: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
        """Convert the members of an object; keys become text and must stay different."""
        converted: dict[str, Any] = {}
        for key, item in pairs:
            self._count()
            name = key if type(key) is str and key.isascii() else self.key(key)
            if name in converted:
                raise ResultProblem("duplicate-key", f'two keys have the same text "{one_line(name, 60)}"')
            try:
                converted[name] = self.convert(item)
            except ResultProblem as problem:
                problem.enter(name)
                raise
        return converted

    def key(self, key: Any) -> str:
        """Return the text of an object's key: strings, numbers, booleans, and what converts to one of them."""
        name = key_text(key if type(key) in (str, int, float, bool) else self.convert(key))
        if name is None:
            raise ResultProblem("bad-key", f"a key of type {type_name(type(key))} cannot be a JSON key")
        return text(name)

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise ResultProblem("too-many-values", f"more than {self.bounds.values:,} values in one result")


def text(value: str) -> str:
    """Return a string that UTF-8 can carry."""
    if value.isascii() or is_text(value):
        return value
    place = next(index for index, character in enumerate(value) if "\ud800" <= character <= "\udfff")
    raise ResultProblem("lone-surrogate", f"the text has a lone surrogate at character {place}, which is not Unicode")


def integer(value: int) -> int:
    """Return an integer that can be written out."""
    if value.bit_length() > MAX_INTEGER_BITS:
        raise ResultProblem("integer-too-large", "the integer has more than 4,300 digits")
    return value


def _too_deep() -> ResultProblem:
    return ResultProblem("too-deep", "nested too deeply")


_LEAVES: dict[type, Callable[[Walk, Any], Any]] = {
    str: lambda _walk, value: text(value),
    int: lambda _walk, value: integer(value),
    float: Walk.number,
    bool: lambda _walk, value: value,
    type(None): lambda _walk, _value: None,
}
"""Values that are JSON already, and what is checked about them."""
