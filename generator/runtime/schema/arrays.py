"""Compile the keywords of arrays (JSON Schema 2020-12, 10.3.1; validation, 6.4)."""

from __future__ import annotations

from .equality import unique
from .kinds import SchemaError, always, is_array
from .strings import NO_LIMIT, size_bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Site
    from .kinds import Check


def array_check(schema: dict[str, Any], site: Site, *, otherwise: bool) -> Check:
    """Compile the constraints on an array; `otherwise` is the answer for other types."""
    low, high = size_bounds(schema, "minItems", "maxItems")
    each = site.check(schema["items"]) if "items" in schema else always
    tests = array_tests(schema, site)
    if not tests:
        if each is always:
            if low == 0 and high == NO_LIMIT:
                return always if otherwise else is_array
            return lambda value: low <= len(value) <= high if type(value) is list else otherwise
        return uniform(each, low, high, otherwise=otherwise)
    return _tested(tests, each, (low, high), len(schema.get("prefixItems", ())), otherwise=otherwise)


def _tested(tests: list[Check], each: Check, size: tuple[int, int], skip: int, *, otherwise: bool) -> Check:
    low, high = size

    def array(value: object) -> bool:
        if type(value) is not list:
            return otherwise
        if not low <= len(value) <= high:
            return False
        for test in tests:
            if not test(value):
                return False
        if each is not always:
            for item in value[skip:] if skip else value:
                if not each(item):
                    return False
        return True

    return array


def uniform(each: Check, low: int, high: int, *, otherwise: bool) -> Check:
    """Compile the commonest array: every item alike, and a bounded size."""

    def array(value: object) -> bool:
        if type(value) is not list:
            return otherwise
        if not low <= len(value) <= high:
            return False
        for item in value:  # noqa: SIM110 (a loop is quicker than all())
            if not each(item):
                return False
        return True

    return array


def array_tests(schema: dict[str, Any], site: Site) -> list[Check]:
    """Return the tests of all keywords but `items` and the sizes, for values known to be arrays."""
    tests: list[Check] = []
    if "prefixItems" in schema:
        tests.append(_prefix([site.check(item) for item in schemas_of(schema, "prefixItems")]))
    if "contains" in schema:
        tests.append(_contains(schema, site))
    if schema.get("uniqueItems") is True:
        tests.append(unique)  # type: ignore[arg-type]  # called with arrays only
    if "unevaluatedItems" in schema:
        from .unevaluated import items_test  # rare

        tests.append(items_test(schema, site))
    return tests


def schemas_of(schema: dict[str, Any], keyword: str) -> list[Any]:
    """Return a keyword's array of schemas; raises SchemaError for another form."""
    found = schema[keyword]
    if not isinstance(found, (list, tuple)):
        raise SchemaError(f"`{keyword}` is not an array of schemas")
    return list(found)


def _prefix(checks: list[Check]) -> Check:
    def prefix(value: Any) -> bool:
        for check, item in zip(checks, value, strict=False):  # noqa: SIM110 (a loop is quicker than all())
            if not check(item):
                return False
        return True

    return prefix


def contains_bounds(schema: dict[str, Any]) -> tuple[int, int]:
    """Return how many items must and may match `contains`."""
    low, high = size_bounds(schema, "minContains", "maxContains")
    return (low if "minContains" in schema else 1), high


def _contains(schema: dict[str, Any], site: Site) -> Check:
    check = site.check(schema["contains"])
    low, high = contains_bounds(schema)

    def contains(value: Any) -> bool:
        count = 0
        for item in value:
            if check(item):
                count += 1
                if count > high:
                    return False
                if count >= low and high == NO_LIMIT:
                    return True
        return count >= low

    return contains
