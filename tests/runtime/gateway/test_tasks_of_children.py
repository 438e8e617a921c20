"""Tasks of children (io.modelcontextprotocol/tasks) through a gateway."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.runtime.gateway.conversing import ALL, ASKABLE, TASKS, Client, hand_made, over, text_of, view
from tests.stdio_client import CallFailed

if TYPE_CHECKING:
    from pathlib import Path

YES = {"action": "accept", "content": {"name": "Ada"}}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "gateway"
    return over(folder, {"hand": hand_made("modern"), "other": hand_made("modern")})


def test_a_task_is_looked_at_answered_and_ended_under_an_id_of_the_gateway(project: Path) -> None:
    with Client(project, "modern", ALL) as client:
        created = client.call("hand__job")
        assert (created["resultType"], created["status"]) == ("task", "input_required")
        token = created["taskId"]
        assert "job-1" not in token
        looked = client.request("tasks/get", {"taskId": token})
        assert (looked["taskId"], looked["resultType"]) == (token, "complete")
        assert looked["inputRequests"]["who"]["params"]["message"] == "Who?"
        assert client.request("tasks/update", {"taskId": token, "inputResponses": {"who": YES}})["resultType"] == (
            "complete"
        )
        done = client.request("tasks/get", {"taskId": token})
        assert done["status"] == "completed"
        assert done["result"]["content"][0]["resource"]["uri"] == view("hand", "ui://app/main")
        assert done["result"]["_meta"]["mcpgen/error"]["tool"] == "hand__job"


def test_a_task_that_failed_names_the_tool_as_the_caller_knows_it(project: Path) -> None:
    with Client(project, "modern", ALL) as client:
        token = client.call("hand__job")["taskId"]
        client.request("tasks/update", {"taskId": token, "inputResponses": {"who": {"action": "decline"}}})
        assert client.request("tasks/get", {"taskId": token})["error"]["data"] == {"tool": "hand__job"}


def test_a_task_can_be_cancelled(project: Path) -> None:
    with Client(project, "modern", ALL) as client:
        token = client.call("other__job")["taskId"]
        client.request("tasks/cancel", {"taskId": token})
        assert client.request("tasks/get", {"taskId": token})["status"] == "cancelled"
        with pytest.raises(CallFailed):
            client.request("tasks/get", {"taskId": f"{token}A"})


def test_two_children_with_the_same_id_have_two_tasks(project: Path) -> None:
    with Client(project, "modern", ALL) as client:
        tokens = {client.call(f"{server}__job")["taskId"] for server in ("hand", "other")}
        assert len(tokens) == 2


def test_what_a_child_does_not_know_any_more_is_an_unknown_task(project: Path) -> None:
    with Client(project, "modern", ALL) as client:
        token = client.call("hand__job")["taskId"]
        client.call("hand__end")
        with pytest.raises(CallFailed) as caught:
            client.request("tasks/get", {"taskId": token})
        assert caught.value.error["code"] == -32602


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_tasks_are_for_clients_that_declare_them(project: Path, method: str) -> None:
    with Client(project, "modern", ASKABLE) as client:
        assert text_of(client.call("hand__job")) == "done at once"
        with pytest.raises(CallFailed) as caught:
            client.request(method, {"taskId": "any", "inputResponses": {}})
        assert caught.value.error["code"] == -32021
        assert caught.value.error["data"] == {"requiredCapabilities": {"extensions": {TASKS: {}}}}


def test_a_change_of_a_task_is_told_to_who_listens(project: Path) -> None:
    with Client(project, "modern", ALL) as client:
        token = client.call("hand__job")["taskId"]
        listen = client.send("subscriptions/listen", {"notifications": {"taskIds": [token, "nothing"]}})
        assert client.told("notifications/subscriptions/acknowledged")["notifications"] == {"taskIds": [token]}
        client.until_seen("hand", lambda seen: any(each.get("taskIds") == ["job-1"] for each in seen["listens"]))
        client.request("tasks/update", {"taskId": token, "inputResponses": {"who": YES}})
        told = client.told("notifications/tasks")
        assert (told["taskId"], told["status"]) == (token, "completed")
        assert told["_meta"]["io.modelcontextprotocol/subscriptionId"] == listen
