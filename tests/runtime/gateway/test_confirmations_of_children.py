"""Questions whether a tool of a child may run: they name it as the gateway does, and no other words are touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.runtime.gateway.names import Names
from generator.runtime.gateway.translate_questions import question_of
from generator.runtime.server.confirm_question import FORM
from tests.command import built, mcpgen
from tests.runtime.gateway.conversing import ALL, Client

if TYPE_CHECKING:
    from pathlib import Path

SHOP = '''
from mcpgen import tool


@tool(confirm=True, destructive=True)
def clear(days: int) -> str:
    """Clear the shop."""
    return f"cleared {days}"


@tool(confirm=True, title="Buy (now)")
def buy(item: str) -> str:
    """Buy an item."""
    return f"bought {item}"
'''

ASKED = [
    ("clear", {"days": 3}, "Run Clear the shop (shop__clear)? It may destroy something.\ndays: 3"),
    ("buy", {"item": "Run buy?"}, "Run Buy (now) (shop__buy)?\nitem: Run buy?"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("confirmed")
    built(folder, "shop", SHOP)
    done = mcpgen("gateway", "shop=project", "-o", "made", "--quiet", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "made"


@pytest.mark.requirement("R103")
@pytest.mark.parametrize(("name", "arguments", "message"), ASKED)
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_a_confirmation_names_the_tool_as_the_gateway_does(
    project: Path, era: str, name: str, arguments: dict, message: str
) -> None:
    said = {"action": "accept", "content": {"confirm": True}}
    with Client(project, era, ALL) as client:
        call = client.begin(f"shop__{name}", arguments)
        if era == "legacy":
            question = client.question()
            assert question["params"]["message"] == message
            client.reply(question, said)
            result = client.wait_for(call)
        else:
            asked = client.wait_for(call)
            ((key, question),) = asked["inputRequests"].items()
            assert question["params"]["message"] == message
            more = {"inputResponses": {key: said}, "requestState": asked["requestState"]}
            result = client.wait_for(client.begin(f"shop__{name}", arguments, **more))
    assert not result.get("isError")


@pytest.mark.parametrize(
    ("message", "schema"),
    [
        ("Run clear?", {**FORM, "required": []}),
        ("Run clear", FORM),
        ("run clear?", FORM),
        ("Run clear? Really?", FORM),
        ("Run other?", FORM),
        ("Run Clear (other)?", FORM),
        ("Run clear (now)?", FORM),
        ("Run (clear)?", FORM),
        ("Run the tool clear?", FORM),
        ("Run?\nRun clear?", FORM),
        ("Run ", FORM),
    ],
)
def test_other_questions_stay_as_they_are(message: str, schema: dict) -> None:
    names = Names("shop", "ui://gateway/", "", lambda *_: None)
    names.tools["clear"] = "shop__clear"
    params = {"message": message, "requestedSchema": schema}
    assert question_of("elicitation/create", params, names)["params"] == params
    assert question_of("elicitation/create", {"message": "Run clear?", "requestedSchema": FORM}, names)["params"] == {
        "message": "Run shop__clear?",
        "requestedSchema": FORM,
    }
