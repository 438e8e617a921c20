"""Whatever a client sends to the methods of offers is answered, by a result, a call or an error of the protocol."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.runtime.server.call import Call
from tests.runtime.server.offering import Server, lambda_of

METHODS = (
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "prompts/list",
    "prompts/get",
    "completion/complete",
)
KEYS = ("uri", "name", "arguments", "cursor", "ref", "argument", "context", "type", "value", "a")
WORDS = ("t://x", "t://y/", "t://y/1", "t://y/%2e%2e", "t://y/{a}", "p", "ref/prompt", "ref/resource", "a", "", "1.2")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)
PARAMS = st.dictionaries(st.sampled_from(KEYS), JSON, max_size=5)
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}


@pytest.fixture
def server(monkeypatch):
    made = Server(monkeypatch)
    made.resource(lambda_of("x"))
    template = {"uriTemplate": "t://y/{a}", "name": "y"}
    made.add("templates", lambda_of("y"), template, arguments=SCHEMA, completions={"a": {"choices": ["b", "c"]}})
    made.prompt(lambda_of("z"), more={"arguments": [{"name": "a"}]}, arguments=SCHEMA)
    return made.start()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(method=st.sampled_from(METHODS), params=PARAMS)
def test_every_request_has_an_answer(server, method, params):
    effect = server.effect(method, **params)
    if isinstance(effect, Call):
        assert method in ("resources/read", "prompts/get")
        effect = server.session.finish(effect, {"contents": [], "messages": []})
    answer = json.loads(effect)
    assert answer["id"] == 1
    assert "result" in answer or answer["error"]["code"] in (-32602, -32002)
    assert len(effect) < 2_000
