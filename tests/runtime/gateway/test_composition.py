"""A gateway behind a gateway, and children behind a URL: the same conversations as over one pipe."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tests.command import built
from tests.http_client import HttpServer
from tests.runtime.gateway.conversing import ALL, Client, hand_made, offers, over, text_of, view
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.runtime.gateway.hand_made import TOOLS
from tests.stdio_client import CallFailed, stub

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ERAS = ("legacy", "modern")
YES = {"action": "accept", "content": {"name": "Ada"}}


# -- a gateway behind a gateway


@pytest.fixture(scope="module", params=[(inner, child) for inner in ERAS for child in ERAS], ids="-".join)
def nested(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a gateway over a gateway, which the outer one speaks to in one era and its own child in another."""
    between, innermost = request.param
    folder = tmp_path_factory.mktemp("nested")
    inner = over(folder / "inner", {"hand": hand_made(innermost)})
    told = {**hand_made(between), "command": ["${python}", "-I", "-S", str(inner / "server.py")], "era": between}
    tools = [tool("in", f"hand__{name}") for name in TOOLS]
    more = offers(["in"])
    more["views"] = [
        {"definition": {"uri": view("in", view("hand", uri)), "name": uri}, "call": proxied(view("hand", uri))}
        for uri in ("ui://app/main", "ui://app/broken")
    ]
    more["prompts"] = [{"definition": {"name": "in__hand__greet"}, "call": proxied("hand__greet")}]
    return gateway(folder / "outer", {"in": told}, tools, **more)


def proxied(original: str) -> dict[str, str]:
    return {"kind": "proxy", "server": "in", "original": original}


@pytest.mark.parametrize("era", ERAS)
def test_questions_reach_the_client_through_two_gateways(nested: Path, era: str) -> None:
    with Client(nested, era, ALL) as client:
        if era == "legacy":
            sent = client.begin("in__hand__ask")
            client.reply(client.question(), YES)
            done = client.wait_for(sent)
        else:
            first = client.call("in__hand__ask")
            assert first["resultType"] == "input_required"
            answers = dict.fromkeys(first["inputRequests"], YES)
            done = client.wait_for(
                client.begin("in__hand__ask", inputResponses=answers, requestState=first["requestState"])
            )
        assert list(text_of(done).values()) == [YES]


@pytest.mark.parametrize("era", ERAS)
def test_names_uris_and_errors_are_translated_twice(nested: Path, era: str) -> None:
    with Client(nested, era, ALL) as client:
        with pytest.raises(CallFailed) as caught:
            client.call("in__hand__error")
        assert caught.value.error["data"]["tool"] == "in__hand__error"
        resource = client.call("in__hand__content")["content"][2]["resource"]
        assert resource["uri"] == view("in", view("hand", "ui://app/other"))
        sent = client.begin("in__hand__progress", _meta={"progressToken": "mine"})
        assert text_of(client.wait_for(sent)) is True
        progress = [each["params"] for each in client.notifications if each["method"] == "notifications/progress"]
        assert [(each["progressToken"], each["progress"]) for each in progress] == [("mine", 1), ("mine", 2)]
        got = client.request("prompts/get", {"name": "in__hand__greet"})
        assert json.loads(got["messages"][0]["content"]["text"])["name"] == "greet"


@pytest.mark.requirement("R052")
@pytest.mark.parametrize("era", ERAS)
def test_views_are_read_and_refused_through_two_gateways(nested: Path, era: str) -> None:
    with Client(nested, era, ALL) as client:
        uri = view("in", view("hand", "ui://app/main"))
        (content,) = client.request("resources/read", {"uri": uri})["contents"]
        assert content["uri"] == uri
        with pytest.raises(CallFailed) as caught:
            client.request("resources/read", {"uri": view("in", view("hand", "ui://app/broken"))})
        error = caught.value.error
        assert error["message"] == "[M-UI-004] it is broken", "the code is there once"
        assert error["data"]["errorCode"] == "M-UI-004"
        assert error["data"]["child"] == "in"


