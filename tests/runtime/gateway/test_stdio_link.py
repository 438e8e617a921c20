"""Links to child processes: eras, calls, questions, the end."""

import os
import sys
import threading
import time

import pytest

from generator.runtime.gateway.errand import Errand
from generator.runtime.gateway.links import Ground
from tests.runtime.gateway.linking import CLIENT, SECONDS, Child, Kept, connected, speaking

MODERN_ONLY = """
if method == "initialize":
    refuse(message, -32022, "Unsupported protocol version", supported=["2026-07-28"])
elif method == "server/discover":
    answer(message, MODERN)
"""
ECHO = """
elif method == "tools/call":
    answer(message, {"content": [], "structuredContent": message["params"]})
"""


@pytest.mark.requirement("R013", "R110")
def test_a_legacy_child_gets_the_handshake_and_its_notification():
    body = """
    elif method == "notifications/initialized":
        seen = True
    elif method == "tools/call":
        answer(message, {"seen": seen, "params": message["params"]})
    """
    with connected(speaking(body)) as child:
        peer = child.link.peer
        assert (child.link.state, peer.era, peer.dialect.version) == ("ready", "legacy", "2025-11-25")
        assert (peer.server_info["name"], peer.capabilities) == ("legacy", {"tools": {}})
        assert child.call("t", {"a": 1}).result == {"seen": True, "params": {"name": "t", "arguments": {"a": 1}}}


@pytest.mark.requirement("R013", "R114")
def test_a_modern_only_child_gets_the_members_of_its_era_with_each_request():
    with connected(speaking(ECHO, first=MODERN_ONLY)) as child:
        assert (child.link.peer.era, child.link.peer.server_info["name"]) == ("modern", "modern")
        told = child.call("t", capabilities={"sampling": {}}).result["structuredContent"]
        assert told["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
        assert told["_meta"]["io.modelcontextprotocol/clientCapabilities"] == {"sampling": {}}
        assert told["_meta"]["io.modelcontextprotocol/clientInfo"] == CLIENT


@pytest.mark.requirement("R013")
def test_a_child_that_dies_of_an_unknown_first_message_is_restarted_and_initialized():
    body = """
    elif method == "tools/call":
        answer(message, {"pid": os.getpid()})
    """
    first = """
    if method == "initialize":
        answer(message, LEGACY)
    elif method == "server/discover":
        os._exit(3)
    """
    with connected(speaking(body, first=first)) as child:
        assert (child.link.state, child.link.peer.era) == ("ready", "legacy")
        assert child.call("t").result["pid"] > 0


@pytest.mark.requirement("R013")
def test_a_child_that_keeps_silent_about_what_it_does_not_know_is_initialized(monkeypatch):
    monkeypatch.setattr("generator.runtime.gateway.settling.PROBE_SECONDS", 0.3)
    first = """
    if method == "initialize":
        answer(message, LEGACY)
    """
    with connected(speaking("", first=first)) as child:
        assert (child.link.state, child.link.peer.era) == ("ready", "legacy")


def test_the_era_of_a_command_is_remembered():
    body = """
    elif method == "tools/call":
        answer(message, {"asked": asked})
    """
    first = """
    asked = (asked if "asked" in globals() else []) + [method]
    if method == "initialize":
        answer(message, LEGACY)
    elif method == "server/discover":
        refuse(message, -32601, "no")
    """
    row = speaking(body, first=first)
    ground = Ground("/nowhere", client=CLIENT)
    with connected(row, ground=ground) as child:
        assert child.call("t").result["asked"][:2] == ["server/discover", "initialize"]
    with connected(row, ground=ground) as child:
        assert child.call("t").result["asked"][0] == "initialize"


@pytest.mark.requirement("R112", "R113")
def test_many_calls_are_in_flight_and_answered_in_any_order():
    body = """
    elif method == "tools/call":
        waiting = (waiting if "waiting" in globals() else []) + [message]
        if len(waiting) == 8:
            for each in waiting[::-1]:
                answer(each, {"number": each["params"]["arguments"]["number"]})
    """
    with connected(speaking(body)) as child:
        takers = [Kept() for _ in range(8)]
        for number, taker in enumerate(takers):
            params = {"name": "t", "arguments": {"number": number}}
            child.link.send(Errand("tools/call", params, taker))
        child.link.flush()
        assert [taker.result["number"] for taker in takers] == list(range(8))


@pytest.mark.requirement("R113")
def test_what_a_child_asks_is_answered_whatever_its_id():
    body = """
    elif method == "tools/call":
        held = message
        replies = []
        for what in ("ping", "roots/list", "sampling/createMessage", "wrong/method"):
            send(id=message["id"], method=what, params={})
    elif method is None:
        replies.append(message.get("result", message.get("error")))
        if len(replies) == 4:
            answer(held, {"replies": replies})
    """
    child = Child(speaking(body))
    child.link.on_request = lambda identifier, method, params: child.link.reply(identifier, {"for": method})
    try:
        replies = child.start().call("t").result["replies"]
    finally:
        child.link.close()
        assert child.link.join(SECONDS)
    assert replies[:3] == [{}, {"for": "roots/list"}, {"for": "sampling/createMessage"}]
    assert replies[3]["code"] == -32601


def test_a_modern_child_has_nothing_to_ask():
    body = """
    elif method == "tools/call":
        held = message
        send(id=1, method="roots/list")
    elif method is None:
        answer(held, {"reply": message["error"]["code"]})
    """
    with connected(speaking(body, first=MODERN_ONLY)) as child:
        child.link.on_request = lambda *_: pytest.fail("nobody is to be asked")
        assert child.call("t").result == {"reply": -32601}


def test_progress_goes_to_its_errand_and_the_rest_to_whoever_listens():
    body = """
    elif method == "tools/call":
        token = message["params"]["_meta"]["progressToken"]
        send(method="notifications/progress", params={"progressToken": token, "progress": 1})
        send(method="notifications/progress", params={"progressToken": "other", "progress": 1})
        send(method="notifications/tools/list_changed")
        answer(message, {})
    """
    with connected(speaking(body)) as child:
        taker = child.call("t", wants_progress=True)
        assert taker.result == {}
        assert taker.notes == [("notifications/progress", {"progressToken": taker.errand.id, "progress": 1})]
        assert child.notifications == [("notifications/tools/list_changed", {})]


def test_a_change_said_many_times_in_one_breath_is_heard_a_few_times():
    body = """
    elif method == "tools/call":
        line = json.dumps({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}) + "\\n"
        sys.stdout.write(line * 1000)
        answer(message, {})
    """
    with connected(speaking(body)) as child:
        assert child.call("t").result == {}
        assert 1 <= len(child.notifications) <= 50


def test_a_cancelled_errand_is_told_to_the_child_and_has_no_end():
    body = """
    elif method == "tools/call" and message["params"]["name"] == "slow":
        slow = message
    elif method == "notifications/cancelled":
        told = message["params"]
        answer(slow, {"late": True})
    elif method == "tools/call":
        answer(message, told)
    """
    with connected(speaking(body)) as child:
        slow = child.call("slow")
        child.link.cancel(slow.errand, "nobody waits")
        assert child.call("quick").result == {"requestId": slow.errand.id, "reason": "nobody waits"}
        assert slow.ends == []
        assert child.link.peer.unmatched == 1
    assert slow.ends == []


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


def test_a_child_gets_the_plain_variables_and_those_its_row_names():
    body = """
    elif method == "tools/call":
        answer(message, {"environment": dict(os.environ), "argv": sys.argv, "cwd": os.getcwd(),
                         "session": os.getsid(0) == os.getpid()})
    """
    row = speaking(body)
    row = {
        **row,
        "command": ["${python}", *row["command"][1:], "${WORD} of ${base}"],
        "env": ["MINE"],
        "cwd": "${base}",
    }
    variables = {"PATH": os.environ["PATH"], "MINE": "1", "OTHERS_TOKEN": "secret", "WORD": "a; $(b) `c`"}
    with connected(row, ground=Ground("/tmp", client=CLIENT, environment=variables)) as child:
        told = child.call("t").result
    assert {name: told["environment"].get(name) for name in variables} == {
        "PATH": os.environ["PATH"],
        "MINE": "1",
        "OTHERS_TOKEN": None,
        "WORD": None,
    }
    assert told["argv"][1:] == ["a; $(b) `c` of /tmp"]
    assert (told["cwd"], told["session"]) == (os.path.realpath("/tmp"), True)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"command": ["/no/such/program"]}, "/no/such/program could not be started"),
        ({"command": [sys.executable], "cwd": "/no/such/folder"}, "could not be started"),
        ({"command": ["${NOT_SET}"]}, "the environment variable NOT_SET is not set"),
    ],
)
def test_what_cannot_be_started_says_why(row, said):
    with connected(row) as child:
        reason, detail = child.end()
        assert reason == "cli_unavailable"
        assert said in detail


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


