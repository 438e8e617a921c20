"""The words of an HTML page, for error pages that stand where an API's own answer should."""

from __future__ import annotations

from html.parser import HTMLParser

MAX_PARSED = 65_536
"""Characters of a page that are looked at: an error page says what it has to say at its beginning."""

UNSEEN = frozenset(("script", "style", "head", "template", "svg", "noscript"))
"""Elements whose text nobody reads; of the head only the title is kept."""

BREAKS = frozenset(("p", "div", "br", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "title", "hr", "table"))
"""Elements that begin a new line."""


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen: list[str] = []
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 # as the class has it
        if tag in UNSEEN:
            self._unseen.append(tag)
        elif tag == "body":
            self._unseen.clear()
        if tag in BREAKS:
            self.parts.append("\n")
        self._in_title = tag == "title"

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            del self._unseen[self._unseen.index(tag) :]
        if tag in BREAKS:
            self.parts.append("\n")
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if not self._unseen or self._in_title:
            self.parts.append(data)


def words(page: str) -> str:
    """Return the text of a page, a line for each block, without markup; never raises."""
    parser = _Words()
    try:
        parser.feed(page[:MAX_PARSED])
        parser.close()
    except Exception:  # noqa: BLE001, S110 # what was read so far is enough, whatever stands there
        pass
    lines = (" ".join(line.split()) for line in "".join(parser.parts).split("\n"))
    return "\n".join(dict.fromkeys(line for line in lines if line))
