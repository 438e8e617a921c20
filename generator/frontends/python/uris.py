"""URIs of resources, as authors write them: which variables they have, and what is wrong with them.

A template is RFC 6570 level 1: `{name}`, where the name is a parameter's. Operators and lists of variables are of
higher levels, which clients rarely expand; two variables in a row, or one named twice, cannot be told apart again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

LONGEST = 1_000
"""Characters of a URI: it stands in every list."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_VARIABLE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_FORBIDDEN = re.compile(r"[^!-~]|[\"<>\\^`{|}]|%(?![0-9A-Fa-f]{2})")
"""What a URI does not contain (RFC 3986, 2); other scripts stand percent-encoded."""

OPERATORS = "+#./;?&=,!@|"
"""What an expression of a level above 1 begins with, or is reserved for (RFC 6570, 2.2)."""


class Uri(NamedTuple):
    """What was read: the variables in order, and what is wrong, with what to do about it."""

    variables: tuple[str, ...]
    problem: str | None = None
    hint: str | None = None


def read_uri(uri: str) -> Uri:
    """Read a URI or a template of URIs."""
    variables = tuple(_VARIABLE.findall(uri))
    bare = _VARIABLE.sub("", uri)
    if len(uri) > LONGEST:
        return Uri(variables, f"it has {len(uri)} characters, more than {LONGEST}")
    if not _SCHEME.match(bare) or not _SCHEME.match(uri):
        return Uri(variables, "it has no scheme", "Write it like `weather://stations`.")
    if bare.endswith(":") and not variables:
        return Uri(variables, "nothing follows the scheme", "Write it like `weather://stations`.")
    if "{" in bare or "}" in bare:
        return Uri(variables, "its braces do not match")
    bad = _FORBIDDEN.search(bare)
    if bad is not None:
        return Uri(variables, f"{bad.group()!r} cannot stand in a URI", "Write it percent-encoded.")
    return _of_variables(uri, variables)


def _of_variables(uri: str, variables: tuple[str, ...]) -> Uri:
    for name in variables:
        if name[:1] in OPERATORS or "," in name or name[-1:] == "*" or ":" in name:
            hint = "Write one `{name}` for each part of the path; a value never holds `/`."
            return Uri(variables, f"`{{{name[:60]}}}` is no simple variable (RFC 6570 level 1)", hint)
        if not _NAME.fullmatch(name):
            return Uri(variables, f"`{{{name[:60]}}}` is no name of a parameter")
        if variables.count(name) > 1:
            return Uri(variables, f"`{{{name}}}` stands there twice", "Use each variable once.")
    if "}{" in uri:
        return Uri(variables, "two variables follow each other directly", "Put a `/` or another mark between them.")
    return Uri(variables)
