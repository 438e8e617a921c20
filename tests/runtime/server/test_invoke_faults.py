"""Whatever user code raises, the client gets an error result and the server goes on."""

from __future__ import annotations

import asyncio
import json
import os
import sys

import pytest

from generator.runtime.authoring import CallCancelled, ProtocolError, ToolError
from generator.runtime.server import faults
from generator.runtime.server.faults import MAX_MESSAGE
from generator.runtime.server.invoke import run, run_async

RAISED = [
    (SystemExit(3), "SystemExit: 3"),
    (KeyboardInterrupt(), "KeyboardInterrupt"),
    (GeneratorExit(), "GeneratorExit"),
    (BaseException("base"), "BaseException: base"),
    (StopIteration(), "StopIteration"),
    (MemoryError(), "MemoryError"),
    (asyncio.CancelledError(), "CancelledError"),
    (CallCancelled("over"), "CallCancelled: over"),
    (ValueError("no such city"), "ValueError: no such city"),
    (KeyError("city"), "KeyError: 'city'"),
    (
        ExceptionGroup("two", [ValueError("a"), OSError("b")]),
        "ExceptionGroup: two (2 sub-exceptions): ValueError: a; OSError: b",
    ),
]


def raiser(error):
    def tool():
        raise error

    return tool


@pytest.mark.requirement("R153")
@pytest.mark.parametrize(("error", "text"), RAISED, ids=lambda value: type(value).__name__)
def test_any_exception_is_its_name_and_message(bench, error, text):
    result = bench.run(raiser(error))
    assert result["isError"] is True
    assert result["content"] == [{"type": "text", "text": text}]
    facts = result["_meta"]["mcpgen/error"]
    assert facts == {"tool": "forecast", "reason": "exception", "type": type(error).__name__}


@pytest.mark.parametrize(("error", "text"), RAISED, ids=lambda value: type(value).__name__)
def test_an_async_tool_may_raise_anything_as_well(bench, error, text):
    async def tool():
        raise error

    result = asyncio.run(run_async(bench.call(bench.tool(tool, call={"async": True}))))
    if isinstance(error, StopIteration):
        text = "RuntimeError: coroutine raised StopIteration"  # Python's own rule (PEP 479)
    assert result["content"] == [{"type": "text", "text": text}]


def test_what_a_sync_tool_returned_may_raise_on_the_loop_without_ending_it(bench):
    async def later():
        raise SystemExit(1)

    assert bench.run(later)["content"][0]["text"] == "SystemExit: 1"


@pytest.mark.parametrize("inner", [RuntimeError("no str"), SystemExit(9)])
def test_an_exception_whose_text_raises_is_named(bench, inner):
    class Evil(Exception):
        def __str__(self):
            raise inner

        __repr__ = __str__

    assert bench.run(raiser(Evil()))["content"][0]["text"] == "Evil (its message cannot be read)"


def test_endless_recursion_is_an_error(bench):
    def again():
        return again()

    assert bench.run(again)["content"][0]["text"].startswith("RecursionError")


def test_no_traceback_path_or_secret_reaches_the_client(bench):
    result = bench.run(raiser(RuntimeError("boom /home/user/app/secret.txt token=sk-SECRET123 in\x1b[31m\u202e red")))
    text = result["content"][0]["text"]
    assert text == "RuntimeError: boom secret.txt token=*** in\ufffd[31m\ufffd red"
    assert "Traceback" not in str(result)


def test_a_long_message_is_capped(bench):
    assert len(bench.run(raiser(ValueError("x " * 50_000)))["content"][0]["text"]) <= MAX_MESSAGE + 20


def test_a_tool_error_is_sent_as_written_with_its_hint(bench):
    error = ToolError("city /unknown", hint="use a name", retryable=True, data={"seen": {1}})
    result = bench.run(raiser(error))
    assert result["content"][0]["text"] == "city /unknown\nHint: use a name"
    facts = result["_meta"]["mcpgen/error"]
    assert facts["retryable"] is True
    assert facts["data"] == {"seen": [1]}


def test_a_tool_error_of_another_copy_is_known_by_its_marker(bench):
    class Foreign(Exception):
        __mcp_tool_error__ = True
        hint = "wait"

    assert bench.run(raiser(Foreign("closed")))["content"][0]["text"] == "closed\nHint: wait"


def test_a_tool_error_inside_a_nested_generator_stays_one(bench):
    def items():
        yield 1
        raise ToolError("page 2 is gone")

    assert bench.run(lambda: {"items": items()})["content"][0]["text"] == "page 2 is gone"


