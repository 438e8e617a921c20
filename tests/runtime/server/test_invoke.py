"""What reaches a client when user code returns, of every kind."""

from __future__ import annotations

import asyncio
import builtins
import itertools
import sys
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from generator.runtime.authoring import Audio, File, Image, Link, Text
from generator.runtime.server.drain import MAX_ITEMS
from generator.runtime.server.invoke import run, run_async

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)


def text_of(result):
    return [block["text"] for block in result["content"]]


@pytest.mark.requirement("R019")
@pytest.mark.requirement("R020")
def test_an_object_is_text_and_structured_content(bench):
    result = bench.run(lambda: {"city": "Tromsø", "days": [1, 2]})
    assert result == {
        "content": [{"type": "text", "text": '{"city":"Tromsø","days":[1,2]}'}],
        "structuredContent": {"city": "Tromsø", "days": [1, 2]},
    }


@pytest.mark.requirement("R020")
def test_another_value_is_wrapped_in_structured_content_but_not_in_its_text(bench):
    result = bench.run(lambda: [1, 2], returns={"type": "array"}, wrap=True)
    assert result == {"content": [{"type": "text", "text": "[1,2]"}], "structuredContent": {"result": [1, 2]}}


@pytest.mark.requirement("R180")
def test_a_string_is_its_own_text_and_without_a_schema_not_structured(bench):
    assert bench.run(lambda: '"quoted"') == {"content": [{"type": "text", "text": '"quoted"'}]}


@pytest.mark.requirement("R180")
def test_nothing_gives_no_content(bench):
    assert bench.run(lambda: None) == {"content": []}
    assert bench.run(lambda: None, kind="none") == {"content": []}


def test_none_against_a_schema_is_null(bench):
    result = bench.run(lambda: None, returns={"type": ["integer", "null"]}, wrap=True)
    assert result == {"content": [{"type": "text", "text": "null"}], "structuredContent": {"result": None}}


def test_a_list_without_a_schema_is_text_only(bench):
    assert bench.run(lambda: [1, 2]) == {"content": [{"type": "text", "text": "[1,2]"}]}


def test_content_of_every_kind_becomes_blocks_in_order(bench):
    def mixed():
        return [Text("hello"), "plain", Image(PNG), Audio(b"ID3"), File("memo://1", text="t"), Link("https://x/y"), 3]

    result = bench.run(mixed)
    kinds = [block["type"] for block in result["content"]]
    assert kinds == ["text", "text", "image", "audio", "resource", "resource_link", "text"]
    assert "structuredContent" not in result
    assert result["content"][-1]["text"] == "3"


def test_content_is_known_by_its_marker_not_by_its_class(bench):
    class Foreign:
        __mcp_content__ = True

        def to_block(self):
            return {"type": "text", "text": "from another copy"}

    assert text_of(bench.run(Foreign, kind="content")) == ["from another copy"]


def test_a_tool_that_declares_content_may_return_nothing_or_plain_values(bench):
    assert bench.run(lambda: None, kind="content") == {"content": []}
    assert text_of(bench.run(lambda: [{"a": 1}, "b"], kind="content")) == ['{"a":1}', "b"]


@pytest.mark.parametrize("annotated_async", [False, True])
def test_an_awaitable_is_awaited_whatever_the_kind_of_function(bench, annotated_async):
    async def answer():
        return {"ok": True}

    def plain():
        return answer()

    tool = bench.tool(plain, call={"async": annotated_async})
    call = bench.call(tool)
    result = asyncio.run(run_async(call)) if annotated_async else run(call)
    assert result["structuredContent"] == {"ok": True}


def test_generators_are_collected(bench):
    def numbers():
        yield from range(3)

    async def letters():
        for letter in "ab":
            yield letter

    assert text_of(bench.run(numbers)) == ["[0,1,2]"]
    assert text_of(bench.run(letters)) == ['["a","b"]']
    assert text_of(bench.run(lambda: map(str, [1]))) == ['["1"]']
    call = bench.call(bench.tool(letters, call={"async": True}))
    assert text_of(asyncio.run(run_async(call))) == ['["a","b"]']


