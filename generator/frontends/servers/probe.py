"""Asking a running server for everything it has, when a gateway is built.

The conversation is the gateway's own: `runtime/gateway` starts the server (or reaches it over HTTP), finds out which
revision it speaks, and says what a gateway can do, so that a server lists what it would list to one (R045). Time, pages
and sizes are bounded: a server that never answers, or never ends a list, costs one gateway its build and nothing else.
"""

from __future__ import annotations

import json
import os
import threading
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from ...runtime import VERSION
from ...runtime.gateway.dispatch import OFFERED
from ...runtime.gateway.errand import Errand
from ...runtime.gateway.links import Ground, make_link
from ...runtime.gateway.page_walk import LISTS, PageWalk
from ...runtime.gateway.stdio_link import StdioLink
from ...runtime.registry.secret_values import concealed
from ...runtime.wire.dialects import APPS, VIEW_TYPE
from ...runtime.wire.jsonrpc import METHOD_NOT_FOUND
from .findings import shown
from .listing import Listing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ...ir.routes import Start
    from ...runtime.gateway.links import Link

START_SECONDS = 30.0
"""For starting and negotiating: some commands fetch their packages first."""

LIST_SECONDS = 20.0
"""For all lists of one server together."""

MAX_LIST_BYTES = 32 << 20
"""Bytes of one list."""

FAREWELL_SECONDS = 5.0
"""How long a server may take to end once it is told to."""

MAX_SAID = 200
"""Characters of the last line that a server wrote: the message of an exception mostly fits."""

SHOWING = {"extensions": {APPS: {"mimeTypes": [VIEW_TYPE]}}}
"""What a request says that its client can do: a server that lists its views only to those that show them lists them."""


class ProbeProblem(Exception):
    """A server did not say what it has; the message says why."""


class _Answer:
    """A taker that waits: the thread of the link hands over what comes."""

    __slots__ = ("_inbox", "_link")

    def __init__(self, link: Link) -> None:
        self._link = link
        self._inbox: SimpleQueue[tuple[dict[str, Any] | None, str]] = SimpleQueue()

    def answered(self, message: dict[str, Any]) -> None:
        self._inbox.put((message, ""))

    def notified(self, method: str, params: dict[str, Any]) -> None:
        pass

    def asked(self, request_id: str | int, method: str, params: dict[str, Any]) -> None:
        _refuse(self._link, request_id, method, params)

    def lost(self, reason: str, detail: str) -> None:
        self._inbox.put((None, f"{reason}: {detail}"))

    def wait(self, seconds: float, method: str) -> dict[str, Any]:
        """Return the response; raises ProbeProblem."""
        try:
            message, why = self._inbox.get(timeout=max(seconds, 0.0))
        except Empty:
            raise ProbeProblem(f"it did not answer {method} in time") from None
        if message is None:
            raise ProbeProblem(f"it did not answer {method}: {why}")
        return message


class Probes:
    """The conversations that are under way, so that somebody who waits for no answer any longer ends them all."""

    __slots__ = ("_given_up", "_links", "_lock")

    def __init__(self) -> None:
        """Begin without any."""
        self._given_up = False
        self._links: set[Link] = set()
        self._lock = threading.Lock()

    def begin(self, link: Link) -> None:
        """Take note of a conversation; raises ProbeProblem when they were given up."""
        with self._lock:
            if self._given_up:
                raise ProbeProblem("it is no longer asked")
            self._links.add(link)

    def end(self, link: Link) -> None:
        """Forget a conversation that is over."""
        with self._lock:
            self._links.discard(link)

    def give_up(self) -> None:
        """Close all of them, and let none begin."""
        with self._lock:
            self._given_up = True
            links = tuple(self._links)
        for link in links:
            link.close()


