"""Names of a server: the one place that says which are acceptable and how they follow from a module's name.

A server has an id (`weather`), an import package (`weather_mcp`) and a command (`weather-mcp`). What a user gives is
checked and refused; what is derived from a file's name is sanitised (non-alphanumeric characters become `_`).
"""

from __future__ import annotations

import hashlib
import keyword
import re
import sys
import unicodedata

TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
"""What every model API accepts as a function's name."""

SEPARATOR = "__"
"""Between server and tool in a gateway's names, unless the settings say otherwise (decision 20)."""

MAX_NAME = 64
"""Characters of an id, package or command: what every host, file system and index accepts."""

DIGEST_CHARACTERS = 8
"""How much of a SHA-256 keeps a shortened name apart from others."""

WINDOWS_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"}
)
"""Device names: a file of such a name, whatever its suffix, cannot exist on Windows."""

OUR_PACKAGES = frozenset({"generator", "mcpgen"})
"""Import names of this project: an emitted package of that name would shadow it."""

_PLAIN_LETTERS = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "ł": "l",
        "þ": "th",
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
    }
)
"""Letters that Unicode does not take apart into a plain one and an accent."""

_PACKAGE = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_COMMAND = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*", re.ASCII)


def package_problem(name: str) -> str | None:
    """Return why `name` cannot be an import package, or None when it can."""
    if not _PACKAGE.fullmatch(name):
        return "it must match ^[a-z][a-z0-9_]*$"
    if len(name) > MAX_NAME:
        return f"it is longer than {MAX_NAME} characters"
    if keyword.iskeyword(name):
        return "it is a Python keyword"
    if name in sys.stdlib_module_names:
        return "it is a module of Python's standard library"
    if name in OUR_PACKAGES:
        return "it is a package of mcpgen itself"
    if name in WINDOWS_RESERVED:
        return "it is a device name on Windows"
    return None


def server_problem(name: str) -> str | None:
    """Return why `name` cannot be a server's name, or None; `weather`, `my_server` and `my-server` can."""
    if len(name) > MAX_NAME:
        return f"it is longer than {MAX_NAME} characters"
    if not _COMMAND.fullmatch(name) and not _PACKAGE.fullmatch(name):
        return "it must match ^[a-z][a-z0-9_]*$ (hyphens between words are accepted)"
    if name in WINDOWS_RESERVED:
        return "it is a device name on Windows"
    return None


def id_of(name: str) -> str:
    """Return the id a file's or module's name stands for: lower case, every other character `_`, never empty.

    Letters lose their accents: `ünits` becomes `units`.
    """
    apart = unicodedata.normalize("NFKD", name.lower())
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter)).lower().translate(_PLAIN_LETTERS)
    words = re.sub(r"[^a-z0-9_]", "_", plain)
    words = words.lstrip("_").rstrip("_")
    if not words or not words[0].isalpha():
        words = f"server_{words}" if words else "server"
    if words in WINDOWS_RESERVED:
        words = f"server_{words}"
    return shortened(words, MAX_NAME - len("_mcp"))


def package_of(identity: str) -> str:
    """Return the import package of a server's id: `weather` gives `weather_mcp`."""
    return identity if identity.endswith("_mcp") else f"{identity}_mcp"


def command_of(identity: str) -> str:
    """Return the command and distribution of a server's id: `my_weather` gives `my-weather-mcp`."""
    return re.sub(r"-+", "-", package_of(identity).replace("_", "-"))


def shortened(name: str, limit: int) -> str:
    """Return `name`, or when it is longer than `limit` its beginning and a digest of the whole."""
    if len(name) <= limit:
        return name
    digest = hashlib.sha256(name.encode("utf-8")).hexdigest()[:DIGEST_CHARACTERS]
    return f"{name[: limit - DIGEST_CHARACTERS - 1]}_{digest}"
