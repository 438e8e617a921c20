"""Tools that run only when the person says so."""

from __future__ import annotations

import pytest

from .asking import Legacy, Modern, accept, catalog_of, text_of

RAN: list[str] = []


def purge(days=0, password="", note=""):
    RAN.append("purged")
    return "purged"


async def apurge(days=0, password="", note=""):
    return purge()


for function in (purge, apurge):
    function.entry = {
        "definition": {
            "name": function.__name__,
            "title": "Purge",
            "inputSchema": {"type": "object"},
            "annotations": {"destructiveHint": True},
        },
        "confirm": True,
    }
ERAS = pytest.mark.parametrize("era", [Legacy, Modern])
TOOLS = pytest.mark.parametrize("tool", ["purge", "apurge"])


def client_of(era, **more):
    RAN.clear()
    return era(catalog_of(purge, apurge), capabilities=more.get("capabilities", {"elicitation": {}}))


@pytest.mark.requirement("R103")
@ERAS
@TOOLS
def test_a_tool_runs_once_when_the_person_says_so(era, tool):
    client = client_of(era)
    client.answers["elicitation/create"] = accept(confirm=True)
    assert text_of(client.call(tool, days=3)) == "purged"
    assert RAN == ["purged"]
    assert client.asked[0]["params"]["message"] == f"Run Purge ({tool})? It may destroy something.\ndays: 3"


@pytest.mark.requirement("R103")
@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"action": "decline"}, "the user declined it"),
        ({"action": "cancel"}, "the user gave no answer"),
        ({"action": "accept", "content": {"confirm": False}}, "the user declined it"),
    ],
)
@ERAS
@TOOLS
def test_a_tool_does_not_run_when_the_person_says_no(era, tool, answer, text):
    client = client_of(era)
    client.answers["elicitation/create"] = lambda _: answer
    response = client.call(tool)
    assert response["result"]["isError"]
    assert text_of(response) == (
        f"[M-ASK-004] {tool} was not run: {text}. Do not call it again unless the user asks for it."
    )
    assert RAN == []


@pytest.mark.requirement("R103")
@ERAS
@TOOLS
@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"sampling": {}}])
def test_a_client_that_cannot_ask_the_person_is_refused(era, tool, capabilities):
    response = client_of(era, capabilities=capabilities).call(tool)
    assert response["result"]["isError"]
    assert text_of(response).startswith(f"[M-ASK-001] {tool} was not run: it needs the user's confirmation")
    assert RAN == []


def test_wrong_arguments_are_told_before_anybody_is_asked():
    def strict(number):
        return number

    strict.entry = {
        "confirm": True,
        "definition": {"name": "strict", "inputSchema": {"type": "object", "required": ["number"]}},
    }
    client = Legacy(catalog_of(strict), capabilities={"elicitation": {}})
    assert text_of(client.call("strict")).startswith("1 problem")
    assert client.asked == []


def test_the_question_shows_arguments_cut_short_and_no_secret():
    client = client_of(Legacy)
    client.answers["elicitation/create"] = accept(confirm=True)
    client.call("purge", password="hunter2", note="n" * 500, days=[1, {"a": "b\u202e"}])
    message = client.asked[0]["params"]["message"]
    assert "hunter2" not in message
    assert "password: ***" in message
    assert f"note: {'n' * 60}… (500 characters)" in message
    assert 'days: [1,{"a":"b\ufffd"}]' in message


@TOOLS
def test_a_client_cannot_confirm_unasked(tool):
    client = client_of(Modern)
    responses = {"mcpgen.confirm": {"action": "accept", "content": {"confirm": True}}}
    response = client.once("tools/call", name=tool, arguments={}, inputResponses=responses)
    assert response["result"]["resultType"] == "input_required"
    assert RAN == []


def test_a_confirmation_is_for_these_arguments_alone():
    client = client_of(Modern)
    state = client.once("tools/call", name="purge", arguments={"note": "a" * 80 + "x"})["result"]["requestState"]
    responses = {"mcpgen.confirm": {"action": "accept", "content": {"confirm": True}}}
    more = {"inputResponses": responses, "requestState": state}
    response = client.once("tools/call", name="purge", arguments={"note": "a" * 80 + "y"}, **more)
    assert response["error"]["code"] == -32602
    assert RAN == []
