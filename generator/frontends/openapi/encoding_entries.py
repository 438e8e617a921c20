"""How single members of a form or multipart body are sent, as the runtime reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model import Encoding


def encodings_of(encodings: Mapping[str, Encoding]) -> dict[str, Any]:
    """Return what is stated of each member's encoding; members of which nothing is stated are absent."""
    found = {name: _encoding(each) for name, each in encodings.items()}
    return {name: each for name, each in found.items() if each}


def _encoding(encoding: Encoding) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if encoding.content_type is not None:
        found["content_type"] = encoding.content_type
    if encoding.style is not None:
        found["style"] = encoding.style
    if encoding.explode is not None:
        found["explode"] = encoding.explode
    if encoding.allow_reserved:
        found["reserved"] = True
    if encoding.nested:
        found["nested"] = list(encoding.nested)
    return found
