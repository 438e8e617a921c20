"""What a schema's `$schema` changes: keywords of vocabularies it does not use are left aside (core, 8.1.2)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/"

VALIDATION = frozenset(
    ("type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength",
     "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains", "minContains", "maxProperties",
     "minProperties", "required", "dependentRequired")
)  # fmt: skip

LATER_THAN_7 = frozenset(
    ("dependentRequired", "dependentSchemas", "prefixItems", "unevaluatedItems", "unevaluatedProperties", "maxContains",
     "minContains", "$dynamicRef")
)  # fmt: skip

OLDER = {
    "http://json-schema.org/draft-04/schema": LATER_THAN_7,
    "http://json-schema.org/draft-06/schema": LATER_THAN_7,
    "http://json-schema.org/draft-07/schema": LATER_THAN_7,
    "https://json-schema.org/draft/2019-09/schema": frozenset(("prefixItems", "$dynamicRef")),
}
"""Older dialects, by the keywords they do not have. Only a remote document should still be in one (see docs)."""


class Dialect:
    """Keywords a resource does not use, and whether `format` is an assertion by its vocabulary."""

    __slots__ = ("formats", "skipped")

    def __init__(self, skipped: frozenset[str], *, formats: bool) -> None:
        self.skipped = skipped
        self.formats = formats


STANDARD = Dialect(frozenset(), formats=False)


def dialect_of(schema: Any, around: Dialect | None, remotes: Mapping[str, Any]) -> Dialect:
    """Return the dialect a schema states by `$schema`, or else the one around it."""
    named = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(named, str):
        return around or STANDARD
    named = named.rstrip("#")
    if named in OLDER:
        return Dialect(OLDER[named], formats=False)
    meta = remotes.get(named)
    vocabulary = meta.get("$vocabulary") if isinstance(meta, dict) else None
    if not isinstance(vocabulary, dict):
        return STANDARD
    skipped = frozenset() if VOCABULARY + "validation" in vocabulary else VALIDATION
    return Dialect(skipped, formats=VOCABULARY + "format-assertion" in vocabulary)
