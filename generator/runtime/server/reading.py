"""Reading a resource of the same server in the middle of a call: what a client would read, without a request.

The function of the resource runs as a call of its own, inside the outer one: it is cancelled with it, its questions
are the outer call's, and its messages go to the same client.
"""

from __future__ import annotations

from ..authoring.content import File
from ..authoring.errors import ToolError
from ..wire import jsonrpc
from .asking import ASKING_METHODS, interaction_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call

MAX_DEPTH = 8
"""Resources that are read inside each other; more are a function that reads itself."""


def read(call: Call, uri: str) -> list[File]:
    """Return the contents, blocking; raises ToolError where there is no such resource or it fails."""
    from .invoke import run, run_async

    inner = _call_of(call, uri)
    if isinstance(inner, list):
        return inner
    result: Any = call.run_coroutine(run_async(inner)) if inner.tool.is_async else run(inner)
    return _contents(inner, result)


async def read_async(call: Call, uri: str) -> list[File]:
    """Return the contents; raises ToolError where there is no such resource or it fails."""
    from .invoke import run, run_async

    inner = _call_of(call, uri)
    if isinstance(inner, list):
        return inner
    if inner.tool.is_async:
        return _contents(inner, await run_async(inner))
    import asyncio

    return _contents(inner, await asyncio.to_thread(run, inner))


def _call_of(call: Call, uri: str) -> Call | list[File]:
    """Return a call of the resource's function, or the contents of one that has none."""
    if call.tool.catalog.header.get("offers"):
        from importlib import import_module

        offering: Any = import_module(".offers", __package__)  # only servers that offer something carry it
        offers = offering.offers_of(call.tool.catalog)
        if uri in offers.described:
            text = jsonrpc.text(offering.description_of(call.tool.catalog))
            return [File(uri, text=text, mime_type="application/json")]
        if uri in offers.texts:
            contents: Any = import_module(".built_in", __package__)
            return [_file(each) for each in contents.contents_of(call.tool.catalog, uri)]
        found = offers.find(uri)
        if found is not None:
            offer, values = found
            return _inner(call, offer, values, uri)
    raise ToolError(f"There is no resource {jsonrpc.shown(uri)}")


def _inner(call: Call, offer: Any, values: dict[str, str], uri: str) -> Call:
    if call.depth >= MAX_DEPTH:
        raise ToolError(f"Resources that read others are nested deeper than {MAX_DEPTH}, at {jsonrpc.shown(uri)}")
    inner = type(call)(
        offer,
        call.request_id,
        values,
        raw=b"",
        meta=call.meta,
        dialect=call.dialect,
        log_level=call.log_level,
        client=call.client,
        session=call.session,
    )
    inner.uri, inner.method, inner.params = uri, call.method, call.params
    inner.depth = call.depth + 1
    if call.method in ASKING_METHODS:
        inner.asker = interaction_of(call)
    inner.deadline, inner.started, inner.begun = call.deadline, call.started, call.begun
    inner.send, inner.run_coroutine, inner.answerable = call.send, call.run_coroutine, call.answerable
    return inner


def _contents(inner: Call, result: dict[str, Any]) -> list[File]:
    """Return what was read; an open question ends the outer call as well."""
    if result.get("resultType") == "input_required":
        from .asking_replay import InputRequired

        raise InputRequired
    if result.get("isError"):
        if "rpcError" in result:
            raise ToolError(result["rpcError"]["message"])
        content = result.get("content") or ({"text": f"{inner.tool.name} cannot be read"},)
        raise ToolError(content[0]["text"])
    return [_file(each) for each in result["contents"]]


def _file(contents: dict[str, Any]) -> File:
    from binascii import a2b_base64

    data = a2b_base64(contents["blob"]) if "blob" in contents else None
    return File(contents["uri"], text=contents.get("text"), data=data, mime_type=contents.get("mimeType"))
