"""Titles and descriptions of tools from summaries and descriptions of operations, bounded for their reader."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from .plain_text import cut, plain

if TYPE_CHECKING:
    from .model import Api, Operation

MAX_TITLE = 80
"""Characters of a title: hosts show it on one line of a menu or a dialogue."""

MAX_INSTRUCTIONS = 500
"""Characters of what the server says about itself as a whole."""

_LINK = re.compile(r"(?<!!)\[([^\[\]\n]{1,200})\]\([^()\s]{1,500}\)")


def title_of(operation: Operation) -> str | None:
    """Return the summary as a title when it is a short line, or None."""
    summary = _stripped(operation.summary).removesuffix(".")
    return summary if summary and len(summary) <= MAX_TITLE and "\n" not in summary else None


def description_of(operation: Operation, limit: int) -> str:
    """Return summary and description as one text; the request line stands in when the document says nothing."""
    summary, description = _stripped(operation.summary), _stripped(operation.description)
    if not summary or description.startswith(summary):
        text = description
    elif not description or summary.startswith(description):
        text = summary
    else:
        text = f"{summary}\n\n{description}"
    return bounded(text, limit) or f"Request `{operation.key}` of the API."


@lru_cache(maxsize=256)  # a path that is referred to says the same of all its operations
def _stripped(text: str) -> str:
    return plain(text).strip()


def instructions_of(api: Api) -> str | None:
    """Return what a model is told of the server as a whole: the API's title and the beginning of its description."""
    title = api.title.strip()
    about = bounded((api.summary or api.description).strip(), MAX_INSTRUCTIONS)
    head = f"Tools that call the API `{title}`." if title else ""
    return "\n\n".join(part for part in (head, about) if part) or None


@lru_cache(maxsize=4096)  # parameters and answers that operations share say the same thousands of times
def bounded(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters, cut after a sentence if one ends in its second half.

    Links are left out of Markdown and HTML, their words are kept: a model cannot follow them.
    """
    return cut(_LINK.sub(r"\1", plain(text)).strip(), limit, limit // 2)
