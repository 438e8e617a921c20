"""What a child behind a URL answers that is no answer, or not quite: the errand has its end at once."""

import json

import pytest

from tests.runtime.gateway.linking import SECONDS, connected
from tests.runtime.gateway.remote import TAKEN, answering_calls, as_json, event, modern, opening, remote, reply, result


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda _: reply(401, b"no", Content_Type="text/plain"), "child_transport_error"),
        (lambda _: reply(503), "child_transport_error"),
        (lambda _: reply(200, b"{]", Content_Type="application/json"), "child_parse_error"),
        (lambda asked: as_json({"jsonrpc": "2.0", "id": 999, "result": {}}), "child_parse_error"),
        (lambda asked: as_json({"jsonrpc": "2.0", "id": 999, "result": {}}, 500), "child_transport_error"),
        (lambda asked: result(asked, []), "child_parse_error"),
        (lambda asked: result(asked, {"resultType": "odd"}), "child_parse_error"),
        (lambda _: b"SSH-2.0-OpenSSH\r\n", "child_parse_error"),
        (lambda _: b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{", "child_disconnected"),
        (lambda _: reply(302, Location="http://127.0.0.1:1/elsewhere"), "child_transport_error"),
        (lambda _: reply(307, Location="http://127.0.0.1:1/elsewhere"), "child_transport_error"),
    ],
)
def test_what_is_no_answer_loses_the_errand_and_nothing_else(answer, reason):
    def more(asked, peer):
        if asked.what == "tools/call" and asked.message["params"]["name"] == "bad":
            said = answer(asked)
            if said.startswith(b"HTTP/1.1") and not said.endswith(b"{"):
                return said
            peer.send(said)  # and closes the connection
            return TAKEN
        return answering_calls()(asked, peer)

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("bad").end()[:2] == ("lost", reason)
        assert child.call("t").result
        assert child.link.state == "ready"


@pytest.mark.requirement("R113")
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("said", ['"result":{"structuredContent":{"a":1e400}}', '"error":{"code":1,"data":-1e400}'])
def test_an_answer_with_a_number_that_cannot_be_passed_on_is_of_no_use(whole, said):
    def more(asked, peer):
        if asked.what != "tools/call":
            return None
        body = f'{{"jsonrpc":"2.0","id":{asked.message["id"]},{said}}}'
        if whole:
            return reply(200, body.encode(), Content_Type="application/json")
        peer.send(opening() + event(body))
        peer.server.over.wait(SECONDS)  # nobody waits for the end of the stream
        return TAKEN

    with remote(modern(more)) as server, connected(server.row) as child:
        lost = ("lost", "child_parse_error", "its answer cannot be read: the number is too large")
        assert child.call("t").end() == lost
        server.over.set()


@pytest.mark.parametrize("identifier", [999, -1, "own", None, 1.5])
def test_an_answer_on_a_requests_own_stream_is_that_requests_whatever_its_id(identifier):
    def more(asked, peer):
        if asked.what != "tools/call":
            return None
        peer.send(opening() + event({"id": identifier, "result": {"content": []}}))
        peer.server.over.wait(SECONDS)  # the stream stays open, and nobody waits for its end
        return TAKEN

    with remote(modern(more)) as server, connected(server.row) as child:
        taker = child.call("t")
        kind, reason, detail = taker.end()
        assert (kind, reason) == ("lost", "child_parse_error")
        shown = json.dumps(identifier)
        assert detail == f"its answer cannot be used: its id is {shown}, and not {taker.errand.id}"
        server.over.set()


def test_a_late_answer_on_anothers_stream_is_nobodys():
    def more(asked, peer):
        if asked.what != "tools/call":
            return None
        peer.send(opening() + event({"id": 1, "result": {}}))
        peer.send(event({"id": asked.message["id"], "result": {"resultType": "complete"}}))
        return TAKEN

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("t").result == {"resultType": "complete"}


@pytest.mark.parametrize("identifier", [{}, {"id": None}, {"id": "server-error"}])
def test_an_error_without_its_id_is_the_answer_to_its_request(identifier):
    def more(asked, _):
        body = {"jsonrpc": "2.0", **identifier, "error": {"code": -32600, "message": "odd"}}
        return as_json(body, 400) if asked.what == "tools/call" else None

    with remote(modern(more)) as server, connected(server.row) as child:
        kind, message = child.call("t").end()
        assert (kind, message["error"]["message"]) == ("answered", "odd")


@pytest.mark.parametrize("whole", [True, False])
def test_an_answer_over_the_bound_is_not_kept(monkeypatch, whole):
    monkeypatch.setenv("MCPGEN_MAX_MESSAGE_BYTES", "10000")

    def more(asked, peer):
        if asked.what != "tools/call":
            return None
        if whole:
            return result(asked, {"content": "x" * 20_000})
        peer.send(opening() + event({"id": asked.message["id"], "result": {"content": "x" * 20_000}}))
        return TAKEN

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("t").end() == ("lost", "child_parse_error", "it sent a message of more than 10000 bytes")
