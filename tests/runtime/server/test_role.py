"""The role that one thread holds at a time: whoever loses it is told so, and nobody else."""

from __future__ import annotations

import threading

import pytest

from generator.runtime.server.role import Role

SECONDS = 20


class Call:
    """Stands for a call; nothing of it is looked at."""


class Holder:
    """A role, and what the thread that is given it does: run a call until it may end, and say whether it kept it."""

    def __init__(self):
        self.role = Role(self._serve)
        self.call = Call()
        self.begun, self.may_end, self.ended = threading.Event(), threading.Event(), threading.Event()
        self.kept = None

    def _serve(self):
        self.role.hold()
        self.role.begin(self.call)
        self.begun.set()
        assert self.may_end.wait(SECONDS)
        self.kept = self.role.end(self.call)
        self.ended.set()


@pytest.fixture
def other():
    holder = Holder()
    holder.role.hold()
    yield holder
    holder.may_end.set()


def test_a_call_that_ends_in_time_leaves_the_role_where_it_is(other):
    call = Call()
    other.role.begin(call)
    assert other.role.end(call)
    assert other.role.is_mine()
    assert not other.role.pass_on(call)
    assert other.role.is_mine()
    assert not other.begun.is_set()


def test_a_slow_call_that_ends_while_the_next_holder_runs_one_ends_only_itself(other):
    slow = Call()
    other.role.begin(slow)
    assert other.role.pass_on(slow)
    assert not other.role.is_mine()
    assert other.begun.wait(SECONDS)
    assert not other.role.end(slow)
    assert other.role.running is other.call
    other.may_end.set()
    assert other.ended.wait(SECONDS)
    assert other.kept is True


def test_the_role_is_not_taken_for_a_call_that_has_ended_since(other):
    seen, now = Call(), Call()
    other.role.begin(seen)
    assert other.role.end(seen)
    other.role.begin(now)
    assert not other.role.pass_on(seen)
    assert other.role.end(now)


def test_a_holder_in_trouble_runs_nothing_any_more_and_cannot_lose_the_role_for_it(other):
    call = Call()
    other.role.begin(call)
    assert other.role.keep()
    assert not other.role.pass_on(call)
    assert other.role.is_mine()


def test_a_thread_in_trouble_after_it_lost_the_role_changes_nothing(other):
    slow = Call()
    other.role.begin(slow)
    assert other.role.pass_on(slow)
    assert other.begun.wait(SECONDS)
    assert not other.role.keep()
    assert other.role.running is other.call


def test_without_a_thread_the_role_stays(other, monkeypatch):
    call = Call()
    other.role.begin(call)

    def refused(*_):
        raise RuntimeError

    monkeypatch.setattr("generator.runtime.server.role.start_new_thread", refused)
    with pytest.raises(RuntimeError):
        other.role.pass_on(call)
    assert other.role.is_mine()
    assert other.role.end(call)


def test_of_an_end_and_a_hand_over_at_once_exactly_one_succeeds():
    for _ in range(300):
        role = Role(lambda: None)
        role.hold()
        call, ready, passed = Call(), threading.Barrier(2), []
        role.begin(call)

        def take(role=role, call=call, ready=ready, passed=passed):
            ready.wait(SECONDS)
            passed.append(role.pass_on(call))

        watch = threading.Thread(target=take)
        watch.start()
        ready.wait(SECONDS)
        kept = role.end(call)
        watch.join(SECONDS)
        assert [not kept] == passed
        assert role.is_mine() is kept


def test_something_is_done_about_a_call_only_while_it_runs(other):
    call, done = Call(), []
    other.role.while_running(call, done.append)
    other.role.begin(call)
    other.role.while_running(Call(), done.append)
    assert done == []
    other.role.while_running(call, done.append)
    assert done == [call]
    other.role.end(call)
    other.role.while_running(call, done.append)
    assert done == [call]


# -- a call under another name


def test_what_runs_goes_by_another_name_only_while_it_runs(other):
    ticket, call, made = Call(), Call(), []

    def make():
        made.append(call)
        return call

    assert other.role.replace(ticket, make) is None
    other.role.begin(ticket)
    assert other.role.replace(Call(), make) is None
    assert made == []
    assert other.role.replace(ticket, make) is call
    assert other.role.running is call
    assert not other.role.end(ticket)
    assert not other.role.pass_on(ticket)
    assert other.role.end(call)
    assert other.role.running is None
    assert other.role.replace(call, make) is None


def test_what_cannot_be_made_leaves_what_runs_as_it_is(other):
    ticket = Call()
    other.role.begin(ticket)
    with pytest.raises(ZeroDivisionError):
        other.role.replace(ticket, lambda: 1 // 0)
    assert other.role.running is ticket
    assert other.role.end(ticket)


def test_who_ends_waits_for_what_is_done_about_its_call(other):
    ticket, call, inside, may_end = Call(), Call(), threading.Event(), threading.Event()
    found = []

    def make():
        inside.set()
        assert may_end.wait(SECONDS)
        return call

    other.role.begin(ticket)
    watch = threading.Thread(target=lambda: found.append(other.role.replace(ticket, make)))
    watch.start()
    assert inside.wait(SECONDS)
    timer = threading.Timer(0.05, may_end.set)
    timer.start()
    assert not other.role.end(ticket)
    assert may_end.is_set()
    watch.join(SECONDS)
    assert found == [call]
    assert other.role.end(call)


def test_of_an_end_and_another_name_at_once_exactly_one_succeeds():
    for _ in range(300):
        role = Role(lambda: None)
        role.hold()
        ticket, call, ready, named = Call(), Call(), threading.Barrier(2), []
        role.begin(ticket)

        def name(role=role, ticket=ticket, call=call, ready=ready, named=named):
            ready.wait(SECONDS)
            named.append(role.replace(ticket, lambda: call))

        watch = threading.Thread(target=name)
        watch.start()
        ready.wait(SECONDS)
        ended = role.end(ticket)
        watch.join(SECONDS)
        assert named == [None if ended else call]
        assert role.end(call) is not ended
