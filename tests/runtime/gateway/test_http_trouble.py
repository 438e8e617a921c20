"""Children behind a URL that are silent, slow, without end, or not who they should be."""

import gzip
import json
import time

import pytest

from tests.runtime.client.test_tls import AUTHORITY, tls
from tests.runtime.gateway.linking import SECONDS, Child, connected
from tests.runtime.gateway.remote import MODERN, TAKEN, event, legacy, modern, opening, remote, reply, result


def test_a_child_with_a_good_certificate_is_called_and_one_without_is_not():
    with remote(modern(), tls()) as server:
        with connected(server.row, environment={"REQUESTS_CA_BUNDLE": AUTHORITY}) as child:
            assert child.link.peer.capabilities == MODERN["capabilities"]
        with connected(server.row, environment={}) as child:
            reason, detail = child.end()
            assert (reason, "is not trusted" in detail) == ("child_transport_error", True)


@pytest.mark.alone
def test_a_child_that_never_answers_has_the_time_of_its_start(monkeypatch):
    monkeypatch.setattr("generator.runtime.gateway.settling.PROBE_SECONDS", 0.1)

    def silent(asked, peer):
        peer.server.over.wait(SECONDS)

    with remote(silent) as server, connected({**server.row, "limits": {"start_timeout": 0.4}}) as child:
        begun = time.monotonic()
        assert child.end() == ("child_timeout", "it did not answer in the time it has to start")
        assert child.link.join(SECONDS)
        assert time.monotonic() - begun < 2
        assert [asked.what for asked in server.asked] == ["server/discover", "initialize"]
        server.over.set()


def test_a_child_that_is_silent_about_what_it_does_not_know_is_initialized(monkeypatch):
    monkeypatch.setattr("generator.runtime.gateway.settling.PROBE_SECONDS", 0.1)

    def more(asked, peer):
        if asked.what == "server/discover":
            peer.server.over.wait(SECONDS)
            return TAKEN
        return None

    with remote(legacy(more, session="s")) as server, connected(server.row) as child:
        assert (child.link.state, child.link.peer.era) == ("ready", "legacy")
        server.over.set()


def test_closing_while_it_starts_ends_once():
    def silent(asked, peer):
        peer.server.over.wait(SECONDS)

    with remote(silent) as server:
        child = Child(server.row)
        child.link.start(child.begun.set, lambda *end: (child.ends.append(end), child.ended.set()))
        child.link.close()
        assert child.end()[0] == "child_disconnected"
        assert child.link.join(SECONDS)
        assert (len(child.ends), child.begun.is_set()) == (1, False)
        server.over.set()


@pytest.mark.alone
def test_a_slow_drip_is_ended_by_a_cancellation():
    def more(asked, peer):
        if asked.what == "tools/call":
            peer.send(opening())
            peer.send(event({"method": "notifications/message", "params": {}}))
            peer.drip(b": " + b"x" * 100_000)
            return TAKEN
        return None

    with remote(modern(more)) as server, connected(server.row) as child:
        slow = child.call("t")
        slow.heard()
        child.link.cancel(slow.errand, "too slow")
        begun = time.monotonic()
        child.link.close()
        assert child.link.join(SECONDS)
        assert time.monotonic() - begun < 2
        assert slow.ends == []
        server.over.set()


def test_a_stream_without_end_is_read_slowly_and_gives_way_to_an_answer():
    said = event({"method": "notifications/message", "params": {"data": "x"}}) * 500

    def more(asked, peer):
        if asked.what == "tools/call" and asked.message["params"]["name"] == "flood":
            peer.send(opening())
            while not peer.server.over.is_set():
                peer.send(said)
            return TAKEN
        return result(asked, {}) if asked.what == "tools/call" else None

    with remote(modern(more)) as server, connected(server.row) as child:
        flood = child.call("flood")
        flood.heard()
        for _ in range(20):
            assert child.call("t").result == {}
        child.link.cancel(flood.errand, "enough")
        assert len(flood.notes) < 100_000
        server.over.set()


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_bomb_is_not_unpacked_beyond_the_bound(monkeypatch, coding):
    monkeypatch.setenv("MCPGEN_MAX_MESSAGE_BYTES", "100000")
    bomb = gzip.compress(b"0" * 50_000_000)

    def more(asked, _):
        if asked.what == "tools/call":
            return reply(200, bomb, Content_Type="application/json", Content_Encoding=coding)
        return None

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("t").end()[:2] == ("lost", "child_parse_error")


def test_a_compressed_answer_is_read_though_nobody_asked_for_it():
    def more(asked, _):
        if asked.what == "tools/call":
            body = {"jsonrpc": "2.0", "id": asked.message["id"], "result": {"packed": True}}
            packed = gzip.compress(json.dumps(body).encode())
            return reply(200, packed, Content_Type="application/json", Content_Encoding="gzip")
        return None

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("t").result == {"packed": True}
        assert server.asked[0].headers["accept-encoding"] == "identity"


def test_an_event_that_is_no_message_is_left_out():
    def more(asked, peer):
        if asked.what == "tools/call":
            peer.send(opening() + event("{") + event("[]") + event("3") + event('{"error": "x", "level": "warn"}'))
            peer.send(event({"id": asked.message["id"], "result": {"resultType": "complete"}}))
            return TAKEN
        return None

    with remote(modern(more)) as server, connected(server.row) as child:
        assert child.call("t").result == {"resultType": "complete"}


def test_a_session_id_that_is_none_is_not_sent():
    for bad in ("a b", "\u00e9"):
        with remote(legacy(session=bad)) as server, connected(server.row) as child:
            assert child.link.state == "ready"
            assert all("mcp-session-id" not in asked.headers for asked in server.asked)
