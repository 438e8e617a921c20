"""`http_start`: over HTTP, on a free port, it says where it is, answers both eras, and turns strangers away."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from ..conversation import Broken, Refused
from ..eras import LEGACY_ERA, MODERN
from ..finding import Check, Finding, fail, ok, skip
from ..http_exchange import HttpConversation
from ..survey import survey

if TYPE_CHECKING:
    from ..child import Child
    from ..context import Context

ADDRESS = re.compile(r"https?://[^\s]+")
STRANGER = {"Origin": "https://evil.example.com"}
FORBIDDEN = 403

ACTION = "Start it by hand with --http and read what it says on standard error."


def http_start(context: Context) -> Finding:
    """Start it on a port of its own choice, and talk to it as clients of both eras do."""
    if context.subject.kind == "url":
        return _answers(context, context.subject.url)
    if context.subject.project is None:
        return skip("whether and how a foreign command serves HTTP is not known; name its address with --url")
    serve = ((context.project.catalog or {}).get("settings") or {}).get("serve") or {}
    if any(serve.get(name) for name in ("tokens", "token_env", "verify")):
        return skip("its settings ask for a token, which is not ours to have; use --url with --header")
    if context.cannot_start and not context.best().served:
        return context.blocked()
    words = [word for word in context.words() if word not in ("--mcp", "mcp")]
    try:
        with context.child([*words, "--http", "--host", "127.0.0.1", "--port", "0"]) as child:
            address = _address(child, context.timeout)
            if address is None:
                return fail(f"it does not say where it serves; standard error ends: {child.last_words}", ACTION)
            finding = _answers(context, address)
            if finding.status != "ok":
                return finding
            child.terminate()
            if child.wait(context.timeout) is None:
                return fail(f"it still ran {context.timeout:g} s after SIGTERM", "Let SIGTERM end it.")
            return finding
    except Broken as broken:
        return fail(str(broken), ACTION)


def _address(child: Child, seconds: float) -> str | None:
    """Wait for the line on standard error that names the endpoint."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = ADDRESS.search(child.stderr)
        if found is not None and "\n" in child.stderr[found.end() :]:
            return found.group()
        if child.wait(0.02) is not None:
            return None
    return None


def _answers(context: Context, url: str) -> Finding:
    """Ask the endpoint in each era, and once as a page of somebody else's."""
    headers = context.subject.headers
    action = context.remedy if context.subject.kind == "url" else ACTION
    served = []
    for era in (LEGACY_ERA, MODERN):
        try:
            with HttpConversation(url, context.timeout, headers=headers) as conversation:
                found = survey(conversation, era)
        except (Broken, Refused) as problem:
            return fail(f"{era}: {problem}", action)
        if found.problem is not None:
            return fail(f"{era}: {found.problem}", action)
        if found.served:
            served.append(era)
        elif context.subject.kind == "project":
            return fail(f"{era}: {found.refused}", ACTION)
    if not served:
        return fail("neither era is served", action)
    try:
        with HttpConversation(url, context.timeout, headers=headers) as conversation:
            status, _ = conversation.post({"jsonrpc": "2.0", "id": 1, "method": "ping"}, headers=STRANGER)
    except Broken as broken:
        return fail(f"a request with a foreign Origin has no answer: {broken}", action)
    if status != FORBIDDEN:
        action = "Refuse an Origin that is not known with 403: a web page could call the server (DNS rebinding)."
        return fail(f"a request with a foreign Origin is answered with {status}, not 403", action)
    return ok(f"served over HTTP: {', '.join(served)}; a foreign Origin is refused")


CHECKS = (Check(id="http_start", title="It serves HTTP", run=http_start),)
