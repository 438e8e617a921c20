"""The state a client keeps between rounds: nobody else's, nothing else's, unchanged, and not for long."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.authoring import SyncContext
from generator.runtime.server import asking_replay, sealing
from generator.runtime.server.sealing import fingerprint, seal, sealing_key, unseal

from .asking import Modern, accept, catalog_of, text_of

KEY = b"k" * 32
REFUSED = "Invalid params: requestState does not belong to this request, or was changed"


def greet(ctx: SyncContext, a=0):
    first = ctx.elicit("first", "First?", schema=str)
    second = ctx.elicit("second", "Second?", schema=str)
    return f"{first} {second}"


def pay(ctx: SyncContext, a=0):
    return ctx.elicit("first", "First?", schema=str)


CATALOG = catalog_of(greet, pay)


def begun(**more):
    """Return a client and the state of its first round."""
    client = Modern(CATALOG, capabilities={"elicitation": {}}, **more)
    return client, client.once("tools/call", name="greet", arguments={"a": 1})["result"]["requestState"]


def go_on(client, state, **params):
    asked = {"name": "greet", "arguments": {"a": 1}, **params}
    responses = {"first": {"action": "accept", "content": {"first": "Ada"}}}
    return client.once("tools/call", **asked, inputResponses=responses, requestState=state)


def test_each_round_has_a_state_of_its_own_and_asks_for_what_is_open():
    client, state = begun()
    second = go_on(client, state)["result"]
    assert list(second["inputRequests"]) == ["second"]
    assert second["requestState"] != state
    assert go_on(client, state)["result"]["resultType"] == "input_required"


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_a_state_with_one_other_character_is_refused(place, change):
    client, state = begun()
    place %= len(state)
    other = chr((ord(state[place]) + change) % 128)
    if other == state[place]:
        other = "!"
    response = go_on(client, state[:place] + other + state[place + 1 :])
    assert response["error"] == {"code": -32602, "message": REFUSED}


@given(st.text(max_size=300) | st.integers() | st.booleans() | st.dictionaries(st.text(), st.integers(), max_size=2))
def test_what_was_never_a_state_is_refused(state):
    client, _ = begun()
    assert go_on(client, state)["error"]["code"] == -32602


@pytest.mark.parametrize("more", ["=", "==", "A", "AAAA", "\n", " "])
def test_a_state_with_something_behind_it_is_refused(more):
    client, state = begun()
    assert go_on(client, state + more)["error"]["message"] == REFUSED
    assert go_on(client, more + state)["error"]["message"] == REFUSED


def test_unused_bits_of_the_last_character_do_not_matter_to_a_decoder_but_do_here():
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for size in range(1, 7):
        text = seal(b"x" * size, b"b", KEY)
        spellings = [text[:-1] + letter for letter in alphabet]
        assert [each for each in spellings if unseal(each, b"b", KEY) is not None] == [text]


@pytest.mark.parametrize(
    "params", [{"name": "pay"}, {"arguments": {"a": 2}}, {"arguments": {}}, {"arguments": {"a": "1"}}]
)
def test_a_state_belongs_to_one_request(params):
    client, state = begun()
    assert go_on(client, state, **params)["error"]["message"] == REFUSED


def test_a_state_belongs_to_one_principal_and_one_server():
    _, state = begun(principal="ada")
    eve, _ = begun(principal="eve")
    assert go_on(eve, state)["error"]["message"] == REFUSED
    other = Modern(catalog_of(greet), capabilities={"elicitation": {}}, principal="ada")
    assert "result" in go_on(other, state)  # a replica
    other.catalog.data["id"] = "another"
    assert go_on(other, state)["error"]["message"] == REFUSED


def test_a_state_does_not_last(monkeypatch):
    client, state = begun()
    now = asking_replay.time()
    monkeypatch.setattr(asking_replay, "time", lambda: now + asking_replay.STATE_SECONDS + 2)
    assert go_on(client, state)["error"]["message"].startswith("Invalid params: requestState has expired")


def test_a_state_that_comes_without_answers_has_its_questions_asked_again():
    client, state = begun()
    response = client.once("tools/call", name="greet", arguments={"a": 1}, requestState=state)
    assert list(response["result"]["inputRequests"]) == ["first"]


def test_other_keys_are_ignored_and_missing_ones_asked_again():
    client, state = begun()
    responses = {"another": {"action": "accept"}, "second": {"action": "accept", "content": {"second": "early"}}}
    params = {"name": "greet", "arguments": {"a": 1}}
    response = client.once("tools/call", **params, inputResponses=responses, requestState=state)
    assert list(response["result"]["inputRequests"]) == ["first"]


@pytest.mark.parametrize("responses", [5, "x", [], {"first": 5}, {"first": None}, {"first": {"action": "perhaps"}}])
def test_misshapen_answers_are_an_error(responses):
    client, state = begun()
    params = {"name": "greet", "arguments": {"a": 1}}
    for more in ({"requestState": state}, {}):
        response = client.once("tools/call", **params, inputResponses=responses, **more)
        assert response["error"]["code"] == -32602, response


def test_answers_may_come_with_the_first_request():
    client, _ = begun()
    responses = {key: accept(**{key: key.upper()})(None) for key in ("first", "second", "third")}
    response = client.once("tools/call", name="greet", arguments={}, inputResponses=responses)
    assert text_of(response) == "FIRST SECOND"


def test_an_answer_never_counts_for_another_question():
    stock = ["one"]

    def delete(ctx: SyncContext):
        return str(ctx.elicit("sure", f"Delete {stock[0]}?", schema=bool)) + stock[0]

    client = Modern(catalog_of(delete), capabilities={"elicitation": {}})

    def yes(_):
        stock[0] = "two"
        return {"action": "accept", "content": {"sure": True}}

    client.answers["elicitation/create"] = yes
    assert text_of(client.call("delete")) == "Truetwo"
    assert [request["params"]["message"] for request in client.asked] == ["Delete one?", "Delete two?"]


def test_a_function_that_asks_something_else_each_time_ends():
    numbers = iter(range(1_000))

    def restless(ctx: SyncContext):
        return ctx.elicit("n", f"Number {next(numbers)}?", schema=int)

    client = Modern(catalog_of(restless), capabilities={"elicitation": {}})
    client.answers["elicitation/create"] = accept(n=1)
    assert text_of(client.call("restless")).startswith("[M-ASK-003] The client was asked 64 times")


def test_answers_that_are_too_large_to_keep_are_an_error():
    client = Modern(CATALOG, capabilities={"elicitation": {}})
    client.answers["elicitation/create"] = accept(first="x" * sealing.MAX_STATE, second="y")
    assert text_of(client.call("greet")).startswith("[M-ASK-003] The answers together are too large")


def test_the_key_comes_from_the_environment_if_it_is_long_enough(monkeypatch):
    warned = []
    monkeypatch.setattr(sealing.logs, "warning", warned.append)
    monkeypatch.setattr(sealing, "_keys", {})
    own = sealing_key()
    assert own == sealing_key()
    monkeypatch.setenv("MCPGEN_STATE_KEY", "short")
    assert sealing_key() not in (own, b"short")
    assert warned == ["MCPGEN_STATE_KEY is ignored: it needs 32 characters at least"]
    monkeypatch.setenv("MCPGEN_STATE_KEY", "k" * 32)
    shared = sealing_key()
    monkeypatch.setattr(sealing, "_keys", {})
    assert sealing_key() == shared  # as in another process
    assert len(warned) == 1


@given(st.binary(max_size=200), st.binary(max_size=20))
def test_what_is_sealed_can_be_opened_with_the_same_binding_and_key_only(payload, binding):
    text = seal(payload, binding, KEY)
    assert unseal(text, binding, KEY) == payload
    assert unseal(text, binding + b"x", KEY) is None
    assert unseal(text, binding, KEY[::-1] + b"x") is None


def test_a_fingerprint_is_of_the_value_not_of_its_spelling():
    assert fingerprint({"a": 1, "b": [1.0, {"c": True}]}) == fingerprint({"b": [1, {"c": True}], "a": 1.0})
    assert fingerprint({"a": 1}) != fingerprint({"a": True}) != fingerprint({"a": "1"})


def test_numbers_beyond_a_double_have_a_fingerprint_too():
    assert fingerprint([1e999]) == fingerprint([2e999]) != fingerprint([-1e999])
