"""Links to child processes that cannot start, die, do not read, or are closed."""

import errno
import os
import subprocess
import sys
import time

import pytest

from generator.runtime.gateway.errand import Errand
from generator.runtime.gateway.stdio_link import FIRST_BYTES
from tests.runtime.gateway.linking import MODERN_ONLY, SECONDS, Child, Kept, connected, speaking


@pytest.mark.alone
@pytest.mark.requirement("R117")
def test_a_death_is_seen_at_once_and_every_errand_is_lost():
    body = """
    elif method == "tools/call" and message["params"]["name"] == "die":
        os._exit(9)
    """
    with connected(speaking(body)) as child:
        takers = [child.call("wait") for _ in range(5)]
        begun = time.monotonic()
        takers.append(child.call("die"))
        for taker in takers:
            assert taker.end() == ("lost", "child_disconnected", "it ended with exit status 9")
        assert time.monotonic() - begun < 1.0
        assert child.end() == ("child_disconnected", "it ended with exit status 9")
        assert child.call("after").end()[:2] == ("lost", "child_disconnected")


@pytest.mark.requirement("R117")
def test_what_a_child_answered_before_it_died_is_heard():
    body = """
    elif method == "tools/call":
        answer(message, {"last": "words" * 40_000})
        os._exit(0)
    """
    with connected(speaking(body)) as child:
        assert len(child.call("t").result["last"]) == 200_000
        assert child.end() == ("child_disconnected", "it ended with exit status 0")


def test_when_an_end_is_told_the_last_words_are_there():
    body = """
    elif method == "tools/call":
        sys.stderr.write("why it ended\\n")
        os._exit(1)
    """
    child = Child(speaking(body))
    words = []
    child.start()
    taker = Kept()
    taker.lost = lambda *_: words.append(child.link.stderr_tail())
    child.link.send(Errand("tools/call", {"name": "t"}, taker))
    child.link.flush()
    child.end()
    assert child.link.join(SECONDS)
    assert words == ["why it ended"]


def test_a_last_line_without_its_end_counts():
    body = """
    elif method == "tools/call":
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"last": True}}))
        sys.stdout.flush()
        os._exit(0)
    """
    with connected(speaking(body)) as child:
        assert child.call("t").result == {"last": True}


@pytest.mark.alone
@pytest.mark.requirement("R111")
def test_closing_ends_the_input_first_and_a_good_child_ends_by_itself():
    with connected(speaking("")) as child:
        waiting = child.call("t")
        begun = time.monotonic()
        child.link.close()
        assert waiting.end() == ("lost", "child_disconnected", "the gateway closed the connection")
        assert child.link.join(SECONDS)
        assert time.monotonic() - begun < 1.4
        child.link.close()


@pytest.mark.alone
def test_a_child_that_reads_nothing_stops_nobody_and_is_given_a_bounded_amount(monkeypatch):
    monkeypatch.setattr("generator.runtime.gateway.outbox.MAX_WAITING_BYTES", 1_000_000)
    body = """
    elif method == "tools/call":
        time.sleep(3600)
    """
    with connected(speaking(body)) as child:
        first = child.call("t")
        begun = time.monotonic()
        takers = [child.call("t", {"text": "x" * 100_000}) for _ in range(20)]
        assert time.monotonic() - begun < 1.0
        refused = [taker.end() for taker in takers if taker.ends]
        assert {end[:2] for end in refused} == {("lost", "child_transport_error")}
        assert 8 <= len(refused) <= 12
    assert first.end()[1] == "child_disconnected"


