"""The calls of one worker process by their numbers; to its runner, this is the session whose calls it runs."""

from __future__ import annotations

from ..wire import jsonrpc
from .farm_frames import ASK, KEPT, NOTE, RESULT, frame
from .outcome import META_ERROR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call
    from .catalog import Catalog

MAX_TOLD = 10_000
"""Characters of a result's text that its event is made of; it shows fewer."""

GOOD = b"{}\n"
"""What the log needs of a result that is no error."""


class ChildBooks:
    """The calls that run here. Answers leave as frames; `catalog` is set once the front has said which it is."""

    __slots__ = ("_kept", "_numbers", "calls", "catalog", "open", "running", "tells_texts")

    def __init__(self) -> None:
        self.open: set[Call] = set()
        self.running: dict[str | int, Call] = {}  # ids are only unique within a session
        self.calls: dict[int, Call] = {}
        self.catalog: Catalog | None = None
        self.tells_texts = False  # the front's events show what results say
        self._numbers: dict[Call, int] = {}
        self._kept = 0

    def enter(self, call: Call, number: int) -> None:
        """Note a call and its number."""
        self.calls[number] = call
        self._numbers[call] = number
        self.open.add(call)

    def finish(self, call: Call, result: dict[str, Any]) -> bytes | None:
        """Return the frame that says how a call ended, an empty one if nobody waits for it; None after the first."""
        number = self._numbers.pop(call, None)
        if number is None or call.session is None:
            return None
        line = call.session.finish(call, result)
        if call.task is not None and line is not None:
            line = jsonrpc.encode(call.task.came_to())
        if self.catalog is not None and self.catalog.tasks is not None:
            self.catalog.tasks.release(call)
        self.calls.pop(number, None)
        self.open.discard(call)
        return self._news() + frame(
            RESULT, number, b"" if line is None else _summary(result, texts=self.tells_texts) + line
        )

    def at_once(self, number: int, line: bytes) -> bytes:
        """Return the frame for a message that turned out to need no call."""
        return frame(RESULT, number, GOOD + line)

    def note(self, call: Call, line: bytes) -> bytes:
        """Return the frame of what a call sends its client; a request, once one was noted as asked, as such."""
        number = self._numbers.get(call, 0)
        if call.session is not None and call.session.asked and b'"id":' in line:
            message = jsonrpc.parse(line)
            if "method" in message and message.get("id") in call.session.asked:
                return frame(ASK, number, line)
        return frame(NOTE, number, line)

    def about(self, call: Call, kind: int, content: bytes = b"") -> bytes:
        """Return a frame about a call, no bytes once it has ended."""
        number = self._numbers.get(call, 0)
        return frame(kind, number, content) if number else b""

    def answered(self, number: int, content: bytes) -> None:
        """Hand the client's response to the call that asked, or the answers to the questions of a task."""
        call = self.calls.get(number)
        if call is not None and call.task is not None:
            call.task.answer(jsonrpc.parse(content))
        elif call is not None and call.session is not None:
            call.session.receive(jsonrpc.parse(content))

    def _news(self) -> bytes:
        """Return frames of the answers that were kept to be read as resources since the last time."""
        store = self.catalog.answers if self.catalog is not None else None
        if store is None:
            return b""
        self._kept, news = store.since(self._kept)
        return b"".join(frame(KEPT, 0, jsonrpc.encode(each.facts()) + b"\n" + each.body) for each in news)


def _summary(result: dict[str, Any], *, texts: bool) -> bytes:
    """Return the line of a result that its log and its event need; events may want what it says, too."""
    told: dict[str, Any] = {}
    if result.get("isError"):
        facts = (result.get("_meta") or {}).get(META_ERROR) or {}
        shown = {name: facts[name] for name in ("code", "type", "id") if name in facts}
        told = {"isError": True, "_meta": {META_ERROR: shown}}
    if "rpcError" in result:
        told["rpcError"] = {"code": result["rpcError"]["code"]}
    if "inputRequests" in result:
        told |= {"resultType": result.get("resultType"), "inputRequests": {}}
    if texts:
        told["content"] = [
            {"type": "text", "text": block["text"][:MAX_TOLD]}
            for block in (result.get("content") or ())[:1]
            if type(block) is dict and type(block.get("text")) is str
        ]
    return jsonrpc.encode(told) + b"\n" if told else GOOD
