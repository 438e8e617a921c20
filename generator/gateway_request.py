"""From the words of `mcpgen gateway` and the settings to a request of the pipeline; all problems are told at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .config import Config, load_config
from .diagnostics.model import Diagnostic
from .diagnostics.rules import rule
from .ir.names import package_of, package_problem, server_problem
from .passes.routing.compose import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NAME = "gateway"
"""What a gateway is called, and its package, unless it is told otherwise: `python -m gateway`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayWords:
    """What the user typed; empty and None mean that the settings decide. Paths are relative to the working folder."""

    sources: tuple[str, ...] = ()
    output: str | None = None
    name: str | None = None
    package: str | None = None
    config: str | None = None
    strict: bool = False
    prefixes: tuple[str, ...] = ()
    separator: str | None = None
    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """One source: where it is, and the name it was given (None: its own)."""

    source: str
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GatewayRequest:
    """A gateway of these servers, for this folder (absolute): how it is called and how names are made."""

    sources: tuple[Named, ...]
    base: Path
    config: Config
    name: str
    package: str
    prefixes: Mapping[str, str]
    separator: str
    expose: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    strict: bool = False


def prepared_gateway(words: GatewayWords) -> tuple[GatewayRequest | None, tuple[Diagnostic, ...]]:
    """Return the request, or None when the words or the settings are wrong, and what is wrong with them."""
    loaded = load_config(Path.cwd(), explicit=Path(words.config) if words.config else None)
    name = (words.name or NAME).replace("-", "_")
    package = words.package or (NAME if name == NAME else package_of(name))
    prefixes, by_prefix = _prefixes(words.prefixes)
    problems = [*loaded.diagnostics, *_unacceptable(name, package), *by_prefix]
    if problems:
        return None, tuple(problems)
    command = name.replace("_", "-")
    return GatewayRequest(
        sources=tuple(_named(source) for source in words.sources),
        base=Path(words.output or command).absolute(),
        config=loaded.config,
        name=name,
        package=package,
        prefixes=prefixes,
        separator=words.separator or SEPARATOR,
        expose=words.expose,
        deny=words.deny,
        strict=words.strict or loaded.config.strict,
    ), ()


def _named(source: str) -> Named:
    """Take `NAME=SOURCE` apart; a folder whose own name has a `=` is one when it is there."""
    name, found, rest = source.partition("=")
    if found and server_problem(name) is None and not Path(source).is_dir():
        return Named(source=rest, name=name)
    return Named(source=source)


def _prefixes(words: Iterable[str]) -> tuple[dict[str, str], list[Diagnostic]]:
    prefixes: dict[str, str] = {}
    found = []
    for word in words:
        name, equals, prefix = word.partition("=")
        if not equals or not name:
            message = f"--prefix `{word[:60]}` is not of the form NAME=PREFIX"
            hint = "Write it like `--prefix weather=w_`, or `--prefix weather=` for no prefix."
            found.append(Diagnostic(rule=rule("unusable-gateway-option"), message=message, hint=hint, unit="--prefix"))
        prefixes[name] = prefix
    return prefixes, found


def _unacceptable(name: str, package: str) -> Iterable[Diagnostic]:
    for option, value, reason in (
        ("--name", name, server_problem(name)),
        ("--package", package, package_problem(package)),
    ):
        if reason is not None:
            message = f"{option} `{value[:60]}` is not acceptable: {reason}"
            yield Diagnostic(rule=rule("illegal-server-name"), message=message, unit=option)
