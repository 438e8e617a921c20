"""One errand over HTTP: posted, answered in one piece or by events, taken up where its stream broke off."""

from __future__ import annotations

from _queue import SimpleQueue

from ..client.stopping import LONGEST_SECONDS, Turn, Watch
from ..server import logs
from ..server.streams import message_limit
from ..wire import jsonrpc
from . import failures, http_headers, weighing
from .delivering import PARSE_ERROR, deliver, pause
from .errand import Errand
from .http_mending import mended
from .http_wire import Reply, Stream, WireProblem
from .negotiating import DISCOVER, INITIALIZE
from .peer import MODERN
from .settling import Question

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..client.head import Head
    from .http_link import HttpLink
    from .settling import Inbox

OK = 200

MAX_FAILURES = 8
"""Attempts in a row to take up a stream that found nobody."""

RETRY_SECONDS = 1.0
"""Wait before a stream is taken up where the child does not say."""

ONCE_ONLY = frozenset(("tools/call", "tasks/update"))
"""Requests that are not sent again when a kept connection breaks under them."""


def carry(link: HttpLink, errand: Errand) -> None:
    """Carry an errand to its end; a thread's whole work. Never raises."""
    try:
        attempt(link, errand, first=True)
    except WireProblem as problem:
        link.lose(errand, problem.reason, problem.detail)
    except Exception as error:  # noqa: BLE001 # the errand has to have its end
        logs.warning(f"{link.name}: {errand.method} failed ({type(error).__name__})")
        link.lose(errand, failures.TRANSPORT, f"the request failed ({type(error).__name__})")
    pause(link)


def attempt(link: HttpLink, errand: Errand, *, first: bool) -> None:
    """Post an errand and take its answer; what was wrong with the first attempt may be mended for another."""
    watch = Watch(LONGEST_SECONDS)
    link.watch(errand.id, watch)
    session = link.session if errand.method not in (DISCOVER, INITIALIZE) else ""
    stream = link.stream(errand)
    try:
        if link.peer.pending.get(errand.id) is not errand:
            return  # cancelled meanwhile
        answer = _post(link, errand, session, watch, stream)
        if answer is None or answer.streamed:
            _resume(link, errand, session, watch, stream)
            return
    finally:
        link.unwatch(errand.id)
    if errand.method == INITIALIZE:
        link.fresh = session_id(answer.head)
    if first and mended(link, errand, answer, session, _ask):
        attempt(link, errand, first=False)
    else:
        _judge(link, errand, answer)


def _post(link: HttpLink, errand: Errand, session: str, watch: Watch, stream: Stream) -> Reply | None:
    """Return the answer; None for a stream that broke off."""
    try:
        body = jsonrpc.encode(link.peer.request(errand))
    except (ValueError, TypeError, RecursionError):
        raise WireProblem(failures.UNWRITABLE, "the request cannot be written as JSON") from None
    headers = http_headers.post_headers(link.peer, session, errand)
    try:
        again = errand.method not in ONCE_ONLY
        return link.wire.exchange("POST", headers, body, watch, stream, again=again)
    except WireProblem as problem:
        if stream.reader.last and problem.reason == failures.DISCONNECTED:
            return None
        if errand.method == DISCOVER and problem.reason in (failures.DISCONNECTED, failures.BROKEN):
            _refuse(link, errand, problem.detail)
            return None
        raise


def _resume(link: HttpLink, errand: Errand, session: str, watch: Watch, stream: Stream) -> None:
    """Take up a stream that ended before the answer, behind its last event.

    A server may close its streams as often as it likes, to be asked again when it is time: how long a call takes is
    bounded by whoever waits for it.
    """
    broken = 0
    while link.peer.pending.get(errand.id) is errand:
        if link.peer.era == MODERN or not stream.reader.last or broken >= MAX_FAILURES:
            detail = "its stream ended before the answer"
            if errand.method != DISCOVER:
                raise WireProblem(failures.DISCONNECTED, detail)
            _refuse(link, errand, detail)
            return
        if not Turn(watch, LONGEST_SECONDS).pause(stream.reader.retry or RETRY_SECONDS):
            return
        stream.begin_again()
        headers = http_headers.stream_headers(link.peer, session, stream.reader.last)
        try:
            answer = link.wire.exchange("GET", headers, None, watch, stream, again=True)
            broken = 0 if answer.streamed else MAX_FAILURES
        except WireProblem as problem:
            if problem.reason != failures.DISCONNECTED:
                raise
            broken += 1


def _judge(link: HttpLink, errand: Errand, answer: Reply) -> None:
    """Take an answer that came in one piece."""
    problem = ""
    try:
        message = weighing.parsed(answer.body, message_limit())
    except jsonrpc.ParseFailure as failure:
        message, problem = None, str(failure).removeprefix(PARSE_ERROR)
    for each in message if type(message) is list else (message,):
        if type(each) is not dict or each.get("jsonrpc") != "2.0":
            continue  # somebody in between speaks, or the server in words of its own
        if "error" in each and (each.get("id") is None or type(each["id"]) is str):
            each["id"] = errand.id  # it could not be read, or was not written back
        if answer.status == OK or each.get("id") == errand.id:
            deliver(link, each, errand)
    if link.peer.pending.get(errand.id) is errand:
        detail = f"it answered with HTTP {answer.status} {answer.head.reason}".rstrip()
        if errand.method in (DISCOVER, INITIALIZE):
            _refuse(link, errand, detail)
        elif problem and answer.status == OK:
            raise WireProblem(failures.BROKEN, f"its answer cannot be read: {problem}")
        else:
            raise WireProblem(failures.TRANSPORT, detail)


def _refuse(link: HttpLink, errand: Errand, detail: str) -> None:
    """Take what is no answer for a refusal: of questions that are answered so by those who do not know them."""
    error = jsonrpc.error_body(jsonrpc.METHOD_NOT_FOUND, detail)
    deliver(link, {"jsonrpc": "2.0", "id": errand.id, "error": error}, errand)


def _ask(link: HttpLink, method: str, params: dict[str, Any], capabilities: dict[str, Any]) -> dict[str, Any] | None:
    """Ask something on this thread; None when there is no answer. Raises WireProblem."""
    inbox: Inbox = SimpleQueue()
    errand = Errand(method, params, Question(inbox, method), capabilities=capabilities)
    link.peer.open(errand)
    try:
        attempt(link, errand, first=False)
    finally:
        link.peer.close(errand)
    return None if inbox.empty() else inbox.get()[1]


def session_id(head: Head) -> str:
    """Return the session an answer names, "" for none or for what is no id (visible ASCII)."""
    value = head.fields.get("mcp-session-id", [""])[0]
    return value if value.isascii() and value.isprintable() and " " not in value else ""
