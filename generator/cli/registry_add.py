"""`mcpgen registry add`: a project that was built here, or any other server, by its command or its URL."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

from ..on_disk import is_there, resolved
from . import exits
from .options import AllowEnvOption, Format, FormatOption, PythonOption, QuietOption
from .registry_add_options import (
    INLINE,
    CommandOption,
    EnvOption,
    FolderOption,
    HeaderOption,
    NameOption,
    ReplaceOption,
    ServerArgument,
    UrlOption,
    WordsArgument,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Asked(NamedTuple):
    """What is to be registered besides a project: a command or a URL, and what goes with it."""

    command: tuple[str, ...] = ()
    url: str | None = None
    headers: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    cwd: str | None = None
    allow_env: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether neither a command nor a URL was given."""
        return not self.command and self.url is None


def add(
    server: ServerArgument,
    words: WordsArgument = None,
    *,
    command: CommandOption = None,
    url: UrlOption = None,
    header: HeaderOption = None,
    env: EnvOption = None,
    cwd: FolderOption = None,
    name: NameOption = None,
    python: PythonOption = None,
    replace: ReplaceOption = False,
    allow_env: AllowEnvOption = None,
    form: FormatOption = Format.HUMAN,
    quiet: QuietOption = False,
) -> int:
    """Register a server: a project's folder, a command, a URL; or again by its name, after it changed."""
    from ..runtime.registry.entries import Entry
    from ..runtime.registry.examining import missing_parts, written_down
    from ..runtime.registry.places import registry_path
    from ..runtime.registry.problems import RegistryError
    from ..runtime.registry.registering import register
    from .console import Console
    from .registry_add_hints import fitting
    from .registry_project import known, project
    from .registry_report import diagnostic, refused, warned

    asked = _asked(
        Asked(_split(command), url, tuple(header or ()), tuple(env or ()), cwd, tuple(allow_env or ())), words or []
    )
    console = Console(form, quiet=quiet)
    try:
        if asked.is_empty:
            _no_words(words)
            named, record = known(server, python, asked.allow_env) or project(server, name, python, asked.allow_env)
        else:
            _no_project(name, python)
            named, record = server, _foreign(server, asked)
        done = register(registry_path(), named, record, replace=replace)
        entry = Entry(named, record)
        console.report([*map(warned, missing_parts(entry)), *map(diagnostic, written_down(entry))])
    except RegistryError as error:
        return refused(console, fitting(error, foreign=not asked.is_empty))
    said = {"name": named, "what": done.what, "registry": done.path}
    console.result(json.dumps({**said, "entry": record}) if console.wants_json else _told(named, done.what, done.path))
    return exits.OK


def _told(name: str, what: str, path: str) -> str:
    from ..runtime.registry.installing import WORDS

    return WORDS[what].format(names=f"`{name}`", path=path)


def _split(line: str | None) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(line)) if line is not None else ()
    except ValueError as reason:
        message = f"--command: {str(reason).lower()}"
        raise typer.BadParameter(message) from None


def _asked(asked: Asked, words: Sequence[str]) -> Asked:
    """Add the words behind the name: `key=value` or the command itself; raises typer.BadParameter."""
    given = _inline(asked, words) if _is_inline(words) else asked._replace(command=(*asked.command, *words))
    if (words and asked.command) or (given.command and given.url is not None):
        message = "a server has one command or one URL"
        raise typer.BadParameter(message)
    if given.headers and given.url is None:
        message = "--header goes with --url"
        raise typer.BadParameter(message)
    if (given.env or given.cwd is not None) and not given.command:
        message = "--env and --cwd go with a command"
        raise typer.BadParameter(message)
    return given


def _is_inline(words: Sequence[str]) -> bool:
    """Tell whether words are `key=value`, a key that is misspelt included, and no command."""
    from difflib import get_close_matches

    key, equals, _ = words[0].partition("=") if words else ("", "", "")
    return bool(equals) and bool(get_close_matches(key, INLINE, n=1)) and not is_there(words[0])


def _no_words(words: Sequence[str] | None) -> None:
    if words:
        message = f"{words[0][:60]!r} names neither a command nor a URL: add command=PATH or url=URL"
        raise typer.BadParameter(message)


def _inline(asked: Asked, words: Sequence[str]) -> Asked:
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in INLINE or key in values:
            message = f"{word[:60]!r} is none of {', '.join(f'{each}=...' for each in INLINE)}"
            raise typer.BadParameter(message)
        values[key] = value
    transport = values.get("transport", "http" if "url" in values else "stdio")
    if transport not in ("stdio", "http"):
        message = f"transport={transport[:40]} is none of stdio, http"
        raise typer.BadParameter(message)
    if ("url" in values) != (transport == "http"):
        message = "transport=stdio goes with command=, transport=http with url="
        raise typer.BadParameter(message)
    command = (values["command"], *_listed(values, "args")) if values.get("command") else ()
    return asked._replace(
        command=command,
        url=values.get("url", asked.url),
        headers=(*asked.headers, *([values["header"]] if "header" in values else ())),
        env=(*asked.env, *_listed(values, "env")),
        cwd=values.get("cwd", asked.cwd),
    )


def _listed(values: dict[str, str], key: str) -> Iterator[str]:
    yield from values[key].split(",") if values.get(key) else ()


def _no_project(name: str | None, python: str | None) -> None:
    if name is not None or python is not None:
        message = "--name and --python are for a project's folder"
        raise typer.BadParameter(message)


def _foreign(name: str, asked: Asked) -> dict[str, Any]:
    """Return the entry of a command or a URL; raises RegistryError or typer.BadParameter."""
    from ..runtime.registry.entries import Entry
    from ..runtime.registry.examining import exposed
    from ..runtime.registry.installing import named
    from ..runtime.registry.making import command_entry, url_entry
    from ..runtime.registry.milo import absolute
    from ..runtime.registry.problems import RegistryError

    named(name)
    if asked.url is not None:
        record = url_entry(name, asked.url, dict(map(_header, asked.headers)))
        for problem in exposed(Entry(name, record)):
            raise RegistryError(problem)
        return record
    cwd = str(resolved(asked.cwd or "."))
    words = [absolute(name, asked.command[0], cwd), *asked.command[1:]]
    return command_entry(name, words, cwd, _environment(asked.env), asked.allow_env)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon or not name.strip():
        message = f"--header: {text[:40]!r} is not 'NAME: VALUE'"
        raise typer.BadParameter(message)
    return name.strip(), value.strip()


def _environment(words: Sequence[str]) -> list[str] | dict[str, str | None]:
    """Return the variables as an entry has them: names, or if any has a value an object, null for those passed on."""
    from ..runtime.registry.names import is_variable

    told: dict[str, str | None] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not is_variable(name):
            message = f"--env: {name[:40]!r} cannot be the name of a variable"
            raise typer.BadParameter(message)
        told[name] = value if equals else None
    return told if any(value is not None for value in told.values()) else list(told)
