"""From what a user names to servers: folders, names in the registry, commands and addresses.

A word is `SOURCE` or `NAME=SOURCE`; NAME alone is a server of the settings. A folder is one that is there, an address
begins with http(s)://, a single word may be a name in the registry, and what has a name and is none of these is a
command.
"""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..config.gateway import header_problem, url_problem
from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..frontends.servers.sources import ServerSource
from ..ir.names import server_problem
from ..on_disk import is_file, is_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..config.gateway import ServerSetting

MAX_SHOWN = 80
"""Characters of a word that a message repeats."""


class SourceProblem(Exception):
    """A word that names no server; carries the finding."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        """Keep the finding."""
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def source_of(word: str, settings: Mapping[str, ServerSetting], folder: Path) -> ServerSource:
    """Return the server that a word of the command line names; raises SourceProblem.

    Paths of the word are seen from the working folder; `folder` is that of the settings file.
    """
    name, equals, rest = word.partition("=")
    if not equals or is_folder(word) or not _is_name(name):
        if word in settings and settings[word].ways:
            return configured(word, settings[word], folder)
        if is_folder(word) and (not _is_name(word) or _has_catalog(Path(word))):
            return ServerSource(text=word, way="folder", folder=absolute(word, Path.cwd()))
        if _is_name(word):  # the folder of a server's source often has the server's name
            return ServerSource(text=word, way="registered")
        raise SourceProblem(_unreadable(word))
    if _is_address(rest):
        return ServerSource(text=rest, way="url", name=name, url=_address(name, rest))
    if _is_name(rest) and not _has_catalog(Path(rest)) and _is_registered(rest):
        return ServerSource(text=rest, way="registered", name=name)
    if is_folder(rest):
        return ServerSource(text=word, way="folder", name=name, folder=absolute(rest, Path.cwd()))
    words = _split(name, rest)
    return _command(ServerSource(text=rest, way="command", name=name, words=words, cwd=Path.cwd()))


def _has_catalog(folder: Path) -> bool:
    return is_file(folder / "catalog.json") or any(folder.glob("*/catalog.json"))


def _is_registered(name: str) -> bool:
    """Say whether the registry has an entry of this name, usable or not: whoever reads it tells what is wrong."""
    from ..frontends.servers.registered import registered_names

    return name in registered_names()


def configured(name: str, setting: ServerSetting, folder: Path) -> ServerSource:
    """Return the server of a table of the settings; raises SourceProblem. Paths are seen from the settings' folder."""
    told = {"name": name, "env": setting.env, "values": setting.values, "start_timeout": setting.start_timeout}
    if setting.path is not None:
        return ServerSource(text=setting.path, way="folder", folder=absolute(setting.path, folder), **told)  # type: ignore[arg-type] # a record of these fields
    if setting.url is not None:
        return ServerSource(text=setting.url, way="url", url=setting.url, headers=setting.headers, **told)  # type: ignore[arg-type] # the same
    if setting.registered:
        return ServerSource(text=name, way="registered", **told)  # type: ignore[arg-type] # the same
    cwd = absolute(setting.cwd, folder) if setting.cwd else folder.absolute()
    text = shlex.join(setting.command)
    return _command(ServerSource(text=text, way="command", words=setting.command, cwd=cwd, **told))  # type: ignore[arg-type] # the same


def header_of(word: str) -> tuple[str, str, str]:
    """Return server, header and value of `NAME:Header=Value`; raises SourceProblem."""
    name, colon, rest = word.partition(":")
    header, equals, value = rest.partition("=")
    reason = header_problem(header, value) if colon and equals and name else "it is not of that form"
    if reason is not None:
        # The value is not shown: it may be a secret.
        message = f"--header for `{name[:40]}` is not NAME:Header=Value: {reason}"
        hint = "Write it like `--header 'crm:Authorization=Bearer ${CRM_TOKEN}'`."
        raise SourceProblem(_finding("unusable-gateway-option", "--header", message, hint))
    return name, header, value


def _is_name(word: str) -> bool:
    return server_problem(word) is None


def _is_address(text: str) -> bool:
    """Say whether a text is meant as an address, also one that no server of MCP can have."""
    scheme, colon, _ = text.partition("://")
    return bool(colon) and scheme.isalnum()


def _address(name: str, text: str) -> str:
    reason = url_problem(text)
    if reason is not None:
        message = f"the address of `{name}` is not acceptable: {reason}"
        raise SourceProblem(_finding("unreadable-server", name, message, None))
    return text


def absolute(path: str, folder: Path) -> Path:
    """Return an absolute path without dot segments; links stay as they are."""
    return Path(os.path.normpath(folder.absolute() / Path(path).expanduser()))


def _split(name: str, text: str) -> tuple[str, ...]:
    """Return the words of a command, as a shell would take them apart; none is run. Raises SourceProblem."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as failure:
        message = f"the command of `{name}` cannot be taken apart: {str(failure).lower()}"
        raise SourceProblem(_finding("unreadable-server", name, message, "Close every quote.")) from None
    if not words or not words[0]:
        raise SourceProblem(_finding("unreadable-server", name, f"`{name}` has no command", None))
    return words


def _command(source: ServerSource) -> ServerSource:
    """Return a command whose program, if it is named by a path, has an absolute one (B15)."""
    program = source.words[0]
    if "/" not in program or program.startswith("${") or source.cwd is None or Path(program).is_absolute():
        return source
    return replace(source, words=(str(absolute(program, source.cwd)), *source.words[1:]), beside=True)


def _unreadable(word: str) -> Diagnostic:
    shown = word[:MAX_SHOWN]
    hint = None
    if _is_address(word):
        hint = f"Give it a name: `NAME={shown}`."
    elif is_file(word):
        command = f"NAME='python {shown}'" if word.endswith(".py") else f"NAME={shown}"
        hint = f"Build its server first, with `mcpgen build {shown}`, and name the folder; a command is `{command}`."
    return _finding("unreadable-server", shown, f"`{shown}` is no folder, and cannot be a server's name", hint)


def _finding(name: str, unit: str, message: str, hint: str | None) -> Diagnostic:
    return Diagnostic(rule=rule(name), message=message, hint=hint, unit=unit)
