"""Options of `mcpgen registry add`. Annotations are read by typer at run time."""

from __future__ import annotations

from typing import Annotated

import typer

INLINE = ("transport", "command", "args", "url", "cwd", "env", "header")
"""Keys of the form `add NAME transport=stdio command=PATH args=A,B`."""

ServerArgument = Annotated[
    str,
    typer.Argument(metavar="DIR|NAME", help="The folder of a project that was built; or the name of any other server."),
]
WordsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[-- PROGRAM [ARG]...]",
        help="The command, after `--`; or `transport=stdio command=PATH args=A,B`, or `transport=http url=URL`.",
    ),
]
CommandOption = Annotated[
    str | None,
    typer.Option("--command", metavar="LINE", help="The command as one line, taken apart as a shell would."),
]
UrlOption = Annotated[str | None, typer.Option("--url", metavar="URL", help="The endpoint of an HTTP server.")]
HeaderOption = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        metavar="'NAME: VALUE'",
        help="A header for the URL; `${VAR}` in it is read from the environment. Repeatable.",
    ),
]
EnvOption = Annotated[
    list[str] | None,
    typer.Option(
        "--env",
        metavar="NAME[=VALUE]",
        help="A variable that is passed on to the command, or one with a value. Repeatable.",
    ),
]
FolderOption = Annotated[
    str | None, typer.Option("--cwd", metavar="DIR", help="Where the command runs; default: here.")
]
NameOption = Annotated[str | None, typer.Option("--name", help="The entry's name instead of the project's own.")]
ReplaceOption = Annotated[bool, typer.Option("--replace", help="Take the name over from another server.")]
