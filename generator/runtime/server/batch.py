"""JSON-RPC batches, which only 2025-03-26 has: their answers leave together, as one array, when the last one is there.

Rules (JSON-RPC 2.0 §6, MCP 2025-03-26 base protocol): an empty array is one invalid request; `initialize` is not part
of a batch; notifications add nothing; a batch that asks nothing is answered by nothing. A cancelled call is no longer
waited for. Any thread may bring an answer.
"""

from __future__ import annotations

from _thread import allocate_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .call import Call
    from .session import Cancel


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
