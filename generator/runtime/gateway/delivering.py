"""Giving what a child sent to whoever it is for, the same for every kind of link."""

from __future__ import annotations

from ..server import logs
from . import failures
from .peer import ANSWER, BROKEN, LEGACY, NOTE, REQUEST, own_reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .errand import Errand
    from .links import Link

PARSE_ERROR = "Parse error: "
"""How the parser begins."""


def deliver(link: Link, message: Any, stream: Errand | None = None) -> bool:
    """Give one message to whoever it is for; True for an answer. Never raises.

    `stream` is the errand whose own stream brought it, over HTTP.
    """
    try:
        return _delivered(link, message, stream)
    except Exception as error:  # noqa: BLE001 # one message that cannot be handled must not end the reading
        logs.warning(f"{link.name}: {type(error).__name__}: {error}")
        return False


def answer(link: Link, errand: Errand, result: dict[str, Any], inner: bytes | None) -> None:
    """Give a result to the errand that it answers, which waits no more; `inner` is as in `quick`. Never raises."""
    try:
        if inner is not None and errand.tail is not None:
            errand.spliced(result, inner)
        else:
            errand.answered({"jsonrpc": "2.0", "id": errand.id, "result": result})
    except Exception as error:  # noqa: BLE001 # the same
        logs.warning(f"{link.name}: {type(error).__name__}: {error}")


def pause(link: Link) -> None:
    """Say that all messages that came together were delivered. Never raises."""
    if link.on_pause is not None:
        try:
            link.on_pause()
        except Exception as error:  # noqa: BLE001 # the same
            logs.warning(f"{link.name}: {type(error).__name__}: {error}")


def lose(link: Link, errand: Errand, reason: str, detail: str) -> None:
    """Tell an errand's taker that no answer will come; the errand is not waited for any more. Never raises."""
    try:
        errand.lost(reason, detail)
    except Exception as error:  # noqa: BLE001 # the others are to be told too
        logs.warning(f"{link.name}: {type(error).__name__}: {error}")


def _delivered(link: Link, message: Any, stream: Errand | None) -> bool:
    kind, errand = link.peer.sort(message)
    if kind == ANSWER and errand is not None:
        errand.answered(message)
        return True
    if kind == BROKEN and errand is not None:
        link.peer.broken += 1
        errand.lost(failures.BROKEN, f"its answer cannot be used: {link.peer.fault(message)}")
    elif kind == NOTE:
        _tell(link, message["method"], message.get("params") or {}, errand, stream)
    elif kind == REQUEST:
        _ask(link, message["id"], message["method"], message.get("params") or {}, stream)
    else:
        _blame(link, message, stream)
    return False


def _blame(link: Link, message: Any, stream: Errand | None) -> None:
    """Fail the call that a message of no use was meant to answer, if that can be told."""
    from . import salvage  # most children never need it

    found = salvage.of_message(link.peer, message, stream)
    if found is None:
        return
    errand, why = found
    error = salvage.error_without_id(message)
    if error is not None:  # the request could not be read, which is an answer
        errand.answered({"jsonrpc": "2.0", "id": errand.id, "error": error})
        return
    link.peer.broken += 1
    errand.lost(failures.BROKEN, f"its answer cannot be used: {why}")


def unreadable(link: Link, errands: list[Errand], problem: Exception) -> None:
    """Fail the calls whose answer cannot be read; they wait no more. Never raises."""
    for errand in errands:
        link.peer.broken += 1
        lose(link, errand, failures.BROKEN, f"its answer cannot be read: {str(problem).removeprefix(PARSE_ERROR)}")


def _tell(link: Link, method: str, params: dict[str, Any], errand: Errand | None, stream: Errand | None) -> None:
    if errand is not None and method == "notifications/cancelled":
        if link.peer.close(errand):
            errand.lost(failures.DISCONNECTED, "the child gave up the request")
        return
    if errand is None:
        if method == "notifications/progress":
            return  # of what has ended
        errand = stream
    if errand is not None:
        errand.notified(method, params)
    elif link.on_notification is not None:
        link.on_notification(method, params)


def _ask(link: Link, identifier: str | int, method: str, params: dict[str, Any], stream: Errand | None) -> None:
    """Answer a request of the child, or let somebody else."""
    askable = link.peer.era == LEGACY and (stream is not None or link.on_request is not None)
    own = own_reply(method, askable=askable)
    if own is not None:
        link.reply(identifier, *own)
    elif stream is not None:
        stream.asked(identifier, method, params)
    elif link.on_request is not None:
        link.on_request(identifier, method, params)
