"""Compile the keywords that combine schemas: allOf, anyOf, oneOf, not, if (JSON Schema 2020-12, 10.2).

Arms told apart by a constant in one required member (a tagged union) are found by that constant in one look-up,
whether the schema says `oneOf` or `anyOf`: no other arm can accept the value.
"""

from __future__ import annotations

from .arrays import schemas_of
from .kinds import always, types_of
from .recursion import remembered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Site
    from .kinds import Check


def all_of(schema: dict[str, Any], site: Site) -> Check:
    """Compile `allOf`."""
    return conjunction([site.check(arm) for arm in schemas_of(schema, "allOf")])


def conjunction(checks: list[Check]) -> Check:
    """Return one check for "all of these"."""
    checks = [check for check in checks if check is not always]
    if not checks:
        return always
    if len(checks) == 1:
        return checks[0]
    if len(checks) == 2:
        first, second = checks
        return lambda value: first(value) and second(value)

    def every(value: object) -> bool:
        for check in checks:  # noqa: SIM110 (a loop is quicker than all())
            if not check(value):
                return False
        return True

    return every


def any_of(schema: dict[str, Any], site: Site) -> Check:
    """Compile `anyOf`."""
    arms = schemas_of(schema, "anyOf")
    returns = site.options.returns
    checks = [site.check(arm) for arm in arms]
    recursive = site.options.returns != returns
    tagged = by_tag(arms, site)
    if tagged is not None:
        return tagged
    return remembered(_some(checks)) if recursive else _some(checks)


def _some(checks: list[Check]) -> Check:
    if len(checks) == 2:
        first, second = checks
        return lambda value: first(value) or second(value)

    def some(value: object) -> bool:
        for check in checks:  # noqa: SIM110 (a loop is quicker than any())
            if check(value):
                return True
        return False

    return some


def one_of(schema: dict[str, Any], site: Site) -> Check:
    """Compile `oneOf`."""
    arms = schemas_of(schema, "oneOf")
    returns = site.options.returns
    checks = [site.check(arm) for arm in arms]
    recursive = site.options.returns != returns
    tagged = by_tag(arms, site)
    if tagged is not None:
        return tagged

    def exactly_one(value: object) -> bool:
        found = False
        for check in checks:
            if check(value):
                if found:
                    return False
                found = True
        return found

    return remembered(exactly_one) if recursive else exactly_one


def by_tag(arms: list[Any], site: Site) -> Check | None:
    """Compile a tagged union as one look-up; None when the arms have no common tag."""
    tags = tags_of(arms, site)
    if tags is None:
        return None
    name, table = tags
    checks = {tag: site.check(arm) for tag, arm in table.items()}

    def tagged(value: object) -> bool:
        if type(value) is not dict:
            return False
        tag = value.get(name)
        if type(tag) is not str:
            return False
        check = checks.get(tag)
        return check is not None and check(value)

    return tagged


def tags_of(arms: list[Any], site: Site, *, required: bool = True) -> tuple[str, dict[str, Any]] | None:
    """Return the tag member's name and the arm of each tag, if every arm is an object told apart by it.

    A member that some arm does not require tells them apart too, where it is there: not so with `required`.
    """
    if len(arms) < 2:
        return None
    plain = [site.followed(arm) for arm in arms]
    if not all(isinstance(arm, dict) and types_of(arm) == ("object",) for arm in plain):
        return None
    for name in plain[0].get("required" if required else "properties", ()):
        table: dict[str, Any] = {}
        for arm, inner in zip(arms, plain, strict=True):
            tags = _tags(inner, name, required=required)
            if not tags or any(tag in table for tag in tags):
                break
            table.update(dict.fromkeys(tags, arm))
        else:
            return name, table
    return None


def _tags(arm: dict[str, Any], name: str, *, required: bool) -> list[str]:
    member = arm.get("properties", {}).get(name)
    if (required and name not in arm.get("required", ())) or not isinstance(member, dict):
        return []
    tags = [member["const"]] if "const" in member else member.get("enum", [])
    return tags if all(type(tag) is str for tag in tags) else []


def negation(schema: dict[str, Any], site: Site) -> Check:
    """Compile `not`."""
    check = site.check(schema["not"])
    return lambda value: not check(value)


def condition(schema: dict[str, Any], site: Site) -> Check:
    """Compile `if` with `then` and `else`."""
    check = site.check(schema["if"])
    then = site.check(schema["then"]) if "then" in schema else always
    other = site.check(schema["else"]) if "else" in schema else always
    if then is always and other is always:
        return always
    return lambda value: then(value) if check(value) else other(value)