@pytest.mark.requirement("R196")
def test_obscured_errors_show_only_a_number_that_stands_in_the_log(bench, log):
    log(obscure_errors=True, dev=True)
    result = bench.run(raiser(RuntimeError("the reason")))
    fault = result["_meta"]["mcpgen/error"]["id"]
    assert result["content"][0]["text"] == f"Tool failed (id {fault})"
    assert "the reason" not in str(result)
    assert "RuntimeError" not in str(result)
    lines = log()
    assert lines[0] == f"fault {fault} forecast RuntimeError: the reason"
    assert any(line.startswith("Traceback") for line in lines)


@pytest.mark.requirement("R196")
def test_dev_writes_the_stack_in_one_json_line(bench, log):
    log(dev=True, log_format="json")
    bench.run(raiser(RuntimeError("the reason")))
    line = json.loads(log()[0])
    assert line["level"] == "error"
    assert line["error"] == "RuntimeError: the reason"
    assert "in raiser" in line["stack"] or "in tool" in line["stack"]


def test_the_recursion_limit_is_put_back(bench):
    before = sys.getrecursionlimit()
    bench.run(lambda: sys.setrecursionlimit(before - 100))
    assert sys.getrecursionlimit() == before
    bench.run(lambda: sys.setrecursionlimit(before + 100))
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("digits", [640, 5000, 0])
def test_the_limit_of_digits_is_put_back(bench, digits):
    before = sys.get_int_max_str_digits()
    try:
        bench.run(lambda: sys.set_int_max_str_digits(digits))
        assert sys.get_int_max_str_digits() == before
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_ends_instead_of_answering(bench):
    children = []

    def forks():
        children.append(os.fork())
        return "parent"

    assert bench.run(forks)["content"][0]["text"] == "parent"
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


@pytest.mark.requirement("R072")
def test_a_missing_dependency_is_named_with_what_to_do_and_tried_again(bench, tmp_path, monkeypatch):
    (tmp_path / "needs_it.py").write_text("import nowhere_to_be_found\ndef tool(): return 'ok'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    tool = bench.tool("needs_it:tool")
    first = run(bench.call(tool))
    assert first["errorData"]["errorCode"] == "M-CMD-004"
    assert first["errorData"]["reason"] == "lazy_import_failed"
    assert first["_meta"]["mcpgen/error"]["missing"] == "nowhere_to_be_found"
    assert "pip install nowhere_to_be_found" in first["content"][0]["text"]
    (tmp_path / "nowhere_to_be_found.py").write_text("", encoding="utf-8")
    assert run(bench.call(tool)) == {"content": [{"type": "text", "text": "ok"}]}
    for name in ("needs_it", "nowhere_to_be_found"):
        sys.modules.pop(name)


@pytest.mark.requirement("R072")
@pytest.mark.parametrize("statement", ["raise SystemExit(1)", "raise KeyboardInterrupt", "1/0", "def tool(: pass"])
def test_a_module_that_fails_to_import_is_an_error_of_the_call(bench, tmp_path, monkeypatch, statement):
    (tmp_path / "broken_module.py").write_text(statement, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    for is_async in (False, True):
        call = bench.call(bench.tool("broken_module:tool", call={"async": is_async}))
        result = asyncio.run(run_async(call)) if is_async else run(call)
        assert result["_meta"]["mcpgen/error"]["code"] == "M-CMD-004"
        assert str(tmp_path) not in str(result)


@pytest.mark.requirement("R072")
@pytest.mark.parametrize("target", ["nowhere_at_all:tool", "nowhere_at_all.inner:tool"])
def test_the_servers_own_module_is_never_to_be_fetched_from_an_index(bench, target):
    result = run(bench.call(bench.tool(target)))
    assert result["_meta"]["mcpgen/error"]["missing"] == "nowhere_at_all"
    text = result["content"][0]["text"]
    assert "pip install" not in text
    assert "the module `nowhere_at_all` that this server links to" in text


@pytest.mark.parametrize(
    "error",
    [
        ToolError("no hunter2x", hint="not hunter2x", data={"hunter2x": ["hunter2x"]}),
        ProtocolError(-31000, "no hunter2x", {"hunter2x": ["hunter2x"]}),
        ValueError("no hunter2x"),
    ],
)
def test_what_an_author_raises_shows_no_configured_secret(bench, monkeypatch, error):
    monkeypatch.setattr(faults, "secrets_of", lambda _: ("hunter2x",))
    result = bench.run(raiser(error))
    assert "***" in str(result)
    assert "hunter2x" not in str(result)
