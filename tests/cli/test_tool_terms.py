"""What `inspect` tells of a tool besides its arguments: only what is stated."""

from __future__ import annotations

from generator.cli.tool_sheet import render
from generator.cli.tool_terms import stated, terms
from generator.diagnostics.plain import width
from generator.ir.model import Limits, Prompt, PythonCall, Server, Source, Tool, UiLink


def tool(**stated: object) -> Tool:
    return Tool(name="f", input_schema={"type": "object"}, call=PythonCall(target=".w:f"), **stated)


def test_a_plain_tool_has_nothing_to_tell():
    assert terms(tool()) == []
    assert stated(tool()) == {}


def test_all_that_is_stated_is_told():
    one = tool(
        ui=UiLink(resource_uri="ui://w/a", visibility=("app",)),
        scopes=("w:read", "w:write"),
        config=("token",),
        confirm=True,
        task="required",
        limits=Limits(timeout=2.5, max_concurrent=1, max_result_bytes=100),
        aliases=("g",),
    )
    assert dict(terms(one)) == {
        "view": "ui://w/a, called by the view only",
        "scopes": "w:read, w:write",
        "config": "token",
        "confirm": "the person is asked before it runs",
        "task": "required",
        "limits": "2.5 s, 1 at once, 100 bytes of result",
        "aliases": "g",
    }
    assert stated(one) == {
        "scopes": ["w:read", "w:write"],
        "config": ["token"],
        "confirm": True,
        "task": "required",
        "limits": {"timeout": 2.5, "max_concurrent": 1, "max_result_bytes": 100},
        "aliases": ["g"],
    }


def test_whom_a_tool_asks_is_told_at_a_glance_and_in_words():
    call = PythonCall(target=".w:f", asks=("elicit", "sample"))
    one = Tool(name="f", input_schema={"type": "object"}, call=call, confirm=True)
    assert dict(terms(one)) == {
        "confirm": "the person is asked before it runs",
        "asks": "the person (ctx.elicit); the client's model (ctx.sample)",
    }
    assert stated(one) == {"confirm": True, "asks": ["elicit", "sample"]}
    server = Server(
        id="w", package="w_mcp", command="w-mcp", tools=(one, tool()), source=Source(kind="python", name="w")
    )
    table = render(server, 80).splitlines()[1:3]
    assert [line.split()[:3] for line in table] == [["f", "confirm", "asks"], ["f"]]


def test_many_scopes_stay_within_the_lines():
    server = Server(
        id="w",
        package="w_mcp",
        command="w-mcp",
        tools=(tool(scopes=tuple(f"weather:part-{number}" for number in range(20))),),
        source=Source(kind="python", name="w.py"),
    )
    shown = render(server, 60)
    assert "weather:part-19" in shown
    assert max(map(width, shown.splitlines())) <= 60


def test_the_scopes_of_a_prompt_are_told():
    prompt = Prompt(name="brief", call=PythonCall(target=".w:brief"), scopes=("w:read",))
    source = Source(kind="python", name="w.py")
    shown = render(Server(id="w", package="w_mcp", command="w-mcp", prompts=(prompt,), source=source), 80)
    assert shown.splitlines()[-1] == "  scopes: w:read"
