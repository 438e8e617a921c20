"""What was probably meant by a key that is not a setting."""

from __future__ import annotations

import difflib

from .fields import LATER, TOOL, TOP, KeyPath
from .kinds import Kind, Named, Table
from .openapi import ANNOTATIONS, OPERATION

OTHER_WORDS = {"id": "name", "desc": "description", "doc": "description", "readme": "description"}
"""Keys that other tools use for a setting of ours; what is only misspelt needs no entry."""


def setting_hint(unknown: str, table: KeyPath) -> str:
    """Return the nearest known key, or that the key belongs to a later version, or the list of known keys."""
    if not table and unknown in LATER:
        return "Remove it; this version of mcpgen does not read it yet."
    shape = _shape(table)
    known = list(shape.fields) if isinstance(shape, Table) else []
    annotation = _annotation(unknown) if shape in (TOOL, OPERATION) else None
    if annotation is not None:
        return f"Did you mean `annotations = {{ {annotation} = true }}`?"
    plain = unknown.lower().replace("-", "_")
    meant = OTHER_WORDS.get(plain)
    near = [meant] if meant in known else difflib.get_close_matches(plain, known, n=1)
    if isinstance(shape, Table) and shape.named is not None:
        known.append(f"a key that begins with `{shape.named_pattern.removeprefix('^')}`")
    return f"Did you mean `{near[0]}`?" if near else f"Use one of {', '.join(known)}, or remove it."


def _shape(table: KeyPath) -> Kind | Table | Named:
    shape: Kind | Table | Named = TOP
    for key in table:
        if isinstance(shape, Named):
            shape = shape.item
        elif isinstance(shape, Table):
            shape = shape.field(str(key)) or TOP
    return shape


def _annotation(unknown: str) -> str | None:
    """Return the annotation that a tool's key spells: `read_only`, `readOnly`, the protocol's `readOnlyHint`."""
    letters = _letters(unknown).removesuffix("hint")
    return next((name for name in ANNOTATIONS.fields if _letters(name) == letters), None)


def _letters(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
