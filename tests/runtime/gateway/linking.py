"""Links to real children, and takers that keep what they hear: for tests of the gateway's client half."""

from __future__ import annotations

import sys
import textwrap
import threading
from contextlib import contextmanager

from generator.runtime.gateway.errand import Errand
from generator.runtime.gateway.links import Ground, make_link

SECONDS = 20.0
"""Longest wait for anything; a loaded machine needs a few to start a child."""

CLIENT = {"name": "mcpgen-tests", "version": "1"}
OFFERED = {"roots": {}}


class Kept:
    """A taker that keeps what it hears: `ends` are answers and losses, of which there must be one."""

    def __init__(self) -> None:
        self.ends: list[tuple] = []
        self.notes: list[tuple] = []
        self.questions: list[tuple] = []
        self._ended = threading.Event()
        self._noted = threading.Event()

    def answered(self, message):
        self.ends.append(("answered", message))
        self._ended.set()

    def lost(self, reason, detail):
        self.ends.append(("lost", reason, detail))
        self._ended.set()

    def notified(self, method, params):
        self.notes.append((method, params))
        self._noted.set()

    def asked(self, request_id, method, params):
        self.questions.append((request_id, method, params))
        self._noted.set()

    def heard(self):
        """Wait for something else than the end."""
        assert self._noted.wait(SECONDS), "nothing was heard"
        self._noted.clear()

    def end(self):
        """Wait for the end and return it."""
        assert self._ended.wait(SECONDS), "the errand has no end"
        return self.ends[0]

    @property
    def result(self):
        kind, *rest = self.end()
        assert kind == "answered", rest
        return rest[0]["result"]


class Child:
    """A link, whether it is ready, and how it ended."""

    def __init__(self, row, **options) -> None:
        self.ground = options.pop("ground", None) or Ground(
            "/nowhere", client=CLIENT, offered=options.pop("offered", OFFERED), **options
        )
        self.link = make_link("child", row, self.ground)
        self.notifications: list[tuple] = []
        self.ends: list[tuple] = []
        self.begun = threading.Event()
        self.ended = threading.Event()
        self.told = threading.Event()
        self.link.on_notification = self._note

    def _note(self, method, params):
        self.notifications.append((method, params))
        self.told.set()

    def start(self):
        def end(reason, detail):
            self.ends.append((reason, detail))
            self.ended.set()
            self.begun.set()

        self.link.start(self.begun.set, end)
        assert self.begun.wait(SECONDS * 2), "neither ready nor ended"
        return self

    def ask(self, method, params=None, **options):
        taker = Kept()
        errand = Errand(method, params or {}, taker, **options)
        taker.errand = errand
        self.link.send(errand)
        self.link.flush()
        return taker

    def call(self, name, arguments=None, **options):
        return self.ask("tools/call", {"name": name, "arguments": arguments or {}}, **options)

    def end(self):
        """Wait until the link has ended and return reason and detail."""
        assert self.ended.wait(SECONDS), "the link did not end"
        return self.ends[0]


@contextmanager
def connected(row, **options):
    """Start a link, and leave nothing of it behind; it may have ended already."""
    child = Child(row, **options)
    try:
        yield child.start()
    finally:
        child.link.close()
        assert child.link.join(SECONDS), "the child is still there"
        assert len(child.ends) == 1


SPEAKING = """
import json, os, sys, time
def send(**members):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **members}) + "\\n")
    sys.stdout.flush()
def answer(message, result):
    send(id=message["id"], result=result)
def refuse(message, code, text, **data):
    send(id=message["id"], error={"code": code, "message": text, **({"data": data} if data else {})})
LEGACY = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
          "serverInfo": {"name": "legacy", "version": "1"}}
MODERN = {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0,
          "cacheScope": "private", "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "modern", "version": "1"}}}
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
"""
"""How a child of a test begins; what it does with a message is the test's."""

PLAIN = """
if method == "initialize":
    answer(message, LEGACY)
elif method == "server/discover":
    refuse(message, -32601, "Method not found")
"""
"""What a legacy child does with the questions that come first."""


MODERN_ONLY = """
if method == "initialize":
    refuse(message, -32022, "Unsupported protocol version", supported=["2026-07-28"])
elif method == "server/discover":
    answer(message, MODERN)
"""
"""What a child of the modern era alone does with them."""


def speaking(body, *, first=PLAIN):
    """Return the command of a child that does this with each message, as a row of the table."""
    text = SPEAKING + textwrap.indent(textwrap.dedent(first) + textwrap.dedent(body), "    ")
    return {"command": [sys.executable, "-I", "-S", "-c", text]}
