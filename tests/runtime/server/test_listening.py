"""The session core tells of changes: subscriptions in the era with a handshake, listen requests without it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server import listening
from generator.runtime.server.hub import KINDS
from generator.runtime.wire import jsonrpc

from .offering import Server

ALL = ("tools", "prompts", "resources", "resource")
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def text() -> str:
    return "text"


@pytest.fixture
def server(monkeypatch):
    made = Server(monkeypatch)
    made.add("resources", text, {"uri": "t://x", "name": "x"})
    made.add("templates", text, {"uriTemplate": "t://one/{number}", "name": "one"})
    made.add("prompts", text, {"name": "p"})
    return made


def shake_hands(server, version="2025-11-25"):
    return server.ask("initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "t", "version": "1"})


def listen(server, request_id, notifications, **more):
    params = {"_meta": META, "notifications": notifications, **more}
    message = {"jsonrpc": "2.0", "id": request_id, "method": "subscriptions/listen", "params": params}
    answer = server.session.receive(message)
    return None if answer is None else json.loads(answer)


def cancel(server, request_id):
    message = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}
    assert server.session.receive(message) is None


# -- capabilities


@pytest.mark.requirement("R021")
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_only_what_is_told_is_promised(server, version):
    server.changes("prompts", "resource")
    stated = shake_hands(server, version)["result"]["capabilities"]
    assert stated["prompts"] == {"listChanged": True}
    assert stated["resources"] == {"subscribe": True}
    modern = server.ask("server/discover", _meta=META)["result"]["capabilities"]
    assert (modern["prompts"], modern["resources"]) == ({"listChanged": True}, {"subscribe": True})


def test_nothing_is_promised_for_what_the_server_has_not(server):
    server.changes("tools", "prompts")
    stated = shake_hands(server)["result"]["capabilities"]
    assert stated["prompts"] == {"listChanged": True}
    assert "tools" not in stated
    assert server.catalog.header["changes"] == ["prompts"]


def test_a_server_that_tells_nothing_has_none_of_the_methods(server):
    server.start()
    for method, params in (
        ("resources/subscribe", {"uri": "t://x"}),
        ("resources/unsubscribe", {"uri": "t://x"}),
        ("subscriptions/listen", {"_meta": META, "notifications": {}}),
    ):
        assert server.ask(method, **params)["error"]["code"] == jsonrpc.METHOD_NOT_FOUND


# -- with a handshake


def test_lists_are_told_once_hands_are_shaken_and_resources_once_they_are_subscribed_to(server):
    server.changes(*ALL)
    hub = listening.hub_of(server.catalog)
    hub.publish("prompts")
    shake_hands(server)
    assert server.told == []
    hub.publish("prompts")
    hub.publish("resource", "t://x")
    assert server.ask("resources/subscribe", uri="t://x")["result"] == {}
    assert server.ask("resources/subscribe", uri="t://x")["result"] == {}
    hub.publish("resource", "t://x")
    hub.publish("resource", "t://one/1")
    assert server.ask("resources/unsubscribe", uri="t://x")["result"] == {}
    assert server.ask("resources/unsubscribe", uri="t://x")["result"] == {}
    hub.publish("resource", "t://x")
    hub.publish("resources")
    told = [each for each in server.told if type(each) is dict]
    assert told == [
        {"jsonrpc": "2.0", "method": "notifications/prompts/list_changed"},
        {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "t://x"}},
        {"jsonrpc": "2.0", "method": "notifications/resources/list_changed"},
    ]


def test_shaking_hands_again_tells_nothing_twice(server):
    server.changes("prompts")
    shake_hands(server)
    shake_hands(server)
    listening.hub_of(server.catalog).publish("prompts")
    assert len(server.told) == 1


def test_a_resource_of_a_template_can_be_subscribed_to(server):
    server.changes("resource")
    assert server.ask("resources/subscribe", uri="t://one/7")["result"] == {}


@pytest.mark.parametrize("method", ["resources/subscribe", "resources/unsubscribe"])
def test_what_does_not_exist_cannot_be_subscribed_to(server, method):
    server.changes("resource")
    error = server.ask(method, uri="t://nothing")["error"]
    assert (error["code"], error["data"]) == (jsonrpc.RESOURCE_NOT_FOUND, {"uri": "t://nothing"})
    assert server.ask(method, uri=7)["error"]["code"] == jsonrpc.INVALID_PARAMS
    assert server.ask(method)["error"]["code"] == jsonrpc.INVALID_PARAMS
    assert server.ask(method, uri="t://x", _meta=META)["error"]["code"] == jsonrpc.METHOD_NOT_FOUND


def test_a_request_that_came_alone_cannot_subscribe(server):
    server.changes("resource")
    server.session.tell = None
    assert server.ask("resources/subscribe", uri="t://x")["error"]["code"] == jsonrpc.INVALID_REQUEST
    assert server.ask("resources/unsubscribe", uri="t://x")["result"] == {}


def test_the_subscriptions_of_a_session_are_bounded(server):
    server.changes("resource")
    for number in range(listening.MAX_WATCHED):
        assert server.ask("resources/subscribe", uri=f"t://one/{number}")["result"] == {}
    error = server.ask("resources/subscribe", uri="t://x")["error"]
    assert (error["code"], error["data"]["reason"]) == (jsonrpc.INTERNAL_ERROR, "too_many_subscriptions")
    server.ask("resources/unsubscribe", uri="t://one/0")
    assert server.ask("resources/subscribe", uri="t://x")["result"] == {}


# -- without


@pytest.mark.parametrize("request_id", ["listen:0", 7, 0, ""])
def test_a_listen_request_brings_what_it_asked_for_under_its_id(server, request_id):
    server.changes(*ALL)
    wanted = {"promptsListChanged": True, "resourceSubscriptions": ["t://x", "t://nothing", "t://x", "t://one/2"]}
    assert listen(server, request_id, {**wanted, "toolsListChanged": True, "resourcesListChanged": False}) is None
    hub = listening.hub_of(server.catalog)
    hub.publish("prompts")
    hub.publish("resources")
    hub.publish("resource", "t://one/2")
    meta = {SUBSCRIPTION: request_id}
    honoured = {"promptsListChanged": True, "resourceSubscriptions": ["t://x", "t://one/2"]}
    assert [(each["method"], each["params"]) for each in server.told] == [
        ("notifications/subscriptions/acknowledged", {"_meta": meta, "notifications": honoured}),
        ("notifications/prompts/list_changed", {"_meta": meta}),
        ("notifications/resources/updated", {"uri": "t://one/2", "_meta": meta}),
    ]
    assert type(server.told[0]["params"]["_meta"][SUBSCRIPTION]) is type(request_id)


def test_several_listen_requests_are_told_apart_and_end_by_themselves(server):
    server.changes("prompts", "resources")
    listen(server, 1, {"promptsListChanged": True})
    listen(server, "1", {"promptsListChanged": True, "resourcesListChanged": True})
    server.told.clear()
    hub = listening.hub_of(server.catalog)
    hub.publish("prompts")
    assert [each["params"]["_meta"][SUBSCRIPTION] for each in server.told] == [1, "1"]
    cancel(server, 1)
    cancel(server, "unknown")
    server.told.clear()
    hub.publish("prompts")
    hub.publish("resources")
    assert [each["params"]["_meta"][SUBSCRIPTION] for each in server.told] == ["1", "1"]


def test_a_listen_request_is_answered_when_the_server_ends(server):
    server.changes("prompts")
    listen(server, 5, {})
    server.told.clear()
    hub = listening.hub_of(server.catalog)
    hub.end()
    hub.publish("prompts")
    (answer,) = server.told
    assert answer["id"] == 5
    assert answer["result"]["resultType"] == "complete"
    assert answer["result"]["_meta"][SUBSCRIPTION] == 5


def test_an_id_that_listens_is_in_use(server):
    server.changes("prompts")
    listen(server, 5, {})
    assert listen(server, 5, {})["error"]["code"] == jsonrpc.INVALID_REQUEST
    message = {"jsonrpc": "2.0", "id": 5, "method": "prompts/get", "params": {"name": "p", "_meta": META}}
    assert json.loads(server.session.receive(message))["error"]["code"] == jsonrpc.INVALID_REQUEST
    cancel(server, 5)
    assert listen(server, 5, {}) is None


@pytest.mark.parametrize(
    "notifications",
    [
        None,
        [],
        {"toolsListChanged": 1},
        {"promptsListChanged": "yes"},
        {"resourceSubscriptions": "t://x"},
        {"resourceSubscriptions": [1]},
        {"resourceSubscriptions": ["x" * 5_000]},
        {"resourceSubscriptions": [f"t://one/{number}" for number in range(listening.MAX_WATCHED + 1)]},
    ],
)
def test_a_filter_that_is_none_is_refused(server, notifications):
    server.changes(*ALL)
    assert listen(server, 1, notifications)["error"]["code"] == jsonrpc.INVALID_PARAMS
    assert server.told == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FILTERS = st.dictionaries(
    st.sampled_from([row.asked for row in KINDS.values()]) | st.text(max_size=5),
    JSON | st.booleans() | st.lists(st.sampled_from(["t://x", "t://one/1", "t://no"])),
)


@given(FILTERS | JSON)
def test_whatever_is_asked_for_is_refused_or_acknowledged_in_part(notifications):
    with pytest.MonkeyPatch.context() as monkeypatch:
        server = Server(monkeypatch)
        server.add("resources", text, {"uri": "t://x", "name": "x"})
        server.changes("resources", "resource")
        answer = listen(server, 1, notifications)
        if answer is not None:
            assert (answer["error"]["code"], server.told) == (jsonrpc.INVALID_PARAMS, [])
            return
        honoured = server.told[0]["params"]["notifications"]
        assert set(honoured) <= {"resourcesListChanged", "resourceSubscriptions"}
        assert honoured.get("resourceSubscriptions", ["t://x"]) == ["t://x"]
        assert all(notifications[name] for name in honoured)


def test_members_of_a_filter_that_nobody_knows_here_are_left_out(server):
    server.changes("prompts")
    listen(server, 1, {"taskIds": ["a"], "somethingNew": {"x": 1}, "toolsListChanged": True})
    assert server.told[0]["params"]["notifications"] == {}


def test_the_era_with_a_handshake_has_no_listen_requests(server):
    server.changes("prompts")
    error = server.ask("subscriptions/listen", notifications={})["error"]
    assert error["code"] == jsonrpc.METHOD_NOT_FOUND


def test_listen_requests_of_one_connection_are_bounded(server):
    server.changes("prompts")
    for number in range(listening.MAX_LISTENS):
        assert listen(server, number, {}) is None
    assert listen(server, "more", {})["error"]["data"]["reason"] == "too_many_subscriptions"
    cancel(server, 0)
    assert listen(server, "more", {}) is None


def test_a_session_that_closes_leaves_nothing_behind(server):
    server.changes(*ALL)
    shake_hands(server)
    server.ask("resources/subscribe", uri="t://x")
    listen(server, "l", {"promptsListChanged": True, "resourceSubscriptions": ["t://x"]})
    server.session.listening.close()
    hub = listening.hub_of(server.catalog)
    assert (hub._wanted, hub._watched) == ({}, 0)
