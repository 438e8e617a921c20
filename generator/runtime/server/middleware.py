"""Middleware: functions around every call of a tool, before its arguments are checked and after its result.

A middleware takes a `ToolCall`. A plain function, sync or async, is for the time before; a generator, sync or async,
has the time before in front of its `yield` and the time after behind it. The first one named is the outermost. One that
raises ends the call, not the server: `ToolError` is what the model reads, and anything else is an error of the tool,
also when the tool itself has run, because what was to be done to its result was not done. A call that ends with
questions to the client is no result: the generators are closed, and run again with the client's answers.
"""

from __future__ import annotations

from ..authoring.tool_call import ToolCall
from ..schema.results import is_awaitable
from . import logs, outcome
from .channel import client_of
from .faults import failed
from .intake import exact_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator
    from typing import Any

    from .call import Call
    from .plan import Plan

ROOM = 2
"""How many times as much as a tool's own result the texts of one that went through middleware may hold."""

SERVE = object()
"""What a course asks for when the tool's turn has come; everything else it asks for is awaited."""


def through(
    call: Call,
    plan: Plan,
    serve: Callable[[Call, Plan], dict[str, Any]],
    wait: Callable[[Call, Any], Any],
) -> dict[str, Any]:
    """Lead a call of a sync tool through its middleware and return the result; `wait` blocks for an awaitable."""
    lead = _Lead(call, plan)
    while lead.goes_on():
        try:
            lead.value = serve(call, plan) if lead.step is SERVE else wait(call, lead.step)
        except BaseException as raised:  # noqa: BLE001 # a tool's is a result, a middleware's is for the course
            lead.failed(raised)
    return lead.result


async def through_async(
    call: Call, plan: Plan, serve: Callable[[Call, Plan], Awaitable[dict[str, Any]]]
) -> dict[str, Any]:
    """Lead a call of an async tool through its middleware and return the result."""
    lead = _Lead(call, plan)
    while lead.goes_on():
        try:
            lead.value = await (serve(call, plan) if lead.step is SERVE else lead.step)
        except BaseException as raised:  # noqa: BLE001 # the same
            lead.failed(raised)
    return lead.result


class _Lead:
    """A course on its way: `step` is what it asks for, `value` what came of it, `result` what it ended with."""

    __slots__ = ("_call", "_course", "_error", "result", "step", "value")

    def __init__(self, call: Call, plan: Plan) -> None:
        self._call = call
        self._course = _course(call, plan)
        self._error: BaseException | None = None
        self.step: Any = None
        self.value: Any = None
        self.result: dict[str, Any] = {}

    def goes_on(self) -> bool:
        """Go to the next step; False when there is none, and the result is there."""
        error, self._error = self._error, None
        try:
            self.step = self._course.send(self.value) if error is None else self._course.throw(error)
        except StopIteration as end:
            self.result = end.value
            return False
        return True

    def failed(self, raised: BaseException) -> None:
        """Take what a step raised: a tool's error is its result."""
        from .invoke import refused

        if self.step is SERVE:
            self.value = refused(self._call, raised)
        else:
            self.value, self._error = None, raised


def _course(call: Call, plan: Plan) -> Generator[Any, Any, dict[str, Any]]:
    """Yield what has to be awaited, and SERVE once, in order; return the result."""
    arguments = copied(exact_arguments(call) if plan.exact else call.arguments)
    client, meta = client_of(call), dict(call.meta)
    seen = ToolCall(call.tool.name, arguments, client=client, meta=meta, request_id=call.request_id)
    entered: list[Any] = []
    try:
        for layer in plan.middleware:
            made = layer(seen)
            if hasattr(made, "__anext__"):
                entered.append(made)
                yield made.__anext__()
            elif hasattr(made, "__next__"):
                entered.append(made)
                next(made)
            elif is_awaitable(made):
                yield made
        call.arguments, call.repaired = seen.arguments, True
        result: dict[str, Any] = yield SERVE
    except (StopIteration, StopAsyncIteration):
        result = _failed(call, RuntimeError("a middleware that is a generator has to yield"))
    except BaseException as error:  # noqa: BLE001 # a middleware must not end the server
        result = _failed(call, error)
    if call.asker is not None and call.asker.unfinished() is not None:
        yield from _close(entered)
        return result
    for layer in reversed(entered):
        seen.result = result
        result = yield from _leave(call, layer, seen, plan.max_result_bytes * ROOM)
    return result


def _leave(call: Call, layer: Any, seen: ToolCall, room: int) -> Generator[Any, Any, dict[str, Any]]:
    """Run what stands behind a `yield` and return the result it leaves."""
    try:
        if hasattr(layer, "__anext__"):
            yield layer.asend(seen.result)
        else:
            layer.send(seen.result)
    except (StopIteration, StopAsyncIteration):
        return _checked(call, seen.result, room)
    except BaseException as error:  # noqa: BLE001 # a middleware must not end the server
        return _failed(call, error)
    yield from _close([layer])
    return _failed(call, RuntimeError("a middleware yields once"))


def _close(layers: list[Any]) -> Generator[Any, Any, None]:
    """End generators that do not go on; what they raise is of no interest any more."""
    for layer in layers:
        try:
            if hasattr(layer, "aclose"):
                yield layer.aclose()
            else:
                layer.close()
        except BaseException as error:  # noqa: BLE001 # as above
            logs.warning(f"a middleware failed while it was closed: {type(error).__name__}")


def _checked(call: Call, result: Any, room: int) -> dict[str, Any]:
    """Return a result that has the shape of one, or what is wrong with it; its values are the author's business."""
    complaint = _complaint(result, room)
    if complaint is None:
        found: dict[str, Any] = result
        return found
    return outcome.broken_result(call, "", f"a middleware left a result {complaint}")


def _complaint(result: Any, room: int) -> str | None:
    if type(result) is not dict or not isinstance(result.get("content"), list):
        return "without content"
    error = result.get("rpcError")
    if error is not None:
        good = type(error) is dict and type(error.get("code")) is int and type(error.get("message")) is str
        return None if good else "whose rpcError has no code and message"
    if not all(type(block) is dict and type(block.get("type")) is str for block in result["content"]):
        return "whose content is no list of content blocks"
    if type(result.get("isError", False)) is not bool or type(result.get("_meta", {})) is not dict:
        return "whose isError is not true or false, or whose _meta is no object"
    if "resultType" in result:
        return "with a resultType, which is not its to say"
    texts = [text for block in result["content"] for text in block.values() if type(text) is str]
    return None if sum(map(len, texts)) <= room else "that is too large"


def _failed(call: Call, error: BaseException) -> dict[str, Any]:
    logs.note(call, f"a middleware ended the call: {type(error).__name__}")
    return failed(call, error)


def copied(value: Any) -> Any:
    """Return a JSON value of its own, so that a repair changes nothing else."""
    if type(value) is dict:
        return {name: copied(item) for name, item in value.items()}
    if type(value) is list:
        return [copied(item) for item in value]
    return value
