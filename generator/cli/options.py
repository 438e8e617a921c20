"""Options that several verbs share. Annotations are read by typer at run time.

An option is a flag, a text, or a text that may be repeated (words.py); what a text must be, its callback checks.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Format(StrEnum):
    """Forms of diagnostics, which go to standard error; `json` also makes the result on standard output JSON.

    A `sarif` document goes to standard output when no other result for machines does.
    """

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class Colour(StrEnum):
    """When to use colour; `auto` is on a terminal, unless NO_COLOR is set or TERM is `dumb`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


def _format(value: str) -> str:
    return _one_of(value, [form.value for form in Format])


def _colour(value: str) -> str:
    return _one_of(value, [colour.value for colour in Colour])


def _one_of(value: str, known: list[str]) -> str:
    """Refuse what is no choice in our own words: typer's differ from release to release."""
    if value in known:
        return value
    message = f"{value[:60]!r} is not one of {', '.join(known)}"
    raise typer.BadParameter(message)


OutputOption = Annotated[
    str | None, typer.Option("--output", "-o", metavar="DIR", help="The project folder; default: ./NAME-mcp.")
]
CheckOption = Annotated[bool, typer.Option("--check", help="Compare only: exit 4 and the diff when it differs.")]
DiffOption = Annotated[bool, typer.Option("--diff", help="Print what would change, for people and clients.")]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="List what would be written, kept and deleted.")]
SourceArgument = Annotated[
    str, typer.Argument(metavar="SOURCE", help="A module's file, a package's folder, or the dotted name of a module.")
]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        callback=_format,
        metavar="[human|json|github|sarif]",
        help=(
            "Form of diagnostics. They go to standard error, github's commands too (its runner reads both); json makes "
            "the result on standard output JSON as well; sarif's document goes to standard output."
        ),
    ),
]
ColourOption = Annotated[
    str,
    typer.Option("--color", callback=_colour, metavar="[auto|always|never]", help="Colour on standard error."),
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Every finding in full, however many there are of one kind.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No result and no warnings, errors only.")]
AllowEnvOption = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-env",
        metavar="NAME",
        help="Accept this variable although loaders, interpreters or shells obey it; repeatable.",
    ),
]
NameOption = Annotated[
    str | None,
    typer.Option("--name", help="The server's name; default: the source's. Letters a-z, digits, `_` and `-`."),
]
PackageOption = Annotated[str | None, typer.Option("--package", help="Import name of the package; default: NAME_mcp.")]
PythonOption = Annotated[
    str | None,
    typer.Option("--python", metavar="ENV", help="Environment or interpreter in which imports are looked up."),
]
ConfigOption = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", help="Settings file instead of the nearest mcpgen.toml or pyproject.toml."
    ),
]
LinkOption = Annotated[bool, typer.Option("--link", help="Refer to the installed module instead of copying it.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Any error or warning makes the build fail (exit 2).")]
