"""Links to child processes: eras, calls, questions, and what a child gets."""

import os
import threading

import pytest

from generator.runtime.gateway.errand import Errand
from generator.runtime.gateway.links import Ground
from tests.runtime.gateway.linking import CLIENT, MODERN_ONLY, SECONDS, Child, Kept, connected, speaking

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
