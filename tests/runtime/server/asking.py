"""A session whose tools ask their client, and clients of both eras to talk to it, all in one process.

    client = Legacy(tools(ask_name), capabilities={"elicitation": {}})
    client.answers["elicitation/create"] = lambda params: {"action": "accept", "content": {...}}
    result = client.call("ask_name")

A call runs on a thread of its own, as in a server; whatever it sends is answered by the client's script.
"""

from __future__ import annotations

import asyncio
import inspect
import itertools
import json
import sys
import threading
from queue import Queue
from types import ModuleType
from typing import Any

from generator.runtime.server.call import Call
from generator.runtime.server.catalog import header_of
from generator.runtime.server.invoke import run, run_async
from generator.runtime.server.session import Cancel, Session
from generator.runtime.server.tool import Tool

MODERN = "2026-07-28"
SECONDS = 20
_numbers = itertools.count(1)


class Catalog:
    """What a session needs of a catalog; compared by identity like the real one."""

    def __init__(self, data: dict[str, Any], functions: ModuleType) -> None:
        self.data = data
        self.header = header_of(data)
        self.settings = self.header["settings"]
        self.package, self.folder = functions.__name__, "."
        self.offers = self.answers = self.tasks = self.hub = self.gateway = None
        self.edition, self.server_meta = "", {}
        self.tools = {entry["definition"]["name"]: Tool(entry, self) for entry in data["tools"]}


def catalog_of(*functions: Any, module: ModuleType | None = None, settings: dict | None = None, **more: Any) -> Catalog:
    """Return a catalog of functions; a parameter `ctx` is their context, `more` are other members of the data."""
    module = module or ModuleType(f"asks_{next(_numbers)}")
    sys.modules[module.__name__] = module
    tools = [
        {
            "definition": {"name": function.__name__, "inputSchema": {"type": "object"}},
            "call": call_of(module, function),
            "result": {"kind": "json", "wrap": True},
            **getattr(function, "entry", {}),
        }
        for function in functions
    ]
    data = {"runtime": "0", "id": "t", "server": {"name": "t", "version": "1"}, "tools": tools, **more}
    return Catalog({**data, "settings": settings or {}}, module)


def call_of(module: ModuleType, function: Any) -> dict[str, Any]:
    """Put a function into a module and return how it is called."""
    setattr(module, function.__name__, function)
    is_async = inspect.iscoroutinefunction(function)
    call = {"kind": "python", "target": f"{module.__name__}:{function.__name__}", "async": is_async}
    if "ctx" in inspect.signature(function).parameters:
        call["inject"] = {"ctx": "async" if is_async else "sync"}
    return call


class Client:
    """What both eras have in common: `answers` by method, each a function of the request's params."""

    def __init__(self, catalog: Catalog, *, capabilities: dict[str, Any], principal: str = "") -> None:
        self.catalog = catalog
        self.capabilities = capabilities
        self.session = Session(catalog, principal=principal)
        self.answers: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []
        self.numbers = itertools.count(1)

    def _run(self, message: dict[str, Any], send: Any) -> dict[str, Any]:
        effect = self.session.receive(message)
        if not isinstance(effect, Call):
            return json.loads(effect)
        effect.send = send
        return json.loads(self.session.finish(effect, run_call(effect)))

    def _answer(self, request: dict[str, Any]) -> Any:
        self.asked.append(request)
        return self.answers[request["method"]](request.get("params", {}))


class Legacy(Client):
    """Shakes hands and answers the server's requests as they come."""

    def __init__(self, catalog: Catalog, *, revision: str = "2025-11-25", **more: Any) -> None:
        super().__init__(catalog, **more)
        self.notified: list[dict[str, Any]] = []
        params = {"protocolVersion": revision, "capabilities": self.capabilities, "clientInfo": {"name": "c"}}
        self.session.receive({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request, answer what comes meanwhile, and return the response."""
        said: Queue[Any] = Queue()
        message = {"jsonrpc": "2.0", "id": next(self.numbers), "method": method, "params": params}
        thread = threading.Thread(
            target=lambda: said.put((True, self._run(message, lambda line: said.put((False, json.loads(line))))))
        )
        thread.start()
        while True:
            done, message = said.get(timeout=SECONDS)
            if done:
                thread.join(SECONDS)
                return message
            self._hear(message)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the response."""
        return self.request("tools/call", name=tool, arguments=arguments)

    def _hear(self, message: dict[str, Any]) -> None:
        if "id" not in message:
            self.notified.append(message)
            return
        assert isinstance(message["id"], str)
        answer = self._answer(message)
        kind = "error" if "code" in answer else "result"
        self.session.receive({"jsonrpc": "2.0", "id": message["id"], kind: answer})


class Modern(Client):
    """Sends each request anew with the answers to what was asked; `rounds` are the input-required results."""

    def __init__(self, catalog: Catalog, **more: Any) -> None:
        super().__init__(catalog, **more)
        self.rounds: list[dict[str, Any]] = []

    def once(self, method: str, **params: Any) -> dict[str, Any]:
        """Send one request and return the response."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }
        message = {"jsonrpc": "2.0", "id": next(self.numbers), "method": method, "params": {**params, "_meta": meta}}
        return self._run(message, lambda _: None)

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request until it is complete and return the response."""
        more: dict[str, Any] = {}
        for _ in range(100):
            response = self.once(method, **params, **more)
            result = response.get("result", {})
            if result.get("resultType") != "input_required":
                return response
            self.rounds.append(result)
            responses = {key: self._answer(request) for key, request in result["inputRequests"].items()}
            more = {"inputResponses": responses, "requestState": result["requestState"]}
        raise AssertionError("the server never has enough")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return the response."""
        return self.request("tools/call", name=tool, arguments=arguments)


def run_call(call: Call) -> dict[str, Any]:
    """Run a call to its result."""
    return asyncio.run(run_async(call)) if call.tool.is_async else run(call)


def cancel(client: Client, request_id: int) -> None:
    """Cancel a request as a client does, and as a shell carries it out."""
    params = {"requestId": request_id}
    effect = client.session.receive({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    assert isinstance(effect, Cancel)


def accept(**content: Any) -> Any:
    """Return a person who fills in these values."""
    return lambda _: {"action": "accept", "content": content}


def text_of(response: dict[str, Any]) -> str:
    """Return the text a model reads."""
    return response["result"]["content"][0]["text"]
