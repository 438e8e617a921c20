"""Options that several verbs share. Annotations are read by typer at run time."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class Format(StrEnum):
    """Forms in which diagnostics go to standard error; `json` also makes the result on standard output JSON."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class Colour(StrEnum):
    """When to use colour; `auto` is on a terminal, unless NO_COLOR is set or TERM is `dumb`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


SourceArgument = Annotated[
    str, typer.Argument(metavar="SOURCE", help="A module's file, a package's folder, or the dotted name of a module.")
]
FormatOption = Annotated[Format, typer.Option("--format", help="Form of diagnostics (and, for json, of the result).")]
ColourOption = Annotated[Colour, typer.Option("--color", help="Colour on standard error.")]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Every finding in full, however many there are of one kind.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No result and no warnings, errors only.")]
NameOption = Annotated[str | None, typer.Option("--name", help="The server's name; default: the source's.")]
PackageOption = Annotated[str | None, typer.Option("--package", help="Import name of the package; default: NAME_mcp.")]
PythonOption = Annotated[
    str | None,
    typer.Option("--python", metavar="ENV", help="Environment or interpreter in which imports are looked up."),
]
ConfigOption = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Settings file instead of the nearest pyproject.toml.")
]
LinkOption = Annotated[bool, typer.Option("--link", help="Refer to the installed module instead of copying it.")]
StrictOption = Annotated[bool, typer.Option("--strict", help="Any error or warning makes the build fail (exit 2).")]
