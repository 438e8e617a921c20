"""From the words of `mcpgen verify` to what is checked: the subject, its golden calls, the folder of its source."""

from __future__ import annotations

import difflib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..on_disk import is_folder
from ..request import OLDEST
from ..verify.checks.drift import source_folder
from ..verify.context import DEFAULT_TIMEOUT
from ..verify.golden import FILE, golden_calls, read_file
from ..verify.subject import NoServerError, Subject, of_command, of_folder, of_url
from ..verify.table import BY_ID

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..verify.golden import GoldenCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What the user typed."""

    folder: str | None = None
    command: tuple[str, ...] | None = None
    url: str | None = None
    headers: tuple[str, ...] = ()
    calls: str | None = None
    source: str | None = None
    python: str | None = None


def chosen(option: str, ids: list[str] | None) -> frozenset[str]:
    """Return the ids that an option names; refuses those that no check has."""
    for each in ids or ():
        if each not in BY_ID:
            near = difflib.get_close_matches(each, BY_ID, n=1)
            known = f"the nearest is {near[0]}" if near else f"there are {', '.join(BY_ID)}"
            message = f"{option}: there is no check {each[:60]!r}; {known}"
            raise typer.BadParameter(message)
    return frozenset(ids or ())


def prepared(words: Words) -> tuple[Subject, tuple[GoldenCall, ...], Path | None]:
    """Return the subject, its golden calls and its source's folder; raises NoServerError."""
    ways = [each is not None for each in (words.folder, words.command, words.url)]
    if sum(ways) != 1:
        message = "name one of these: a project's folder, a command after `--`, or --url"
        raise typer.BadParameter(message)
    _check_use(words)
    stated = read_file(Path(words.calls)) if words.calls else None
    if words.command is not None:
        if not words.command:
            raise typer.BadParameter("there is no command after `--`")
        return of_command(words.command), stated or (), None
    if words.url is not None:
        return of_url(_address(words.url), _headers(words.headers)), stated or (), None
    folder = Path(words.folder or "")
    subject = of_folder(folder, _python(folder, words.python))
    place = _source(subject, words.source)
    return subject, stated if stated is not None else _calls(subject, place), place


def _check_use(words: Words) -> None:
    """Refuse options that say nothing about what is checked; raises typer.BadParameter."""
    if words.headers and words.url is None:
        raise typer.BadParameter("--header goes with --url")
    for option, value in (("--source", words.source), ("--python", words.python)):
        if value is not None and words.folder is None:
            message = f"{option} goes with a project's folder"
            raise typer.BadParameter(message)


def _address(url: str) -> str:
    """Return the URL if it is one that can be asked; raises typer.BadParameter."""
    from ..verify.conversation import Broken
    from ..verify.http_exchange import HttpConversation

    try:
        HttpConversation(url, DEFAULT_TIMEOUT)
    except Broken as problem:
        message = f"--url: {problem}, such as https://mcp.example.com/mcp"
        raise typer.BadParameter(message) from None
    return url


def _headers(lines: tuple[str, ...]) -> Mapping[str, str]:
    found = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name.strip() or not (name + value).isprintable():
            raise typer.BadParameter("--header is a name, a colon and a value")
        found[name.strip()] = value.strip()
    return found


def _python(folder: Path, named: str | None) -> str:
    """Return the interpreter that runs the server: the environment's, as a build looks it up, or ours."""
    from ..frontends.python.environment import EnvironmentProblem, find_environment

    try:
        environment = find_environment(folder, named)
    except EnvironmentProblem as problem:
        raise NoServerError(str(problem), "Name an environment or an interpreter with --python.") from None
    if environment.executable is not None and environment.version >= OLDEST:
        return str(environment.executable)
    if named is not None:
        oldest = ".".join(map(str, OLDEST))
        raise NoServerError(f"`{named}` has no Python of {oldest} or newer", "Name another one with --python.")
    return sys.executable


def _source(subject: Subject, named: str | None) -> Path | None:
    """Return the folder of the source: the named one, or what is found above the project."""
    if named is not None:
        if not is_folder(named):
            raise NoServerError(f"there is no folder `{named}`", "Name the folder that the source is in.")
        return Path(named)
    lock = subject.project.lock if subject.project is not None else None
    return source_folder(subject.project.folder, lock) if subject.project is not None and lock else None


def _calls(subject: Subject, place: Path | None) -> tuple[GoldenCall, ...]:
    """Return the calls of `verify.json` in the project, and those of the source's settings."""
    from ..config import load_config

    found: tuple[GoldenCall, ...] = ()
    if subject.project is not None and (subject.project.folder / FILE).is_file():
        found = read_file(subject.project.folder / FILE)
    if place is None:
        return found
    loaded = load_config(place)
    wrong = [each.message for each in loaded.diagnostics if "verify" in each.message]
    if wrong:
        raise NoServerError(f"the settings are wrong: {wrong[0]}", "Correct `[tool.mcpgen.verify]`.")
    calls = loaded.config.verify.get("calls", ())
    return (*found, *golden_calls(calls if isinstance(calls, list) else (), "the settings"))
