"""Types of the API's schemas, made by mcpgen; answers may have members that are not described."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Language: TypeAlias = Literal["en", "fr", "pl"]

Book = TypedDict(
    "Book",
    {
        "isbn": str,
        "title": str,
        "copies": NotRequired[int],
        "language": NotRequired[Language],
        "shelf-mark": NotRequired[str | None],
        "sequels": NotRequired[list["Book"]],
    },
)

BookInput = TypedDict(
    "BookInput",
    {
        "isbn": str,
        "title": str,
        "language": NotRequired[Language],
        "shelf-mark": NotRequired[str | None],
        "sequels": NotRequired[list["BookInput"]],
    },
)
