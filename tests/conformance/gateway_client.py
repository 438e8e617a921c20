"""The gateway's client half as a client of its own, for the official suite's client scenarios.

`python gateway_client.py URL`: connects as the gateway does to a child, lists what there is, and calls every tool it
may call, with the arguments of `MCP_CONFORMANCE_CONTEXT` or ones made from the schema. Questions are answered as a user
would who accepts every default.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from queue import SimpleQueue

from generator.runtime.gateway.errand import Errand
from generator.runtime.gateway.header_parameters import fault
from generator.runtime.gateway.links import Ground, make_link

SECONDS = 20
"""For one answer; the suite gives the whole client 30."""

MAX_ROUNDS = 5

CLIENT = {"name": "mcpgen-gateway-test", "version": "1.0.0"}
CAPABILITIES = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}


class Taker:
    """Collects what comes of an errand, and answers what the child asks meanwhile."""

    def __init__(self, link) -> None:
        self.link = link
        self.outcome = SimpleQueue()

    def answered(self, message):
        self.outcome.put(message)

    def notified(self, method, params):
        print("notified", method, file=sys.stderr)

    def asked(self, request_id, method, params):
        self.link.reply(request_id, reply_to(method, params))

    def lost(self, reason, detail):
        self.outcome.put({"lost": f"{reason}: {detail}"})


def reply_to(method, params):
    """Return the result of a request to the user."""
    if method == "elicitation/create":
        fields = params.get("requestedSchema", {}).get("properties", {})
        return {"action": "accept", "content": {name: made(schema) for name, schema in fields.items()}}
    if method == "roots/list":
        return {"roots": []}
    return {"role": "assistant", "model": "none", "content": {"type": "text", "text": "Paris"}}


def made(schema):
    """Return a value for a schema: its default, or the plainest of its type."""
    if "default" in schema:
        return schema["default"]
    if "enum" in schema:
        return schema["enum"][0]
    plain = {"string": "text", "integer": 1, "number": 1.5, "boolean": True, "array": [], "object": {}, "null": None}
    return plain.get(schema.get("type"), "text")


class Client:
    """One connection and the requests over it."""

    def __init__(self, url: str) -> None:
        ground = Ground(str(Path(__file__).parent), client=CLIENT, offered=CAPABILITIES)
        self.link = make_link("child", {"url": url}, ground)
        self.link.on_request = lambda identifier, method, params: self.link.reply(identifier, reply_to(method, params))
        begun = SimpleQueue()
        self.link.start(lambda: begun.put(None), lambda reason, detail: begun.put(f"{reason}: {detail}"))
        problem = begun.get(timeout=SECONDS)
        if problem is not None:
            sys.exit(problem)

    def ask(self, method, params=None, schema=None):
        taker = Taker(self.link)
        errand = Errand(method, params or {}, taker, client=CLIENT, capabilities=CAPABILITIES, schema=schema)
        self.link.send(errand)
        self.link.flush()
        answer = taker.outcome.get(timeout=SECONDS)
        print(method, json.dumps(answer)[:300], file=sys.stderr)
        return answer.get("result") or {}

    def call(self, tool, arguments):
        """Call a tool, answering what it needs to know before it goes on."""
        params = {"name": tool["name"], "arguments": arguments}
        result = self.ask("tools/call", params, tool.get("inputSchema"))
        for _ in range(MAX_ROUNDS):
            if result.get("resultType") != "input_required":
                break
            again = {
                **params,
                "inputResponses": {
                    key: reply_to(each["method"], each.get("params") or {})
                    for key, each in (result.get("inputRequests") or {}).items()
                },
            }
            if "requestState" in result:
                again["requestState"] = result["requestState"]
            result = self.ask("tools/call", again, tool.get("inputSchema"))
        return result

    def use_everything(self, calls):
        offers = self.link.peer.capabilities
        tools = {tool["name"]: tool for tool in self.ask("tools/list").get("tools", ())}
        usable = {name: tool for name, tool in tools.items() if not fault(tool["inputSchema"])}
        given = {call["name"]: call["arguments"] for call in calls}
        for name, tool in usable.items():
            self.call(tool, given.get(name) or arguments_for(tool["inputSchema"], tools))
        if "resources" in offers:
            for resource in self.ask("resources/list").get("resources", ())[:1]:
                self.ask("resources/read", {"uri": resource["uri"]})
        if "prompts" in offers:
            for prompt in self.ask("prompts/list").get("prompts", ())[:1]:
                self.ask("prompts/get", {"name": prompt["name"]})


def arguments_for(schema, tools):
    """Return arguments with what is required; a tool that wants a schema gets the richest there is, unchanged."""
    properties = schema.get("properties", {})
    arguments = {name: made(properties.get(name, {})) for name in schema.get("required", ())}
    if "schema" in arguments:
        arguments["schema"] = max((tool["inputSchema"] for tool in tools.values()), key=lambda one: len(str(one)))
    return arguments


def main() -> None:
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    client = Client(sys.argv[-1])
    client.use_everything(context.get("toolCalls", ()))
    client.link.close()
    assert client.link.join(SECONDS)


main()
