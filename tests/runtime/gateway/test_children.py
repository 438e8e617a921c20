"""The life of children: started by a call, limited, retried, left alone after failures, ended when nobody calls."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.breaker import DEAD_AFTER, DEAD_PAUSE, FIRST_PAUSE, LONGEST_PAUSE, Breaker
from generator.runtime.gateway.child import HUNG_AFTER, MAX_WAITING
from tests.runtime.gateway.faking import Family, Outcome
from tests.runtime.server.serving import waited_for


def test_a_child_is_started_by_its_first_call_and_kept_for_the_next() -> None:
    family = Family("a", "b")
    first = family.call("a")
    assert [len(links) for links in family.links.values()] == [1, 0]
    assert not first.over
    link = family.ready("a")
    link.answer()
    second = family.call("a")
    link.answer()
    assert (len(first.answers), len(second.answers)) == (1, 1)
    assert len(family.links["a"]) == 1


def test_calls_wait_in_order_while_their_child_starts_and_no_more_than_a_bound() -> None:
    family = Family("a", max_concurrent=MAX_WAITING)
    waiting = [family.call("a") for _ in range(MAX_WAITING)]
    refused = family.call("a")
    assert refused.losses == [("child_busy", "")]
    link = family.ready("a")
    link.answer(MAX_WAITING)
    assert all(len(each.answers) == 1 for each in waiting)


@pytest.mark.requirement("R110")
def test_a_start_that_fails_tells_every_call_that_waits() -> None:
    family = Family("a")
    waiting = [family.call("a") for _ in range(3)]
    family.links["a"][0].die("it ended with exit status 1")
    assert [each.losses for each in waiting] == [[("child_disconnected", "it ended with exit status 1")]] * 3


def test_a_child_has_no_more_calls_at_once_than_its_limit() -> None:
    family = Family("a", max_concurrent=2)
    calls = [family.call("a") for _ in range(5)]
    link = family.ready("a")
    assert len(link.sent) == 2
    link.answer()
    assert len(link.sent) == 2
    link.answer(2)
    link.answer(2)
    assert [len(each.answers) for each in calls] == [1] * 5


def test_a_saturated_child_takes_no_place_that_another_needs() -> None:
    family = Family("a", "b", max_calls=4)
    for _ in range(20):
        family.call("a")
    greedy = family.ready("a")
    assert len(greedy.sent) == 3, "one place is set aside for b"
    call = family.call("b")
    family.ready("b").answer()
    assert len(call.answers) == 1


def test_places_go_round_among_children_that_wait() -> None:
    family = Family("a", "b", max_calls=4)
    for _ in range(6):
        family.call("a")
        family.call("b")
    a, b = family.ready("a"), family.ready("b")
    assert (len(a.sent), len(b.sent)) == (3, 1)
    a.answer()
    assert (len(a.sent), len(b.sent)) == (3, 1), "a has waited since before b was there"
    a.answer()
    assert (len(a.sent), len(b.sent)) == (2, 2), "then it is the turn of b"
    b.answer()
    assert (len(a.sent), len(b.sent)) == (3, 1), "then that of a"


class Forgiving(Breaker):
    """Without pauses, so that a test need not wait."""

    def failed(self, _: float) -> None:
        self.failures += 1


@given(st.lists(st.sampled_from(["call a", "call b", "answer a", "answer b", "cancel a", "die a"]), max_size=60))
def test_no_place_is_lost_or_made_whatever_happens(steps: list[str]) -> None:
    family = Family("a", "b", max_calls=3)
    for name in ("a", "b"):
        family.children.of(name).breaker = Forgiving()
        family.call(name)
        family.ready(name).answer()
    turns: list = []
    for step in steps:
        what, name = step.split()
        child, link = family.children.of(name), family.links[name][-1]
        if what == "call":
            turns.append(family.turn(name, Outcome()))
            turns[-1].submit()
        elif what == "answer" and link.sent:
            link.answer()
        elif what == "cancel" and turns:
            turns.pop().cancel()
        elif what == "die" and child.state == "ready":
            link.die()
            family.call(name)
            family.ready(name)
        running = sum(len(each.active) for each in family.children.all())
        assert running <= 3
    for name in ("a", "b"):
        for _ in range(100):
            if family.links[name][-1].sent:
                family.links[name][-1].answer()
    calls = [family.call("a") for _ in range(5)]
    assert len(family.links["a"][-1].sent) == 2, "all places but the one that is set aside for b"
    assert not any(each.over for each in calls)


@pytest.mark.requirement("R117")
@pytest.mark.parametrize("told_first", [True, False])
def test_only_what_may_be_repeated_is_sent_again_and_only_once(told_first: bool) -> None:
    family = Family("a")
    family.call("a")
    link = family.ready("a")
    link.answer()
    careful, harmless = family.call("a"), family.call("a", repeatable=True)
    link.die("it was ended by SIGKILL", told_first=told_first)
    assert careful.losses == [("child_disconnected", "it was ended by SIGKILL")]
    assert not harmless.over
    waited_for(lambda: len(family.links["a"]) == 2)
    second = family.ready("a")
    assert len(second.sent) == 1
    second.die("it ended again", told_first=told_first)
    assert harmless.losses == [("child_disconnected", "it ended again")]


def test_a_call_is_given_up_where_it_waits_and_where_it_runs() -> None:
    family = Family("a", max_concurrent=1)
    running, waiting = Outcome(), Outcome()
    turns = [family.turn("a", outcome) for outcome in (running, waiting)]
    for turn in turns:
        turn.submit()
    link = family.ready("a")
    assert turns[1].cancel() is True
    assert turns[0].cancel("no longer wanted") is True
    assert turns[0].cancel() is False
    assert (len(link.sent), len(link.cancelled)) == (0, 1)
    assert running.over == waiting.over == 0
    family.call("a")
    assert len(link.sent) == 1, "its place is free"


@pytest.mark.requirement("R117")
def test_starts_pause_ever_longer_and_then_hardly_happen_at_all() -> None:
    breaker, now, pauses = Breaker(), 1000.0, []
    for _ in range(DEAD_AFTER):
        breaker.failed(now)
        pauses.append(breaker.pause(now))
        now += pauses[-1]
        assert breaker.pause(now) == 0.0
    assert pauses[0] == pytest.approx(FIRST_PAUSE)
    assert [later / earlier for earlier, later in pairwise(pauses[:-1])] == pytest.approx([2.0] * 8)
    assert pauses[-2] == pytest.approx(25.6)
    assert max(pauses[:-1]) <= LONGEST_PAUSE
    assert pauses[-1] == DEAD_PAUSE
    assert breaker.is_dead
    breaker.succeeded()
    assert (breaker.pause(now), breaker.is_dead) == (0.0, False)


def test_calls_of_a_child_that_keeps_failing_are_refused_at_once_with_the_time_to_wait() -> None:
    family = Family("a")
    child = family.children.of("a")
    for _ in range(4):
        child.breaker.failed(time.monotonic())
    refused = family.call("a")
    ((reason, detail),) = refused.losses
    assert reason == "cli_unavailable"
    assert detail == "it failed 4 times and is started again in 1 s at the earliest"
    assert family.links["a"] == []


def test_a_call_waits_out_a_short_pause() -> None:
    family = Family("a")
    family.call("a")
    family.links["a"][0].die()
    call = family.call("a")
    assert not call.over
    waited_for(lambda: len(family.links["a"]) == 2)
    family.ready("a").answer()
    assert len(call.answers) == 1
    assert family.children.of("a").breaker.failures == 0


def test_a_child_that_answers_nothing_in_time_is_replaced_once_nothing_runs_in_it() -> None:
    family = Family("a")
    child = family.children.of("a")
    turns = [family.turn("a", Outcome()) for _ in range(HUNG_AFTER)]
    for turn in turns:
        turn.submit()
    link = family.ready("a")
    for turn in turns:
        assert link.state != "closed"
        child.overdue += 1  # as `Remote.late` counts
        turn.cancel()
    assert link.state == "closed"
    assert (child.state, child.breaker.failures) == ("idle", 1)


def test_a_child_that_nobody_calls_is_ended_and_one_that_is_kept_is_not() -> None:
    family = Family("a", "b", idle=0.05)
    for name in ("a", "b"):
        family.call(name)
        family.children.of(name).kept = int(name == "b")
        family.ready(name).answer()
    waited_for(lambda: family.children.of("a").state == "idle")
    assert family.links["a"][0].state == "closed"
    assert family.children.of("b").state == "ready"
    assert family.children.of("a").breaker.failures == 0
    call = family.call("a")
    family.ready("a").answer()
    assert len(call.answers) == 1


def test_children_that_come_and_go_leave_nothing_behind() -> None:
    family = Family("a", idle=0.02)
    for _ in range(5):
        family.call("a")
        link = family.ready("a")
        link.answer()
        waited_for(lambda link=link: link.state == "closed")
        waited_for(lambda: family.children.of("a").state == "idle")
    assert len(family.links["a"]) == 5
    assert len(family.children.leaving) == 1


def test_every_call_ends_once_when_many_threads_call_and_children_die() -> None:
    family = Family("a", max_concurrent=8)
    family.call("a")
    family.ready("a").answer()
    outcomes: list[Outcome] = []

    def call_many() -> None:
        outcomes.extend(family.call("a", repeatable=True) for _ in range(300))

    threads = [threading.Thread(target=call_many) for _ in range(4)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + 20
    deaths = 0
    while time.monotonic() < until and (any(t.is_alive() for t in threads) or not all(o.over for o in outcomes)):
        link = family.links["a"][-1]
        if link.sent:
            link.answer()
        elif link.state == "new" and not family.children.of("a").active:
            family.children.of("a").breaker.succeeded()
            link.ready()
        if len(outcomes) > 200 * (deaths + 1) and link.state != "closed" and deaths < 3:
            deaths += 1
            link.die()
            family.children.of("a").breaker.succeeded()
    for thread in threads:
        thread.join(5)
    assert len(outcomes) == 1200
    assert {outcome.over for outcome in outcomes} == {1}
