"""The `mcpgen` command. Only typer is imported at start; each verb imports what it needs when it runs."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from . import exits
from .build import build
from .explain import explain
from .from_openapi import from_openapi
from .gateway import gateway
from .guard import guarded
from .inspect import inspect
from .registry import registry
from .usage import WRONG_USAGE, tell
from .verify import VerifyCommand, verify
from .words import TextCommand, TextGroup

_VERBS = (build, from_openapi, gateway, inspect, explain)


def _empty() -> typer.Typer:
    return typer.Typer(
        name="mcpgen",
        cls=TextGroup,
        help="Turn annotated Python modules and API descriptions into standalone MCP servers.",
        no_args_is_help=True,
        rich_markup_mode=None,  # rich would double the start
        pretty_exceptions_enable=False,  # guard.py says what a failure is
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )


app = _empty()
for _verb in _VERBS:
    app.command(cls=TextCommand)(guarded(_verb))
app.add_typer(registry)
app.command(cls=VerifyCommand)(guarded(verify))


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from .. import __version__
        from .console import Console

        Console().result(f"mcpgen {__version__}")
        raise typer.Exit(exits.OK)


@app.callback()
def options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Turn annotated Python modules and API descriptions into standalone MCP servers."""


def _app_for(words: list[str]) -> typer.Typer:
    """Return the application, with one verb alone where that is named first: typer makes every one it has."""
    for verb in _VERBS:
        if words[:1] == [verb.__name__.replace("_", "-")]:
            one = _empty()
            one.command(cls=TextCommand)(guarded(verb))
            one.callback()(options)
            return one
    return app


def main() -> None:
    """Run the command line; ends the process with an exit code of `exits`."""
    try:
        ended = _app_for(sys.argv[1:])(prog_name="mcpgen", standalone_mode=False)
    except WRONG_USAGE as error:
        ended = tell(error)
    sys.exit(ended)
