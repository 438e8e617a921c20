"""YAML bodies: JSON, which is YAML (1.2 §1.2), in the form that readers of YAML 1.1 take for the same value.

Those read `1e-7` as a string and some characters as ends of lines, or refuse them. Both have another form in JSON.
"""

from __future__ import annotations

import re

from .values import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PARTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?[eE][-+]?[0-9]+')
"""Strings, and numbers with an exponent, of a JSON text."""

_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""Characters that are no printable ones of YAML (5.1), or ends of lines in YAML 1.1 (5.4)."""


def yaml_text(value: Any) -> str:
    """Return a value as YAML, every digit kept; raises ArgumentProblem for what JSON cannot say."""
    return _PARTS.sub(_adapted, json_text(value))


def _adapted(found: re.Match[str]) -> str:
    part = found[0]
    if part.startswith('"'):
        return _UNSAFE.sub(lambda one: f"\\u{ord(one[0]):04x}", part)
    digits, _, exponent = part.lower().partition("e")
    sign = "" if exponent[0] in "+-" else "+"
    return f"{digits}{'' if '.' in digits else '.0'}e{sign}{exponent}"
