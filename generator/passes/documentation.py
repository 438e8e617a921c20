"""A server's documentation as resources, where the settings ask for it (R156): `weather://docs/<topic>`, Markdown.

The topics are `overview` (what the source says of itself, and what there is), `readme` (the README that the package
carries, if it does) and `tools/<name>`. All of it is made when the server is built: reading a page runs nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.model import ContentAnnotations, Resource
from ..ir.visible import clean
from .pages import overview, tool_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..ir.model import Server, SourceFile

MEDIA_TYPE = "text/markdown"

PRIORITY = 0.2
"""How much a page matters among the resources of a server: the author's own come first."""

MAX_PAGE_CHARACTERS = 200_000
"""Characters of one page; a model reads no more, and a longer README is a book."""

CUT = "\n\n(The rest is left out.)\n"

README = re.compile(r"readme\.(?:md|markdown)", re.IGNORECASE)

_VARIABLE = re.compile(r"\{[^{}]*\}")


def apply(server: Server) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server with a resource for each topic.

    A page whose URI the author uses is left out. That is an error about the setting, which fails the build (R157).
    """
    taken = [(each, _pattern(each.uri)) for each in server.resources]
    made: list[Resource] = []
    found: dict[str, Diagnostic] = {}
    for page in _pages(server):
        theirs = next((each for each, pattern in taken if pattern.fullmatch(page.uri)), None)
        if theirs is None:
            made.append(page)
        elif theirs.uri not in found:
            found[theirs.uri] = _collision(theirs, page)
    return replace(server, resources=(*server.resources, *made)), tuple(found.values())


def _collision(theirs: Resource, page: Resource) -> Diagnostic:
    message = f"`docs_resources` cannot be followed: `{theirs.uri[:80]}` is also the URI of a page, `{page.uri[:80]}`"
    hint = "Give the resource another URI, or leave `docs_resources` out."
    return Diagnostic(rule=rule("invalid-setting"), message=message, span=theirs.span, unit=theirs.name, hint=hint)


def base_of(identity: str) -> str:
    """Return what the URIs of a server's pages begin with; a scheme has no `_` (RFC 3986, 3.1)."""
    return f"{identity.replace('_', '-')}://docs/"


def _pages(server: Server) -> Iterator[Resource]:
    base = base_of(server.id)
    name = server.title or server.id
    yield _page(f"{base}overview", "overview", f"About {name}", f"What {name} is and offers.", overview(server, base))
    readme = _readme(server.source.files)
    if readme is not None:
        yield _page(f"{base}readme", "readme", f"README of {name}", f"The README of {name}.", readme)
    for tool in server.tools:
        title = f"Tool {tool.name}"
        yield _page(f"{base}tools/{tool.name}", tool.name, title, f"How the tool {tool.name} is used.", tool_page(tool))


def _page(uri: str, name: str, title: str, description: str, text: str) -> Resource:
    text = clean(text)[0]
    if len(text) > MAX_PAGE_CHARACTERS:
        text = text[: text.rfind("\n", 0, MAX_PAGE_CHARACTERS) + 1 or MAX_PAGE_CHARACTERS].rstrip() + CUT
    return Resource(
        uri=uri,
        kind="static",
        name=name,
        title=title,
        description=description,
        mime_type=MEDIA_TYPE,
        annotations=ContentAnnotations(priority=PRIORITY),
        text=text,
    )


def _readme(files: tuple[SourceFile, ...]) -> str | None:
    """Return the carried README that is nearest to the top."""
    named = [each for each in files if README.fullmatch(each.path.rpartition("/")[2])]
    if not named:
        return None
    nearest = min(named, key=lambda each: (each.path.count("/"), each.path))
    return nearest.content.decode("utf-8", "replace").removeprefix("\ufeff")


def _pattern(uri: str) -> re.Pattern[str]:
    """Return what matches the URIs that a resource answers, its variables filled."""
    return re.compile("[^/?#]+".join(map(re.escape, _VARIABLE.split(uri))))
