"""Tasks of children (io.modelcontextprotocol/tasks): found by what their ids say, and kept nowhere here.

What a client knows as a task's id is a sealed text with the child and the child's own id in it, bound to this gateway
and to the principal that started the task; any other principal's, and any text that was changed, is no task. The same
task always has the same text, so whoever listens finds it again.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .states import principal_of
from .translate_errors import error_for
from .translate_questions import questions_of
from .translate_requests import passed_on
from .translate_results import tool_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.call import Call
    from ..wire.dialects import Dialect
    from .names import Names

FACTS = ("taskId", "status", "statusMessage", "createdAt", "lastUpdatedAt", "ttlMs", "pollIntervalMs")
"""What every message about a task may say."""


def token_of(gateway: str, principal: str, server: str, original: str) -> str:
    """Return what a client knows a child's task as."""
    from ..server.sealing import seal, sealing_key

    return seal(jsonrpc.encode([server, original]), _binding(gateway, principal), sealing_key())


def task_of(gateway: str, principal: str, token: str) -> tuple[str, str] | None:
    """Return the child of a task and its own id; None for what is no task of this principal."""
    from ..server.sealing import sealing_key, unseal

    raw = unseal(token, _binding(gateway, principal), sealing_key())
    if raw is None:
        return None
    server, original = jsonrpc.parse(raw)
    return server, original


def _binding(gateway: str, principal: str) -> bytes:
    return jsonrpc.encode([gateway, "task", principal])


def is_known(call: Call) -> bool:
    """Say whether a caller knows what a task is."""
    from ..server.tasks import is_declared

    return call.session is not None and call.dialect.modern and is_declared(call.session, call.meta, call.dialect)


def created(call: Call, result: dict[str, Any], names: Names) -> dict[str, Any]:
    """Return the result that says that a call goes on as a task."""
    made = _with_token(call.tool.catalog.data["id"], principal_of(call), result, names)
    return {"resultType": "task", **made}


def told(call: Call, result: dict[str, Any], names: Names) -> dict[str, Any]:
    """Return what a child says of a task, with its questions, result or error translated."""
    if call.method != "tasks/get":
        return acknowledged(result)
    return details(call.tool.catalog.data["id"], principal_of(call), result, names, call.dialect)


def details(gateway: str, principal: str, told: dict[str, Any], names: Names, dialect: Dialect) -> dict[str, Any]:
    """Return all that is said of a task to whoever looks at it or listens."""
    found = _with_token(gateway, principal, told, names)
    requests, result, error = told.get("inputRequests"), told.get("result"), told.get("error")
    if requests is not None:
        try:
            found["inputRequests"] = questions_of(requests, names)
        except ValueError:  # what no client can answer is not asked
            found["inputRequests"] = {}
    if type(result) is dict:
        found["result"] = tool_result(result, names, dialect)
    if error is not None:
        found["error"] = error_for(error, names, dialect, "tools/call")
    return found


def acknowledged(result: dict[str, Any]) -> dict[str, Any]:
    """Return an acknowledgement without what belongs to the child's hop."""
    kept = {name: value for name, value in result.items() if name not in ("_meta", "resultType")}
    meta = passed_on(result.get("_meta") or {})
    return {**kept, **({"_meta": meta} if meta else {})}


def _with_token(gateway: str, principal: str, told: dict[str, Any], names: Names) -> dict[str, Any]:
    found = {name: value for name, value in told.items() if name in FACTS}
    meta = told.get("_meta")
    if type(meta) is dict and passed_on(meta):
        found["_meta"] = passed_on(meta)
    if type(found.get("taskId")) is str:
        found["taskId"] = token_of(gateway, principal, names.server, found["taskId"])
    return found
