"""Pages of lists: cursors that say where the next one starts (MCP server/utilities/pagination)."""

from __future__ import annotations

from . import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def cursor(start: int, total: int) -> str:
    """Return the cursor of the page that starts there; it is of no use once the list has another length."""
    return f"{start}.{total}"


def page_start(params: dict[str, Any], size: int, total: int) -> int:
    """Return where a page of a list starts; cursors are those of `cursor`, at the start of a page.

    Raises Refusal for a cursor that this server does not mint.
    """
    if "cursor" not in params:
        return 0
    given = params["cursor"]
    if type(given) is str and size:
        digits = given.partition(".")[0]
        if digits.isascii() and digits.isdigit() and len(digits) <= 9:  # far above any count
            start = int(digits)
            if given == cursor(start, total) and start % size == 0 and 0 < start < total:
                return start
    raise jsonrpc.Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: cursor was not issued by this server")
