"""The lists of a server, and reading one of them page by page: what came, and whether to ask on. Pure.

Who builds a gateway, a gateway that runs, and who checks a server read lists by this one walk; they ask each in a way
of their own. A server whose list never ends costs a bounded number of requests.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LISTS = (
    ("tools", "tools", "tools/list", "tools"),
    ("resources", "resources", "resources/list", "resources"),
    ("templates", "resources", "resources/templates/list", "resourceTemplates"),
    ("prompts", "prompts", "prompts/list", "prompts"),
)
"""Kinds of things: the capability that promises a list of them, its method and its member."""

MAX_PAGES = 100
"""Pages of one list; a server that has more has no end."""

MAX_ITEMS = 10_000
"""Things of one list; the largest servers have hundreds."""


class PageWalk:
    """One list on its way: `items` of all pages, `page` the last one (None: it had no list), `params` of the next.

    `endless` says why the walk was given up before the end, "" where it was not.
    """

    __slots__ = ("_most_items", "_most_pages", "_seen", "endless", "items", "member", "page", "pages", "params")

    def __init__(self, member: str, *, most_pages: int = MAX_PAGES, most_items: int = MAX_ITEMS) -> None:
        self.member = member
        self.items: list[Any] = []
        self.page: list[Any] | None = None
        self.pages = 0
        self.params: dict[str, Any] = {}
        self.endless = ""
        self._most_pages = most_pages
        self._most_items = most_items
        self._seen: set[str] = set()

    def take(self, result: dict[str, Any]) -> bool:
        """Take the result of a request; say whether another page is to be asked for."""
        page = result.get(self.member)
        self.page = page if type(page) is list else None
        self.pages += 1
        room = self._most_items - len(self.items)
        self.items += (self.page or ())[:room]
        cursor = result.get("nextCursor")
        if len(self.page or ()) > room:
            self.endless = f"it has more than {self._most_items} items"
        elif type(cursor) is not str or not cursor:
            return False
        elif cursor in self._seen:
            self.endless = "its cursor came before"
        elif self.pages >= self._most_pages:
            self.endless = f"it has more than {self._most_pages} pages"
        else:
            self._seen.add(cursor)
            self.params = {"cursor": cursor}
            return True
        return False
