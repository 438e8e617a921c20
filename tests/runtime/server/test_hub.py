"""The hub: who listens to a change hears of it once, in order, and nothing grows when nobody keeps up."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server import hub as hubs
from generator.runtime.server.hub import ENDING, KINDS, Hub

TOOLS, PROMPTS = ("tools", ""), ("prompts", "")


class Listener:
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple] = []

    def tell(self, topic, params) -> None:
        self.heard.append((topic, params))

    def end(self) -> None:
        self.heard.append((ENDING, {}))


class Posted:
    """Stands for a thread that owns the connections: it delivers when it is told to."""

    def __init__(self) -> None:
        self.waiting: list = []

    def __call__(self, function) -> None:
        self.waiting.append(function)

    def run(self) -> None:
        waiting, self.waiting = self.waiting, []
        for function in waiting:
            function()


def test_a_change_is_told_to_those_who_listen_to_it():
    hub, one, other = Hub(), Listener(), Listener()
    assert hub.enter(one, {TOOLS, ("resource", "a:b")})
    assert hub.enter(other, {PROMPTS})
    hub.publish("tools")
    hub.publish("prompts")
    hub.publish("resource", "a:b")
    hub.publish("resource", "a:c")
    assert one.heard == [(TOOLS, {}), (("resource", "a:b"), {})]
    assert other.heard == [(PROMPTS, {})]


def test_changes_that_have_not_left_yet_are_one_and_the_last_counts():
    post, listener = Posted(), Listener()
    hub = Hub(post)
    hub.enter(listener, {TOOLS, ("task", "1")})
    for state in range(10_000):
        hub.publish("tools")
        hub.publish("task", "1", {"state": state})
    assert len(post.waiting) == 1
    assert listener.heard == []
    post.run()
    assert listener.heard == [(TOOLS, {}), (("task", "1"), {"state": 9_999})]
    hub.publish("tools")
    post.run()
    assert listener.heard[2:] == [(TOOLS, {})]


def test_nothing_waits_for_what_nobody_listens_to():
    post = Posted()
    hub = Hub(post)
    for number in range(1_000):
        hub.publish("resource", f"a:{number}")
    assert post.waiting == []
    assert hub._pending == {}


def test_the_greeting_comes_before_everything_else_and_nothing_after_the_end():
    hub, listener = Hub(), Listener()
    hub.enter(listener, {TOOLS}, lambda: listener.heard.append("greeted"))
    hub.publish("tools")
    hub.end()
    hub.publish("tools")
    assert listener.heard == ["greeted", (TOOLS, {}), (ENDING, {})]


def test_first_listeners_are_told_of_before_they_are_greeted_and_last_ones_when_they_left():
    hub, one, other, heard = Hub(), Listener(), Listener(), []
    hub.interest = lambda topics: heard.append([(topic, hub.wants(topic)) for topic in topics])
    assert hub.enter(one, [TOOLS, PROMPTS], lambda: heard.append("greeted"))
    assert heard == [[(TOOLS, True), (PROMPTS, True)], "greeted"]
    hub.enter(other, [TOOLS], lambda: heard.append("greeted"))
    assert heard[2:] == ["greeted"], "it is listened to already"
    hub.leave(one, [TOOLS, PROMPTS])
    assert heard[3:] == [[(PROMPTS, False)]]


def test_who_leaves_hears_nothing_more_even_of_what_was_published_before():
    post, listener = Posted(), Listener()
    hub = Hub(post)
    hub.enter(listener, {TOOLS, PROMPTS})
    hub.publish("tools")
    hub.publish("prompts")
    hub.leave(listener, {TOOLS})
    hub.leave(listener, {TOOLS, ("resource", "never entered")})
    post.run()
    assert listener.heard == [(PROMPTS, {})]


def test_a_listener_may_leave_while_it_is_told():
    hub, stays = Hub(), Listener()

    class Leaver(Listener):
        def tell(self, topic, params) -> None:
            super().tell(topic, params)
            hub.leave(self, {TOOLS})

    leaver = Leaver()
    hub.enter(leaver, {TOOLS})
    hub.enter(stays, {TOOLS})
    hub.publish("tools")
    hub.publish("tools")
    assert [len(each.heard) for each in (leaver, stays)] == [1, 2]


def test_what_is_watched_is_bounded_and_lists_are_not(monkeypatch):
    monkeypatch.setattr(hubs, "MAX_WATCHED", 3)
    hub = Hub()
    one, other = Listener(), Listener()
    watched = {("resource", f"a:{number}") for number in range(3)}
    assert hub.enter(one, watched)
    assert hub.enter(one, watched), "entering again takes no room"
    greeted = []
    assert not hub.enter(other, {("resource", "a:9"), TOOLS}, lambda: greeted.append(1))
    assert greeted == []
    assert hub.enter(other, {TOOLS, ENDING})
    hub.leave(one, {("resource", "a:0")})
    assert hub.enter(other, {("resource", "a:9")})


def test_changes_of_many_threads_all_arrive():
    hub, listener = Hub(), Listener()
    topics = {("resource", f"a:{number}") for number in range(8)}
    hub.enter(listener, topics)
    threads = [
        threading.Thread(target=lambda number=number: [hub.publish("resource", f"a:{number}") for _ in range(200)])
        for number in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert {topic for topic, _ in listener.heard} == topics


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_has_a_notification_and_a_name_in_the_filter(kind, shared):
    row = KINDS[kind]
    schema = "ext-tasks/tasks.draft.schema.json" if kind == "task" else "2026-07-28/schema.json"
    text = (shared / "protocol" / "spec" / schema).read_text(encoding="utf-8")
    assert f'"{row.method}"' in text
    assert f'"{row.asked}"' in text


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["enter", "leave", "publish", "run"]), st.integers(0, 2), st.integers(0, 3)), max_size=60
)


@given(ACTIONS)
def test_whatever_the_order_each_listener_hears_exactly_what_it_wanted_when_it_was_told(actions):
    post = Posted()
    hub = Hub(post)
    listeners = [Listener() for _ in range(3)]
    wanted = [set() for _ in range(3)]
    pending: dict = {}
    expected = [[] for _ in range(3)]
    for what, who, number in actions:
        topic = ("resource", f"a:{number}")
        if what == "enter":
            hub.enter(listeners[who], {topic})
            wanted[who].add(topic)
        elif what == "leave":
            hub.leave(listeners[who], {topic})
            wanted[who].discard(topic)
        elif what == "publish":
            if any(topic in each for each in wanted):
                pending.setdefault(topic)
            hub.publish(*topic)
        else:
            for each in pending:
                for index in range(3):
                    if each in wanted[index]:
                        expected[index].append(each)
            pending.clear()
            post.run()
    assert [[topic for topic, _ in each.heard] for each in listeners] == expected
    assert hub._watched == sum(map(len, wanted))
