"""Links to children behind a URL: eras, headers, answers in one piece and by events, what goes wrong on the way."""

import json
import threading
import time

import pytest

from generator.runtime.gateway.links import Ground
from tests.runtime.gateway.linking import CLIENT, SECONDS, connected
from tests.runtime.gateway.remote import (
    LEGACY,
    MODERN,
    TAKEN,
    answering_calls,
    as_json,
    error,
    event,
    legacy,
    modern,
    opening,
    remote,
    reply,
    result,
)


def seen(server, what):
    return [asked for asked in server.asked if asked.what == what]


@pytest.mark.requirement("R013", "R132", "R199")
def test_a_modern_child_gets_the_headers_of_its_era_with_each_request():
    schema = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
    with remote(modern(answering_calls())) as server, connected(server.row) as child:
        assert (child.link.state, child.link.peer.era) == ("ready", "modern")
        told = child.call("tÿpe", {"region": " north"}, schema=schema, capabilities={"roots": {}}).result
    assert told["structuredContent"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] == {"roots": {}}
    (asked,) = seen(server, "tools/call")
    names = ("mcp-protocol-version", "mcp-method", "mcp-name", "mcp-param-region", "content-type", "accept")
    assert [asked.headers.get(name) for name in names] == [
        "2026-07-28",
        "tools/call",
        "=?base64?dMO/cGU=?=",
        "=?base64?IG5vcnRo?=",
        "application/json",
        "application/json, text/event-stream",
    ]
    assert [asked.method for asked in server.asked] == ["POST", "POST"]


@pytest.mark.requirement("R013")
@pytest.mark.parametrize(
    "refusal",
    [
        lambda asked: error(asked, -32601, "Method not found"),
        lambda asked: error(asked, -32000, "Bad Request: Server not initialized", 400),
        lambda _: as_json({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "session"}}, 400),
        lambda _: as_json({"error": {"message": "not found"}}, 404),
        lambda _: reply(405),
        lambda _: reply(500, b"<html>oops", Content_Type="text/html"),
        lambda _: reply(202),
        lambda _: opening(),
        lambda asked: result(asked, {}),
    ],
)
def test_a_server_that_does_not_know_the_first_question_is_initialized(refusal):
    def more(asked, peer):
        if asked.what == "server/discover":
            peer.send(refusal(asked))
            return TAKEN
        return answering_calls()(asked, peer)

    with remote(legacy(more, session="abc")) as server, connected(server.row) as child:
        assert (child.link.state, child.link.peer.era) == ("ready", "legacy")
        assert child.call("t").result["structuredContent"] == {"name": "t", "arguments": {}}
    (asked,) = seen(server, "tools/call")
    assert (asked.headers["mcp-session-id"], asked.headers["mcp-protocol-version"]) == ("abc", "2025-11-25")
    assert "mcp-method" not in asked.headers
    (greeting,) = seen(server, "notifications/initialized")
    assert greeting.headers["mcp-session-id"] == "abc"
    assert [asked.headers["mcp-session-id"] for asked in seen(server, "DELETE")] == ["abc"]


def test_a_server_that_breaks_off_at_the_first_question_is_initialized():
    def more(asked, _):
        return TAKEN if asked.what == "server/discover" else None

    with remote(legacy(more)) as server, connected(server.row) as child:
        assert (child.link.state, child.link.peer.era) == ("ready", "legacy")


@pytest.mark.parametrize("code", [-32020, -32021])
def test_a_refusal_in_the_words_of_the_modern_era_is_one_of_a_modern_server(code):
    def more(asked, _):
        return error(asked, code, "no", 400) if asked.what == "server/discover" else None

    with remote(modern(more)) as server, connected(server.row) as child:
        assert (child.link.state, child.link.peer.era) == ("ready", "modern")
        assert not seen(server, "initialize")


