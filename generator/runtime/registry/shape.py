"""The form of an entry, as `schemas/registry-file.schema.json` has it: a test holds the two together.

Written by hand, because servers and gateways read registries without a schema at hand, and say what is wrong in words.
Members that are not known here are left alone: other programs keep theirs in the same file.
"""

from __future__ import annotations

import re

from .names import is_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_WORDS = 1000
"""Words of a command; the longest that anybody types has some dozens."""

MAX_WORD = 32768
"""Characters of a word, a path or a value: what Windows allows for a whole command line."""

MAX_TEXT = 10_000
"""Characters of a description."""

MAX_URL = 2048
MAX_HEADER = 8192
MAX_NAMED = 200
"""Environment names, headers, or names of tools of one entry."""

_TEXT = re.compile("[^\0\ud800-\udfff]*")
_ABSOLUTE = re.compile(r"(?:/|[A-Za-z]:[\\/]|\\\\)")
_URL = re.compile(
    r"https?://(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::[0-9]{1,5})?"
    r"(?:[/?](?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)?"
)
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
_HEADER_VALUE = re.compile(r"(?:[\t -#%-~]|\$(?!\{)|\$\{[A-Za-z_][A-Za-z0-9_]{0,199}\})*")
"""Printable ASCII; `${NAME}` is filled from the environment when the server is connected to."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


def problem(entry: object) -> str | None:
    """Return what is wrong with the form of an entry, or None."""
    if not isinstance(entry, dict):
        return "it is no object"
    runs, connects = "command" in entry, "url" in entry
    if runs == connects:
        return "it has both `command` and `url`" if runs else "it has neither `command` nor `url`"
    for member, (fits, wanted) in FIELDS.items():
        if member in entry and not fits(entry[member]):
            return f"`{member}` is not {wanted}"
    wrong = ("headers",) if runs else ("cwd", "env", "package")
    for member in wrong:
        if member in entry:
            return f"`{member}` goes with `{'url' if runs else 'command'}`"
    if entry.get("transport", "stdio" if runs else "http") != ("stdio" if runs else "http"):
        return f"`transport` is not `{'stdio' if runs else 'http'}`"
    return None


def is_text(value: object, most: int = MAX_WORD) -> bool:
    """Tell whether a value is a text that a system call takes: without NUL, without halves of characters."""
    return isinstance(value, str) and len(value) <= most and _TEXT.fullmatch(value) is not None


def is_absolute(value: object) -> bool:
    """Tell whether a value is an absolute path, of any system: a registry may be looked at on another one."""
    return is_text(value) and isinstance(value, str) and _ABSOLUTE.match(value) is not None


def _texts(most: int) -> Callable[[object], bool]:
    return lambda value: is_text(value, most)


def _matching(pattern: re.Pattern[str], most: int) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and len(value) <= most and pattern.fullmatch(value) is not None


def _is_command(value: object) -> bool:
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_WORDS:
        return False
    return is_absolute(value[0]) and all(is_text(word) for word in value)


def _is_environment(value: object) -> bool:
    if not isinstance(value, list | dict) or len(value) > MAX_NAMED or not all(is_variable(name) for name in value):
        return False
    return isinstance(value, list) or all(each is None or is_text(each) for each in value.values())


def _is_headers(value: object) -> bool:
    if not isinstance(value, dict) or len(value) > MAX_NAMED:
        return False
    named, valued = _matching(_HEADER, MAX_HEADER), _matching(_HEADER_VALUE, MAX_HEADER)
    return all(named(name) and valued(each) for name, each in value.items())


def _is_tools(value: object) -> bool:
    if not isinstance(value, dict) or not _is_count(value.get("count", 0)):
        return False
    names = value.get("names", [])
    return isinstance(names, list) and len(names) <= MAX_NAMED and all(is_text(name) for name in names)


def _is_count(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return value >= 0 and value == value // 1  # JSON Schema calls 2.0 an integer, too


FIELDS: dict[str, tuple[Callable[[object], bool], str]] = {
    "command": (_is_command, "a list of texts that begins with an absolute path"),
    "url": (_matching(_URL, MAX_URL), "an http or https URL without user, password and fragment"),
    "cwd": (is_absolute, "an absolute path"),
    "transport": (lambda value: value in ("stdio", "http"), "`stdio` or `http`"),
    "env": (_is_environment, "a list of names of environment variables, or an object of names and texts or nulls"),
    "headers": (_is_headers, "an object of header names and printable ASCII texts, with `${NAME}` for what is secret"),
    "digest": (_matching(_DIGEST, 71), "`sha256:` and 64 hexadecimal digits"),
    "files": (_matching(_DIGEST, 71), "`sha256:` and 64 hexadecimal digits"),
    "package": (is_absolute, "an absolute path"),
    "tools": (_is_tools, "an object with a `count` and `names`"),
    "python": (_texts(100), "a version"),
    "runtime": (_texts(100), "a version"),
    "description": (_texts(MAX_TEXT), "a text"),
    "version": (_texts(MAX_TEXT), "a text"),
    "project_root": (_texts(MAX_WORD), "a path"),
    "fingerprint": (_matching(_FINGERPRINT, 64), "64 hexadecimal digits"),
    "installed_at": (_texts(100), "a time"),
}
"""What each known member has to be, and how that is said."""
