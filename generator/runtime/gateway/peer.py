"""The client's half of one connection to a child, without input or output: requests out, messages in.

Theory of operation. Every request to a child is an errand; it gets a number of ours as its id (ids of upstream clients
never reach a child), which is its progress token too. Whoever takes an errand out of `pending` is the one who ends it:
the dictionary's `pop` is atomic, so that an answer, a cancellation and the end of the child may race and each errand
still has one end. What a child sends is sorted by `sort`; a response is what has no `method` and the id of an errand
(a child's own request with an equal id is a request). What fits nothing is counted and dropped.
"""

from __future__ import annotations

from itertools import count

from ..wire import jsonrpc
from ..wire.dialects import (
    LATEST_LEGACY,
    LATEST_MODERN,
    META_CAPABILITIES,
    META_CLIENT,
    META_LOG_LEVEL,
    META_SUBSCRIPTION,
    META_VERSION,
)
from .quick import Answers
from .weighing import has_halves, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect
    from .errand import Errand


ANSWER, BROKEN, NOTE, REQUEST, NOTHING = range(5)
"""What a message is: an errand's answer, an answer that breaks the protocol, a notification, a request, or no use."""

RESULT_TYPES = frozenset(("complete", "input_required", "task"))
"""Kinds of results of 2026-07-28; absent means complete, any other is invalid."""

ASKABLE = frozenset(("elicitation/create", "sampling/createMessage", "roots/list"))
"""What a legacy child may ask of its client, besides ping."""

MAX_ABANDONED = 1_000
"""Calls that were given up and are remembered; more are taken together, for those of somebody else."""

SEVERAL = "\0"
"""Nobody's name."""

MODERN, LEGACY = "modern", "legacy"


MEMBERS = frozenset(("jsonrpc", "id", "method", "params", "result", "error"))
"""All that a message may have; an object with others, and without the first, is a line of somebody's log."""


