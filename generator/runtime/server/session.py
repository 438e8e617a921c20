"""The protocol core of one connection: messages in, effects out, no input or output of its own.

Theory of operation. A shell parses a line and hands the message to `receive`, which returns one effect:

- `bytes`: write them to the client;
- a `Call`: run it (`invoke.run`), then pass its result to `finish`, which returns the bytes of the answer or None;
- a `Cancel`: stop waiting for its call, and write its `reply` if it has one;
- a `Batch`: carry out its effects, then `settle` it (only 2025-03-26 has batches);
- None: nothing to do. A request that listens is one of these: what it brings goes through `tell`.

Every message is judged on its own (decision 12): `_meta` with a protocol version makes it modern (2026-07-28), anything
else legacy, where `initialize` picks the revision and a request before it is served as 2025-11-25. A call is answered
once: whoever takes it out of `open` first, the worker that ran it, the clock that timed it out or the client's
cancellation, decides. One that becomes a task (`detach`) is answered with the task, and `finish` hands its result to
that. `receive` is for one thread at a time; `finish` may be called from any.
"""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import LATEST_LEGACY, META_CAPABILITIES, META_CLIENT, META_SERVER, META_VERSION, TASKS
from ..wire.jsonrpc import Refusal, shown
from .call import LONGEST_KEY, REPEAT_KEY, Call, Spliced
from .carried import apps, further, meant
from .session_answers import LEGACY, MODERN, modern_dialect, modern_log_level, unknown_tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from ..wire.dialects import Dialect
    from .batch import Batch
    from .catalog import Catalog
    from .tasks import Task
    from .tool import Tool

    Effect: TypeAlias = "bytes | Call | Cancel | Batch | None"

DEFAULT_LOG_LEVEL = "info"
"""What a legacy client that never sent logging/setLevel gets."""

DEFAULT_TTL_MS = 300_000
"""How long a modern client may keep a list: definitions change only with a new build."""

ABOUT = "about the server"
"""Where what results say of the server is kept, beside the lists."""


class Cancel:
    """The client no longer waits for this call; `answer` is what its batch was still waiting for it with.

    `reply` answers the request that asked for it, if one did.
    """

    __slots__ = ("answer", "call", "reply")

    def __init__(self, call: Call, answer: bytes | None = None, reply: bytes | None = None) -> None:
        self.call = call
        self.answer = answer
        self.reply = reply