def test_a_task_has_an_id_of_each_gateway(tmp_path: Path) -> None:
    inner = over(tmp_path / "inner", {"hand": hand_made("modern")})
    told = {**hand_made("modern"), "command": ["${python}", "-I", "-S", str(inner / "server.py")]}
    outer = gateway(tmp_path / "outer", {"in": told}, [tool("in", "hand__job")])
    with Client(outer, "modern", ALL) as client:
        token = client.call("in__hand__job")["taskId"]
        client.request("tasks/update", {"taskId": token, "inputResponses": {"who": YES}})
        done = client.request("tasks/get", {"taskId": token})
        assert (done["taskId"], done["status"]) == (token, "completed")


# -- children behind a URL

CHILD = '''"""A child that asks, and whose resource changes."""

from mcpgen import Context, resource


async def ask(ctx: Context) -> str:
    """Ask."""
    return await ctx.elicit("who", "Who?", schema=str) or "nobody"


async def steps(ctx: Context) -> str:
    """Say how far it is."""
    for done in (1, 2):
        await ctx.progress(done, 2, f"step {done}")
    await ctx.log("error", "it is done")
    return "done"


@resource("news://today")
def news() -> str:
    """Read the news."""
    return "no news"


async def publish(ctx: Context) -> None:
    """Publish."""
    await ctx.resource_updated("news://today")
'''


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with HttpServer(stub(built(tmp_path_factory.mktemp("http"), "reporter", CHILD), sys.executable)) as server:
        yield server


@pytest.fixture(params=ERAS)
def behind(request: pytest.FixtureRequest, running: HttpServer, tmp_path: Path) -> Path:
    """Return a gateway over the server behind a URL, which it speaks to in one era."""
    told = {"url": running.url, "era": request.param, "capabilities": {"tools": {}, "resources": {"subscribe": True}}}
    tools = [tool("web", name) for name in ("ask", "steps", "publish")]
    news = {
        "definition": {"uri": "news://today", "name": "news"},
        "call": {"kind": "proxy", "server": "web", "original": "news://today"},
    }
    return gateway(tmp_path / "made", {"web": told}, tools, resources=[news], changes=["resource"])


@pytest.mark.parametrize("era", ERAS)
def test_a_child_behind_a_url_asks_whoever_called(behind: Path, era: str) -> None:
    answer = {"action": "accept", "content": {"value": "Ada"}}
    with Client(behind, era) as client:
        if era == "legacy":
            sent = client.begin("web__ask")
            question = client.question()
            (name,) = question["params"]["requestedSchema"]["properties"]
            client.reply(question, {"action": "accept", "content": {name: "Ada"}})
            done = client.wait_for(sent)
        else:
            first = client.call("web__ask")
            ((key, question),) = first["inputRequests"].items()
            (name,) = question["params"]["requestedSchema"]["properties"]
            answer = {key: {"action": "accept", "content": {name: "Ada"}}}
            done = client.wait_for(client.begin("web__ask", inputResponses=answer, requestState=first["requestState"]))
        assert done["content"][0]["text"] == "Ada"


@pytest.mark.parametrize("era", ERAS)
def test_progress_and_log_of_a_child_behind_a_url(behind: Path, era: str) -> None:
    level = {"io.modelcontextprotocol/logLevel": "info"} if era == "modern" else {}
    with Client(behind, era) as client:
        done = client.wait_for(client.begin("web__steps", _meta={"progressToken": 9, **level}))
        assert done["content"][0]["text"] == "done"
        progress = [each["params"] for each in client.notifications if each["method"] == "notifications/progress"]
        assert [(each["progressToken"], each["progress"]) for each in progress] == [(9, 1), (9, 2)]
        logged = [each["params"]["data"] for each in client.notifications if each["method"] == "notifications/message"]
        assert logged == ["it is done"]


@pytest.mark.parametrize("era", ERAS)
def test_changes_of_a_child_behind_a_url(behind: Path, era: str) -> None:
    with Client(behind, era) as client:
        if era == "legacy":
            client.request("resources/subscribe", {"uri": "news://today"})
        else:
            client.send("subscriptions/listen", {"notifications": {"resourceSubscriptions": ["news://today"]}})
            client.told("notifications/subscriptions/acknowledged")
        told: list[dict] = []
        for _ in range(200):  # it is asked to tell a moment after its client was answered
            client.call("web__publish")
            told = [each for each in client.notifications if each["method"] == "notifications/resources/updated"]
            if told:
                break
        assert told[0]["params"]["uri"] == "news://today"
