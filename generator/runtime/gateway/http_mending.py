"""What can be done about an answer before it is one: a new session, a tool's schema as it is now."""

from __future__ import annotations

from ..server.streams import message_limit
from ..wire import jsonrpc
from ..wire.jsonrpc import HEADER_MISMATCH
from . import failures, weighing
from .http_wire import Reply, WireProblem
from .negotiating import INITIALIZE, initialize_params
from .page_walk import PageWalk
from .peer import MODERN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .errand import Errand
    from .http_link import HttpLink

    Ask = Callable[[HttpLink, str, dict[str, Any], dict[str, Any]], dict[str, Any] | None]


def mended(link: HttpLink, errand: Errand, answer: Reply, session: str, ask: Ask) -> bool:
    """Do something about an answer that another attempt can do better than; True when that was possible."""
    if session and _forgotten(answer):
        _renew(link, session, ask)
        return True
    if link.peer.era != MODERN or errand.method != "tools/call" or answer.status != 400:
        return False
    message = parsed(answer)
    error = message.get("error") if type(message) is dict else None
    if type(error) is not dict or error.get("code") != HEADER_MISMATCH:
        return False
    schema = _schema_of(link, errand, ask)
    if schema is not None:
        errand.schema = schema
    return schema is not None


def _forgotten(answer: Reply) -> bool:
    """Say whether a session is not known any more: 404, or 400 in the words of the TypeScript SDK's examples."""
    if answer.status != 400:
        return answer.status == 404
    message = parsed(answer)
    error = message.get("error") if type(message) is dict and message.get("id") is None else None
    return type(error) is dict and "session" in str(error.get("message", "")).lower()


def _renew(link: HttpLink, session: str, ask: Ask) -> None:
    """Begin a session in place of one that the child has forgotten. Raises WireProblem."""
    with link.renewing:
        if link.session != session:
            return  # somebody else has
        message = ask(link, INITIALIZE, initialize_params(link.peer), {})
        if message is None or type(message.get("result")) is not dict:
            raise WireProblem(failures.DISCONNECTED, "its session ended, and no other could be begun")
        link.greet()
        if link.on_renewed is not None:
            link.on_renewed()


def _schema_of(link: HttpLink, errand: Errand, ask: Ask) -> dict[str, Any] | None:
    """Ask for the tool's schema as it is now."""
    walk, on = PageWalk("tools"), True
    while on:
        message = ask(link, "tools/list", walk.params, errand.capabilities)
        result = message.get("result") if message is not None else None
        if type(result) is not dict:
            break
        on = walk.take(result)
        for tool in walk.page or ():
            if type(tool) is dict and tool.get("name") == errand.params.get("name"):
                schema = tool.get("inputSchema")
                return schema if type(schema) is dict else None
    return None


def parsed(answer: Reply) -> Any:
    """Return the JSON value of an answer, None when it is none."""
    try:
        return weighing.parsed(answer.body, message_limit())
    except jsonrpc.ParseFailure:
        return None
