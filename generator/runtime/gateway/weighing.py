"""Reading a child's message, unless it holds more than others can wait for.

The scanner reads a message in one go, and every other call waits meanwhile: ten megabytes of text take it a few
hundredths of a second, five million small numbers a whole one. So the values of a long message are counted first, in
pieces between which others go on. Pure.
"""

from __future__ import annotations

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

WEIGHED_BYTES = 128 * 1024
"""A shorter message is read in a few milliseconds, whatever it holds."""

BYTES_PER_VALUE = 50
"""A message may hold as many values as it could have of this size at its longest, some 200,000: they take a few
hundredths of a second, and are more than any model reads."""

PIECE_BYTES = 256 * 1024
"""What is counted in one go: well below a millisecond."""

UNCOUNTED = bytes(set(range(256)) - set(b'"{[,'))
"""What neither begins a value nor separates two, and is no quotation mark."""

HALVES = (b"\\ud", b"\\uD")
"""How the half of a character may be written that has two in UTF-16."""


class TooMuch(jsonrpc.ParseFailure):
    """A message holds too many values."""


def parsed(line: bytes, limit: int) -> Any:
    """Return a message of at most `limit` bytes; raises ParseFailure."""
    if len(line) > WEIGHED_BYTES:
        check(line, limit)
    return read(line)


def read(line: bytes) -> Any:
    """Return a message; raises ParseFailure.

    Halves of characters become U+FFFD: programs that cut their texts by UTF-16 write them, and few can read them.
    """
    try:
        message = jsonrpc.parse(line, finite=True)
    except jsonrpc.ParseFailure:
        message = jsonrpc.parse(line)  # where it is not for a number like 1e400, this fails as well
        if type(message) is not dict or "method" not in message or "id" not in message:
            raise  # it cannot be passed on, and nobody waits to hear that; a question is refused later on
    return whole(message) if has_halves(line) else message


def has_halves(line: bytes) -> bool:
    """Tell whether there may be half a character in a message."""
    return line.find(b"\\") >= 0 and (line.find(HALVES[0]) >= 0 or line.find(HALVES[1]) >= 0)


def check(line: bytes, limit: int) -> None:
    """Raise TooMuch for a message that holds more values than are read."""
    most = limit // BYTES_PER_VALUE
    if values(line, most) > most:
        raise TooMuch(f"Parse error: it holds more than {most} values")


def values(line: bytes, most: int) -> int:
    """Return about how many values a message holds; when there are more than `most`, any greater number."""
    count = line.count(b",") + line.count(b"{") + line.count(b"[")
    if count <= most:
        return count
    start = count = 0
    inside = False  # a text
    while start < len(line) and count <= most:
        piece = line[start : start + PIECE_BYTES]
        if (len(piece) - len(piece.rstrip(b"\\"))) % 2:
            piece = line[start : start + len(piece) + 1]  # what a backslash belongs to
        start += len(piece)
        parts = piece.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, UNCOUNTED).split(b'"')
        count += sum(map(len, parts[inside::2]))
        inside ^= len(parts) % 2 == 0
    return count


def whole(value: Any) -> Any:
    """Return a JSON value with U+FFFD in the place of half characters."""
    text = jsonrpc.text(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        mended = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return jsonrpc.parse(mended.encode())
    return value
