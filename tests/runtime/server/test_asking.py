"""Questions to the client in the middle of a call: the same function, whatever the client's revision."""

from __future__ import annotations

import pytest

from .asking import Legacy, Modern, accept, catalog_of, text_of

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
ELICITATION = {"elicitation": {}}


def question(message="Who?"):
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": FORM}}


def greet(ctx):
    answers = ctx._channel.ask({"who": question()})
    return f"hello {answers['who']['content']['name']}"


async def agreet(ctx):
    answers = await ctx._channel.ask_async({"who": question()})
    return f"hello {answers['who']['content']['name']}"


@pytest.mark.parametrize("function", [greet, agreet])
@pytest.mark.parametrize("era", [Legacy, Modern])
def test_a_function_gets_the_answer_of_its_client(era, function):
    client = era(catalog_of(function), capabilities=ELICITATION)
    client.answers["elicitation/create"] = accept(name="Ada")
    assert text_of(client.call(function.__name__)) == "hello Ada"
    assert [request["params"]["message"] for request in client.asked] == ["Who?"]


def test_a_client_that_did_not_say_it_can_is_never_asked():
    modern = Modern(catalog_of(greet), capabilities={}).call("greet")
    assert modern["error"]["code"] == -32021
    assert modern["error"]["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}
    legacy = Legacy(catalog_of(greet), capabilities={}).call("greet")
    assert legacy["result"]["isError"]
    assert text_of(legacy).startswith("[M-ASK-001] greet cannot run with this client: missing required client capab")
