"""Options of `mcpgen gateway`. Annotations are read by typer at run time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

SourcesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE",
        help="Project folders of mcpgen, names in the registry, NAME=https://… or NAME='COMMAND WORDS'.",
    ),
]
GatewayOutputOption = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="DIR", help="The project folder; default: ./gateway, or ./NAME-mcp with --name."
    ),
]
GatewayPackageOption = Annotated[
    str | None, typer.Option("--package", help="Import name of the package; default: gateway, or NAME_mcp with --name.")
]
GatewayNameOption = Annotated[str | None, typer.Option("--name", help="The gateway's name; default: gateway.")]
RegisteredOption = Annotated[
    bool, typer.Option("--registered", help="Everything in the registry, after the sources that are named.")
]
PrefixOption = Annotated[
    list[str] | None,
    typer.Option("--prefix", metavar="NAME=PREFIX", help="What comes before a server's names; may be empty."),
]
HeaderOption = Annotated[
    list[str] | None,
    typer.Option("--header", metavar="NAME:HEADER=VALUE", help="Sent to a server's address; ${VAR} is filled in."),
]
EnvOption = Annotated[
    list[str] | None,
    typer.Option("--env", metavar="NAME:VARIABLE", help="Pass a variable of the environment on to a server."),
]
SeparatorOption = Annotated[
    str | None, typer.Option("--separator", metavar="TEXT", help="Between server and tool in a name; default: __.")
]
ExposeOption = Annotated[
    list[str] | None, typer.Option("--expose", metavar="GLOB", help="Only these, as `weather.get_*`; repeatable.")
]
DenyOption = Annotated[
    list[str] | None, typer.Option("--deny", metavar="GLOB", help="Not these, as `crm.delete_*`; repeatable.")
]


def words_of(values: Sequence[str] | None) -> tuple[str, ...]:
    """Return what was typed for an option that may be repeated."""
    return tuple(values or ())
