"""Compile the keywords of strings: length in code points, pattern, format, content (validation, 6.3, 7 and 8)."""

from __future__ import annotations

from .kinds import SchemaError, always, is_integer, is_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Site
    from .kinds import Check

NO_LIMIT = 1 << 62
"""Stands for an absent upper bound; no value in memory has so many parts."""


def string_check(schema: dict[str, Any], site: Site, *, otherwise: bool) -> Check:
    """Compile the constraints on a string; `otherwise` is the answer for other types."""
    low, high = size_bounds(schema, "minLength", "maxLength")
    tests = string_tests(schema, site)
    if not tests:
        return _sized(low, high, otherwise=otherwise)
    if len(tests) == 1 and low == 0 and high == NO_LIMIT:
        test = tests[0]
        return lambda value: test(value) if type(value) is str else otherwise

    def string(value: object) -> bool:
        if type(value) is not str:
            return otherwise
        if not low <= len(value) <= high:  # first, so that a pattern never sees a string that is too long anyway
            return False
        for test in tests:  # noqa: SIM110 (a loop is quicker than all())
            if not test(value):
                return False
        return True

    return string


def _sized(low: int, high: int, *, otherwise: bool) -> Check:
    """Compile a string that has bounds at most; nearly every string of a tool is one."""
    if high == NO_LIMIT:
        if low == 0:
            return always if otherwise else is_string
        return lambda value: len(value) >= low if type(value) is str else otherwise
    if low == 0:
        return lambda value: len(value) <= high if type(value) is str else otherwise
    return lambda value: low <= len(value) <= high if type(value) is str else otherwise


def string_tests(schema: dict[str, Any], site: Site) -> list[Check]:
    """Return the tests of pattern, format and content that are asserted, for values known to be strings."""
    tests: list[Check] = []
    if "pattern" in schema:
        search = site.search(schema["pattern"])
        if search is not None:
            tests.append(lambda value: search(value) is not None)  # type: ignore[arg-type]  # a string
    if "format" in schema and site.asserts_formats:
        from .formats import format_test  # imported when a format is first asserted

        test = format_test(schema["format"], python=site.options.python_formats)
        if test is not None:
            tests.append(test)
    if site.asserts_content and ("contentEncoding" in schema or "contentMediaType" in schema):
        from .content import content_test  # imported when content is first asserted

        tests.append(content_test(schema, site))
    return tests


def size_bounds(schema: dict[str, Any], lower: str, upper: str) -> tuple[int, int]:
    """Return the least and greatest size two keywords allow; raises SchemaError for other than natural numbers."""
    low, high = schema.get(lower, 0), schema.get(upper, NO_LIMIT)
    for bound in (low, high):
        if not is_integer(bound) or bound < 0:
            raise SchemaError(f"`{lower}` or `{upper}` is not a non-negative integer")
    return int(low), int(high)
