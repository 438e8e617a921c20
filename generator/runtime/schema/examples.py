"""Make an example value for a schema; each is checked by the schema itself, for none is better than a wrong one."""

from __future__ import annotations

from .kinds import SchemaError, is_number, types_of
from .strings import NO_LIMIT, size_bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .compiler import Site

NOTHING = object()
"""Stands for "no example"; null is an example like any other."""

DEEPEST = 4
"""Levels of objects and arrays an example is built of."""
LARGEST = 200
"""Characters or items an example may have: it is there to be read."""
MOST_TRIED = 12
"""Characters of a guess at a pattern, short because a bad pattern's time may double with each character."""
MOST_MEMBERS = 12
"""Required members an example object may have."""

BY_FORMAT = {
    "date-time": "2025-01-31T09:30:00Z", "date": "2025-01-31", "time": "09:30:00Z", "duration": "PT1H30M",
    "uuid": "123e4567-e89b-12d3-a456-426614174000", "uri": "https://example.com/a", "iri": "https://example.com/a",
    "uri-reference": "/a", "iri-reference": "/a", "email": "ada@example.com", "idn-email": "ada@example.com",
    "hostname": "example.com", "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
    "json-pointer": "/a/0", "relative-json-pointer": "1/a", "uri-template": "/users/{id}", "regex": "^[a-z]+$",
}  # fmt: skip
BY_ENCODING = {"base64": "aGVsbG8=", "base64url": "aGVsbG8", "base16": "68656C6C6F"}


def example_of(schema: Any, site: Site) -> Any:
    """Return a value the schema accepts, preferably one its author wrote; NOTHING when none is found."""
    try:
        return _example(schema, site, 0)
    except (SchemaError, RecursionError, TypeError, ValueError, LookupError):
        return NOTHING  # a schema too odd for an example is not too odd for validation


def _example(schema: Any, site: Site, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > DEEPEST:
        return NOTHING
    accepts = site.node(schema).accepts
    for candidate in _candidates(schema, site, depth):
        if candidate is not NOTHING and accepts(candidate):
            return candidate
    return NOTHING


def _candidates(schema: dict[str, Any], site: Site, depth: int) -> Iterator[Any]:
    examples = schema.get("examples")
    yield from examples if isinstance(examples, list) else ()
    if schema.get("default") is not None:
        yield schema["default"]
    if "const" in schema:
        yield schema["const"]
    yield from schema.get("enum", ())
    for keyword in ("anyOf", "oneOf", "allOf"):
        for arm in schema.get(keyword, ()):
            yield _example(arm, site, depth + 1)
    for node in site.targets(schema):
        yield _example(node.schema, node.site, depth + 1)
    names = types_of(schema) or (("object",) if "properties" in schema else ())
    for name in names:
        yield from _of_type(name, schema, site, depth)


def _of_type(name: str, schema: dict[str, Any], site: Site, depth: int) -> Iterator[Any]:
    if name == "boolean":
        yield True
    elif name == "null":
        yield None
    elif name in ("integer", "number"):
        yield from _numbers(schema)
    elif name == "string":
        yield from _strings(schema)
    elif name == "array":
        yield _array(schema, site, depth)
    else:
        yield _object(schema, site, depth)


def _numbers(schema: dict[str, Any]) -> Iterator[Any]:
    step: Any = schema.get("multipleOf", 1)
    low: Any = schema.get("minimum", schema.get("exclusiveMinimum"))
    high: Any = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is None and high is None:
        yield step
    if low is not None:
        first = -(-low // step) * step
        yield from (low, first, first + step, low + 1)
    if high is not None:
        yield from (high, high // step * step, (high // step - 1) * step, high - 1)
    if is_number(low) and is_number(high):
        yield (low + high) / 2


def _strings(schema: dict[str, Any]) -> Iterator[str]:
    low, high = size_bounds(schema, "minLength", "maxLength")
    known = BY_FORMAT.get(schema.get("format", "")) or BY_ENCODING.get(schema.get("contentEncoding", ""))
    if known:
        yield known
    if "pattern" in schema:  # simple ones, such as five digits
        yield from (filler * size for filler in "0a9A" for size in range(1, MOST_TRIED + 1))
    elif low <= LARGEST:
        text = "text" if high == NO_LIMIT else "text"[:high]
        yield text + "x" * (low - len(text))


def _array(schema: dict[str, Any], site: Site, depth: int) -> Any:
    low, high = size_bounds(schema, "minItems", "maxItems")
    found = [_example(item, site, depth + 1) for item in schema.get("prefixItems", ())][: min(high, LARGEST)]
    wanted = max(low, min(1, high))
    if wanted > LARGEST:
        return NOTHING
    if len(found) < wanted:
        item = _example(schema.get("items", {"type": "string"}), site, depth + 1)
        found += [item] * (wanted - len(found))
    return NOTHING if NOTHING in found else found


def _object(schema: dict[str, Any], site: Site, depth: int) -> Any:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    if len(required) > MOST_MEMBERS:
        return NOTHING
    found = {name: _example(properties.get(name, {"type": "string"}), site, depth + 1) for name in required}
    return NOTHING if NOTHING in found.values() else found
