"""Waiting for sockets: with epoll and with what `selectors` has elsewhere, the same is told."""

from __future__ import annotations

import os
import select
import socket

import pytest

from generator.runtime.server.http_sockets import READ, WRITE, Waits


@pytest.fixture(params=["epoll", "elsewhere"])
def waits(request, monkeypatch):
    made = select.epoll if hasattr(select, "epoll") else None
    if request.param == "elsewhere":
        monkeypatch.setattr(select, "epoll", made, raising=False)
        monkeypatch.delattr(select, "epoll")
    elif made is None:
        pytest.skip("there is no epoll here")
    found = Waits()
    yield found
    (found._epoll or found._others).close()


@pytest.fixture
def pair():
    one, other = socket.socketpair()
    with one, other:
        for each in (one, other):
            each.setblocking(False)
        yield one, other


def test_what_can_be_read_or_written_is_told(waits, pair):
    one, other = pair
    waits.add(one, READ, "reader")
    waits.add(other, WRITE, "writer")
    assert waits.ready(0) == [("writer", WRITE)]
    other.send(b"x")
    assert sorted(waits.ready(0)) == [("reader", READ), ("writer", WRITE)]
    waits.remove(other)
    waits.remove(other)
    assert waits.ready(0) == [("reader", READ)]
    assert (waits.has(one), waits.has(other)) == (True, False)


def test_what_was_not_asked_for_is_not_told(waits, pair):
    one, other = pair
    waits.add(one, WRITE, "writer")
    other.send(b"x")
    other.close()  # both ends of it are over now
    assert waits.ready(0) == [("writer", WRITE)]


def test_the_other_ends_end_is_something_to_read(waits, pair):
    one, other = pair
    waits.add(one, READ, "reader")
    other.close()
    assert waits.ready(0) == [("reader", READ)]


def test_a_socket_that_somebody_closed_is_forgotten_without_trouble(waits, pair):
    one, _ = pair
    waits.add(one, READ, "reader")
    os.close(one.fileno())
    waits.remove(one)
    assert not waits.has(one)
    one.detach()
    assert waits.ready(0) == []


def test_nothing_is_told_where_nothing_is_waited_for(waits):
    assert waits.ready(0) == []
