"""The three tools of a server in discovery: search its tools, describe one, call one.

`search.json` was made with the server; a search adds up the weights of the query's words. Which tool a `call` means is
settled before the call begins (`meant`), so that limits, time-outs and cancellation are those of the tool it names.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .outcome import refusal
from .words import alike, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .catalog import Catalog
    from .tool import Tool

INDEX = "search.json"
FORMAT = 1

DEFAULT_LIMIT = 10

WHOLE, ALIKE, BEGINNING = 100, 70, 25
"""Hundredths that a tool's word counts: the query's own, one of the same meaning, one that only begins like it."""

SHORT_PREFIX = 3
"""Letters from which on beginnings are compared."""

SUMMARY = 160
"""Characters of a description in a search's result."""


CALL_MEMBERS = frozenset(("name", "arguments"))
"""What `call_tool` takes."""


class IndexBroken(Exception):
    """The index cannot be read; the message says what to do."""


class Search:
    """The index of one server, read at the first search."""

    __slots__ = ("_catalog", "_names", "_phrases", "_words")

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._names: list[str] = []
        self._phrases: dict[str, list[int]] = {}
        self._words: dict[str, list[int]] | None = None

    def find(self, query: str, limit: int) -> list[str]:
        """Return the names of the best tools, best first; raises IndexBroken."""
        table = self._table()
        asked = list(dict.fromkeys(words(query)))
        sums: dict[int, int] = {}
        hits: dict[int, int] = {}
        for word in asked:
            for position, weight in _of_word(word, table).items():
                sums[position] = sums.get(position, 0) + weight
                hits[position] = hits.get(position, 0) + 1
        exact = set(self._phrases.get(" ".join(words(query)), ()))
        # Who has most of the words is meant, before who has one of them often.
        scores = {one: total * hits[one] / len(asked) for one, total in sums.items()}
        order = sorted(
            scores, key=lambda one: (one not in exact, -scores[one], len(self._names[one]), self._names[one])
        )
        return [self._names[one] for one in order[:limit]]

    def _table(self) -> dict[str, list[int]]:
        if self._words is None:
            try:
                with open(f"{self._catalog.folder}/{INDEX}", "rb") as file:
                    data: Any = jsonrpc.parse(file.read())
            except (OSError, jsonrpc.ParseFailure) as error:
                raise IndexBroken(f"{INDEX} cannot be read ({error}); build the server again") from None
            if type(data) is not dict or data.get("format") != FORMAT:
                raise IndexBroken(f"{INDEX} is not for this runtime; build the server again")
            self._names, self._phrases, self._words = data["tools"], data["phrases"], data["words"]
        return self._words


def _of_word(word: str, table: dict[str, list[int]]) -> dict[int, int]:
    """Return what each tool has of one word: the word itself, one of the same meaning, or one that begins alike."""
    found: dict[int, int] = {}
    _add(found, table.get(word), WHOLE)
    for other in alike(word):
        _add(found, table.get(other), ALIKE)
    if not found and len(word) >= SHORT_PREFIX:
        for other, weights in table.items():
            if other.startswith(word) or (len(other) >= SHORT_PREFIX and word.startswith(other)):
                _add(found, weights, BEGINNING)
    return found


def _add(found: dict[int, int], weights: list[int] | None, share: int) -> None:
    if weights:
        for index in range(0, len(weights), 2):
            found[weights[index]] = max(found.get(weights[index], 0), weights[index + 1] * share // WHOLE)


def meant(catalog: Catalog, arguments: Any) -> tuple[Tool, Any] | None:
    """Return the tool that a call of `call_tool` means and its arguments, or None when it names none."""
    if type(arguments) is str:
        try:
            arguments = jsonrpc.parse(arguments.encode("utf-8", "replace"))
        except jsonrpc.ParseFailure:
            return None
    if type(arguments) is not dict or type(arguments.get("name")) is not str:
        return None
    tool = catalog.tools.get(arguments["name"])
    if tool is None or tool.entry["call"]["kind"] == "meta":
        return None
    if not arguments.keys() <= CALL_MEMBERS:
        return None  # the tool's own arguments beside its name: what `call_tool` takes is told, and nothing is lost
    inner = arguments.get("arguments")
    return tool, {} if inner is None else inner


def handler(catalog: Catalog, does: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return what runs one of the three tools with checked arguments."""
    if does == "search":
        index = Search(catalog)
        return lambda arguments: _search(catalog, index, arguments)
    if does == "describe":
        return lambda arguments: _describe(catalog, arguments["name"])
    return lambda arguments: _unknown(catalog, arguments["name"])  # a tool that exists is called instead (`meant`)


def _search(catalog: Catalog, index: Search, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        names = index.find(arguments["query"], arguments.get("limit", DEFAULT_LIMIT))
    except IndexBroken as problem:
        return refusal(str(problem), {"code": "M-CMD-004", "reason": "index_broken"})
    found = [_summary(catalog.tools[name].entry["definition"]) for name in names if name in catalog.tools]
    if not found:
        text = f"Nothing matches. Try other words; there are {len(catalog.tools) - 3} tools."
        return {"content": [{"type": "text", "text": text}], "structuredContent": {"tools": []}}
    return _json({"tools": found})


def _summary(definition: dict[str, Any]) -> dict[str, Any]:
    schema = definition["inputSchema"]
    required = schema.get("required") or ()
    names = [name if name in required else f"{name}?" for name in schema.get("properties") or {}]
    text = definition.get("description", "").partition("\n")[0]
    if len(text) > SUMMARY:
        text = text[: SUMMARY - 1].rpartition(" ")[0] + "…"
    return {"name": definition["name"], "description": text, "arguments": names}


def _describe(catalog: Catalog, name: str) -> dict[str, Any]:
    tool = catalog.tools.get(name)
    if tool is None or tool.entry["call"]["kind"] == "meta":
        return _unknown(catalog, name)
    return _json(tool.entry["definition"])


def _unknown(catalog: Catalog, name: str) -> dict[str, Any]:
    from difflib import get_close_matches

    found = [each for each, tool in catalog.tools.items() if tool.entry["call"]["kind"] != "meta"]
    near = get_close_matches(name[:80], found, n=3)
    suggestion = f"Did you mean {' or '.join(near)}?" if near else "Search for one with search_tools."
    facts = {"code": "M-CMD-001", "reason": "unknown_tool", "suggestion": suggestion}
    return refusal(f"There is no tool {name[:80]!r}. {suggestion}", facts)


def _json(value: dict[str, Any]) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": jsonrpc.text(value)}], "structuredContent": value}