def test_a_generator_that_yields_content_gives_blocks(bench):
    def pages():
        yield Text("one")
        yield Image(PNG)

    assert [block["type"] for block in bench.run(pages)["content"]] == ["text", "image"]


def test_an_endless_generator_is_an_error_and_its_cleanup_runs(bench):
    closed = []

    def endless():
        try:
            yield from itertools.count()
        finally:
            closed.append(True)

    result = bench.run(endless)
    assert result["isError"] is True
    assert str(MAX_ITEMS) in result["content"][0]["text"]
    assert closed == [True]


def test_collecting_stops_when_the_call_is_cancelled(bench):
    taken = []

    def numbers():
        for number in itertools.count():
            taken.append(number)
            if number == 2:
                call.cancelled = True
            yield number

    call = bench.call(bench.tool(numbers))
    run(call)
    assert taken == [0, 1, 2]


def test_a_result_that_breaks_its_schema_names_tool_path_and_expectation_but_not_the_value(bench):
    returns = {"type": "object", "properties": {"days": {"type": "array", "items": {"type": "integer"}}}}
    result = bench.run(lambda: {"days": [1, "topsecret"]}, returns=returns)
    text = result["content"][0]["text"]
    assert result["isError"] is True
    assert "forecast" in text
    assert "result.days[1]: expected integer, got string" in text
    assert "topsecret" not in str(result)
    assert result["_meta"]["mcpgen/error"]["code"] == result["errorData"]["errorCode"] == "M-OUT-001"
    assert "structuredContent" not in result


def test_a_wrong_result_can_be_a_warning_or_ignored(bench, log):
    returns = {"type": "integer"}
    warned = bench.run(lambda: "x", returns=returns, wrap=True, settings={"validate_results": "warn"})
    assert warned["structuredContent"] == {"result": "x"}
    assert [line for line in log() if "expected integer, got string" in line]
    ignored = bench.run(lambda: "x", returns=returns, wrap=True, settings={"validate_results": "off"})
    assert ignored["structuredContent"] == {"result": "x"}


@pytest.mark.parametrize(
    ("value", "said"),
    [(float("nan"), "NaN"), (object(), "object"), ({(1,): 2}, "key"), ("\ud800", "surrogate")],
)
def test_a_value_without_a_json_form_is_an_error_that_names_it(bench, value, said):
    result = bench.run(lambda: value)
    assert result["_meta"]["mcpgen/error"]["code"] == "M-OUT-001"
    assert said in result["content"][0]["text"]
    assert " 0x" not in result["content"][0]["text"]


def test_a_long_string_is_cut_with_a_note_and_long_json_refused(bench):
    limits = {"max_result_bytes": 10}
    cut = bench.run(lambda: "æ" * 20, returns={"type": "string"}, wrap=True, limits=limits)
    assert cut["content"][0]["text"] == "æ" * 5 == cut["structuredContent"]["result"]
    assert "5 of 20 characters" in cut["content"][1]["text"]
    refused = bench.run(lambda: list(range(20)), limits=limits)
    assert refused["errorData"]["reason"] == "result_too_large"
    assert bench.run(lambda: Image(PNG), limits=limits)["isError"] is True
    assert len(bench.run(lambda: [Text("a" * 50)], limits={"max_result_bytes": 20})["content"]) == 2


def test_numbers_keep_every_digit_where_a_tool_needs_them(bench):
    seen = []
    tool = bench.tool(
        lambda amount, other: seen.append((amount, other)),
        properties={"amount": {"type": "number"}, "other": {"type": "number"}},
        call={"exact_numbers": True, "conversions": {"amount": "decimal", "other": "number"}},
    )
    raw = b'{"params":{"arguments":{"amount":0.10000000000000000001,"other":0.5}}}'
    assert "isError" not in run(bench.call(tool, {"amount": 0.1, "other": 0.5}, raw=raw))
    assert seen == [(Decimal("0.10000000000000000001"), 0.5)]
    assert type(seen[0][1]) is float