def test_a_pause_is_told_after_a_burst_and_not_after_each_message():
    with connected(speaking("elif method == 'tools/call': answer(message, {})")) as child:
        pauses = []
        child.link.on_pause = lambda: pauses.append(1)
        takers = [Kept() for _ in range(200)]
        for taker in takers:
            child.link.send(Errand("tools/call", {"name": "t"}, taker))
        child.link.flush()
        for taker in takers:
            assert taker.result == {}
        assert 1 <= len(pauses) <= 200


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


def test_senders_on_many_threads_get_their_own_answers():
    with connected(speaking("elif method == 'tools/call': answer(message, message['params']['arguments'])")) as child:
        wrong = []

        def work(name):
            for number in range(50):
                given = {"name": name, "number": number}
                if child.call("t", given).result != given:
                    wrong.append(given)

        threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SECONDS)
        assert (wrong, any(thread.is_alive() for thread in threads)) == ([], False)


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


def test_a_legacy_child_that_takes_back_a_question_ends_no_errand_of_the_same_number():
    body = """
    elif method == "tools/call":
        send(id=message["id"], method="roots/list")
        send(method="notifications/cancelled", params={"requestId": message["id"]})
        answer(message, {})
    """
    child = Child(speaking(body))
    child.link.on_request = lambda *_: None
    try:
        taker = child.start().call("t")
        assert taker.result == {}
        assert child.notifications == [("notifications/cancelled", {"requestId": taker.errand.id})]
    finally:
        child.link.close()
        assert child.link.join(SECONDS)
