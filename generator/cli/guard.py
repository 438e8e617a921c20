"""The outermost frame of every verb: what ends a run, and with which exit code."""

from __future__ import annotations

import functools
import os
import sys
import traceback
from typing import TYPE_CHECKING, ParamSpec

import typer

from .. import interrupts
from . import exits
from .options import Format

if TYPE_CHECKING:
    from collections.abc import Callable

Parameters = ParamSpec("Parameters")


def guarded(verb: Callable[Parameters, int]) -> Callable[Parameters, None]:
    """Make a verb that returns an exit code into a command; a failure of ours is MG901, exit 70."""

    @functools.wraps(verb)
    def command(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        form = kwargs.get("form", Format.HUMAN)
        raise typer.Exit(_code(functools.partial(verb, *args, **kwargs), Format(str(form))))

    return command


def _code(run: Callable[[], int], form: Format) -> int:
    try:
        interrupts.tell()
        return run()
    except (typer.BadParameter, typer.Exit, typer.Abort):
        raise  # wrong usage, which typer reports with exit code 2
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; what Python would flush at exit goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return exits.OK
    except Exception as failure:  # noqa: BLE001 - the one place where an unforeseen failure becomes a message
        _report(failure, form)
        return exits.OUR_FAULT


def _report(failure: Exception, form: Format) -> None:
    """Say that it is our fault, with everything a report needs; machines get the traceback inside the diagnostic."""
    from .. import __version__
    from ..diagnostics.model import Diagnostic
    from ..diagnostics.rules import rule
    from .console import Console

    system = f"mcpgen {__version__}, Python {sys.version.split()[0]}, {sys.platform}"
    trace = "".join(traceback.format_exception(failure))
    if form is Format.HUMAN:
        sys.stderr.write(trace)
    internal = Diagnostic(
        rule=rule("internal-error"),
        message=f"mcpgen itself failed ({type(failure).__name__}); nothing is wrong with your input",
        notes=() if form is Format.HUMAN else (trace,),
        hint=f"Report it in mcpgen's issue tracker, with the stack of calls and this: {system}.",
    )
    Console(form).report([internal])
