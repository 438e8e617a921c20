"""Which changes a server's own code tells of: it calls `ctx.tools_changed()` and the like somewhere.

A context may be handed on under any name, so what counts is the method's: it is looked for in every module that the
package carries, as an attribute, never in texts or comments.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...ir.model import Change

METHODS: dict[str, Change] = {
    "tools_changed": "tools",
    "prompts_changed": "prompts",
    "resources_changed": "resources",
    "resource_updated": "resource",
}
"""The methods of a context that tell of changes, and what each tells of."""

_MENTIONED = re.compile(rb"\.\s*(?:" + "|".join(METHODS).encode() + rb")\b")
"""Most modules hold none of these words and need not be parsed again."""


def announced(sources: Iterable[bytes]) -> tuple[Change, ...]:
    """Return the changes that these modules' code tells of, in a fixed order."""
    found: set[str] = set()
    for source in sources:
        if _MENTIONED.search(source):
            found |= _attributes(source)
    return tuple(change for method, change in METHODS.items() if method in found)


def _attributes(source: bytes) -> set[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # reported where the module itself is read
        return set()
    return {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in METHODS}
