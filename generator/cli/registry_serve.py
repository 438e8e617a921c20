"""`mcpgen registry serve`: one gateway over everything that is registered, in place of this process.

The gateway is rendered into the user's cache folder, under the digest of what is registered, and is rendered anew only
when that changes. A server that cannot be put behind it is told of on standard error and left out: the others are not
to wait for it. Standard output is the gateway's alone.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from . import exits
from .options import AllowEnvOption, Format, FormatOption
from .words import TextCommand

if TYPE_CHECKING:
    from pathlib import Path

    from ..diagnostics.model import Diagnostic

WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[-- WORDS…]", help="Words for the gateway: --mcp (the default), --http …, --list, --doctor."
    ),
]
RefreshOption = Annotated[bool, typer.Option("--refresh", help="Ask the servers anew for what they have.")]


class PassingCommand(TextCommand):
    """A command whose unknown options are the gateway's."""

    ignore_unknown_options = True
    allow_interspersed_args = False


def serve(
    words: WordsArgument = None,
    *,
    refresh: RefreshOption = False,
    allow_env: AllowEnvOption = None,
    form: FormatOption = Format.HUMAN,
) -> int:
    """Serve everything that is registered through one gateway; a server starts when it is called."""
    from ..gateways.cache import GatewayProblem, prepared
    from .console import Console

    console = Console(form, quiet=False, sarif_is_result=False)
    try:
        folder, found = prepared(refresh=refresh, allow_env=tuple(allow_env or ()))
    except GatewayProblem as problem:
        console.report(problem.diagnostics, "there is nothing to serve")
        return exits.INPUT
    console.report(_told(found))
    _become(folder, [word for word in words or () if word != "--"])
    return exits.OK


def _told(found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return what is told at each start: servers that are left out, not what is wrong with their texts."""
    from ..diagnostics.model import Severity

    return tuple(each for each in found if each.rule.severity is Severity.ERROR)


def _become(folder: Path, words: list[str]) -> None:
    """Run the gateway in place of this process, or where a system has no such thing, wait for it."""
    from ..interrupts import give_way
    from .launch import base_interpreter

    command = [base_interpreter(), "-I", "-S", str(folder / "server.py"), *(words or ["--mcp"])]
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        give_way()
        os.execv(command[0], command)  # noqa: S606 - our own file, by its path
    import subprocess

    raise typer.Exit(subprocess.run(command, check=False).returncode)  # noqa: S603 - the same
