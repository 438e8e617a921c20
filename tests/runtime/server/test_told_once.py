"""A value that its tool, or another thread, goes on to change: text and `structuredContent` tell the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.runtime.server import brief as brief_module
from generator.runtime.server.brief import brief_of
from generator.runtime.server.call import Spliced
from generator.runtime.server.invoke import run
from generator.runtime.server.session import Session
from generator.runtime.wire.dialects import DIALECTS

from .tasking import client_of, task
from .test_session import FakeCatalog

VALUES: list[Any] = [{"a": 1}, {"a": 'é"\\\x7f\u2028😀\n'}, {"é": ['\\é\\\\"', 1.5, None]}]


def told(line: bytes) -> tuple[Any, Any]:
    """Return the value in the text of an answer, and the one beside it."""
    result = json.loads(line)["result"]
    return json.loads(result["content"][0]["text"]), result["structuredContent"]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("value", VALUES)
def test_a_value_that_changes_before_it_is_sent_is_told_as_it_was(bench, revision, wrap, value):
    live = dict(value)
    returns = {"type": "object", "properties": {"result": {}}} if wrap else None
    call = bench.call(bench.tool(lambda: live, wrap=wrap, returns=returns), revision=revision)
    result = run(call)
    live["more"] = [1]
    text, structured = told(Session(FakeCatalog()).answer_line(call, result))
    assert text == value
    assert structured == ({"result": value} if wrap else value)


def test_a_list_without_a_schema_is_text_only(bench):
    call = bench.call(bench.tool(lambda: [1, "é"]))
    result = run(call)
    assert result == {"content": [{"type": "text", "text": '[1,"é"]'}]}
    answer = json.loads(Session(FakeCatalog()).answer_line(call, result))
    assert answer["result"] == {"content": [{"type": "text", "text": '[1,"é"]'}]}


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_older_revisions_get_what_they_know(bench, revision):
    call = bench.call(bench.tool(lambda: {"a": "é"}), revision=revision)
    result = json.loads(Session(FakeCatalog()).answer_line(call, run(call)))["result"]
    assert json.loads(result["content"][0]["text"]) == {"a": "é"}
    assert ("structuredContent" in result) is DIALECTS[revision].structured


@pytest.mark.parametrize("value", VALUES)
def test_what_is_told_in_brief_is_encoded_once(bench, monkeypatch, value):
    tool = bench.tool(lambda: value)
    tool.prepare()
    long_way = run(bench.call(tool))
    found = brief_of(tool)
    assert found is not None
    monkeypatch.setattr(brief_module.jsonrpc, "ascii_text", None)
    members = found.members(value)
    assert json.loads(f"{{{members}}}") == long_way
    assert isinstance(long_way, Spliced)
    assert members == long_way.inner.decode("ascii")


LIVE = {"a": 1}


@task
def live():
    return LIVE


def test_the_result_of_a_task_is_what_its_tool_returned_whatever_that_does_to_it_then():
    client = client_of(live)
    created = client.request("tools/call", name="live", arguments={})["result"]
    client.end(created["taskId"])
    LIVE["a"] = 2
    found = client.request("tasks/get", taskId=created["taskId"])["result"]
    assert found["result"]["structuredContent"] == {"result": {"a": 1}}
