"""How slowly a child is read that says very much."""

from __future__ import annotations

import pytest

from generator.runtime.gateway import restraint
from generator.runtime.gateway.restraint import Restraint


@pytest.fixture
def rests(monkeypatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(restraint, "sleep", found.append)
    monkeypatch.setattr(restraint, "monotonic", lambda: 1.0)
    return found


def test_a_few_messages_cost_nothing_many_are_let_gather_and_very_many_wait_long(rests):
    of = Restraint()
    assert not of.rest(restraint.MURMUR)
    assert rests == []
    assert not of.rest(1)
    assert rests == [restraint.GATHER_SECONDS]
    assert of.rest(restraint.MAX_NOISE)
    assert rests[1:] == [restraint.REST_SECONDS]


def test_an_answer_ends_the_count(rests):
    of = Restraint()
    of.rest(restraint.MAX_NOISE)
    rests.clear()
    of.rest(0)
    assert not of.rest(restraint.MURMUR)
    assert rests == []


def test_a_long_message_is_read_in_pieces_with_rests_until_it_ends(rests):
    of = Restraint()
    of.go_on(restraint.LONG_BYTES)
    assert rests == []
    of.go_on(1)
    of.go_on(1)
    assert rests == [restraint.PIECE_SECONDS] * 2
    of.rest(0)
    of.go_on(restraint.LONG_BYTES)
    assert len(rests) == 2
