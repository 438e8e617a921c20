"""Bytes for a child's standard input: in order, whole, and never waited for."""

import os
import random
import threading
import time

import pytest

from generator.runtime.gateway import outbox
from generator.runtime.gateway.outbox import Outbox
from tests.runtime.gateway.linking import SECONDS


@pytest.fixture
def pipe():
    reading, writing = os.pipe()
    box = Outbox(os.fdopen(writing, "wb", buffering=0))
    yield reading, box
    box.close()
    os.close(reading)


def read(descriptor, count):
    """Read so many bytes, or what comes before the end."""
    parts = []
    while count > 0 and (part := os.read(descriptor, min(count, 70_000))):
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


@pytest.mark.parametrize("seed", range(5))
def test_whatever_the_sizes_every_byte_arrives_in_order(pipe, seed):
    descriptor, box = pipe
    chance = random.Random(seed)
    messages = [bytes([number % 256]) * chance.choice([1, 10, 1000, 65_536, 300_000]) for number in range(700)]
    expected = b"".join(messages)
    found = []
    reader = threading.Thread(target=lambda: found.append(read(descriptor, len(expected))))
    reader.start()
    for message in messages:
        while not box.put(message):
            box.flush()
            time.sleep(0.001)
        if chance.random() < 0.5:
            box.flush()
    box.flush()
    reader.join(SECONDS)
    assert not reader.is_alive()
    assert found == [expected]


def test_many_small_messages_leave_with_few_calls_and_whole(pipe, monkeypatch):
    descriptor, box = pipe
    calls = []
    real = os.writev
    monkeypatch.setattr(outbox.os, "writev", lambda *given: calls.append(1) or real(*given))
    for number in range(1000):
        box.put(b"%04d" % number)
    box.flush()
    assert read(descriptor, 4000) == b"".join(b"%04d" % number for number in range(1000))
    assert len(calls) == -(-1000 // outbox.HANDFUL)


def test_a_handful_of_messages_leaves_while_the_rest_of_a_burst_is_still_read(pipe):
    descriptor, box = pipe
    for _ in range(outbox.HANDFUL + 3):
        box.put(b"x")
    os.set_blocking(descriptor, False)
    assert os.read(descriptor, 100) == b"x" * outbox.HANDFUL
    with pytest.raises(BlockingIOError):
        os.read(descriptor, 100)
    box.flush()
    assert os.read(descriptor, 100) == b"xxx"


def test_what_is_too_much_is_refused_until_something_was_read(pipe, monkeypatch):
    monkeypatch.setattr(outbox, "MAX_WAITING_BYTES", 200_000)
    descriptor, box = pipe
    given = 0
    while box.put(b"x" * 10_000):
        box.flush()
        given += 10_000
    assert 200_000 <= given <= 300_000
    assert read(descriptor, given) == b"x" * given
    until = time.monotonic() + SECONDS
    while not box.put(b"y") and time.monotonic() < until:
        time.sleep(0.01)
    box.flush()
    assert read(descriptor, 1) == b"y"


def test_nothing_is_kept_for_a_reader_that_has_gone():
    reading, writing = os.pipe()
    box = Outbox(os.fdopen(writing, "wb", buffering=0))
    os.close(reading)
    for _ in range(100):
        assert box.put(b"x" * 1_000_000)
        box.flush()
    assert box._size == 0
    box.close()
    assert box.put(b"after")
    box.flush()
    assert box._size == 0


def test_closing_ends_the_input_while_much_waits(pipe):
    descriptor, box = pipe
    box.put(b"x" * 5_000_000)
    box.flush()
    box.close()
    arrived = read(descriptor, 5_000_000)
    assert 0 < len(arrived) < 5_000_000


def test_what_no_thread_could_be_started_for_leaves_with_a_later_flush(pipe, monkeypatch):
    descriptor, box = pipe
    message = b"x" * 1_000_000

    def refuse(*_):
        raise RuntimeError

    with monkeypatch.context() as without_threads:
        without_threads.setattr(outbox, "start_new_thread", refuse)
        assert box.put(message)
        box.flush()
    box.flush()
    assert read(descriptor, len(message)) == message
