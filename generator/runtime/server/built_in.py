"""Resources whose text was made with the server: pages of its documentation, read from one file beside the catalog."""

from __future__ import annotations

from ..wire import jsonrpc
from .offers import offers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .catalog import Catalog

TEXTS = "catalog.texts.json"


def contents_of(catalog: Catalog, uri: str) -> list[dict[str, Any]]:
    """Return the contents of such a resource; raises Refusal when the file is missing or broken."""
    texts = offers_of(catalog).texts
    if texts[uri] is None:
        texts |= _read(f"{catalog.folder}/{TEXTS}", texts)
    kinds = (entry["definition"] for entry in catalog.data["resources"])
    kind = next((each["mimeType"] for each in kinds if each["uri"] == uri), "text/markdown")
    return [{"uri": uri, "mimeType": kind, "text": texts[uri]}]


def _read(path: str, wanted: dict[str, str | None]) -> dict[str, str]:
    try:
        with open(path, "rb") as file:
            found = jsonrpc.parse(file.read())
    except (OSError, jsonrpc.ParseFailure):
        found = None
    if type(found) is not dict or not all(type(found.get(uri)) is str for uri in wanted):
        raise jsonrpc.Refusal(jsonrpc.INTERNAL_ERROR, f"{TEXTS} cannot be read; build the server again")
    return found
