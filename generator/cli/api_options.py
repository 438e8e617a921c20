"""Options of the verbs that read an API description. Annotations are read by typer at run time."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated

import typer

FACTORS = {"": 1, "k": 1000, "m": 1_000_000}
"""What the letter behind a number of tokens means."""


class Models(StrEnum):
    """Whether the package gets types of the API's schemas."""

    TYPEDDICT = "typeddict"
    NONE = "none"


def _models(value: str | None) -> str | None:
    """Refuse what is no choice in our own words: typer's differ from release to release."""
    if value is None or value in set(Models):
        return value
    message = f"{value[:60]!r} is not one of {', '.join(Models)}"
    raise typer.BadParameter(message)


DescriptionArgument = Annotated[
    str,
    typer.Argument(metavar="DESCRIPTION", help="An OpenAPI or Swagger document, YAML or JSON: a file or an address."),
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Where requests go, instead of the description's servers."),
]
IncludeTagOption = Annotated[
    list[str] | None, typer.Option("--include-tag", metavar="TAG", help="Only operations with this tag; repeatable.")
]
ExcludeTagOption = Annotated[
    list[str] | None, typer.Option("--exclude-tag", metavar="TAG", help="No operation with this tag; repeatable.")
]
IncludePathOption = Annotated[
    list[str] | None, typer.Option("--include-path", metavar="GLOB", help="Only these paths, `/pets*`; repeatable.")
]
ExcludePathOption = Annotated[
    list[str] | None, typer.Option("--exclude-path", metavar="GLOB", help="None of these paths; repeatable.")
]
MethodsOption = Annotated[
    list[str] | None, typer.Option("--methods", metavar="LIST", help="Only these methods: get,post; repeatable.")
]
OperationOption = Annotated[
    list[str] | None,
    typer.Option(
        "--operation", metavar="NAME", help="Only this operation: an operationId, `GET /pets`, or a glob; repeatable."
    ),
]
OverlayOption = Annotated[
    list[str] | None, typer.Option("--overlay", metavar="FILE", help="Overlay to apply, in this order; repeatable.")
]
ModelsOption = Annotated[
    str | None,
    typer.Option(
        "--models",
        callback=_models,
        metavar="[typeddict|none]",
        help="Types of the schemas in models.py; default: up to 150 of them.",
    ),
]


def tokens(value: str | None) -> int | None:
    """Return the tokens a text such as `20k`, `2M` or `8000` means; raises typer.BadParameter for any other."""
    if value is None:
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,8})([km]?)", value.strip().lower().replace("_", ""), re.ASCII)
    if match is None:
        message = f"{value[:60]!r} is no number of tokens, such as 8000 or 20k"
        raise typer.BadParameter(message)
    return int(match[1]) * FACTORS[match[2]]


def _budget(value: str | None) -> str | None:
    tokens(value)
    return value


DiscoveryOption = Annotated[
    bool, typer.Option("--discovery", help="Show three tools, which find, describe and call the others.")
]
BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        callback=_budget,
        metavar="TOKENS",
        help="Show the tools whole, in few words or by discovery, so that they take at most this many tokens: 20k.",
    ),
]
StubsOption = Annotated[
    bool, typer.Option("--stubs", help="Write every operation as a function to fill in, in handlers.py.")
]
RefRootOption = Annotated[
    str | None,
    typer.Option("--ref-root", metavar="DIR", help="Folder that references may read; default: the description's."),
]
RemoteRefsOption = Annotated[bool, typer.Option("--allow-remote-refs", help="Follow references to http(s) addresses.")]
PrivateHostsOption = Annotated[
    bool, typer.Option("--allow-private-hosts", help="Let the description's servers and references be private hosts.")
]
