"""Changes of children told on: lists, resources; in every pair of eras, across restarts, and not too often."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.runtime.gateway.conversing import Client, hand_made, over

if TYPE_CHECKING:
    from pathlib import Path

ERAS = ("legacy", "modern")
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


@pytest.fixture(scope="module", params=ERAS)
def child_era(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, child_era: str) -> Path:
    return over(tmp_path_factory.mktemp("made") / "gateway", {"hand": hand_made(child_era)})


def watch(client: Client, uri: str) -> int:
    """Subscribe to a resource in the client's own way; return the listen request's id, 0 where there is none."""
    if client.era == "legacy":
        client.request("resources/subscribe", {"uri": uri})
        return 0
    listen = client.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": [uri]}})
    assert client.told("notifications/subscriptions/acknowledged")["notifications"] == {"resourceSubscriptions": [uri]}
    return listen


def until_watched(client: Client, uri: str, child_era: str) -> None:
    """Wait until the child was asked to tell of a resource."""

    def asked(seen: dict) -> bool:
        if child_era == "modern":
            return any(uri in each.get("resourceSubscriptions", ()) for each in seen["listens"])
        asked = [each for each in seen["seen"] if each["method"] == "resources/subscribe"]
        return any(each["params"]["uri"] == uri for each in asked)

    client.until_seen("hand", asked)


@pytest.mark.parametrize("era", ERAS)
def test_a_resource_that_changes_is_told_of_to_who_subscribed(project: Path, child_era: str, era: str) -> None:
    with Client(project, era) as client:
        listen = watch(client, "file:///t/1")
        until_watched(client, "file:///t/1", child_era)
        client.call("hand__touch", {"uri": "file:///other"})
        client.call("hand__touch", {"uri": "file:///t/1"})
        told = client.told("notifications/resources/updated")
        assert told["uri"] == "file:///t/1"
        if listen:
            assert told["_meta"][SUBSCRIPTION] == listen


@pytest.mark.parametrize("era", ERAS)
def test_a_change_right_after_the_acknowledgement_is_told_of(project: Path, era: str) -> None:
    with Client(project, era) as client:
        client.call("hand__number")  # it runs
        for number in range(10):
            watch(client, f"file:///t/{number}")
            client.call("hand__touch", {"uri": f"file:///t/{number}"})
            assert client.told("notifications/resources/updated")["uri"] == f"file:///t/{number}"


def test_subscribing_starts_the_child(project: Path, child_era: str) -> None:
    with Client(project) as client:
        watch(client, "file:///a")
        until_watched(client, "file:///a", child_era)


def test_a_child_is_asked_no_more_when_nobody_is_left(project: Path, child_era: str) -> None:
    with Client(project) as client:
        watch(client, "file:///a")
        until_watched(client, "file:///a", child_era)
        client.request("resources/unsubscribe", {"uri": "file:///a"})

        def left(seen: dict) -> bool:
            if child_era == "modern":
                return not any(each.get("resourceSubscriptions") for each in seen["listens"])
            return any(each["method"] == "resources/unsubscribe" for each in seen["seen"])

        client.until_seen("hand", left)


def test_a_child_that_ended_is_started_and_asked_again(project: Path, child_era: str) -> None:
    with Client(project) as client:
        watch(client, "file:///a")
        until_watched(client, "file:///a", child_era)
        client.call("hand__end")
        until_watched(client, "file:///a", child_era)
        client.call("hand__touch", {"uri": "file:///a"})
        assert client.told("notifications/resources/updated")["uri"] == "file:///a"


@pytest.mark.parametrize("kind", ["tools", "prompts", "resources"])
@pytest.mark.parametrize("era", ERAS)
def test_a_change_of_a_list_is_told_on(project: Path, era: str, kind: str) -> None:
    with Client(project, era) as client:
        if era == "modern":
            listen = client.send("subscriptions/listen", {"notifications": {f"{kind}ListChanged": True}})
            client.told("notifications/subscriptions/acknowledged")
        client.call("hand__change", {"kind": kind})
        told = client.told(f"notifications/{kind}/list_changed")
        if era == "modern":
            assert told["_meta"][SUBSCRIPTION] == listen


@pytest.mark.parametrize("era", ERAS)
def test_a_storm_of_changes_is_told_as_a_few(project: Path, era: str) -> None:
    with Client(project, era) as client:
        if era == "modern":
            client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
            client.told("notifications/subscriptions/acknowledged")
        client.call("hand__change", {"kind": "tools", "times": 2_000})
        client.told("notifications/tools/list_changed")
        client.call("hand__number")
    assert len([each for each in client.notifications if each["method"].endswith("list_changed")]) <= 3


def test_no_child_is_started_to_hear_of_lists(project: Path) -> None:
    with Client(project, "modern") as client:
        client.send("subscriptions/listen", {"notifications": {"toolsListChanged": True}})
        client.told("notifications/subscriptions/acknowledged")
        client.tools()
    assert "child hand" not in client.stderr