def probe(
    name: str, start: Start, base: Path, *, seconds: float = START_SECONDS, probes: Probes | None = None
) -> Listing:
    """Start or reach a server, read its lists and let it go; raises ProbeProblem."""
    row: dict[str, Any] = {"limits": {"start_timeout": seconds}, "env": list(start.env)}
    row |= {"command": list(start.command)} if start.command else {"url": start.url, "headers": dict(start.headers)}
    if start.values:
        row["values"] = dict(start.values)
    if start.cwd is not None:
        row["cwd"] = start.cwd
    client = {"name": "mcpgen", "version": VERSION}
    link = make_link(name, row, Ground(os.fspath(base), client=client, offered=OFFERED))
    link.on_request = partial(_refuse, link)
    under_way = probes or Probes()
    under_way.begin(link)
    try:
        _connect(link, seconds)
        return _listed(link)
    except ProbeProblem as problem:
        raise ProbeProblem(concealed(str(problem), start.command)) from None
    finally:
        link.close()
        link.join(FAREWELL_SECONDS)
        under_way.end(link)


def _refuse(link: Link, request_id: str | int, method: str, _: dict[str, Any]) -> None:
    """Answer a question of a server: there is nobody to ask while a gateway is built, and it has no roots."""
    if method == "roots/list":
        link.reply(request_id, {"roots": []}, None)
    else:
        link.reply(request_id, None, {"code": METHOD_NOT_FOUND, "message": "nobody is there to be asked"})


def _connect(link: Link, seconds: float) -> None:
    ready = threading.Event()
    why: list[str] = []

    def ended(reason: str, detail: str) -> None:
        why.append(f"{reason}: {detail}" if detail else reason)
        ready.set()

    link.start(ready.set, ended)
    if not ready.wait(seconds):
        raise ProbeProblem(f"it was not ready after {seconds:g} seconds{_said(link)}")
    if why:
        done = "started" if isinstance(link, StdioLink) else "reached"
        raise ProbeProblem(f"it could not be {done} ({why[0]}){_said(link)}")


def _said(link: Link) -> str:
    """Return the end of what a server wrote to standard error: it mostly says what is wrong."""
    lines = [line for line in link.stderr_tail().splitlines() if line.strip()]
    return f"; it wrote: {shown(lines[-1], MAX_SAID)}" if lines else ""


def _listed(link: Link) -> Listing:
    peer = link.peer
    until = monotonic() + LIST_SECONDS
    lists: dict[str, list[Any]] = {}
    cut: list[str] = []
    caching: list[Mapping[str, Any]] = []
    for kind, capability, method, member in LISTS:
        if capability in peer.capabilities:
            lists[kind], whole = _pages(link, method, member, until, caching)
            cut += [] if whole else [kind]
    kept = [each["ttlMs"] for each in caching if isinstance(each.get("ttlMs"), int)]
    era: Literal["modern", "legacy"] = "modern" if peer.era == "modern" else "legacy"
    return Listing(
        era=era,
        server=peer.server_info,
        instructions=peer.instructions,
        capabilities=peer.capabilities,
        lists=lists,
        cut=tuple(cut),
        ttl_ms=min(kept, default=None),
        private=any(each.get("cacheScope") == "private" for each in caching),
    )


def _pages(
    link: Link, method: str, member: str, until: float, caching: list[Mapping[str, Any]]
) -> tuple[list[Any], bool]:
    """Return the entries of a list, and whether they are all; raises ProbeProblem."""
    walk = PageWalk(member)
    size = 0
    while True:
        result = _asked(link, method, walk.params, until)
        if result is None:
            return walk.items, True
        before = len(walk.items)
        on = walk.take(result)
        if walk.page is None:
            raise ProbeProblem(f"its answer to {method} has no `{member}`")
        caching.append(result)
        size += len(json.dumps(walk.page))
        if size > MAX_LIST_BYTES:
            return walk.items[:before], False
        if not on:
            return walk.items, not walk.endless


def _asked(link: Link, method: str, params: dict[str, Any], until: float) -> dict[str, Any] | None:
    """Return a result, None from a server that has no such method; raises ProbeProblem."""
    taker = _Answer(link)
    errand = Errand(method, params, taker, capabilities=SHOWING)
    link.send(errand)
    link.flush()
    message = taker.wait(until - monotonic(), method)
    error, result = message.get("error"), message.get("result")
    if isinstance(error, dict) and error.get("code") == METHOD_NOT_FOUND:
        return None
    if isinstance(error, dict):
        raise ProbeProblem(f"it refused {method}: {str(error.get('message'))[:200]}")
    if not isinstance(result, dict):
        raise ProbeProblem(f"its answer to {method} is no result")
    return result
