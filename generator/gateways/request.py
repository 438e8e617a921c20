"""From the words of `mcpgen gateway` and the settings to a request of the pipeline; all problems are told at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..config import Config, load_config
from ..config.gateway import PREFIX_PATTERN, SEPARATOR_PATTERN, ServerSetting
from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.names import package_of, package_problem, server_problem
from .literal_secrets import literal_secrets
from .sources import SourceProblem, absolute, header_of, source_of
from .variables import refused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..frontends.servers.sources import ServerSource

NAME = "gateway"
"""What a gateway is called, and its package, unless it is told otherwise: `python -m gateway`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayWords:
    """What the user typed; empty and None mean that the settings decide. Paths are relative to the working folder."""

    sources: tuple[str, ...] = ()
    registered: bool = False
    output: str | None = None
    name: str | None = None
    package: str | None = None
    config: str | None = None
    strict: bool = False
    prefixes: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    allow_env: tuple[str, ...] = ()
    separator: str | None = None
    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayRequest:
    """A gateway of these servers, for this folder (absolute): how it is called and how names are made.

    `servers` are the settings by server; the command's words are in them already. `warnings` were found on the way.
    A `lenient` gateway is rendered without what cannot be put behind it, any other not at all. A `private` one goes
    into a folder that nobody but the user reads.
    """

    sources: tuple[ServerSource, ...]
    base: Path
    config: Config
    name: str
    package: str
    separator: str | None = None
    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    strict: bool = False
    lenient: bool = False
    private: bool = False
    servers: Mapping[str, ServerSetting] = field(default_factory=dict)
    unused: frozenset[str] = frozenset()
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def command(self) -> str:
        """The command and distribution: the package's name where that is the gateway's, else as for any server."""
        return self.package.replace("_", "-")


def prepared_gateway(words: GatewayWords) -> tuple[GatewayRequest | None, tuple[Diagnostic, ...]]:
    """Return the request, or None when the words or the settings are wrong, and what is wrong with them."""
    loaded = load_config(Path.cwd(), explicit=Path(words.config) if words.config else None)
    told = loaded.config.gateway
    name = (words.name or told.name or NAME).replace("-", "_")
    package = words.package or told.package or (NAME if name == NAME else package_of(name))
    base = Path(words.output or package.replace("_", "-")).absolute()
    servers, by_option = _settings(words, told.servers)
    sources, by_word = _sources(words, servers, loaded.config.folder or Path.cwd())
    problems = [*loaded.diagnostics, *_unacceptable(name, package, words.separator), *by_option, *by_word]
    if problems:
        return None, tuple(problems)
    return GatewayRequest(
        sources=tuple(sources),
        base=base,
        config=loaded.config,
        name=name,
        package=package,
        separator=words.separator or told.separator,
        expose=words.expose or told.expose,
        deny=words.deny or told.deny,
        strict=words.strict or loaded.config.strict,
        servers=servers,
        unused=frozenset(each for each in told.servers if told.servers[each].ways) if words.sources else frozenset(),
        warnings=tuple(each for source in sources for each in literal_secrets(source)),
    ), ()


def _settings(
    words: GatewayWords, told: Mapping[str, ServerSetting]
) -> tuple[dict[str, ServerSetting], list[Diagnostic]]:
    """Return the settings of each server with the command's words over them."""
    servers = dict(told)
    found: list[Diagnostic] = []
    for word in words.prefixes:
        name, equals, prefix = word.partition("=")
        if not equals or not name or not _fits(PREFIX_PATTERN, prefix):
            message = f"--prefix `{word[:60]}` is not NAME=PREFIX with letters, digits, `_`, `-` and `.`"
            hint = "Write it like `--prefix weather=w_`, or `--prefix weather=` for no prefix."
            found.append(_unusable("--prefix", message, hint))
        servers[name] = replace(servers.get(name, ServerSetting()), prefix=prefix)
    for word in words.env:
        name, colon, variable = word.partition(":")
        if not colon or not _fits(r"[A-Za-z_][A-Za-z0-9_]*", variable):
            hint = "Write it like `--env crm:CRM_TOKEN`; the value stays in the environment."
            found.append(_unusable("--env", f"--env `{name[:40]}` is not NAME:VARIABLE", hint))
        before = servers.get(name, ServerSetting())
        servers[name] = replace(before, env=(*before.env, variable))
    for word in words.headers:
        try:
            name, header, value = header_of(word)
        except SourceProblem as problem:
            found.append(problem.diagnostic)
            continue
        before = servers.get(name, ServerSetting())
        servers[name] = replace(before, headers={**before.headers, header: value})
    return servers, found


def _sources(
    words: GatewayWords, servers: Mapping[str, ServerSetting], folder: Path
) -> tuple[list[ServerSource], list[Diagnostic]]:
    """Return the servers that were asked for: those of the command line, or else those of the settings."""
    sources: list[ServerSource] = []
    found: list[Diagnostic] = []
    named = words.sources or tuple(name for name, setting in servers.items() if setting.ways)
    for word in named:
        try:
            sources.append(source_of(word, servers, folder))
        except SourceProblem as problem:
            found.append(problem.diagnostic)
    if words.registered:
        more, wrong = _registered(words.allow_env)
        sources += more
        found += wrong
    made = [replace(_with_settings(each, servers, folder), allow_env=words.allow_env) for each in sources]
    return made, [*found, *(each for source in made for each in refused(source))]


def _registered(allow_env: tuple[str, ...]) -> tuple[list[ServerSource], tuple[Diagnostic, ...]]:
    from ..frontends.servers.registered import registered_entries
    from ..frontends.servers.sources import ServerSource

    names, wrong = registered_entries(allow_env)
    return [ServerSource(text=name, way="registered") for name in names], wrong


def _with_settings(source: ServerSource, servers: Mapping[str, ServerSetting], folder: Path) -> ServerSource:
    """Return a source with what options and settings say of how it is reached."""
    setting = servers.get(source.name or source.text)
    if setting is None:
        return source
    headers = {**source.headers, **setting.headers} if source.url is not None else source.headers
    env = tuple(dict.fromkeys((*source.env, *setting.env)))
    python = absolute(setting.python, folder) if setting.python else None
    values = {**source.values, **setting.values}
    told = {"env": env, "values": values, "start_timeout": setting.start_timeout}
    return replace(source, headers=headers, python=python, **told)  # type: ignore[arg-type] # a record of these fields


def _unacceptable(name: str, package: str, separator: str | None) -> Iterable[Diagnostic]:
    for option, value, reason in (
        ("--name", name, server_problem(name)),
        ("--package", package, package_problem(package)),
    ):
        if reason is not None:
            message = f"{option} `{value[:60]}` is not acceptable: {reason}"
            yield Diagnostic(rule=rule("illegal-server-name"), message=message, unit=option)
    if separator is not None and not _fits(SEPARATOR_PATTERN, separator):
        message = "--separator is not 1 to 8 letters, digits, `_`, `-` or `.`"
        yield _unusable("--separator", message, "Leave it out for `__`, or use `.` as Milo does.")


def _fits(pattern: str, text: str) -> bool:
    import re

    return re.fullmatch(pattern, text, re.ASCII) is not None


def _unusable(option: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic(rule=rule("unusable-gateway-option"), message=message, hint=hint, unit=option)