def test_what_a_modern_answer_says_on_its_stream_goes_to_its_errand():
    def more(asked, peer):
        if asked.what != "tools/call":
            return None
        number = asked.message["id"]
        peer.send(opening())
        peer.send(event({"method": "notifications/progress", "params": {"progressToken": number, "progress": 1}}))
        peer.send(event({"method": "notifications/message", "params": {"level": "info", "data": "x"}}))
        peer.send(b": still here\n\n")
        peer.send(event({"id": number, "result": {"resultType": "complete", "content": []}}))
        peer.server.over.wait(5)  # the stream stays open; the answer is the end all the same
        return TAKEN

    with remote(modern(more)) as server, connected(server.row) as child:
        taker = child.call("t", wants_progress=True)
        assert taker.result["content"] == []
        assert [method for method, _ in taker.notes] == ["notifications/progress", "notifications/message"]
        assert child.notifications == []
        server.over.set()


def test_a_modern_stream_that_ends_without_the_answer_loses_its_errand():
    def more(asked, peer):
        if asked.what != "tools/call":
            return None
        peer.send(opening() + event({"method": "notifications/message", "params": {}}, identifier="7"))
        return TAKEN

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("t").end() == ("lost", "child_disconnected", "its stream ended before the answer")
        assert not seen(server, "GET")


def test_cancelling_a_modern_errand_closes_its_connection():
    gone = threading.Event()

    def more(asked, peer):
        if asked.what != "tools/call" or asked.message["params"]["name"] != "slow":
            return answering_calls()(asked, peer)
        peer.send(opening() + event({"method": "notifications/message", "params": {}}))
        assert peer.read() is None
        gone.set()
        return TAKEN

    with remote(modern(more)) as server, connected(server.row) as child:
        slow = child.call("slow")
        slow.heard()
        child.link.cancel(slow.errand, "nobody waits")
        assert gone.wait(SECONDS)
        assert child.call("t").result
        assert slow.ends == []
        assert not seen(server, "notifications/cancelled")


def test_a_header_mismatch_is_mended_by_the_schema_as_it_is_now():
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}

    def more(asked, _):
        if asked.what == "tools/list":
            if "cursor" not in asked.message["params"]:
                return result(asked, {"tools": [{"name": "other"}], "nextCursor": "2"})
            return result(asked, {"tools": [{"name": "t", "inputSchema": schema}]})
        if asked.what == "tools/call" and "mcp-param-a" not in asked.headers:
            return error(asked, -32020, "Mcp-Param-A is missing", 400)
        return answering_calls()(asked, _)

    with remote(modern(more)) as server, connected(server.row) as child:
        taker = child.call("t", {"a": "x"}, schema={"type": "object"})
        assert taker.result["structuredContent"]["arguments"] == {"a": "x"}
        assert len(seen(server, "tools/call")) == 2
        assert taker.errand.schema == schema


def test_a_header_mismatch_that_stays_is_the_answer():
    def more(asked, _):
        if asked.what == "tools/list":
            return result(asked, {"tools": [{"name": "t", "inputSchema": {}}]})
        return error(asked, -32020, "never", 400) if asked.what == "tools/call" else None

    with remote(modern(more)) as server, connected(server.row) as child:
        kind, message = child.call("t").end()
        assert (kind, message["error"]["code"]) == ("answered", -32020)
        assert len(seen(server, "tools/call")) == 2


def test_a_redirect_within_the_origin_is_followed_once_and_for_all():
    def more(asked, peer):
        if asked.target == "/mcp":
            return reply(307, Location="/mcp/")
        return answering_calls()(asked, peer)

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("t").result
        assert child.call("t").result
        assert [asked.target for asked in server.asked].count("/mcp") == 1


