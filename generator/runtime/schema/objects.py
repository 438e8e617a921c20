"""Compile the keywords of objects (JSON Schema 2020-12, 10.3.2; validation, 6.5).

The common shape (declared properties, some required, closed or open) is one loop over the members that are there;
what else a schema may say is a list of further tests.
"""

from __future__ import annotations

from .kinds import PLAIN, SchemaError, always, is_object, never
from .strings import NO_LIMIT, size_bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .compiler import Site
    from .kinds import Check


def object_check(schema: dict[str, Any], site: Site, *, otherwise: bool) -> Check:
    """Compile the constraints on an object; `otherwise` is the answer for other types."""
    required = names_of(schema, "required")
    checks = {name: site.check(inner) for name, inner in map_of(schema, "properties").items()}
    if "patternProperties" in schema:
        members: Check = _by_pattern(checks, schema, site)
        tests = [_required(required), members, *object_tests(schema, site)]
        return _tested(tests, otherwise=otherwise)
    rest = site.check(schema["additionalProperties"]) if "additionalProperties" in schema else always
    declared = _declared(checks, required, rest, otherwise=otherwise)
    tests = object_tests(schema, site)
    return _tested([declared, *tests], otherwise=otherwise) if tests else declared


def _declared(checks: dict[str, Check], required: tuple[str, ...], rest: Check, *, otherwise: bool) -> Check:
    if rest is always:
        # Members that any value satisfies need no look.
        checks = {name: check for name, check in checks.items() if check is not always}
        if not checks and not required:
            return is_object if not otherwise else always
        return _open(checks, required, otherwise=otherwise)
    if rest is never:
        return _closed(checks, required, otherwise=otherwise)

    def members(value: object) -> bool:
        if type(value) is not dict:
            return otherwise
        for name in required:
            if name not in value:
                return False
        for name, item in value.items():  # noqa: SIM110 (a loop is quicker than all())
            if not find(name, rest)(item):
                return False
        return True

    find = checks.get
    return members


def _closed(checks: dict[str, Check], required: tuple[str, ...], *, otherwise: bool) -> Check:
    find = checks.get
    plain = {name: PLAIN[check] for name, check in checks.items() if check in PLAIN}
    if len(plain) * 2 > len(checks):
        return _closed_plain(checks, plain, required, otherwise=otherwise)

    def closed(value: object) -> bool:
        if type(value) is not dict:
            return otherwise
        for name in required:
            if name not in value:
                return False
        for name, item in value.items():
            check = find(name)
            if check is None or not check(item):
                return False
        return True

    return closed


def _closed_plain(
    checks: dict[str, Check], plain: dict[str, type], required: tuple[str, ...], *, otherwise: bool
) -> Check:
    """Compile a closed object of mostly plain strings, integers and booleans: one look-up and no call for those."""
    find, type_of = checks.get, plain.get

    def closed(value: object) -> bool:
        if type(value) is not dict:
            return otherwise
        for name in required:
            if name not in value:
                return False
        for name, item in value.items():
            if type(item) is not type_of(name) and not find(name, never)(item):
                return False
        return True

    return closed


def _open(checks: dict[str, Check], required: tuple[str, ...], *, otherwise: bool) -> Check:
    members = [(name, check, name in required) for name, check in checks.items()]
    members.extend((name, always, True) for name in required if name not in checks)

    def opened(value: object) -> bool:
        if type(value) is not dict:
            return otherwise
        for name, check, needed in members:
            if name in value:
                if not check(value[name]):
                    return False
            elif needed:
                return False
        return True

    return opened


def _tested(tests: list[Check], *, otherwise: bool) -> Check:
    def tested(value: object) -> bool:
        if type(value) is not dict:
            return otherwise
        for test in tests:  # noqa: SIM110 (a loop is quicker than all())
            if not test(value):
                return False
        return True

    return tested


def _required(required: tuple[str, ...]) -> Check:
    def complete(value: Any) -> bool:
        for name in required:  # noqa: SIM110 (a loop is quicker than all())
            if name not in value:
                return False
        return True

    return complete


def _by_pattern(checks: dict[str, Check], schema: dict[str, Any], site: Site) -> Check:
    patterns = [
        (site.search(pattern), site.check(inner)) for pattern, inner in map_of(schema, "patternProperties").items()
    ]
    # A pattern that is not enforced could have matched any name, so nothing is left over for `additionalProperties`.
    enforced = all(search is not None for search, _ in patterns)
    rest = site.check(schema["additionalProperties"]) if enforced and "additionalProperties" in schema else always

    def members(value: Any) -> bool:
        for name, item in value.items():
            check = checks.get(name)
            known = check is not None
            if check is not None and not check(item):
                return False
            for search, inner in patterns:
                if search is not None and search(name) is not None:
                    known = True
                    if not inner(item):
                        return False
            if not known and not rest(item):
                return False
        return True

    return members


def object_tests(schema: dict[str, Any], site: Site) -> list[Check]:
    """Return the tests of the rarer keywords, for values known to be objects."""
    tests: list[Check] = []
    low, high = size_bounds(schema, "minProperties", "maxProperties")
    if low > 0 or high != NO_LIMIT:
        tests.append(lambda value: low <= len(value) <= high)  # type: ignore[arg-type]  # an object
    if "propertyNames" in schema:
        tests.append(_names(site.check(schema["propertyNames"])))
    for name, needed in map_of(schema, "dependentRequired").items():
        tests.append(_dependent(name, _required(names_of({name: needed}, name))))
    for name, inner in map_of(schema, "dependentSchemas").items():
        tests.append(_dependent(name, site.check(inner)))
    if "unevaluatedProperties" in schema:
        from .unevaluated import properties_test  # rare

        tests.append(properties_test(schema, site))
    return tests


def _names(check: Check) -> Check:
    def names(value: Any) -> bool:
        for name in value:  # noqa: SIM110 (a loop is quicker than all())
            if not check(name):
                return False
        return True

    return names


def _dependent(name: str, check: Callable[[Any], bool]) -> Check:
    return lambda value: name not in value or check(value)  # type: ignore[operator]  # an object


def map_of(schema: dict[str, Any], keyword: str) -> dict[str, Any]:
    """Return a keyword's object, empty when it is absent; raises SchemaError for another form."""
    found = schema.get(keyword, {})
    if not isinstance(found, dict):
        raise SchemaError(f"`{keyword}` is not an object")
    return found


def names_of(schema: dict[str, Any], keyword: str) -> tuple[str, ...]:
    """Return a keyword's array of names as a tuple; raises SchemaError for another form."""
    found = schema.get(keyword, ())
    if not isinstance(found, (list, tuple)) or not all(isinstance(name, str) for name in found):
        raise SchemaError(f"`{keyword}` is not an array of names")
    return tuple(found)
