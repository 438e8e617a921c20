"""What a stream of changes does with a connection: a connection of the test's own, nothing real."""

from __future__ import annotations

import pytest

from generator.runtime.server import http_limits as limits
from generator.runtime.server.http_changes import Changes
from generator.runtime.server.http_events import COMMENT
from generator.runtime.server.http_listening import listen
from generator.runtime.server.http_problem import RpcProblem
from generator.runtime.server.hub import ENDING
from tests.http_client import event

from .offering import Server

TOOLS, PROMPTS = ("tools", ""), ("prompts", "")
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Connection:
    """Keeps what is sent; `fails` breaks it as soon as its stream begins."""

    def __init__(self, *, fails=False):
        self.occupant = None
        self.sent: list[bytes] = []
        self.state = "new"
        self.unsent = 0
        self.fails = fails

    def begin_stream(self, head, headers=()):
        self.state = "open"
        if self.fails:
            self.drop()

    def push(self, data):
        if self.state == "open":
            self.sent.append(data)

    def end_stream(self):
        self.state, self.occupant = "ended", None

    def drop(self):
        occupant, self.occupant = self.occupant, None
        self.state = "dropped"
        if occupant is not None:
            occupant.lost()


class Request:
    class verdict:  # noqa: N801 # stands for an object
        cors = ()
        events = True

    head = None
    principal = None


def ids(connection):
    return [event(block).id for data in connection.sent for block in data.decode().split("\n\n")[:-1]]


def test_a_session_keeps_one_notification_of_each_change():
    changes = Changes(primes=True)
    for number in range(100):
        changes.take(b'{"n":%d}\n' % number, TOOLS)
        changes.take(b'{"p":%d}\n' % number, PROMPTS)
    assert len(changes._kept) == 2
    connection = Connection()
    changes.connect(connection, Request(), None)
    assert ids(connection) == ["0-0", "0-199", "0-200"]
    assert b'{"n":99}' in connection.sent[1]


def test_a_stream_that_fails_while_it_begins_is_not_listened_on():
    changes = Changes(primes=True)
    connection = Connection(fails=True)
    changes.connect(connection, Request(), None)
    assert not changes.is_heard()


def test_the_streams_of_a_session_are_bounded():
    changes = Changes(primes=False)
    connections = [Connection() for _ in range(limits.MAX_LISTENERS + 1)]
    for each in connections:
        changes.connect(each, Request(), None)
    assert [each.state for each in connections] == ["ended", *["open"] * limits.MAX_LISTENERS]
    changes.end()
    assert {each.state for each in connections} == {"ended"}


def test_a_slow_reader_is_dropped_and_the_one_before_it_is_told_what_comes_next():
    changes = Changes(primes=False)
    slow, other = Connection(), Connection()
    changes.connect(other, Request(), None)
    changes.connect(slow, Request(), None)
    slow.unsent = limits.MAX_CHANGE_BYTES + 1
    changes.take(b"{}\n", TOOLS)
    assert slow.state == "dropped"
    changes.take(b"{}\n", TOOLS)
    assert len(other.sent) == 1


@pytest.fixture
def core(monkeypatch):
    made = Server(monkeypatch)
    made.prompt(lambda_of)
    made.changes("prompts")
    return made.session


def lambda_of():
    return "x"


MESSAGE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "subscriptions/listen",
    "params": {"_meta": META, "notifications": {"promptsListChanged": True}},
}


def test_a_silent_stream_gets_comments(core):
    connection, among = Connection(), set()
    assert listen(connection, Request(), core, MESSAGE, among) is None
    connection.occupant.keep_alive()
    changes = Changes(primes=False)
    other = Connection()
    changes.connect(other, Request(), None)
    other.occupant.keep_alive()
    assert connection.sent[-1] == other.sent[-1] == COMMENT


def test_a_listener_that_is_lost_leaves_nothing_behind(core):
    for connection in (Connection(), Connection(fails=True)):
        among = set()
        core.listening = None
        listen(connection, Request(), core, MESSAGE, among)
        connection.drop()
        assert among == set()
        assert core.catalog.hub._wanted == {}


def test_a_listener_that_reads_slowly_is_dropped(core):
    connection, among = Connection(), set()
    listen(connection, Request(), core, MESSAGE, among)
    connection.unsent = limits.MAX_CHANGE_BYTES + 1
    core.catalog.hub.publish("prompts")
    assert (connection.state, among, core.catalog.hub._wanted) == ("dropped", set(), {})


def test_the_end_is_told_and_ends_the_stream(core):
    connection, among = Connection(), set()
    listen(connection, Request(), core, MESSAGE, among)
    core.catalog.hub.end()
    assert (connection.state, among) == ("ended", set())
    assert event(connection.sent[-1].decode().strip()).json["result"]["resultType"] == "complete"


def test_there_is_room_for_so_many(core):
    with pytest.raises(RpcProblem) as caught:
        listen(Connection(), Request(), core, MESSAGE, set(range(limits.MAX_LISTENING)))
    assert (caught.value.status, caught.value.headers[0][0]) == (503, "Retry-After")


def test_a_refused_listen_request_opens_nothing(core):
    connection, among = Connection(), set()
    wrong = {**MESSAGE, "params": {"_meta": META, "notifications": 1}}
    assert b"-32602" in listen(connection, Request(), core, wrong, among)
    assert (connection.state, among) == ("new", set())


def test_the_ending_is_a_topic_of_its_own():
    assert ENDING not in (TOOLS, PROMPTS)