def test_headers_come_from_the_environment_and_are_shown_to_nobody_else(capfd):
    ground = Ground("/", client=CLIENT, environment={"CRM_TOKEN": "se-cret"})

    def more(asked, peer):
        if asked.what == "tools/call":
            return reply(401, b"Bearer se-cret is wrong", Content_Type="text/plain")
        return None

    with remote(modern(more)) as server:
        row = {
            **server.row,
            "headers": {"Authorization": "Bearer ${CRM_TOKEN}", "X-Tenant": "7", "Mcp-Method": "forged"},
        }
        with connected(row, ground=ground) as child:
            end = child.call("t").end()
        assert all(asked.headers["authorization"] == "Bearer se-cret" for asked in server.asked)
        assert all(asked.headers["x-tenant"] == "7" for asked in server.asked)
        assert [asked.headers["mcp-method"] for asked in server.asked] == ["server/discover", "tools/call"]
    assert "se-cret" not in f"{end}{child.ends}{capfd.readouterr()}"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "${NOT_SET}"}}, "NOT_SET is not set"),
        ({"url": "ftp://host/mcp"}, "its address is none"),
        ({"url": "http://user:secret@host/mcp"}, "its address is none"),
    ],
)
def test_what_cannot_be_called_says_why(row, said):
    with connected(row, environment={}) as child:
        reason, detail = child.end()
        assert reason == "cli_unavailable"
        assert said in detail
        assert "secret" not in detail


def test_where_a_cloud_keeps_its_credentials_is_never_called():
    with connected({"url": "http://169.254.169.254/mcp"}, environment={}) as child:
        reason, detail = child.end()
        assert (reason, "credentials" in detail) == ("child_transport_error", True)


@pytest.mark.alone
def test_a_server_that_is_not_there_is_said_at_once():
    with remote(modern()) as server:
        row = server.row
    begun = time.monotonic()
    with connected(row) as child:
        assert child.end()[0] == "child_transport_error"
    assert time.monotonic() - begun < 2


def test_calls_in_turn_share_a_connection_and_calls_at_once_have_their_own():
    barrier = threading.Barrier(5, timeout=SECONDS)

    def more(asked, peer):
        if asked.what == "tools/call" and asked.message["params"]["name"] == "together":
            barrier.wait()
        return answering_calls({"ok": 1})(asked, peer)

    with remote(modern(more)) as server, connected(server.row) as child:
        for _ in range(20):
            assert child.call("t").result
        assert server.connections == 1
        takers = [child.call("together") for _ in range(5)]
        assert [taker.result["structuredContent"] for taker in takers] == [{"ok": 1}] * 5
        assert server.connections == 5


@pytest.mark.alone
def test_closing_loses_what_is_open_and_ends_at_once():
    def more(asked, peer):
        if asked.what == "tools/call":
            peer.server.over.wait(SECONDS)
            return TAKEN
        return None

    with remote(modern(more)) as server, connected(server.row) as child:
        takers = [child.call("t") for _ in range(3)]
        begun = time.monotonic()
        child.link.close()
        assert {taker.end() for taker in takers} == {
            ("lost", "child_disconnected", "the gateway closed the connection")
        }
        assert child.link.join(SECONDS)
        assert time.monotonic() - begun < 1
        assert child.call("t").end()[1] == "child_disconnected"


def test_more_calls_than_may_be_open_at_once_wait_and_are_answered(monkeypatch):
    monkeypatch.setattr("generator.runtime.gateway.http_link.MAX_OPEN", 4)
    with remote(modern(answering_calls({"ok": 1}))) as server, connected(server.row) as child:
        takers = [child.call("t") for _ in range(100)]
        assert all(taker.result["structuredContent"] == {"ok": 1} for taker in takers)
        assert server.connections <= 5


def test_discovery_and_handshake_say_what_a_server_is():
    with remote(legacy()) as server, connected(server.row) as child:
        assert child.link.peer.server_info == LEGACY["serverInfo"]
        (asked,) = seen(server, "initialize")
        assert asked.message["params"]["clientInfo"] == CLIENT
        assert "mcp-protocol-version" not in asked.headers
    with remote(modern()) as server, connected(server.row) as child:
        assert child.link.peer.capabilities == MODERN["capabilities"]
        assert json.loads(server.asked[0].body)["params"]["_meta"]["io.modelcontextprotocol/clientInfo"] == CLIENT
