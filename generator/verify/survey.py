"""What one conversation found out: the greeting, the lists, and whatever was wrong on the way.

It is asked once for each era (and once more as a client that shows views), and shared by the checks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from ..runtime.gateway import page_walk
from .conversation import Broken, Refused
from .eras import MODERN
from .finding import shown

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_PAGES = 1_000
"""Pages of one list; a list without an end is a fault, not a list."""

MAX_ITEMS = 100_000
"""Items of one list: more than any server offers."""

LISTS = {kind: (method, member) for kind, _, method, member in page_walk.LISTS}
"""What is listed: the method, and the member of its result."""

CAPABILITY = {kind: capability for kind, capability, _, _ in page_walk.LISTS}


class Client(Protocol):
    """What a conversation has, over whichever transport."""

    era: str
    faults: list[str]
    impure: list[str]

    def initialize(self, version: str = ..., *, extensions: dict[str, Any] | None = ...) -> dict[str, Any]:
        """Shake hands."""

    def discover(self, *, extensions: dict[str, Any] | None = ...) -> dict[str, Any]:
        """Begin without a handshake."""

    def request(self, method: str, params: dict[str, Any] | None = ...) -> dict[str, Any]:
        """Ask."""


@dataclass(slots=True, kw_only=True)
class Survey:
    """What a server says of itself in one era; `problem` says why it could not be asked to the end."""

    era: str
    greeting: dict[str, Any] = field(default_factory=dict)
    refusal: dict[str, Any] | None = None
    lists: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    heads: dict[str, dict[str, Any]] = field(default_factory=dict)  # first page of each list, without its items
    pages: dict[str, int] = field(default_factory=dict)
    shape: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    impure: list[str] = field(default_factory=list)
    problem: str | None = None

    @property
    def served(self) -> bool:
        """Whether the era is served at all."""
        return self.problem is None and self.refusal is None

    @property
    def refused(self) -> str:
        """How the greeting was refused: the error, or what is wrong with the answer."""
        told = shown((self.refusal or {}).get("message", ""), 120)
        code = (self.refusal or {}).get("code")
        return told if code is None else f"error {code}: {told}"

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The tools that are listed."""
        return self.lists.get("tools", [])

    @property
    def capabilities(self) -> dict[str, Any]:
        """What the greeting declares."""
        found = self.greeting.get("capabilities")
        return found if isinstance(found, dict) else {}


def survey(client: Client, era: str, extensions: dict[str, Any] | None = None) -> Survey:
    """Ask a server what it offers, as far as it declares it; never raises for what it does."""
    found = Survey(era=era)
    try:
        try:
            begin: Callable[..., dict[str, Any]] = client.discover if era == MODERN else client.initialize
            found.greeting = begin(extensions=extensions)
        except Refused as refused:
            found.refusal = refused.error
        else:
            versions = found.greeting.get("supportedVersions")
            if era == MODERN and not (isinstance(versions, list) and MODERN in versions):
                found.refusal = {"message": f"`supportedVersions` is {shown(versions, 60)} and does not name {MODERN}"}
                return found
            for kind in LISTS:
                if CAPABILITY[kind] in found.capabilities:
                    _take_list(client, kind, found)
    except Broken as broken:
        found.problem = str(broken)
    except Refused as refused:
        found.problem = str(refused)
    finally:
        found.faults, found.impure = client.faults, client.impure
    return found


def _take_list(client: Client, kind: str, found: Survey) -> None:
    """Read one list, page by page."""
    method, member = LISTS[kind]
    walk = page_walk.PageWalk(member, most_pages=MAX_PAGES, most_items=MAX_ITEMS)
    items: list[dict[str, Any]] = []
    on = True
    while on:
        try:
            page = client.request(method, walk.params)
        except Refused as refused:
            if kind != "templates":  # servers with resources alone need not have templates
                found.shape.append(f"{method} is declared and refused: {refused}")
            return
        on = walk.take(page)
        if walk.page is None:
            found.shape.append(f"the result of {method} has no list `{member}`")
        every = walk.page or []
        found.shape += [f"{method} lists {shown(each, 40)}, no object" for each in every if not isinstance(each, dict)]
        found.heads.setdefault(kind, {key: value for key, value in page.items() if key != member})
        items += [each for each in every if isinstance(each, dict)]
        found.lists[kind], found.pages[kind] = items, walk.pages
        following = page.get("nextCursor")
        if not on and not walk.endless and following is not None:
            found.shape.append(f"{method} has {shown(following, 40)} for a cursor, which is none")
    if walk.endless:
        found.shape.append(f"{method} does not end: {walk.endless}")