def test_a_large_message_arrives_whole_though_the_child_reads_slowly():
    body = """
    elif method == "tools/call":
        time.sleep(0.05)
        answer(message, {"size": len(message["params"]["arguments"]["text"])})
    """
    with connected(speaking(body)) as child:
        takers = [child.call("t", {"text": "x" * size}) for size in (3_000_000, 10, 200_000)]
        assert [taker.result["size"] for taker in takers] == [3_000_000, 10, 200_000]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"command": ["/no/such/program"]}, "/no/such/program could not be started"),
        ({"command": [sys.executable], "cwd": "/no/such/folder"}, "/no/such/folder, which its command names"),
        ({"command": ["${NOT_SET}"]}, "the environment variable NOT_SET is not set"),
    ],
)
def test_what_cannot_be_started_says_why(row, said):
    with connected(row) as child:
        reason, detail = child.end()
        assert reason == "cli_unavailable"
        assert said in detail


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EMFILE])
def test_a_system_without_room_for_another_process_is_busy(monkeypatch, number):
    def full(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", full)
    with connected({"command": [sys.executable]}) as child:
        reason, detail = child.end()
        assert reason == "child_busy"
        assert detail == f"{sys.executable} could not be started: {os.strerror(number).lower()}"


def test_a_link_that_is_closed_while_it_starts_ends_once_and_leaves_nothing():
    child = Child(speaking("", first="time.sleep(3600)"))
    child.link.start(child.begun.set, lambda *end: (child.ends.append(end), child.ended.set()))
    child.link.close()
    assert child.end()[0] == "child_disconnected"
    assert child.link.join(SECONDS)
    assert len(child.ends) == 1
    assert not child.begun.is_set()


def test_the_start_has_a_time_of_its_own():
    row = {**speaking("", first="time.sleep(3600)"), "limits": {"start_timeout": 0.3}}
    with connected(row) as child:
        assert child.end() == ("child_timeout", "it did not answer in the time it has to start")


@pytest.mark.requirement("R110")
def test_a_child_lives_on_after_the_time_for_its_start():
    row = {
        **speaking("elif method == 'tools/call': answer(message, {'pid': os.getpid()})"),
        "limits": {"start_timeout": 1},
    }
    with connected(row) as child:
        first = child.call("t").result
        assert not child.ended.wait(1.2)
        assert child.call("t").result == first


def test_a_taker_that_raises_ends_nothing():
    class Raising(Kept):
        def answered(self, message):
            super().answered(message)
            raise ZeroDivisionError

    with connected(speaking("elif method == 'tools/call': answer(message, {})")) as child:
        raising = Raising()
        child.link.send(Errand("tools/call", {"name": "t"}, raising))
        child.link.flush()
        raising.end()
        assert child.call("t").result == {}


def test_a_taker_that_raises_when_it_is_told_of_a_loss_keeps_it_from_nobody():
    class Raising(Kept):
        def lost(self, reason, detail):
            super().lost(reason, detail)
            raise ZeroDivisionError

    with connected(speaking("elif method == 'tools/call': pass")) as child:
        takers = [Raising(), Kept(), Raising(), Kept()]
        for taker in takers:
            child.link.send(Errand("tools/call", {"name": "t"}, taker))
        child.link.close()
        assert [taker.end()[1] for taker in takers] == ["child_disconnected"] * 4
        assert child.end()


def test_a_child_that_ends_before_the_first_question_is_seen_at_once(monkeypatch):
    from generator.runtime.gateway import stdio_link

    real = stdio_link.settle

    def late(negotiation, send, until):
        until_over = time.monotonic() + SECONDS
        while child.link._over is None and child.link.state != "closed" and time.monotonic() < until_over:
            time.sleep(0.01)
        return real(negotiation, send, until)

    monkeypatch.setattr(stdio_link, "settle", late)
    child = Child({"command": [sys.executable, "-c", "pass"]})
    begun = time.monotonic()
    child.start()
    assert child.end() == ("child_disconnected", "it ended with exit status 0")
    assert time.monotonic() - begun < 5
    assert child.link.join(SECONDS)


def test_what_listens_is_lost_when_the_child_gives_it_up():
    body = """
    elif method == "subscriptions/listen":
        listening = message["id"]
        meta = {"io.modelcontextprotocol/subscriptionId": listening}
        send(method="notifications/subscriptions/acknowledged", params={"_meta": meta})
    elif method == "tools/call":
        send(method="notifications/cancelled", params={"requestId": listening})
        send(method="notifications/cancelled", params={"requestId": "other"})
        answer(message, {})
    """
    with connected(speaking(body, first=MODERN_ONLY)) as child:
        listening = child.ask("subscriptions/listen", {"notifications": {}})
        listening.heard()
        assert child.call("t").result == {}
        assert listening.end() == ("lost", "child_disconnected", "the child gave up the request")
        assert [method for method, _ in listening.notes] == ["notifications/subscriptions/acknowledged"]
        assert child.notifications == [("notifications/cancelled", {"requestId": "other"})]


def test_what_a_child_says_of_itself_may_not_be_as_long_as_what_it_answers():
    long = FIRST_BYTES + 1
    told = """
    if method == "initialize":
        answer(message, {**LEGACY, "instructions": "x" * %d})
    elif "id" in message and method == "server/discover":
        refuse(message, -32601, "Method not found")
    """
    with connected(speaking("", first=told % long)) as child:
        assert child.end() == ("child_parse_error", f"it wrote a message of more than {FIRST_BYTES} bytes")
    body = """
    elif method == "tools/call":
        answer(message, {"long": "x" * %d})
    """
    with connected(speaking(body % long)) as child:
        assert len(child.call("t").result["long"]) == long
