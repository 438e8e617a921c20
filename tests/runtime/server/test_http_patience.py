"""How long the HTTP server waits, and for how many: connections, sessions and streams on a clock of the test's own."""

from __future__ import annotations

import socket
from types import SimpleNamespace

import pytest

from generator.runtime.server import http_limits as limits
from generator.runtime.server.http_answers import Dates
from generator.runtime.server.http_connection import Connection
from generator.runtime.server.http_reader import KnownHeads
from generator.runtime.server.http_request import Request
from generator.runtime.server.http_rules import Rules
from generator.runtime.server.http_server import HttpServer
from generator.runtime.server.http_sessions import Sessions
from generator.runtime.server.http_tokens import Principal
from generator.runtime.server.session import Session
from tests.http_client import event

HEAD = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"


class Occupant:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.is_lost = False
        connection.occupant = self

    def lost(self) -> None:
        self.is_lost = True

    def keep_alive(self) -> None:
        self.connection.push(b":\n\n")


class Server:
    """Stands for a server and its endpoint; its clock goes as the test says."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.stopping = False
        self.body_limit = 1000
        self.heads = KnownHeads()
        self.keep_alive_seconds = limits.KEEP_ALIVE_SECONDS
        self.endpoint = self
        self.straight = None
        self.rules = Rules("/mcp", limit=1000)
        self.forgotten = False
        self.large_bodies = 0
        self.occupant: Occupant | None = None

    def date(self) -> bytes:
        return Dates().line(self.now)

    def hold(self, _: Connection, now: float) -> bool:
        return False

    def watch(self, _: Connection) -> None:
        pass

    def count_unsent(self, size: int) -> None:
        self.unsent = getattr(self, "unsent", 0) + size

    def forget(self, _: Connection) -> None:
        self.forgotten = True

    def admit(self, head):
        return Request(head, self.rules.judge(head), None)

    def handle(self, connection, head, request, body):
        self.occupant = Occupant(connection)
        connection.begin_stream(head)
        return True


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def pair(server):
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.settimeout(5)
    with ours, theirs:
        yield Connection(server, ours), theirs


def later(server, connection, seconds):
    server.now += seconds
    connection.look(server.now)


def test_a_head_that_does_not_end_is_told_so(server, pair):
    connection, client = pair
    later(server, connection, limits.HEAD_SECONDS - 1)
    client.sendall(HEAD[:10])
    connection.readable()
    later(server, connection, limits.HEAD_SECONDS - 1)
    client.sendall(HEAD[10:20])
    connection.readable()
    assert not server.forgotten
    later(server, connection, 2)
    assert client.recv(100).startswith(b"HTTP/1.1 408 ")


def test_a_connection_without_a_request_ends_silently(server, pair):
    connection, client = pair
    later(server, connection, limits.HEAD_SECONDS + 1)
    assert server.forgotten
    assert client.recv(100) == b""


def test_a_body_has_its_own_time(server, pair):
    connection, client = pair
    client.sendall(HEAD + b"{")
    connection.readable()
    later(server, connection, limits.BODY_SECONDS - 1)
    assert not server.forgotten
    later(server, connection, 2)
    assert client.recv(100).startswith(b"HTTP/1.1 408 ")


def test_a_silent_stream_gets_comments_and_is_not_ended(server, pair):
    connection, client = pair
    client.sendall(HEAD + b"{}")
    connection.readable()
    head = client.recv(1000)
    assert b"text/event-stream" in head
    for _ in range(3):
        later(server, connection, limits.KEEP_ALIVE_SECONDS + 1)
        assert client.recv(100) == b"3\r\n:\n\n\r\n"
    assert not server.forgotten


def test_a_client_that_takes_nothing_is_left(server, pair):
    connection, client = pair
    client.sendall(HEAD + b"{}")
    connection.readable()
    connection.push(b"x" * 4_000_000)
    assert connection.unsent
    later(server, connection, limits.SEND_SECONDS - 1)
    assert not server.forgotten
    later(server, connection, 2)
    assert server.forgotten
    assert server.occupant.is_lost


def test_what_waits_for_a_client_is_bounded(server, pair, monkeypatch):
    monkeypatch.setattr("generator.runtime.server.http_sending.MAX_UNSENT_BYTES", 2_000_000)
    connection, client = pair
    client.sendall(HEAD + b"{}")
    connection.readable()
    for _ in range(5):
        connection.push(b"x" * 1_000_000)
    assert server.forgotten
    assert server.occupant.is_lost


class Waiting:
    def __init__(self, unsent: int) -> None:
        self.unsent = unsent
        self.is_dropped = False

    def drop(self) -> None:
        self.unsent, self.is_dropped = 0, True


def test_what_waits_for_all_clients_is_bounded_and_the_slowest_go(monkeypatch):
    monkeypatch.setattr(limits, "MAX_ALL_UNSENT_BYTES", 100)
    clients = [Waiting(70), Waiting(20), Waiting(60)]
    server = SimpleNamespace(_unsent=0, _connections=set(clients))
    HttpServer.count_unsent(server, 90)
    assert not any(each.is_dropped for each in clients)
    HttpServer.count_unsent(server, 20)
    assert [each.is_dropped for each in clients] == [True, False, False]
    HttpServer.count_unsent(server, 15)
    assert [each.is_dropped for each in clients] == [True, False, False]


def test_whatever_waits_for_a_client_is_counted(server, pair):
    connection, client = pair
    client.sendall(HEAD + b"{}")
    connection.readable()
    connection.push(b"x" * 4_000_000)
    connection.push(b"x" * 100)
    assert server.unsent == connection.unsent > 0


def test_an_idle_connection_ends_after_its_time(server, pair):
    connection, client = pair
    client.sendall(HEAD + b"{}")
    connection.readable()
    connection.end_stream()
    later(server, connection, limits.IDLE_SECONDS - 1)
    assert not server.forgotten
    later(server, connection, 2)
    assert server.forgotten


def test_large_bodies_are_counted_and_too_many_refused(server, pair):
    connection, client = pair
    server.large_bodies = limits.MAX_LARGE_BODIES - 1
    chunked = HEAD.replace(b"Content-Length: 2", b"Transfer-Encoding: chunked")
    client.sendall(chunked)
    connection.readable()
    assert server.large_bodies == limits.MAX_LARGE_BODIES
    client.sendall(b"2\r\n{}\r\n0\r\n\r\n")
    connection.readable()
    assert server.large_bodies == limits.MAX_LARGE_BODIES - 1
    connection.end_stream()
    client.recv(1000)
    server.large_bodies += 1
    client.sendall(chunked)
    connection.readable()
    answer = client.recv(1000)
    assert answer.startswith(b"HTTP/1.1 503 ")
    assert b"Retry-After: 1\r\n" in answer
    connection.drop()
    assert server.large_bodies == limits.MAX_LARGE_BODIES


# -- sessions


class NoCatalog:
    """A catalog of which nothing is asked."""


def sessions():
    ids = iter(range(10_000))
    return Sessions(lambda: f"id-{next(ids)}")


def core():
    return Session(NoCatalog())


def test_a_session_ends_after_silence_but_not_while_it_is_used():
    all_sessions = sessions()
    used, silent = all_sessions.open(core(), None, 0.0), all_sessions.open(core(), None, 0.0)
    assert all_sessions.find(used.id, None, limits.SESSION_SECONDS - 1) is used
    assert all_sessions.sweep(limits.SESSION_SECONDS + 1) == [silent]
    assert all_sessions.find(silent.id, None, limits.SESSION_SECONDS + 1) is None
    assert all_sessions.find(used.id, None, 3 * limits.SESSION_SECONDS) is None


def test_the_session_that_was_silent_longest_gives_way():
    all_sessions = sessions()
    first, second = all_sessions.open(core(), None, 0.0), all_sessions.open(core(), None, 0.0)
    for number in range(limits.MAX_SESSIONS - 2):
        all_sessions.open(core(), None, float(number))
    assert all_sessions.find(first.id, None, 5000.0) is None or len(all_sessions) <= limits.MAX_SESSIONS
    kept = all_sessions.find(second.id, None, 1.0)
    all_sessions.open(core(), None, 1.0)
    assert len(all_sessions) <= limits.MAX_SESSIONS
    assert all_sessions.find(second.id, None, 1.0) is kept


def test_a_session_is_found_by_its_principal_only():
    all_sessions = sessions()
    owner, other = Principal("ada", frozenset()), Principal("ada", frozenset())
    session = all_sessions.open(core(), owner, 0.0)
    assert all_sessions.find(session.id, owner, 0.0) is session
    assert all_sessions.find(session.id, other, 0.0) is None
    assert all_sessions.find(session.id, None, 0.0) is None


def test_the_streams_of_a_session_are_bounded_and_ended_ones_go_first():
    session = sessions().open(core(), None, 0.0)
    streams = [session.stream() for _ in range(limits.MAX_STREAMS)]
    streams[5].ended = True
    newest = session.stream()
    assert 6 not in session.streams
    assert session.streams[newest.number] is newest
    assert len(session.streams) == limits.MAX_STREAMS
    assert event(streams[0].begin().decode().strip()).id == "1-0"
