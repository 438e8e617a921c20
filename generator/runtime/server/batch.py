"""JSON-RPC batches, which only 2025-03-26 has: their answers leave together, as one array, when the last one is there.

Rules (JSON-RPC 2.0 §6, MCP 2025-03-26 base protocol): an empty array is one invalid request; `initialize` is not part
of a batch; notifications add nothing; a batch that asks nothing is answered by nothing. A cancelled call is no longer
waited for. Any thread may bring an answer. Each message goes on with its own piece of the batch's text, so that numbers
keep every digit for the tools that need them (decision 19).
"""

from __future__ import annotations

from _thread import allocate_lock

from ..wire import jsonrpc
from .call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .session import Cancel, Session


BLANKS = " \t\r\n"
"""What may stand around JSON values."""


class Batch:
    """One batch: the `effects` its shell carries out, and the answers so far."""

    __slots__ = ("_answers", "_lock", "_open", "effects")

    def __init__(self) -> None:
        self.effects: list[Call | Cancel] = []
        self._answers: list[bytes] = []
        self._open = 1  # the reading of the batch itself
        self._lock = allocate_lock()

    def expect(self, call: Call) -> None:
        """Wait for a call of this batch."""
        call.batch = self
        self._open += 1
        self.effects.append(call)

    def keep(self, line: bytes) -> None:
        """Keep an answer that was there at once."""
        self._answers.append(line)

    def settle(self, line: bytes | None) -> bytes | None:
        """Take the answer of one call, None for one that gets none; return the array once nothing is open."""
        with self._lock:
            self._open -= 1
            if line is not None:
                self._answers.append(line)
            if self._open or not self._answers:
                return None
            return b"[" + b",".join(answer.rstrip(b"\n") for answer in self._answers) + b"]\n"


def judged(session: Session, messages: list[Any], raw: bytes = b"") -> Batch | bytes | None:
    """Judge each message of a batch, which was read of `raw`; `initialize` and further batches are not part of one."""
    if not messages:
        return session.unreadable(jsonrpc.INVALID_REQUEST, "Invalid request: a batch holds one message at least")
    batch, texts = Batch(), _texts(raw)
    for message in messages:
        text = next(texts, b"")
        good = type(message) is dict and (message.get("method") != "initialize" or "id" not in message)
        effect = session.receive(message, text) if good else _not_part(message)
        if isinstance(effect, bytes):
            batch.keep(effect)
        elif isinstance(effect, Call):
            batch.expect(effect)
        elif effect is not None and not isinstance(effect, Batch):
            batch.effects.append(effect)
    return batch if batch.effects else batch.settle(None)


def _texts(raw: bytes) -> Iterator[bytes]:
    """Yield the text of each item of an array, which was read before: nothing in it is amiss."""
    source = str(raw.removeprefix(jsonrpc.BYTE_ORDER_MARK), "utf-8").lstrip(BLANKS)
    place = 1  # behind the bracket
    while place < len(source) and source[place] != "]":
        if source[place] == "," or source[place] in BLANKS:
            place += 1
            continue
        _, end = jsonrpc.scan(source, place)
        yield source[place:end].encode("utf-8")
        place = end


def _not_part(message: Any) -> bytes:
    """Refuse one, under its id where it has one, so that whoever sent it does not wait."""
    request_id = message.get("id") if type(message) is dict else None
    body = jsonrpc.error_body(jsonrpc.INVALID_REQUEST, "Invalid request: not part of a batch")
    return jsonrpc.error_line(request_id if type(request_id) in (int, str) else None, body)
