"""Names of the members of enumerations whose schema lists values: `{"enum": [1, 10]}` is `LOW` and `HIGH` (rule 10).

The schema need not tell them; the conversions of a tool say which class makes a member of a value.
"""

from __future__ import annotations

from .equality import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Pairs = list[tuple[str, Any]]
    Names = dict[str | None, dict[str, Pairs]]

SCALARS = (str, int, float, bool, type(None))
"""What a value must be to stand in a list of values; a subclass of these may compare as it likes."""

DEEPEST = 64
"""Specifications inside specifications that are looked through."""


def enum_names(call: dict[str, Any], load: Callable[[str], Any]) -> Names:
    """Return, for each argument and (under None) for what all share, the names and values of each list of values.

    A list is found by the canonical text of its values; one that stands for two enumerations is left out. `call` is a
    tool's entry; `load` returns what a target names, and may raise.
    """
    found: Names = {wire: _named(spec, load) for wire, spec in (call.get("conversions") or {}).items()}
    found[None] = _named((call.get("definitions") or {}).get("conversions"), load)
    return found


def listed_names(names: Names | None, argument: object, values: list[Any]) -> Pairs:
    """Return the names and values of a list of values in an argument, none when it has no names."""
    if not names:
        return []
    key = canonical(values)
    return names.get(str(argument), {}).get(key) or names.get(None, {}).get(key) or []


def _named(specifications: Any, load: Callable[[str], Any]) -> dict[str, Pairs]:
    found: dict[str, Pairs] = {}
    for pairs in _lists(specifications, load):
        values: list[Any] = []
        for _, value in pairs:
            if not any(type(value) is type(one) and value == one for one in values):
                values.append(value)
        key = canonical(values)
        found[key] = pairs if found.get(key, pairs) == pairs else []
    return {key: pairs for key, pairs in found.items() if pairs}


def _lists(specifications: Any, load: Callable[[str], Any]) -> Iterator[Pairs]:
    for spec in _specifications(specifications, 0):
        if "members" in spec:
            yield [(name, value) for value, name in spec["members"]["names"]]
        elif spec["enum"].get("by") != "name":
            try:
                members = load(spec["enum"]["target"]).__members__
            except Exception:  # noqa: BLE001, S112  # names are a courtesy; what is wrong shows elsewhere
                continue
            pairs = [(name, member.value) for name, member in members.items()]
            if all(type(value) in SCALARS for _, value in pairs):
                yield pairs


def _specifications(part: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the specifications that name an enumeration."""
    if depth > DEEPEST:
        return
    if isinstance(part, dict):
        if isinstance(part.get("enum"), dict) or isinstance(part.get("members"), dict):
            yield part
        else:
            for inner in part.values():
                yield from _specifications(inner, depth + 1)
    elif isinstance(part, list):
        for inner in part:
            yield from _specifications(inner, depth + 1)