class Peer:
    """What is known of a child, and the errands it has not answered.

    `era` is "" until it is negotiated. `client` says who we are where an errand does not say who calls; `offered` are
    the capabilities that a legacy child is told. `unmatched` counts responses that belong to no errand.
    """

    __slots__ = (
        "_answers",
        "_numbers",
        "abandoned",
        "broken",
        "capabilities",
        "client",
        "dialect",
        "era",
        "instructions",
        "issued",
        "offered",
        "pending",
        "server_info",
        "unmatched",
    )

    def __init__(self, client: dict[str, Any], offered: dict[str, Any]) -> None:
        self.client = client
        self.offered = offered
        self.pending: dict[str | int, Errand] = {}
        self.abandoned: dict[str | int, str] = {}
        self.unmatched = self.broken = self.issued = 0
        self._answers = Answers()
        self._numbers = count(1)
        self.forget()

    def forget(self) -> None:
        """Know nothing of the child any more, because another one takes its place."""
        self.era = ""
        self.dialect: Dialect = LATEST_LEGACY
        self.capabilities: dict[str, Any] = {}
        self.server_info: dict[str, Any] = {}
        self.instructions = ""

    def become(self, dialect: Dialect, told: dict[str, Any]) -> None:
        """Take over what a child said of itself in its DiscoverResult or InitializeResult."""
        self.dialect = dialect
        self.capabilities = _dict(told.get("capabilities"))
        meta = _dict(told.get("_meta"))
        self.server_info = _dict(told.get("serverInfo")) or _dict(meta.get("io.modelcontextprotocol/serverInfo"))
        said = told.get("instructions")
        self.instructions = said if type(said) is str else ""
        self.era = MODERN if dialect.modern else LEGACY

    # -- out

    def open(self, errand: Errand) -> int:
        """Give an errand its id, which is returned, and wait for its answer."""
        errand.id = self.issued = number = next(self._numbers)
        self.pending[number] = errand
        return number

    def request(self, errand: Errand) -> dict[str, Any]:
        """Return the request of an errand that is open."""
        params = errand.params
        meta = dict(errand.meta)
        if errand.wants_progress:
            meta["progressToken"] = errand.id
        if self.era == MODERN or errand.method == "server/discover":
            meta[META_VERSION] = LATEST_MODERN.version
            meta[META_CLIENT] = errand.client or self.client
            meta[META_CAPABILITIES] = errand.capabilities
            if errand.log_level is not None:
                meta[META_LOG_LEVEL] = errand.log_level
        if meta:
            params = {**params, "_meta": meta}
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": errand.id, "method": errand.method}
        if params:
            message["params"] = params
        return message

    def line(self, errand: Errand) -> bytes:
        """Return the line of an errand that is open; raises what `jsonrpc.encode` does."""
        return jsonrpc.encode(self.request(errand)) + b"\n"

    def quick(self, line: bytes) -> tuple[Errand, dict[str, Any], bytes | None] | None:
        """Return an errand that is answered, and its result, where one look tells; None leaves the line to `sort`.

        The third are the members of the result, where they may go on as they are (`quick`).
        """
        found = self._answers.read(line)
        if found is None:
            return None
        identifier, result, inner = found
        if has_halves(line) and whole(result) is not result:
            return None
        errand = self.pending.pop(identifier, None)
        if errand is None:
            return None
        return errand, result, inner

    def close(self, errand: Errand) -> bool:
        """Wait for an errand no longer; False when it has had its end."""
        if self.pending.get(errand.id) is not errand:
            return False  # of one that is about to be sent again, the id is another's here
        return self.pending.pop(errand.id, None) is errand

    def abandon(self, errand: Errand, principal: str) -> None:
        """Remember whose a call was that is given up, as long as its child may be at work for it."""
        several = len(self.abandoned) >= MAX_ABANDONED
        self.abandoned[0 if several else errand.id] = SEVERAL if several else principal

    def close_all(self) -> list[Errand]:
        """Wait for nothing any more and return what was waited for."""
        left = []
        while self.pending:
            try:
                left.append(self.pending.popitem()[1])
            except KeyError:
                break  # somebody else took the last one
        return left[::-1]

    # -- in

    def sort(self, message: Any) -> tuple[int, Errand | None]:
        """Say what a message is, and the errand it belongs to; the errand of a response is taken out of `pending`."""
        if type(message) is not dict:
            return NOTHING, None
        method = message.get("method")
        if method is None:
            return self._response(message)
        if "result" in message or "error" in message:
            return NOTHING, None  # it cannot be told what it is
        params = message.get("params") or {}
        if type(method) is not str or type(params) is not dict:
            return NOTHING, None
        if "id" in message:
            return (REQUEST if type(message["id"]) in (int, str) else NOTHING), None
        return NOTE, self._concerned(method, params)

    def _response(self, message: dict[str, Any]) -> tuple[int, Errand | None]:
        identifier = message.get("id")
        if type(identifier) is not int and type(identifier) is not str:
            self.unmatched += 1
            return NOTHING, None
        if "jsonrpc" not in message and is_logged(message) and type(message.get("result")) is not dict:
            return NOTHING, None
        errand = self.pending.pop(identifier, None)
        if errand is None:
            self.unmatched += 1
            self.abandoned.pop(identifier, None)
            return NOTHING, None
        return (BROKEN if self.fault(message) else ANSWER), errand

    def fault(self, message: dict[str, Any]) -> str:
        """Say what is wrong with a response, "" for nothing."""
        if "error" in message:
            error = message["error"]
            if type(error) is not dict or type(error.get("code")) is not int or type(error.get("message")) is not str:
                return "its error has no code and message"
            return ""
        result = message.get("result")
        if type(result) is not dict:
            return "it has neither a result nor an error"
        kind = result.get("resultType", "complete")
        if self.era == MODERN and (type(kind) is not str or kind not in RESULT_TYPES):
            return f"its resultType {jsonrpc.shown(str(kind))!r} is unknown"
        return ""

    def _concerned(self, method: str, params: dict[str, Any]) -> Errand | None:
        """Return the errand that a notification belongs to: by its progress token, its subscription or its id."""
        if method == "notifications/progress":
            token = params.get("progressToken")
        elif method == "notifications/cancelled" and self.era == MODERN:  # it ends what listens
            token = params.get("requestId")  # a legacy child's is that of a question of its own
        else:
            token = _dict(params.get("_meta")).get(META_SUBSCRIPTION)
        if type(token) is not int and type(token) is not str:
            return None
        return self.pending.get(token)


def is_logged(message: dict[str, Any]) -> bool:
    """Tell whether an object is no message, but what a program tells its log: it has members that no message has."""
    return "jsonrpc" not in message and not message.keys() <= MEMBERS


def cancellation(errand: Errand, reason: str) -> dict[str, Any]:
    """Return the notification that tells a child not to go on with an errand."""
    params = {"requestId": errand.id, **({"reason": reason} if reason else {})}
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}


def reply(request_id: str | int, result: dict[str, Any] | None, error: dict[str, Any] | None) -> dict[str, Any]:
    """Return the response to a request of a child."""
    if error is not None:
        return {"jsonrpc": "2.0", "id": request_id, "error": error}
    return {"jsonrpc": "2.0", "id": request_id, "result": result or {}}


def own_reply(method: str, *, askable: bool) -> tuple[dict[str, Any] | None, dict[str, Any] | None] | None:
    """Return result and error that a child's request gets without anybody being asked; None where somebody must be."""
    if method == "ping":
        return {}, None
    if askable and method in ASKABLE:
        return None
    return None, jsonrpc.error_body(jsonrpc.METHOD_NOT_FOUND, f"Method not found: {jsonrpc.shown(method)}")


def _dict(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}
