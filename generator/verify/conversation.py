"""A strict client of a child's standard streams: what a forgiving one would pass over is written down as a fault.

Every line has to be one JSON-RPC message. A line that is none is a fault and the conversation goes on, so that all
faults are told, up to a bound. What makes it impossible to go on (no answer in time, the end, a flood) is `Broken`;
an answer that is an error is `Refused`.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Self

from .eras import LEGACY, LEGACY_ERA, MODERN, about
from .finding import plural, shown

if TYPE_CHECKING:
    from .child import Child

MAX_FAULTS = 20
"""Lines that are no messages until there is no point in reading on."""

MAX_UNRELATED = 50_000
"""Messages beside the point while one answer is waited for; a server may well report progress, but not endlessly."""


class Broken(Exception):
    """The conversation cannot go on; the message says why."""


class Refused(Exception):
    """The answer is an error: its code and message are in `error`."""

    def __init__(self, error: dict[str, Any]) -> None:
        """Keep the error object."""
        super().__init__(f"error {error.get('code')}: {shown(error.get('message', ''), 160)}")
        self.error = error

    @property
    def code(self) -> object:
        """The error's code, whatever the server made of it."""
        return self.error.get("code")


class Conversation:
    """Requests and their answers, one at a time, each bounded by `timeout` seconds."""

    def __init__(self, child: Child, timeout: float) -> None:
        """Talk to a child that was started."""
        self.child = child
        self.timeout = timeout
        self.era = LEGACY_ERA
        self.capabilities: dict[str, Any] = {}
        self.faults: list[str] = []
        self.impure: list[str] = []  # those of them that are no messages at all
        self._next = 0
        self._answered: set[object] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.end()

    def initialize(self, version: str = LEGACY, *, extensions: dict[str, Any] | None = None) -> dict[str, Any]:
        """Shake hands as a client of a handshake revision; return the server's answer."""
        self.era = LEGACY_ERA
        capabilities = {"extensions": extensions} if extensions else {}
        params = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": about()}
        result = self.request("initialize", params)
        self.notify("notifications/initialized")
        return result

    def discover(self, *, extensions: dict[str, Any] | None = None) -> dict[str, Any]:
        """Begin as a client without a handshake; return the server's answer."""
        self.era = MODERN
        self.capabilities = {"extensions": extensions} if extensions else {}
        return self.request("server/discover")

    def request(
        self, method: str, params: dict[str, Any] | None = None, *, identity: str | int | None = None
    ) -> dict[str, Any]:
        """Send a request and return its result; raises Refused and Broken."""
        answer = self.exchange(method, params, identity=identity)
        if "error" in answer:
            raise Refused(answer["error"] if isinstance(answer["error"], dict) else {"message": answer["error"]})
        result = answer["result"]
        if not isinstance(result, dict):
            raise Broken(f"the result of {method} is {shown(result, 40)}, no object")
        return result

    def exchange(
        self, method: str, params: dict[str, Any] | None = None, *, identity: str | int | None = None
    ) -> dict[str, Any]:
        """Send a request and return the whole answer; raises Broken."""
        if identity is None:
            self._next += 1
            identity = self._next
        deadline = time.monotonic() + self.timeout
        self._send({"jsonrpc": "2.0", "id": identity, "method": method, "params": self._params(params)}, deadline)
        for _ in range(MAX_UNRELATED):
            line = self.child.next_line(deadline)
            if line is None:
                raise Broken(self._silence(method))
            message = self._message(line)
            if message is not None and self._is_answer(message, identity):
                return message
        raise Broken(f"more than {MAX_UNRELATED} messages came instead of an answer to {method}")

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification."""
        message = {"jsonrpc": "2.0", "method": method}
        self._send(message if params is None else {**message, "params": params}, time.monotonic() + self.timeout)

    def drain(self, seconds: float) -> None:
        """Look at what still comes, until the output ends or for some seconds."""
        deadline = time.monotonic() + seconds
        for _ in range(MAX_UNRELATED):
            line = self.child.next_line(deadline)
            if line is None:
                return
            message = self._message(line)
            if message is not None:
                self._is_answer(message, None)

    def _params(self, params: dict[str, Any] | None) -> dict[str, Any]:
        given = dict(params or {})
        if self.era != MODERN:
            return given
        own = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": about(),
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }
        return {**given, "_meta": {**own, **given.get("_meta", {})}}

    def _send(self, message: dict[str, Any], deadline: float) -> None:
        if not self.child.write(json.dumps(message).encode() + b"\n", deadline):
            raise Broken(self._silence(str(message.get("method", "an answer")), unread=True))

    def _silence(self, method: str, *, unread: bool = False) -> str:
        """Return why no answer came, with what the child says about it."""
        child = self.child
        status = child.wait(0.2) is not None
        if child.flood is not None:
            reason = child.flood
        elif status:
            reason = f"the process ended with status {child.status} instead of answering {method}"
        elif child.closed:
            reason = f"its standard output was closed instead of an answer to {method}"
        elif unread:
            reason = f"it did not read {method} within {self.timeout:g} s"
        else:
            reason = f"no answer to {method} within {self.timeout:g} s"
        said = f"; standard error ends: {child.last_words}" if child.last_words else ""
        before = f"; before that {self.faults[0]}" if self.faults else ""
        return reason + before + said

    def _message(self, line: bytes) -> dict[str, Any] | None:
        """Return the message of a line, or None: then it is a fault."""
        problem = None
        message: Any = None
        try:
            message = json.loads(line.decode(), parse_constant=_refuse_constant)
        except UnicodeDecodeError:
            problem = "is not UTF-8"
        except (ValueError, RecursionError):
            problem = "is not JSON"
        if problem is None:
            problem = _envelope_problem(message)
        if problem is None and not line.endswith(b"\n"):
            problem = "does not end"
        if problem is None:
            return message  # type: ignore[no-any-return] # its envelope was looked at
        beginning = shown(line[:200].decode("utf-8", "replace").strip(), 80)
        self.impure.append(f"a line of standard output {problem}: {beginning}")
        self._fault(self.impure[-1])
        return None

    def _is_answer(self, message: dict[str, Any], identity: object) -> bool:
        """Tell whether a message is the awaited answer; anything else is put where it belongs."""
        if "method" in message:
            if "id" in message:
                self._reply(message)
            return False
        found = message.get("id")
        if identity is not None and found == identity and type(found) is type(identity):
            self._answered.add(found)
            return True
        again = found is not None and found in self._answered
        self._fault(f"a second answer to request {shown(found, 40)}" if again else _unasked(found))
        return False

    def _reply(self, request: dict[str, Any]) -> None:
        """Answer a request of the server as a client does that can do nothing but be pinged."""
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
        if request["method"] == "ping":
            answer["result"] = {}
        elif request["method"] == "roots/list":
            answer["result"] = {"roots": []}
        else:
            answer["error"] = {"code": -32601, "message": "Method not found"}
        self._send(answer, time.monotonic() + self.timeout)

    def _fault(self, text: str) -> None:
        self.faults.append(text)
        if len(self.faults) >= MAX_FAULTS:
            first = self.faults[0]
            raise Broken(f"{plural(len(self.faults), 'line')} that belong to no conversation; the first: {first}")


def _unasked(identity: object) -> str:
    return f"an answer to nothing that was asked, with id {shown(identity, 40)}"


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _envelope_problem(message: object) -> str | None:
    """Return why a value is no JSON-RPC message, or None."""
    if not isinstance(message, dict):
        return "is no JSON object"
    if message.get("jsonrpc") != "2.0":
        return 'has no "jsonrpc": "2.0"'
    if "method" in message:
        wrong = not isinstance(message["method"], str) or not isinstance(message.get("id", 0), str | int)
        return "has a method or id of a wrong type" if wrong else None
    if ("result" in message) == ("error" in message):
        return "has not exactly one of method, result and error"
    if not isinstance(message.get("id"), str | int | None) or isinstance(message.get("id"), bool):
        return "has an id that is no string and no integer"
    return None
