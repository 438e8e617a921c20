"""A session with resources and prompts made of functions: what the tests of offers share."""

from __future__ import annotations

import asyncio
import json
import sys
from types import ModuleType

from generator.runtime.server import logs
from generator.runtime.server.call import Call
from generator.runtime.server.catalog import header_of
from generator.runtime.server.invoke import run, run_async
from generator.runtime.server.session import Session


class Server:
    """A session with offers made of functions, without files; `logged` are the lines of the log."""

    def __init__(self, monkeypatch):
        self.module = ModuleType("offers_of_a_test")
        monkeypatch.setitem(sys.modules, self.module.__name__, self.module)
        self.logged = []
        monkeypatch.setattr(logs, "write", lambda text, **_: self.logged.append(text))
        self._data = {"runtime": "0", "id": "t", "server": {"name": "t", "version": "1"}, "tools": []}

    def add(self, kind, function, definition, **entry):
        setattr(self.module, function.__name__, function)
        call = {"kind": "python", "target": f"{self.module.__name__}:{function.__name__}"}
        call |= {"async": asyncio.iscoroutinefunction(function)} | entry.pop("call", {})
        self._data.setdefault(kind, []).append({"definition": definition, "call": call, **entry})

    def resource(self, function, uri="t://x", **definition):
        self.add("resources", function, {"uri": uri, "name": "x", **definition.pop("more", {})}, **definition)

    def prompt(self, function, **entry):
        self.add("prompts", function, {"name": "p", **entry.pop("more", {})}, **entry)

    def changes(self, *kinds):
        """Say that the server tells of these changes, and start it with a shell that keeps what it is told."""
        self._data["changes"] = list(kinds)
        self.start()
        self.told = []
        self.session.tell = lambda line, topic: self.told.append(json.loads(line) if line else topic)
        return self

    def start(self):
        self.catalog = Catalog(self._data)
        self.session = Session(self.catalog)
        return self

    def effect(self, method, **params):
        if not hasattr(self, "session"):
            self.start()
        return self.session.receive({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def ask(self, method, **params):
        """Return the response; a call is run here and now."""
        effect = self.effect(method, **params)
        if isinstance(effect, Call):
            result = asyncio.run(run_async(effect)) if effect.tool.is_async else run(effect)
            effect = self.session.finish(effect, result)
        return json.loads(effect)

    def read(self, **params):
        return self.ask("resources/read", uri="t://x", **params)

    def get(self, **params):
        return self.ask("prompts/get", name="p", **params)


class Catalog:
    """What a session and offers need of a catalog; compared by identity like the real one."""

    def __init__(self, data):
        self.data = data
        self.header = header_of(data)
        self.settings = self.header["settings"]
        self.package, self.folder, self.tools = "unused", ".", {}
        self.offers = self.answers = self.hub = None


def lambda_of(value):
    def given():
        return value

    return given
