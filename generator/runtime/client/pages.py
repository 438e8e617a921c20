"""Where an answer's next page is, said as arguments of the same tool.

APIs say it by a Link header (RFC 8288) or by a member with a URL, a token or a number. A URL's query is read back into
arguments by the operation's own parameters; nothing of a URL reaches the client otherwise, because it may hold a key.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .message import Response

HOLDERS = (
    "links",
    "_links",
    "paging",
    "pagination",
    "meta",
    "metadata",
    "response_metadata",
    "page_info",
    "pageInfo",
    "cursor",
)
"""Members in which APIs put what is said about pages."""

URLS = (
    "next",
    "next_url",
    "nextUrl",
    "next_link",
    "nextLink",
    "@odata.nextLink",
    "next_page_url",
    "nextPageUrl",
    "odata.nextLink",
)
"""Members whose value is the next page's URL, or an object with `href`."""

TOKENS: dict[str, tuple[str, ...]] = {
    "next_page_token": ("page_token", "pagetoken", "token"),
    "nextpagetoken": ("page_token", "pagetoken", "token"),
    "next_token": ("token", "continuation_token"),
    "nexttoken": ("token", "continuationtoken"),
    "next_cursor": ("cursor", "after", "starting_after", "start_cursor"),
    "nextcursor": ("cursor", "after", "startingafter"),
    "end_cursor": ("after", "cursor"),
    "endcursor": ("after", "cursor"),
    "cursors": ("after", "cursor"),
    "next": ("cursor", "page", "offset", "after", "start", "token"),
    "next_page": ("page", "page_number", "pagenumber", "page_token"),
    "nextpage": ("page", "pagenumber", "pagetoken"),
    "next_offset": ("offset", "start", "skip"),
    "nextoffset": ("offset", "start", "skip"),
    "continuation_token": ("token", "continuation"),
    "continuationtoken": ("token", "continuation"),
    "continue": ("continuation", "token"),
    "marker": ("start_marker",),
    "nextmarker": ("marker",),
    "next_marker": ("marker",),
    "after": ("cursor", "starting_after"),
}
"""Members (lower case) whose value goes into an argument, and what that argument may be called beside the same."""

MOST_PARAMETERS = 200
"""Parameters of a next page's URL; one with more is not read."""

LONGEST_TOKEN = 2_000
"""Characters of a token that are told; longer ones are no tokens."""

_NEXT = re.compile(r"<([^<>]{1,8000})>((?:\s*;\s*[\w*-]+\s*=?\s*(?:\"[^\"]*\"|[^\s;,\"]*))*)")
_MEMBER = re.compile(r"([^\[\]]+)\[([^\[\]]+)\]")
"""The name of a member of an object in a query, `page[number]` (style deepObject)."""

_RELATION = re.compile(r"(?i);\s*rel\s*=\s*\"?([^\";,]*)")


def next_arguments(
    response: Response,
    value: Any,
    parameters: list[dict[str, Any]],
    arguments: dict[str, Any],
    properties: dict[str, Any],
) -> dict[str, Any] | None:
    """Return the arguments that change for the next page, None when there is none or no argument leads there.

    `value` is the parsed answer, None when it is not JSON; `properties` are the input schema's, for the types.
    """
    queried = [each for each in parameters if each.get("in") == "query" and "argument" in each]
    inputs = {each["name"]: each["argument"] for each in queried}
    deep = {each["name"]: each["argument"] for each in queried if each.get("style") == "deepObject"}
    said = None
    for link in (_linked(response), *_member_urls(value)):
        if link:
            said = _of_url(link, inputs, deep, arguments)
            break
    said = said or _of_token(value, inputs)
    if not said:
        return None
    changed = {name: _typed(item, properties.get(name)) for name, item in said.items()}
    return {name: item for name, item in changed.items() if arguments.get(name) != item} or None


def _linked(response: Response) -> str | None:
    for name, header in response.headers:
        if name.lower() == "link":
            for target, parameters in _NEXT.findall(header[:16_000]):
                relation = _RELATION.search(parameters)
                if relation and "next" in relation[1].lower().split():
                    return str(target)
    return None


def _places(value: Any) -> list[dict[str, Any]]:
    """Return the objects in which pages are spoken of: the answer itself and the holders in it, one level deep."""
    if type(value) is not dict:
        return []
    return [value, *(value[name] for name in HOLDERS if type(value.get(name)) is dict)]


def _member_urls(value: Any) -> list[str]:
    found = []
    for place in _places(value):
        for name in URLS:
            member = place.get(name)
            if type(member) is dict:
                member = member.get("href") or member.get("url") or member.get("link")
            if type(member) is str and ("?" in member or member.startswith(("http://", "https://", "/"))):
                found.append(member)
    return found


def _of_url(url: str, inputs: dict[str, str], deep: dict[str, str], arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True, max_num_fields=MOST_PARAMETERS)
    except ValueError:
        return {}
    said: dict[str, Any] = {}
    for name, item in pairs:
        argument = inputs.get(name)
        if argument is None:
            _take_member(said, name, item, deep, arguments)
        elif str(arguments.get(argument)) != item and type(arguments.get(argument)) is not list:
            said[argument] = item
    return said


def _take_member(said: dict[str, Any], name: str, item: str, deep: dict[str, str], arguments: dict[str, Any]) -> None:
    """Take a member of an object in a query, beside those that the call has."""
    member = _MEMBER.fullmatch(name)
    argument = deep.get(member[1]) if member else None
    if member is not None and argument is not None:
        given = said.get(argument, arguments.get(argument))
        said[argument] = {**(given if type(given) is dict else {}), member[2]: item}


def _of_token(value: Any, inputs: dict[str, str]) -> dict[str, Any]:
    by_name = {_bare(name): argument for name, argument in inputs.items()}
    for place in _places(value):
        if place.get("has_more") is False or place.get("hasMore") is False or place.get("hasNextPage") is False:
            continue
        for name, item in place.items():
            others = TOKENS.get(name.lower())
            usable = (type(item) is str and 0 < len(item) <= LONGEST_TOKEN) or type(item) is int
            if others is None or not usable:
                continue
            if name.lower() == "next" and type(item) is str and ("/" in item or "?" in item):
                continue
            for candidate in (name, *others):
                argument = by_name.get(_bare(candidate))
                if argument is not None:
                    return {argument: item}
    return {}


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()


def _typed(item: Any, schema: Any) -> Any:
    """Return a query's text as the type its argument has."""
    kinds = schema.get("type") if type(schema) is dict else None
    wanted = kinds if type(kinds) is list else [kinds]
    if type(item) is dict:
        members = schema.get("properties") if type(schema) is dict else None
        return {name: _typed(each, (members or {}).get(name)) for name, each in item.items()}
    if type(item) is str and "integer" in wanted and re.fullmatch(r"-?[0-9]{1,18}", item):
        return int(item)
    if type(item) is str and "boolean" in wanted and item in ("true", "false"):
        return item == "true"
    if type(item) is int and "string" in wanted and "integer" not in wanted:
        return str(item)
    return item