def test_a_module_is_imported_at_the_first_call_once(bench, tmp_path, monkeypatch):
    (tmp_path / "counted_module.py").write_text("COUNT = []\nCOUNT.append(1)\ndef tool(): return len(COUNT)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    tool = bench.tool("counted_module:tool")
    assert "counted_module" not in sys.modules
    assert text_of(run(bench.call(tool))) == ["1"] == text_of(run(bench.call(tool)))
    sys.modules.pop("counted_module")


def test_a_tools_limits_are_its_own_or_the_servers(bench):
    own = bench.tool(len, limits={"timeout": 5, "max_concurrent": 2}, settings={"timeout": 30})
    assert (own.timeout, own.max_concurrent, own.is_async) == (5, 2, False)
    assert bench.tool(len, settings={"timeout": 30}).timeout == 30
    assert bench.tool(len).timeout is None


def test_threads_that_call_a_tool_first_at_once_import_it_once(bench, tmp_path, monkeypatch):
    source = "import builtins\nbuiltins.imported_times = getattr(builtins, 'imported_times', 0) + 1\n"
    (tmp_path / "raced_module.py").write_text(f"{source}def tool(): return 'ok'\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    tool = bench.tool("raced_module:tool")
    with ThreadPoolExecutor(8) as pool:
        plans = {id(plan) for plan in pool.map(lambda _: tool.prepare(), range(8))}
    assert len(plans) == 1
    assert builtins.imported_times == 1
    del builtins.imported_times
    sys.modules.pop("raced_module")


def test_a_user_module_gets_the_servers_own_copy_as_mcpgen(bench, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name == "mcpgen" or name.startswith("mcpgen.")]:
        monkeypatch.delitem(sys.modules, name)
    own = [each for each in sys.meta_path if type(each).__name__ != "AuthoringAlias"]
    monkeypatch.setattr(sys, "meta_path", own)  # a package that a test imported has an alias of its own
    source = "import mcpgen.content\nfrom mcpgen import Text\ndef tool(): return Text(mcpgen.content.__name__)\n"
    (tmp_path / "marked_module.py").write_text(source)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert text_of(bench.run("marked_module:tool")) == ["generator.runtime.authoring.content"]
    for name in ("marked_module", "mcpgen", "mcpgen.content"):
        sys.modules.pop(name, None)


@pytest.mark.requirement("R152")
def test_prints_come_back_as_further_blocks_when_a_tool_asks_for_them(bench, capsys):
    def noisy(fail=False):
        print("to out")
        print("to err", file=sys.stderr)
        if fail:
            raise ValueError("boom")
        return "done"

    result = bench.run(noisy, capture_output=True)
    assert [(block["text"], block.get("_meta")) for block in result["content"]] == [
        ("done", None),
        ("to out", {"mcpgen/stream": "stdout"}),
        ("to err", {"mcpgen/stream": "stderr"}),
    ]
    failed = bench.run(noisy, {"fail": True}, capture_output=True)
    assert failed["isError"] is True
    assert text_of(failed) == ["ValueError: boom", "to out", "to err"]
    assert text_of(bench.run(noisy)) == ["done"]
    assert capsys.readouterr().out == "to out\n"


def test_prints_of_async_tools_that_run_at_once_do_not_mix(bench):
    async def noisy(name):
        print(name, 1)
        await asyncio.sleep(0)
        print(name, 2)

    tool = bench.tool(noisy, capture_output=True, kind="none", call={"async": True})

    async def both():
        calls = (bench.call(tool, {"name": name}) for name in "ab")
        return await asyncio.gather(*map(run_async, calls))

    assert [text_of(result) for result in asyncio.run(both())] == [["a 1\na 2"], ["b 1\nb 2"]]


def test_an_awaitable_that_comes_to_an_awaitable_is_awaited_again(bench):
    async def inner():
        return 5

    async def twice():
        return inner()

    result = asyncio.run(run_async(bench.call(bench.tool(twice, call={"async": True}))))
    assert text_of(result) == ["5"]
