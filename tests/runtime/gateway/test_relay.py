"""Whose is what a child says unasked, over links that do what a test says."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from generator.runtime.gateway import dispatch, held
from generator.runtime.gateway.held import HELD_SECONDS
from generator.runtime.gateway.relay import MAX_TOLD
from generator.runtime.server import logs
from generator.runtime.server.catalog import Catalog
from generator.runtime.server.session import Session
from generator.runtime.wire.dialects import LATEST_LEGACY, LATEST_MODERN
from tests.runtime.gateway.conversing import ASKABLE, PROTOCOL, hand_made, over
from tests.runtime.gateway.faking import FakeLink

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from generator.runtime.gateway.child import Child
    from generator.runtime.server.call import Call

SECONDS = 10.0
FORM = {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}}


class Peer:
    def __init__(self, era: str) -> None:
        self.era = era
        self.dialect = LATEST_MODERN if era == "modern" else LATEST_LEGACY
        self.capabilities = {"resources": {"subscribe": True}, "logging": {}}
        self.abandoned: dict[int, str] = {}

    def abandon(self, errand: Any, principal: str) -> None:
        self.abandoned[errand.id] = principal


class Link(FakeLink):
    def __init__(self, child: Child, era: str) -> None:
        super().__init__(child)
        self.peer = Peer(era)
        self.replies: list[tuple] = []

    def reply(self, *answer: Any) -> None:
        self.replies.append(answer)

    def methods(self) -> list[str]:
        return [errand.method for errand in self.sent]


class Scene:
    """A gateway in this process, and the conversations with it."""

    def __init__(self, project: Path, links: list[Link]) -> None:
        self.catalog = Catalog("gateway", str(project / "gateway"))
        self.links = links
        self.answers: list[dict] = []
        self.lines: list[bytes] = []

    def session(self, principal: str = "", *, modern: bool = True) -> Session:
        session = Session(self.catalog, principal=principal)
        session.tell = lambda line, _: self.lines.append(line)
        if not modern:
            params = {"protocolVersion": "2025-11-25", "capabilities": ASKABLE, "clientInfo": {"name": "t"}}
            session.receive({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
        return session

    def call(self, session: Session, number: int, name: str = "hand__slow", **more: Any) -> Call:
        meta: dict[str, Any] = {}
        if not session.client:
            meta = {f"{PROTOCOL}protocolVersion": "2026-07-28", f"{PROTOCOL}clientCapabilities": ASKABLE}
        params = {"name": name, "arguments": {}, "_meta": meta, **more}
        call = session.receive({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        call.send = self.lines.append
        call.tool.remote.begin(call, self.answers.append)
        return call

    @property
    def link(self) -> Link:
        return self.links[-1]


def until(found: Callable[[], Any]) -> Any:
    """Wait until a function returns something."""
    end = time.monotonic() + SECONDS
    while not (got := found()):
        assert time.monotonic() < end
        time.sleep(0.002)
    return got


@pytest.fixture
def scene(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    wanted = getattr(request, "param", "legacy")
    era, row = wanted if type(wanted) is tuple else (wanted, {})
    links: list[Link] = []

    def connect(name: str, row: dict, _: object) -> Link:
        del name, row
        links.append(Link(made.catalog.gateway.children.of("hand"), era))
        return links[-1]

    monkeypatch.setattr(dispatch, "make_link", connect)
    made = Scene(over(tmp_path / "made", {"hand": hand_made(era, **row)}), links)
    return made


def test_a_new_session_of_a_child_is_told_what_its_old_one_knew(scene: Scene) -> None:
    session = scene.session(modern=False)
    session.receive({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": "file:///a"}})
    until(lambda: scene.links)
    scene.link.ready()
    until(lambda: "resources/subscribe" in scene.link.methods())
    session.receive({"jsonrpc": "2.0", "id": 2, "method": "logging/setLevel", "params": {"level": "debug"}})
    scene.call(session, 3)
    assert "logging/setLevel" in scene.link.methods()
    scene.link.sent.clear()
    scene.link.on_renewed()
    assert scene.link.methods() == ["logging/setLevel", "resources/subscribe"]


@pytest.mark.parametrize(
    ("callers", "asked"),
    [
        (["ada"], 0),
        (["ada", "bob"], None),
        (["ada", "ada"], None),
        ([""], 0),
        (["", ""], None),
        (["same", "same"], 1),
        (["away", "other"], 1),
        ([], None),
    ],
)
def test_a_question_goes_to_the_one_call_it_can_only_be_of(scene: Scene, callers: list, asked: int | None) -> None:
    scene.call(scene.session(), 99, "hand__number")
    scene.link.ready()
    scene.link.answer()
    scene.answers.clear()
    shared = scene.session()
    calls = []
    for number, name in enumerate(callers):
        session = shared if name == "same" else scene.session("" if name in ("away", "other") else name)
        calls.append(scene.call(session, number))
        if name == "away":
            scene.link.on_request("first", "elicitation/create", FORM)
            until(lambda: scene.answers).clear()
    scene.link.on_request("q", "elicitation/create", FORM)
    if asked is None:
        ((number, result, error),) = scene.link.replies
        assert (number, result, error["code"]) == ("q", None, -32603)
        assert scene.answers == []
    else:
        (answer,) = until(lambda: scene.answers)
        assert answer["resultType"] == "input_required"
        assert scene.link.replies == []
        assert calls[asked].tool.name == "hand__slow"


@pytest.mark.parametrize(("callers", "told"), [(["ada"], 1), (["ada", "bob"], 0), ([], 0)])
def test_a_log_message_goes_to_nobody_it_may_not_be_for(scene: Scene, callers: list, told: int) -> None:
    scene.call(scene.session(), 99, "hand__number")
    scene.link.ready()
    scene.link.answer()
    for number, name in enumerate(callers):
        call = scene.call(scene.session(name), number)
        call.log_level = "debug"
    scene.link.on_notification("notifications/message", {"level": "info", "data": "secret"})
    assert len([line for line in scene.lines if b"secret" in line]) == told
    scene.link.on_notification("notifications/message", {"level": "no level", "data": "secret"})


def test_a_call_that_nobody_came_back_for_is_cancelled_in_its_child(scene: Scene) -> None:
    scene.call(scene.session(), 1)
    scene.link.ready()
    scene.link.on_request("q", "elicitation/create", FORM)
    (answer,) = until(lambda: scene.answers)
    relay = scene.catalog.gateway.relay
    assert len(relay.held) == 1
    assert relay.held.sweep(time.monotonic() + HELD_SECONDS + 1) is None
    ((number, _, error),) = scene.link.replies
    assert (number, error["message"]) == ("q", "Nobody answered in time")
    assert [errand.method for errand in scene.link.cancelled] == ["tools/call"]
    again = {"inputResponses": {key: {"action": "cancel"} for key in answer["inputRequests"]}}
    scene.call(scene.session(), 2, **again, requestState=answer["requestState"])
    assert scene.answers[-1]["rpcError"]["code"] == -32602


def _asked(scene: Scene, name: str) -> dict | None:
    """Have the child ask, and return what its one caller got; None if the question was refused."""
    scene.answers.clear()
    scene.link.replies.clear()
    scene.link.on_request(name, "elicitation/create", FORM)
    until(lambda: scene.answers or [each for each in scene.link.replies if each[0] == name])
    return scene.answers[0] if scene.answers else None


def _ready(scene: Scene) -> None:
    scene.call(scene.session(), 99, "hand__number")
    scene.link.ready()
    _answer(scene.link)
    scene.answers.clear()


def _answer(link: Link) -> None:
    """Have the child answer the first call; the gateway itself may have asked it other things."""
    link.sent.sort(key=lambda errand: errand.method != "tools/call")
    link.answer()


def test_a_question_that_nobody_answers_keeps_others_from_theirs_for_seconds_only(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ready(scene)
    scene.call(scene.session("ada"), 1)
    assert _asked(scene, "of ada") is not None
    scene.call(scene.session("bob"), 2)
    assert _asked(scene, "of bob") is None
    relay, first = scene.catalog.gateway.relay, scene.link
    assert len(relay.held) == 1, "a person needs a moment"
    monkeypatch.setattr(held, "CONTESTED_SECONDS", -1.0)
    assert _asked(scene, "of bob, again") is None
    assert len(relay.held) == 0
    assert [each[0] for each in first.replies] == ["of ada", "of bob, again"]
    assert _asked(scene, "of ada, who knows") is None, "the child may be at work for her still"
    _answer(first)
    until(lambda: first.state == "closed")
    scene.call(scene.session("bob"), 3)
    until(lambda: scene.link is not first)
    scene.link.ready()
    assert _asked(scene, "of bob, at last") is not None


def test_a_question_is_shown_to_nobody_as_long_as_it_may_be_of_a_call_that_was_given_up(scene: Scene) -> None:
    _ready(scene)
    given_up = scene.call(scene.session("ada"), 1)
    assert given_up.on_cancel()
    scene.call(scene.session("bob"), 2)
    assert _asked(scene, "of whom") is None
    assert _asked(scene, "of whom, again") is None
    scene.link.peer.abandoned.clear()
    assert _asked(scene, "of bob") is not None


def test_a_call_that_was_given_up_stands_in_nobodys_way_who_is_the_same(scene: Scene) -> None:
    _ready(scene)
    assert scene.call(scene.session("ada"), 1).on_cancel()
    scene.call(scene.session("ada"), 2)
    assert _asked(scene, "of ada") is not None


@pytest.mark.parametrize("modern", [True, False])
@pytest.mark.parametrize("end", ["cancelled", "answered"])
def test_what_a_child_asked_is_refused_when_its_call_ends(scene: Scene, end: str, *, modern: bool) -> None:
    _ready(scene)
    call = scene.call(scene.session(modern=modern), 1)
    scene.link.on_request("q", "elicitation/create", FORM)
    until(lambda: scene.answers or any(b"elicitation/create" in line for line in scene.lines))
    assert scene.link.replies == []
    if end == "cancelled":
        assert call.on_cancel()
    else:
        _answer(scene.link)
        if modern:
            (answer,) = scene.answers
            again = {"inputResponses": {key: {"action": "cancel"} for key in answer["inputRequests"]}}
            scene.call(scene.session(), 2, **again, requestState=answer["requestState"])
    ((name, result, error),) = scene.link.replies
    assert (name, result, error["code"]) == ("q", None, -32603)
    assert "the call has ended" in error["message"]


def test_the_log_tells_of_the_first_questions_that_are_refused(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(logs, "write", lambda line, **_: told.append(line))
    scene.call(scene.session(), 1, "hand__number")
    scene.link.ready()
    scene.link.answer()
    for number in range(3 * MAX_TOLD):
        scene.link.on_request(number, "elicitation/create", FORM)
    assert len(scene.link.replies) == 3 * MAX_TOLD, "every one of them is refused"
    refusals = [line for line in told if "was refused: no call is under way" in line]
    assert len(refusals) == MAX_TOLD
    assert [line for line in refusals if line.endswith("tells of no more of these")] == refusals[-1:]


def test_a_question_that_the_child_takes_back_is_not_asked_any_more(scene: Scene) -> None:
    scene.call(scene.session(), 1)
    scene.link.ready()
    scene.link.on_request("q", "elicitation/create", FORM)
    scene.link.on_notification("notifications/cancelled", {"requestId": "q"})
    scene.link.on_request("r", "elicitation/create", FORM)
    (answer,) = until(lambda: scene.answers)
    assert len(answer["inputRequests"]) == 1


def test_a_storm_of_changes_is_one_publication_at_a_time(scene: Scene) -> None:
    scene.session(modern=False)
    scene.call(scene.session(), 1)
    scene.link.ready()
    for _ in range(5_000):
        scene.link.on_notification("notifications/tools/list_changed", {})
    until(lambda: [line for line in scene.lines if b"list_changed" in line])
    assert len([line for line in scene.lines if b"list_changed" in line]) == 1


@pytest.mark.parametrize("scene", ["modern"], indirect=True)
def test_a_listen_request_is_opened_anew_and_the_old_one_ended_once_the_new_one_stands(scene: Scene) -> None:
    scene.call(scene.session(), 1)
    scene.link.ready()
    listen = scene.session()
    meta = {f"{PROTOCOL}protocolVersion": "2026-07-28", f"{PROTOCOL}clientCapabilities": {}}

    def subscribe(number: int, uri: str) -> None:
        params = {"notifications": {"resourceSubscriptions": [uri]}, "_meta": meta}
        listen.receive({"jsonrpc": "2.0", "id": number, "method": "subscriptions/listen", "params": params})

    def opened() -> list:
        return [errand for errand in scene.link.sent if errand.method == "subscriptions/listen"]

    subscribe(1, "file:///a")
    (first,) = until(opened)
    assert first.params["notifications"] == {"resourceSubscriptions": ["file:///a"]}
    subscribe(2, "file:///t/1")
    until(lambda: len(opened()) == 2)
    second = opened()[1]
    assert second.params["notifications"] == {"resourceSubscriptions": ["file:///a", "file:///t/1"]}
    assert scene.link.cancelled == []
    second.notified("notifications/subscriptions/acknowledged", {})
    assert scene.link.cancelled == [first]
    scene.lines.clear()
    second.notified("notifications/resources/updated", {"uri": "file:///t/1"})
    assert len([line for line in scene.lines if b"file:///t/1" in line]) == 1
    scene.link.sent.remove(second)
    second.answered({"result": {}})  # the child ends it, and is asked again
    assert until(opened)[0].params == second.params
