"""Texts of a description as plain text: simple HTML read away, and what is too long cut where a sentence ends."""

from __future__ import annotations

import re
from html import unescape

_BLOCKS = "p|br|hr|div|h[1-6]|ul|ol|li|dl|dt|dd|table|thead|tbody|tr|td|th|blockquote|pre|section"
_INLINE = "a|b|i|u|em|strong|code|tt|kbd|var|span|sup|sub|small|big|font|center|img"

_ANY = re.compile(rf"(?i)(`[^`\n]{{1,300}}`)|<(/?)({_BLOCKS}|{_INLINE})(?:\s[^<>]{{0,1000}})?/?>")
_SAYS_HTML = re.compile(
    rf"(?is)<(?:p|br|hr)\s*/?>|<({_BLOCKS}|{_INLINE})(?:\s[^<>]{{0,1000}})?>[^<]{{0,2000}}</\1>|</(?:p|li|ul|ol)>"
)
_NO_HTML = re.compile(r"(?i)<(?:script|style|iframe|object|embed|svg)\b|<!--")
"""A page: it is left as it is, for whoever reads it."""

_FENCE = "```"

_BOX = r"(?:important|note|caution|warning|fullname)"
_BOXES = re.compile(rf"(?i)<{_BOX}>\s{{0,9}}(?=<(?:p|ul|ol|b)\b)|(?<=>)\s{{0,9}}</{_BOX}>|<fullname>|</fullname>")
"""Boxes around paragraphs, as one large provider's documentation writes them."""

_NEW_LINE = frozenset(("p", "br", "hr", "div", "ul", "ol", "dl", "dt", "table", "tr", "blockquote", "pre", "section"))
_BREAKING = _NEW_LINE | {f"h{level}" for level in range(1, 7)}

_END = re.compile(r"[.!?](?=[\"')\]*_`]{0,3}(?:\s|$))[\"')\]*_`]{0,3}|。|\n\s*\n")
_ABBREVIATION = re.compile(
    r"(?i)(?:^|[\s(\[*_`\"'])(?:e\.g|i\.e|etc|vs|cf|ca|approx|incl|excl|resp|no|nr|fig|[0-9]{1,3}|[a-z])\.$"
)
"""What ends with a full stop and no sentence with it; a number may be that of an item."""


def plain(text: str) -> str:
    """Return a text without its HTML where it clearly is some, any other text as it is."""
    if "<" not in text or _SAYS_HTML.search(text) is None or _NO_HTML.search(text) is not None:
        return text
    if _FENCE in text:  # every other piece is code
        pieces = text.split(_FENCE)
        pieces[::2] = [f"\n{plain(piece)}\n" for piece in pieces[::2]]
        return _FENCE.join(pieces).strip()
    # In a text that is HTML from the beginning, line breaks are only where the author's editor made them.
    flowing = text.lstrip().startswith("<")
    text = " ".join(text.split()) if flowing else text
    text = _ANY.sub(_written, _BOXES.sub("", text))
    lines = [" ".join(line.split()) if flowing else line.rstrip() for line in unescape(text).split("\n")]
    kept = [line for line, before in zip(lines, ["", *lines], strict=False) if line.strip() or before.strip()]
    return "\n".join(line for line in kept if line.strip() not in ("-", "")) if flowing else "\n".join(kept).strip()


def _written(found: re.Match[str]) -> str:
    code, closing, tag = found[1], found[2], found[3]
    if code is not None:  # a tag that is spoken of
        return code
    name = tag.lower()
    if name in _BREAKING:
        return "\n"
    if closing:
        return ""
    return {"li": "\n- ", "dd": "\n", "td": " ", "th": " "}.get(name, "")


def cut(text: str, limit: int, least: int) -> str:
    """Return a text of at most `limit` characters; what is cut ends with `…`.

    It is cut after a sentence if one ends after `least` characters, else after a word.
    """
    if len(text) <= limit:
        return text
    head = text[: limit - 2]
    end = max((each.end() for each in _END.finditer(text, 0, limit - 1) if _ends(head, each)), default=0)
    if end >= least:
        return f"{head[:end].rstrip()} …"
    word = head.rfind(" ")
    return f"{head[: word if word >= limit // 2 else len(head)].rstrip(' ,;:')} …"


def _ends(head: str, found: re.Match[str]) -> bool:
    """Say whether a sentence ends where one seems to."""
    if found.end() > len(head):
        return False
    return not (found[0].startswith(".") and _ABBREVIATION.search(head, max(0, found.start() - 12), found.start() + 1))
