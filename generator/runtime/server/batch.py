"""JSON-RPC batches, which only 2025-03-26 has: their answers leave together, as one array, when the last one is there.

Rules (JSON-RPC 2.0 §6, MCP 2025-03-26 base protocol): an empty array is one invalid request; `initialize` is not part
of a batch; notifications add nothing; a batch that asks nothing is answered by nothing. A cancelled call is no longer
waited for. Any thread may bring an answer.
"""

from __future__ import annotations

from _thread import allocate_lock

from ..wire import jsonrpc
from .call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .session import Cancel, Session


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


def judged(session: Session, messages: list[Any]) -> Batch | bytes | None:
    """Judge each message of a batch; `initialize` and further batches are not part of one."""
    if not messages:
        return session.unreadable(jsonrpc.INVALID_REQUEST, "Invalid request: a batch holds one message at least")
    batch = Batch()
    for message in messages:
        good = type(message) is dict and (message.get("method") != "initialize" or "id" not in message)
        effect = session.receive(message) if good else _not_part(message)
        if isinstance(effect, bytes):
            batch.keep(effect)
        elif isinstance(effect, Call):
            batch.expect(effect)
        elif effect is not None and not isinstance(effect, Batch):
            batch.effects.append(effect)
    return batch if batch.effects else batch.settle(None)


def _not_part(message: Any) -> bytes:
    """Refuse one, under its id where it has one, so that whoever sent it does not wait."""
    request_id = message.get("id") if type(message) is dict else None
    body = jsonrpc.error_body(jsonrpc.INVALID_REQUEST, "Invalid request: not part of a batch")
    return jsonrpc.error_line(request_id if type(request_id) in (int, str) else None, body)
