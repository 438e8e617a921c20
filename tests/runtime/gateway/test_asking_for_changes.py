"""When children are asked to tell of changes: before whoever listens is told so, and not for each who comes or goes."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from generator.runtime.gateway import fanout
from generator.runtime.gateway.fanout import AT_ONCE, MAX_OLD, SETTLE_SECONDS
from tests.runtime.gateway.conversing import PROTOCOL
from tests.runtime.gateway.test_relay import Scene, scene, until

if TYPE_CHECKING:
    from generator.runtime.server.session import Session
    from tests.runtime.gateway.test_relay import Link

__all__ = ("scene",)

LISTEN = "subscriptions/listen"
BOTH = pytest.mark.parametrize("scene", ["legacy", "modern"], indirect=True)
MODERN = pytest.mark.parametrize("scene", ["modern"], indirect=True)

numbers = count(100)


def subscribe(session: Session, *uris: str) -> int:
    meta = {f"{PROTOCOL}protocolVersion": "2026-07-28", f"{PROTOCOL}clientCapabilities": {}}
    number = next(numbers)
    params = {"notifications": {"resourceSubscriptions": [*uris]}, "_meta": meta}
    session.receive({"jsonrpc": "2.0", "id": number, "method": LISTEN, "params": params})
    return number


def cancel(session: Session, number: int) -> None:
    meta = {f"{PROTOCOL}protocolVersion": "2026-07-28"}
    params = {"requestId": number, "_meta": meta}
    session.receive({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})


def asked(link: Link) -> set[str]:
    """Return the resources that a child was asked for."""
    legacy = {errand.params["uri"] for errand in link.sent if errand.method == "resources/subscribe"}
    listens = [errand.params["notifications"] for errand in link.sent if errand.method == LISTEN]
    return legacy | {uri for each in listens for uri in each.get("resourceSubscriptions", ())}


class FakeAlarm:
    """Keeps what is to be done later."""

    def __init__(self) -> None:
        self.due: list[tuple[float, Any]] = []

    def at(self, moment: float, what: Any) -> None:
        self.due.append((moment, what))


def running(scene: Scene) -> Link:
    scene.call(scene.session(), 1)
    scene.link.ready()
    return scene.link


@BOTH
def test_a_child_that_runs_is_asked_before_its_client_hears_that_it_listens(scene: Scene) -> None:
    link = running(scene)
    listen = scene.session()
    at_acknowledgement: list[set[str]] = []
    listen.tell = lambda *_: at_acknowledgement.append(asked(link))
    subscribe(listen, "file:///a", "file:///t/1")
    assert at_acknowledgement == [{"file:///a", "file:///t/1"}]


@BOTH
def test_a_session_with_a_handshake_is_answered_once_the_child_was_asked(scene: Scene) -> None:
    link = running(scene)
    session = scene.session(modern=False)
    session.receive({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "file:///a"}})
    assert asked(link) == {"file:///a"}


@MODERN
def test_several_resources_of_one_request_are_asked_for_together(scene: Scene) -> None:
    link = running(scene)
    subscribe(scene.session(), *(f"file:///t/{number}" for number in range(100)))
    assert len([errand for errand in link.sent if errand.method == LISTEN]) == 1


@BOTH
def test_a_child_that_starts_is_asked_before_its_first_call(scene: Scene) -> None:
    subscribe(scene.session(), "file:///a")
    until(lambda: scene.links)
    scene.call(scene.session(), 1)
    scene.link.ready()
    methods = scene.link.methods()
    wanting = LISTEN if scene.link.peer.era == "modern" else "resources/subscribe"
    assert methods.index(wanting) < methods.index("tools/call")
    assert asked(scene.link) == {"file:///a"}


@pytest.mark.parametrize("scene", [("modern", {"drift": "refuse"})], indirect=True)
def test_what_is_wanted_while_the_calls_of_a_child_still_wait_is_not_forgotten(scene: Scene) -> None:
    link = running(scene)
    assert "tools/call" not in link.methods(), "its lists are compared first"
    subscribe(scene.session(), "file:///a")
    assert asked(link) == {"file:///a"}


@BOTH
def test_a_storm_of_listeners_is_none_at_the_child(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000.0]
    monkeypatch.setattr(fanout, "monotonic", lambda: now[0])
    link = running(scene)
    alarm = scene.catalog.gateway.children.alarm = FakeAlarm()
    sent: list[str] = []
    send = link.send
    monkeypatch.setattr(link, "send", lambda errand: (sent.append(errand.method), send(errand)))
    listen = scene.session()
    for number in range(500):
        cancel(listen, subscribe(listen, f"file:///t/{number}"))
    subscribe(listen, "file:///a")
    wanting = LISTEN if link.peer.era == "modern" else "resources/subscribe"
    assert sent.count(wanting) == AT_ONCE
    assert "file:///a" not in asked(link)
    ((moment, look),) = alarm.due
    assert moment <= now[0] + SETTLE_SECONDS
    look()  # what is left is asked for in one go
    assert "file:///a" in asked(link)
    assert sent.count(wanting) == AT_ONCE + 1
    assert len([errand for errand in link.sent if errand.method == LISTEN]) <= MAX_OLD + 1, "none is acknowledged"
    now[0] += 2 * SETTLE_SECONDS
    subscribe(listen, "file:///t/1")
    assert "file:///t/1" in asked(link), "a moment later there is room again"


@MODERN
def test_requests_whose_place_another_takes_end_when_that_is_acknowledged(scene: Scene) -> None:
    link = running(scene)
    listen = scene.session()
    for number in range(3):
        subscribe(listen, f"file:///t/{number}")
    first, second, third = (errand for errand in link.sent if errand.method == LISTEN)
    assert link.cancelled == []
    second.notified("notifications/subscriptions/acknowledged", {})
    assert link.cancelled == [first]
    third.notified("notifications/subscriptions/acknowledged", {})
    assert link.cancelled == [first, second]
    first.notified("notifications/subscriptions/acknowledged", {})
    assert link.cancelled == [first, second]
