"""Scopes of resources and prompts: what a token may read, get, complete, subscribe to and listen to."""

from __future__ import annotations

import contextlib
import os
import sys

import pytest

from tests.command import built, mcpgen
from tests.http_client import HttpServer, call, initialize, modern, request
from tests.stdio_client import stub

from .http_behaviour import bearer

OFFERING = """'''Offer.'''

from typing import Literal

from mcpgen import Context, completer, prompt, resource, tool


@resource("plans://of/{kind}", scopes=["weather:write"])
def planned(kind: Literal["north", "south"]) -> str:
    '''Tell a plan.'''
    return kind


@tool
async def change(ctx: Context) -> None:
    '''Tell of changes.'''
    await ctx.resource_updated("plans://secret")
    await ctx.resource_updated("plans://open")


@resource("plans://secret", scopes=["weather:write"])
def plan() -> str:
    '''Tell the plan.'''
    return "to rain"


@resource("plans://open")
def notice() -> str:
    '''Tell everybody.'''
    return "sunny"


@prompt(scopes=["weather:write"])
def brief(city: str, tone: Literal["short", "full"] = "short") -> str:
    '''Brief.'''
    return city


@completer(brief, "city")
def cities(typed: str) -> list[str]:
    return ["Oslo"]


def verify(token: str) -> tuple[str, list[str]]:
    return token, ["weather:write"] if token == "bob" else []
"""


SETTINGS = 'scopes = ["weather:write"]\n[serve]\nverify = "offers:verify"\nfilter_lists = true\n'
GATEWAY = """[serve]
tokens = [
  { name = "bob", token = "${BOB}", scopes = ["weather:write"] },
  { name = "carl", token = "${CARL}", scopes = [] },
]
filter_lists = true
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return built(tmp_path_factory.mktemp("offers"), "offers", OFFERING, SETTINGS)


@pytest.fixture(scope="module")
def server(project):
    """A server whose resources and prompts have scopes; bob has them, others do not."""
    with HttpServer(stub(project, sys.executable)) as running:
        yield running


@pytest.fixture(scope="module", params=["server", "gateway"])
def offering(request, server, project, tmp_path_factory):
    """The same by itself, and behind a gateway."""
    if request.param == "server":
        yield server
        return
    folder = tmp_path_factory.mktemp("before")
    (folder / "mcpgen.toml").write_text(GATEWAY, encoding="utf-8")
    done = mcpgen("gateway", f"offers={project}", "-o", "gateway", "--prefix", "offers=", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    with HttpServer(
        stub(folder / "gateway", sys.executable), env={**os.environ, "BOB": "bob", "CARL": "carl"}
    ) as running:
        yield running


@pytest.mark.requirement("R097")
def test_resources_and_prompts_need_their_scopes_too(offering):
    argument = {"ref": {"type": "ref/prompt", "name": "brief"}, "argument": {"name": "city", "value": ""}}
    for token, resources, prompts in (("carl", ["notice"], []), ("bob", ["plan", "notice"], ["brief"])):
        for method, member, names in (
            ("resources/list", "resources", resources),
            ("prompts/list", "prompts", prompts),
        ):
            result = offering.post(request(1, method), bearer(token)).json["result"]
            assert [each["name"] for each in result[member]] == names
    for message, guarded in (
        (request(1, "resources/read", {"uri": "plans://secret"}), True),
        (request(2, "resources/read", {"uri": "plans://open"}), False),
        (request(3, "prompts/get", {"name": "brief", "arguments": {"city": "Oslo"}}), True),
        (request(4, "completion/complete", argument), True),
    ):
        assert offering.post(message, bearer("bob")).status == 200
        answer = offering.post(message, bearer("carl"))
        assert answer.status == (403 if guarded else 200), message
        if guarded:
            assert 'scope="weather:write"' in answer.headers["www-authenticate"]


PROMPT = {"type": "ref/prompt", "name": "brief"}
TEMPLATE = {"type": "ref/resource", "uri": "plans://of/{kind}"}
PLANNED = {"type": "ref/resource", "uri": "plans://of/north"}


@pytest.mark.requirement("R097")
@pytest.mark.parametrize(("ref", "name"), [(PROMPT, "tone"), (TEMPLATE, "kind"), (PLANNED, "kind")])
def test_values_that_are_known_without_a_call_need_the_scopes_too(offering, ref, name):
    message = request(1, "completion/complete", {"ref": ref, "argument": {"name": name, "value": ""}})
    for asks in ((message, {}), modern(message)):
        assert offering.post(asks[0], {**asks[1], **bearer("bob")}).status == 200
        refused = offering.post(asks[0], {**asks[1], **bearer("carl")})
        assert (refused.status, refused.json["id"]) == (403, 1)
        assert 'scope="weather:write"' in refused.headers["www-authenticate"]


@pytest.mark.requirement("R097")
@pytest.mark.parametrize("uri", ["plans://secret", "plans://of/north"])
def test_a_session_subscribes_only_to_what_its_token_may_read(offering, uri):
    for token, status in (("bob", 200), ("carl", 403)):
        session = offering.post(initialize("2025-03-26"), bearer(token)).headers["mcp-session-id"]
        headers = {**bearer(token), "Mcp-Session-Id": session}
        message = request(1, "resources/subscribe", {"uri": uri})
        assert offering.post(message, headers).status == status
        assert offering.post([request(2, "ping"), message], headers).status == status
        assert offering.post(request(3, "resources/subscribe", {"uri": "plans://open"}), headers).status == 200
        assert "error" in offering.post(request(4, "resources/subscribe", {"uri": 5}), headers).json


WANTED = {"resourceSubscriptions": ["plans://secret", "plans://open"]}


@pytest.mark.requirement("R097")
@pytest.mark.parametrize(
    ("token", "readable"), [("bob", ["plans://secret", "plans://open"]), ("carl", ["plans://open"])]
)
def test_a_listen_request_honours_only_what_its_token_may_read(offering, token, readable):
    with listening(offering, token) as events:
        assert next(events).json["params"]["notifications"] == {"resourceSubscriptions": readable}


@pytest.mark.requirement("R097")
@pytest.mark.parametrize(
    ("token", "readable"), [("bob", ["plans://secret", "plans://open"]), ("carl", ["plans://open"])]
)
def test_a_listen_request_brings_only_what_its_token_may_read(server, token, readable):
    with listening(server, token) as events:
        next(events)
        assert server.post(call(2, "change"), bearer(token)).status == 200
        assert [next(events).json["params"]["uri"] for _ in readable] == readable


@contextlib.contextmanager
def listening(server, token):
    message, headers = modern(request("L", "subscriptions/listen", {"notifications": WANTED}))
    with server.wire() as wire:
        wire.send(server.bytes_of(message, {**headers, **bearer(token)}))
        assert wire.head().status == 200
        yield wire.events()