class Session:
    """One client's connection to a catalog.

    `listed` keeps whole lists by revision, and what results say of the server, for sessions that share them.
    `principal` names who asks, where tokens say so; `asked` takes the answers to requests of ours, by their ids. Where
    changes are told, `tell` is how (a line and its topic, from any thread; None: it cannot) and `listening` what this
    client listens to.
    """

    __slots__ = (
        "asked", "catalog", "client", "dialect", "listed", "listening", "log_level", "open",
        "principal", "running", "tell",
    )  # fmt: skip

    def __init__(self, catalog: Catalog, listed: dict[str, bytes] | None = None, principal: str = "") -> None:
        self.catalog = catalog
        self.dialect = LATEST_LEGACY
        self.client: dict[str, Any] = {}
        self.log_level = DEFAULT_LOG_LEVEL
        self.running: dict[str | int, Call] = {}
        self.open: set[Call] = set()
        self.listed = {} if listed is None else listed
        self.principal = principal
        self.asked: dict[str, Callable[[dict[str, Any]], None]] = {}
        self.tell: Callable[[bytes, tuple[str, str]], None] | None = None
        self.listening: Any = None

    # -- messages in

    def receive(self, message: Any, raw: bytes = b"") -> Effect:
        """Judge one parsed message; `raw` is its line, kept for tools that re-read exact numbers."""
        if type(message) is not dict:
            if type(message) is list and self.dialect.batches:
                from .batch import judged

                return judged(self, message, raw)
            what = "this revision has no batches" if type(message) is list else "a message is a JSON object"
            return self.unreadable(jsonrpc.INVALID_REQUEST, f"Invalid request: {what}")
        method = message.get("method")
        if type(method) is not str or message.get("jsonrpc") != "2.0":
            return self._misshapen(message)
        if "id" not in message:
            return self._notified(method, message.get("params"))
        request_id = message["id"]
        if type(request_id) is not int and type(request_id) is not str:
            return self.unreadable(jsonrpc.INVALID_REQUEST, "Invalid request: id must be a string or an integer")
        try:
            return self._requested(method, request_id, message.get("params", {}), raw)
        except Refusal as refusal:
            events = getattr(self.catalog, "events", None)  # a catalog by hand has none
            if events is not None:
                events.refused(self, message, refusal)
            return jsonrpc.error_line(request_id, refusal.body)

    def unreadable(self, code: int, message: str) -> bytes:
        """Answer a line whose id could not be read; on a shared pipe it counts as legacy (decision 13)."""
        return jsonrpc.error_line(None, jsonrpc.error_body(code, message))

    def _misshapen(self, message: dict[str, Any]) -> bytes | None:
        if "method" not in message and ("result" in message or "error" in message):
            request_id = message.get("id")
            take = self.asked.pop(request_id, None) if type(request_id) is str else None
            if take is not None:
                take(message)
            return None
        request_id = message.get("id")
        body = jsonrpc.error_body(
            jsonrpc.INVALID_REQUEST, 'Invalid request: jsonrpc "2.0" and a method name are needed'
        )
        return jsonrpc.error_line(request_id if type(request_id) in (int, str) else None, body)

    def _notified(self, method: str, params: Any) -> Cancel | None:
        if method == "notifications/cancelled" and type(params) is dict:
            request_id = params.get("requestId")
            if type(request_id) is int or type(request_id) is str:
                call = self.running.get(request_id)
                if call is not None and self._close(call):
                    call.cancelled = True
                    return Cancel(call, call.batch.settle(None) if call.batch is not None else None)
                if self.listening is not None:
                    self.listening.cancel(request_id)
        return None

    def _requested(self, method: str, request_id: str | int, params: Any, raw: bytes) -> bytes | Call | Cancel | None:
        if type(params) is not dict:
            raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: params must be an object")
        meta = params.get("_meta")
        if type(meta) is not dict:
            meta = {}
        dialect = self.dialect
        if META_VERSION in meta or method == "server/discover":
            dialect = modern_dialect(meta)
        if method == "tools/call":
            return self._call(request_id, params, meta, dialect, raw).of_request(method, params)
        answer = (MODERN if dialect.modern else LEGACY).get(method)
        if answer is not None:
            return jsonrpc.result_line(request_id, answer(self, params, dialect))
        more = further(self.catalog, method)
        if more is None:
            raise Refusal(jsonrpc.METHOD_NOT_FOUND, f"Method not found: {shown(method)}")
        found = more(self, params, dialect)
        if type(found) is bytes:
            return jsonrpc.result_line(request_id, found)
        if type(found) is Cancel:
            found.reply = jsonrpc.result_line(request_id, found.reply or b"{}")
            return found
        if type(found) is not tuple:
            found(request_id)  # it listens: what it brings is told, not answered
            return None
        offer, arguments, uri = found
        call = self._open(offer, request_id, arguments, meta, dialect, b"")
        call.uri = uri
        return call.of_request(method, params)

    # -- calls

    def _call(
        self, request_id: str | int, params: dict[str, Any], meta: dict[str, Any], dialect: Dialect, raw: bytes
    ) -> Call:
        name = params.get("name")
        if type(name) is not str:
            raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: name must be a string")
        tool = self.catalog.tools.get(name)
        if tool is None:
            raise unknown_tool(name, self.catalog.tools)
        arguments = params.get("arguments")
        if arguments is None:
            arguments = {}
        elif type(arguments) is not dict and type(arguments) is not str:
            raise Refusal(jsonrpc.INVALID_PARAMS, "Invalid params: arguments must be an object")
        if REPEAT_KEY in meta and not _is_key(meta[REPEAT_KEY]):
            raise Refusal(jsonrpc.INVALID_PARAMS, f"Invalid params: {REPEAT_KEY} is a text of 1 to 200 characters")
        inner = meant(self.catalog, tool, arguments)
        if inner is not None:
            tool, arguments = inner
        call = self._open(tool, request_id, arguments, meta, dialect, raw)
        call.inside = inner is not None
        return call

    def _open(
        self,
        tool: Tool,
        request_id: str | int,
        arguments: object,
        meta: dict[str, Any],
        dialect: Dialect,
        raw: bytes,
    ) -> Call:
        if self.has_id(request_id):
            raise Refusal(jsonrpc.INVALID_REQUEST, "Invalid request: a request with this id is still running")
        level = modern_log_level(meta) if dialect.modern else self.log_level
        client = meta.get(META_CLIENT) if dialect.modern else self.client
        call = Call(
            tool,
            request_id,
            arguments,
            raw=raw,
            meta=meta,
            dialect=dialect,
            log_level=level,
            client=client if type(client) is dict else {},
            session=self,
        )
        self.adopt(call)
        return call

    def has_id(self, request_id: str | int) -> bool:
        """Say whether a request with this id is still open."""
        return request_id in self.running or (self.listening is not None and request_id in self.listening.listens)

    def adopt(self, call: Call) -> None:
        """Take a call into the books, under an id that no other has."""
        self.running[call.request_id] = call
        self.open.add(call)

    def finish(self, call: Call, result: dict[str, Any]) -> bytes | None:
        """Return the answer's bytes, or None if the call was already answered or cancelled.

        Empty bytes: the answer is kept until its batch is complete, or went to the call's task.
        """
        if call.finished:
            return None
        line = b""
        if call.task is None:
            line = self.answer_line(call, result)  # first: should it fail, the call is still open and can be answered
        if not self._close(call):
            return None
        if call.task is not None:  # perhaps since a moment ago
            call.task.end(result)
            return b""
        return _settled(call, line)

    def forward(self, call: Call, line: bytes) -> bytes | None:
        """Like `finish`, with an answer that a worker process framed."""
        return _settled(call, line) if self._close(call) else None

    def answer_line(self, call: Call, result: dict[str, Any]) -> bytes:
        """Return the bytes of a call's answer."""
        dialect, framing = call.dialect, call.tool.framing
        if type(result) is Spliced and framing is None and (dialect.modern or dialect is LATEST_LEGACY):
            return jsonrpc.result_line(call.request_id, self._spliced(result.inner, dialect))
        if "rpcError" in result:
            return jsonrpc.error_line(call.request_id, result["rpcError"])
        if result.get("resultType") == "input_required":
            framing = None  # the same for every method (2026-07-28, multi round-trip requests)
        try:
            if framing is not None:
                return framing(self, call, result)
            return jsonrpc.result_line(call.request_id, self._encoded(result, dialect))
        except (ValueError, TypeError, RecursionError, MemoryError) as error:
            body = jsonrpc.error_body(jsonrpc.INTERNAL_ERROR, f"The result cannot be sent: {type(error).__name__}")
            return jsonrpc.error_line(call.request_id, body)

    def _encoded(self, result: dict[str, Any], dialect: Dialect) -> bytes:
        if not dialect.modern:
            if dialect is not LATEST_LEGACY:
                from .older import downgrade

                result = downgrade(result, dialect)
            return jsonrpc.encode(result)
        result = {"resultType": "complete", **result}
        if "_meta" in result:
            result["_meta"] = result["_meta"] | self._server_meta(dialect)
            return jsonrpc.encode(result)
        return jsonrpc.encode(result)[:-1] + self.about_server(dialect)

    def _spliced(self, inner: bytes, dialect: Dialect) -> bytes:
        if not dialect.modern:
            return b"{%b}" % inner
        return b'{"resultType":"complete",%b%b' % (inner, self.about_server(dialect))

    def detach(self, call: Call, task: Task) -> bool:
        """Let a call go on as a task, and free its id; False when it was answered or cancelled already."""
        try:
            self.open.remove(call)  # meanwhile nobody else can answer it
        except KeyError:
            return False
        self.running.pop(call.request_id, None)
        call.task = task
        self.open.add(call)
        return True

    def give_up(self, call: Call) -> bool:
        """Cancel a call on its client's behalf; True for the one caller that has to stop it."""
        closed = self._close(call)
        call.cancelled = call.cancelled or closed
        return closed

    def _close(self, call: Call) -> bool:
        """Take the call out of the books; True for the one caller that may answer it."""
        try:
            self.open.remove(call)
        except KeyError:
            return False
        if call.task is None:  # otherwise the id is another request's by now
            self.running.pop(call.request_id, None)
        call.finished = True
        return True

    def client_capabilities(self, meta: Any, dialect: Dialect) -> dict[str, Any]:
        """Return what the client of a request can do: by its `_meta` (2026-07-28), else as it said in its handshake."""
        told = meta.get(META_CAPABILITIES) if dialect.modern else self.client.get("capabilities")
        return told if type(told) is dict else {}

    # -- what results have in common

    def capabilities(self, dialect: Dialect, meta: Any = None) -> dict[str, Any]:
        """Return the capabilities: only what has a handler here, and what this revision has a name for.

        Views are an extension of clients that have it, too; tasks are one that a client declares with a request.
        """
        header = self.catalog.header
        stated, promises = header["capabilities"], header.get("promises") or {}
        found = {name: promises.get(name, {}) for name in stated if name != "completions" or dialect.completions}
        views = apps(self)
        extensions = views.extension(self, meta, dialect) if views is not None else {}
        if dialect.modern and header.get("tasks"):
            extensions = {**extensions, TASKS: {}}
        return {**found, "extensions": extensions} if extensions else found

    def server_info(self, dialect: Dialect) -> dict[str, Any]:
        """Return the `Implementation` object with the members this revision knows."""
        return {key: value for key, value in self.catalog.header["server"].items() if key in dialect.server_fields}

    def framed(self, members: dict[str, Any], dialect: Dialect, *, caching: dict[str, Any] | None = None) -> bytes:
        """Encode a result that clients may keep; without `caching` its content may change at any time (2026-07-28)."""
        if dialect.modern:
            members = members | (caching or {"ttlMs": 0, "cacheScope": "private"})
        return self.completed(members, dialect)

    def completed(self, members: dict[str, Any], dialect: Dialect) -> bytes:
        """Encode a result with what every one of its revision has."""
        if dialect.modern:
            members = {"resultType": "complete"} | members | {"_meta": self._server_meta(dialect)}
        return jsonrpc.encode(members)

    def _server_meta(self, dialect: Dialect) -> dict[str, Any]:
        return {META_SERVER: self.server_info(dialect)}

    def about_server(self, dialect: Dialect) -> bytes:
        """Return the end of a result that says no more about itself; encoded once (2026-07-28)."""
        found = self.listed.get(ABOUT)
        if found is None:
            found = self.listed[ABOUT] = b',"_meta":%b}' % jsonrpc.encode(self._server_meta(dialect))
        return found

    def caching(self) -> dict[str, Any]:
        """Return how long and by whom lists may be kept (2026-07-28, caching): they change with a new build only."""
        views = apps(self)
        depends = self.catalog.header.get("by_scope") or (views is not None and views.depends(self))
        return {
            "ttlMs": self.catalog.settings.get("ttl_ms", DEFAULT_TTL_MS),
            "cacheScope": "private" if depends else "public",
        }


def _is_key(value: object) -> bool:
    return type(value) is str and 0 < len(value) <= LONGEST_KEY


def _settled(call: Call, line: bytes) -> bytes:
    return line if call.batch is None else call.batch.settle(line) or b""
