"""From what a resource's function returned to the contents that are read (MCP server/resources: `contents`).

A text is text, bytes are a blob, content objects bring their own form, and anything else is sent as JSON. A list that
holds bytes or content objects is several contents; any other list is data. None says that there is no such resource.
"""

from __future__ import annotations

from binascii import b2a_base64

from ..authoring.content import media_type_of
from ..schema.results import Bounds, ResultProblem, is_content, to_json
from ..wire import jsonrpc
from . import outcome
from .answer import MIXED_ITEMS, unsendable
from .offer_plan import OfferPlan
from .offers import NOT_FOUND
from .size import fits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call import Call
    from .offers import Offer
    from .plan import Plan

BINARY = (bytes, bytearray, memoryview)
JSON_TYPE = "application/json"
TEXT_TYPE = "text/plain"
BINARY_TYPE = "application/octet-stream"

HEAD_BYTES = 32
"""Where well-known formats say what they are."""


def contents(call: Call, plan: Plan, value: Any) -> dict[str, Any]:
    """Return `{"contents": [...]}` for a value; raises whatever user code in the value raises."""
    if value is None:
        return outcome.refusal("Resource not found", {"tool": call.tool.name, "reason": NOT_FOUND})
    several = isinstance(value, list | tuple) and 0 < len(value) <= MIXED_ITEMS and any(map(_stands_alone, value))
    found: list[dict[str, Any]] = []
    room = plan.max_result_bytes
    for index, item in enumerate(value if several else (value,)):
        place = f"result[{index}]" if several else "result"
        try:
            made = _content(call, item)
        except ResultProblem as problem:
            return unsendable(call, problem, place + problem.path.removeprefix("result"))
        if made is None:
            return outcome.broken_result(call, place, "a link is nothing that can be read; return what it leads to")
        text = made.get("text", made.get("blob", ""))
        if not fits(text, room):
            return outcome.too_large(call, plan.max_result_bytes)
        room -= len(text)
        found.append(_for_revision(made, call))
    return {"contents": found}


def _stands_alone(item: object) -> bool:
    return isinstance(item, BINARY) or is_content(item)


def _content(call: Call, item: Any) -> dict[str, Any] | None:
    """Return one item of the contents; None for content that has none. Raises ResultProblem."""
    if isinstance(item, BINARY):
        kind = media_type_of(bytes(item[:HEAD_BYTES])) or BINARY_TYPE
        return _made(call, kind, blob=b2a_base64(item, newline=False).decode("ascii"))
    if is_content(item):
        return _from_block(call, to_json(item.to_block()))
    found = to_json(item, limits=Bounds(stop=lambda: call.cancelled or call.finished))
    if type(found) is str:
        return _made(call, TEXT_TYPE, text=found)
    return _made(call, JSON_TYPE, text=jsonrpc.text(found))


def _from_block(call: Call, block: dict[str, Any]) -> dict[str, Any] | None:
    kind, meta = block.get("type"), block.get("_meta")
    if kind == "text":
        made = _made(call, TEXT_TYPE, text=block["text"])
    elif kind in ("image", "audio"):
        made = {"uri": call.uri, "mimeType": block["mimeType"], "blob": block["data"]}
    elif kind == "resource":
        made = dict(block["resource"])
    else:
        return None
    return {**made, "_meta": meta} if meta else made


def _made(call: Call, kind: str, **value: str) -> dict[str, Any]:
    """Return contents of the declared media type, or of one that follows from the value."""
    offer: Offer = call.tool  # type: ignore[assignment] # only offers are run by this plan
    return {"uri": call.uri, "mimeType": offer.definition.get("mimeType", kind), **value}


def _for_revision(made: dict[str, Any], call: Call) -> dict[str, Any]:
    if "_meta" in made and "_meta" not in call.dialect.resource_fields:
        del made["_meta"]
    return made


class ResourcePlan(OfferPlan):
    """How a resource is read."""

    __slots__ = ()

    answer = staticmethod(contents)
