"""The names tools and prompts have in a gateway: a prefix for each server, and no two alike (decision 20, B21)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .findings import finding, setting, shown

if TYPE_CHECKING:
    from ...diagnostics.model import Diagnostic
    from ...ir.routes import Child

MAX_NAME = 64
"""Characters of a name that every model API accepts."""

_LEGAL = re.compile(r"[A-Za-z0-9_.-]{1,64}", re.ASCII)
_TRANSLATED = re.compile(r"[./]")

ALIAS = "."
"""Between server and tool in the name that is accepted besides the advertised one (R007)."""


def prefix_of(child: Child, separator: str) -> str:
    """Return what comes before a server's names."""
    return f"{child.id}{separator}" if child.prefix is None else child.prefix


def advertised(child: Child, name: str, separator: str) -> str:
    """Return a gateway's name for a server's name: dots and slashes, which MCP allows and models do not, become `_`."""
    return prefix_of(child, separator) + _TRANSLATED.sub("_", name)


def aliases(child: Child, name: str, taken: str) -> tuple[str, ...]:
    """Return the other names a tool is called by; `taken` is the advertised one."""
    dotted = f"{child.id}{ALIAS}{name}"
    return () if dotted == taken else (dotted,)


class Names:
    """The names given so far for one kind of thing; a second one of a name is a finding, and is not served."""

    __slots__ = ("_kind", "_separator", "_taken", "found")

    def __init__(self, kind: str, separator: str) -> None:
        """Begin with no names; `kind` is the noun in messages."""
        self._kind = kind
        self._separator = separator
        self._taken: dict[str, tuple[str, str]] = {}
        self.found: list[Diagnostic] = []

    def take(self, child: Child, name: str) -> str | None:
        """Return the gateway's name for a server's name, or None when it cannot be had."""
        given = advertised(child, name, self._separator)
        if not _LEGAL.fullmatch(given):
            self.found.append(self._too_long(child, name, given))
            return None
        other = self._taken.setdefault(given, (child.id, name))
        if other == (child.id, name):
            return given
        self.found.append(self._taken_twice(child, name, given, other))
        return None

    def _too_long(self, child: Child, name: str, given: str) -> Diagnostic:
        message = (
            f"the {self._kind} `{shown(name)}` of `{child.id}` would be called `{shown(given)}`, which is "
            f"{len(given)} characters; model APIs take {MAX_NAME}"
        )
        short = "".join(word[0] for word in re.split(r"[_-]+", child.id) if word) + "_"
        fits = len(short) + len(name) <= MAX_NAME
        paste = setting(child.id, f'prefix = "{short}"' if fits else f'deny = ["{name}"]')
        hint = f"Give the server a shorter prefix with --prefix {child.id}={short}, or leave it out with --deny."
        return finding("illegal-gateway-name", given[:MAX_NAME], message, hint=hint, paste=paste)

    def _taken_twice(self, child: Child, name: str, given: str, other: tuple[str, str]) -> Diagnostic:
        whose = f"`{shown(other[1])}` of `{other[0]}`"
        message = f"two {self._kind}s would be called `{given}`: {whose} and `{shown(name)}` of `{child.id}`"
        if other[0] == child.id:
            hint = f"Leave one of the two out with `deny`, for example --deny {child.id}.{name}."
            return finding(
                "gateway-name-collision", given, message, hint=hint, paste=setting(child.id, f'deny = ["{name}"]')
            )
        usual = f"{child.id}{self._separator}"
        prefix = usual if child.prefix not in (None, usual) else f"{child.id.replace('_', '-')}-"
        hint = f"Give one of the two servers another prefix, for example --prefix {child.id}={prefix}."
        paste = setting(child.id, f'prefix = "{prefix}"')
        return finding("gateway-name-collision", given, message, hint=hint, paste=paste)
