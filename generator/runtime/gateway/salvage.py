"""Whose answer a message is that cannot be used: its call fails at once, instead of when its time is over.

A line that is no JSON may still say which call it answers: in its head, or everywhere where only a number that JSON
does not have is wrong. An answer whose id was never given out belongs to nobody that can be told, unless only one call
waits. What is a late answer, of a call that has ended, is none of this. Pure.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .peer import is_logged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errand import Errand
    from .peer import Peer

BEGIN = b'{"jsonrpc"'
"""How most messages begin."""

ANSWERS = frozenset(("jsonrpc", "result", "error"))
"""Members that no line of a log has, or that make an answer."""

BODIES = (b'"result":', b'"error":')
"""How the first value with an inside of an answer is called."""

LISTEN = "subscriptions/listen"

MOST_IN_ONE = 8
"""Answers that are looked for in one line."""

LONGEST_NUMBER = 20
"""Digits of an id of ours, and some more."""

LONGEST_HEAD = 200
"""Bytes in which an answer says what it is."""

SPACE = b" \t\r\n\0\xef\xbb\xbf"
"""What may stand around a message by mistake."""


def of_line(peer: Peer, line: bytes) -> list[Errand]:
    """Return the errands that a line would have answered, which wait no more; none if there is none to be told.

    They are several where answers were written into one another.
    """
    line = line.replace(b"\0", b"").strip(SPACE)
    if line.startswith(b"{'"):  # as Python shows a dictionary
        line = line.replace(b"'", b'"')
    if not is_answer(line):
        return []  # what programs tell their logs
    found = []
    _, *rests = line.split(BEGIN, MOST_IN_ONE)
    for rest in [BEGIN + each for each in rests] or [line]:
        identifier = _identifier(rest) if b'"method"' not in _head(rest) else None
        errand = peer.pending.pop(identifier, None) if identifier is not None else None
        if errand is not None:
            found.append(errand)
    alone = _only(peer) if not found else None
    return found if alone is None else [alone]


def is_answer(line: bytes) -> bool:
    """Tell whether a line that cannot be read looks like an answer."""
    head = _head(line)
    if b'"method"' in head:
        return False
    if b'"jsonrpc"' in line:
        return (line.startswith(b"{") and b'"jsonrpc"' in head) or b'"result"' in line or b'"error"' in line
    before, _, last = head.replace(b" ", b"").rpartition(b",")
    if line[len(head) : len(head) + 1] != b"{":
        return False  # a list, or the end
    return last in BODIES and before.startswith(b'{"id":') if before else last[:1] == b"{" and last[1:] in BODIES


def of_message(peer: Peer, message: Any, stream: Errand | None) -> tuple[Errand, str] | None:
    """Return the errand that a message of no use would have answered, which waits no more, and what is wrong with it.

    `stream` is the errand whose own stream brought it, where nobody else's answer is to be.
    """
    if type(message) is not dict or is_logged(message) or not message.keys() & ANSWERS:
        return None
    identifier = message.get("id")
    if "method" in message:  # a request that is none, or an answer as well
        both = "result" in message or "error" in message
        found = peer.pending.pop(identifier, None) if type(identifier) is int and both else None
        return (found, "it is a request as well") if found is not None else None
    if type(identifier) is int and 0 < identifier <= peer.issued:
        return None  # it answers what has ended
    meant = _number(identifier)
    errand = peer.pending.pop(meant, None) if meant is not None else None
    if errand is None and stream is not None:
        errand = stream if peer.close(stream) else None
    elif errand is None:
        errand = _only(peer)
    if errand is None:
        return None
    return errand, f"its id is {_shown(identifier)}, and not {errand.id}"


def error_without_id(message: Any) -> dict[str, Any] | None:
    """Return what a child says of a request whose id it could not read."""
    if type(message) is not dict or message.get("id") is not None or "method" in message:
        return None
    error = message.get("error")
    usable = type(error) is dict and type(error.get("code")) is int and type(error.get("message")) is str
    return error if usable else None


def _only(peer: Peer) -> Errand | None:
    """Return the errand that waits alone, but for what listens."""
    waiting = [errand for errand in [*peer.pending.values()] if errand.method != LISTEN]
    return peer.pending.pop(waiting[0].id, None) if len(waiting) == 1 else None


def _identifier(line: bytes) -> int | None:
    """Return the number of ours that a line has as its id; None if it has none, or is cut off before it."""
    import json  # the strict scanner has refused it

    try:
        message, _ = json.JSONDecoder(strict=False).raw_decode(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError, MemoryError):
        return _in_head(line)
    identifier = message.get("id") if type(message) is dict else None
    return identifier if type(identifier) is int else None


def _in_head(line: bytes) -> int | None:
    """Return the id that stands before the first value with an inside; one within that would be another's."""
    return _number_behind(_head(line).partition(b'"id"')[2])


def _head(line: bytes) -> bytes:
    """Return a message's text up to the first value with an inside."""
    head = line[: LONGEST_HEAD + 1]
    for bracket in (b"{", b"["):
        place = head.find(bracket, 1)
        head = head[:place] if place > 0 else head
    return head


def _number_behind(text: bytes) -> int | None:
    """Return the number of a member whose name has just ended; None if it is cut off, too."""
    colon, _, rest = text.partition(b":")
    rest = rest.lstrip()
    after = rest.lstrip(b"0123456789")
    digits = rest[: len(rest) - len(after)]
    whole = after[:1] in (b",", b"}", b" ") and 0 < len(digits) < LONGEST_NUMBER and not colon.strip()
    return int(digits) if whole and after else None


def of_heavy(peer: Peer, line: bytes) -> list[Errand]:
    """Return the errand of an answer that is not read for what it holds; its id stands first or last."""
    identifier = _in_head(line)
    if identifier is None:
        rest = line[-LONGEST_HEAD:].rpartition(b'"id"')[2]
        identifier = _number_behind(rest) if rest.find(b"}") == len(rest.rstrip()) - 1 else None
    errand = peer.pending.pop(identifier, None) if identifier is not None else _only(peer)
    return [] if errand is None else [errand]


def _number(identifier: Any) -> int | None:
    """Return the number of ours that an id of another kind stands for."""
    if type(identifier) is float and identifier.is_integer():
        return int(identifier)
    if type(identifier) is str and identifier.isascii() and identifier.isdigit() and len(identifier) < LONGEST_NUMBER:
        return int(identifier)
    return None


def _shown(identifier: Any) -> str:
    try:
        return jsonrpc.shown(jsonrpc.text(identifier)[:80])
    except (ValueError, RecursionError):
        return "none"
