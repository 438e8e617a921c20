"""Names in a registry: of entries, and of environment variables that could make a harmless command do something else.

Whoever reads an entry sees its command. A variable that a loader, an interpreter or a shell obeys changes what that
command runs without changing it, so such variables need a word of the person who starts it (`--allow-env`).
"""

from __future__ import annotations

import re

NAME = re.compile(r"[a-z][a-z0-9_-]{0,62}", re.ASCII)
"""What an entry is called; names of tools begin with it."""

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}", re.ASCII)
"""What an environment variable is called."""

MAX_SHOWN = 60
"""Characters of a name that is no name which a message repeats."""

_OBEYED_PREFIXES = (
    "LD_",  # glibc's and musl's loaders
    "DYLD_",  # macOS's loader
    "BASH_FUNC_",  # functions that bash takes over
)
_OBEYED = frozenset(
    {
        "BASHOPTS",
        "BASH_ENV",
        "BROWSER",
        "CLASSPATH",
        "EDITOR",
        "ENV",
        "GCONV_PATH",
        "GLIBC_TUNABLES",
        "HOSTALIASES",
        "IFS",
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "LESSOPEN",
        "LOCPATH",
        "NLSPATH",
        "NODE_EXTRA_CA_CERTS",
        "NODE_OPTIONS",
        "NODE_PATH",
        "PAGER",
        "PERL5DB",
        "PERL5LIB",
        "PERL5OPT",
        "PERLLIB",
        "PROMPT_COMMAND",
        "PS4",
        "RUBYLIB",
        "RUBYOPT",
        "SHELLOPTS",
        "SSLKEYLOGFILE",
        "VISUAL",
        "_JAVA_OPTIONS",
    }
)
_HARMLESS_PYTHON = frozenset(
    {
        "PYTHONASYNCIODEBUG",
        "PYTHONCOERCECLOCALE",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONFAULTHANDLER",
        "PYTHONHASHSEED",
        "PYTHONIOENCODING",
        "PYTHONLEGACYWINDOWSSTDIO",
        "PYTHONNOUSERSITE",
        "PYTHONOPTIMIZE",
        "PYTHONSAFEPATH",
        "PYTHONTRACEMALLOC",
        "PYTHONUNBUFFERED",
        "PYTHONUTF8",
    }
)
"""What only changes how Python runs a program; all others may name code."""

_OBEYED_AS_LITERAL = frozenset({"PATH", "PATHEXT", "COMSPEC", "HOME", "USERPROFILE"})
_LITERAL_PREFIXES = ("GIT_", "NPM_CONFIG_", "PIP_", "UV_")
"""Harmless where the user's own value is passed on, not where an entry brings one: programs are found by them."""


def is_name(name: str) -> bool:
    """Tell whether an entry may be called so."""
    return NAME.fullmatch(name) is not None


def is_variable(name: object) -> bool:
    """Tell whether an environment variable may be called so."""
    return isinstance(name, str) and VARIABLE.fullmatch(name) is not None


def is_obeyed(name: str, *, literal: bool = False) -> bool:
    """Tell whether a variable can change which code a command runs; `literal`: the entry itself has its value."""
    upper = name.upper()
    if upper.startswith("PYTHON"):
        return upper not in _HARMLESS_PYTHON
    if upper in _OBEYED or upper.startswith(_OBEYED_PREFIXES):
        return True
    return literal and (upper in _OBEYED_AS_LITERAL or upper.startswith(_LITERAL_PREFIXES))


def shown(name: str) -> str:
    """Return a name for a message, whatever it is: short, printable, in backquotes."""
    text = "".join(each if each.isprintable() and each != "`" else "\N{REPLACEMENT CHARACTER}" for each in name)
    return f"`{text}`" if len(text) <= MAX_SHOWN else f"`{text[:MAX_SHOWN]}`..."
