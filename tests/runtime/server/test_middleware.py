"""Middleware: before the arguments are checked, after the result, and never the end of the server."""

from __future__ import annotations

import asyncio
import json
from types import ModuleType

import pytest

from generator.runtime.authoring import Context, SyncContext, ToolCall, ToolError
from generator.runtime.server import middleware

from .asking import Legacy, Modern, accept, catalog_of, text_of

SEEN: list[object] = []


def double(number: int):
    return number * 2


async def adouble(number: int):
    await asyncio.sleep(0)
    return number * 2


def fails(number: int):
    raise ValueError("no")


for function in (double, adouble, fails):
    function.entry = {
        "definition": {
            "name": function.__name__,
            "inputSchema": {
                "type": "object",
                "properties": {"number": {"type": "integer"}},
                "required": ["number"],
                "additionalProperties": False,
            },
        }
    }
TOOLS = pytest.mark.parametrize("tool", ["double", "adouble"])


def rename(call: ToolCall):
    SEEN.append(("before", call.tool, call.arguments))
    if "Number" in call.arguments:
        call.arguments["number"] = call.arguments.pop("Number")


async def arename(call: ToolCall):
    await asyncio.sleep(0)
    rename(call)


def stamp(call: ToolCall):
    result = yield
    SEEN.append(("after", result.get("isError", False)))
    result["content"].append({"type": "text", "text": "stamped"})


async def astamp(call: ToolCall):
    result = yield
    await asyncio.sleep(0)
    call.result = {**result, "content": [*result["content"], {"type": "text", "text": "stamped"}]}


def broken(call: ToolCall):
    raise KeyError("lost")


def forbids(call: ToolCall):
    raise ToolError("not on Sundays", hint="try on Monday")


def breaks_later(call: ToolCall):
    yield
    raise KeyError("lost")


def twice(call: ToolCall):
    yield
    yield


def never(call: ToolCall):
    return
    yield


CHANGE: dict[str, dict] = {}


def changes(call: ToolCall):
    result = yield
    result |= CHANGE["is"]


def spoils(call: ToolCall):
    yield
    call.result = None


def exits(call: ToolCall):
    raise SystemExit(3)


LAYERS = (rename, arename, stamp, astamp, broken, forbids, breaks_later, twice, never, spoils, changes, exits)


def client_of(*layers, functions=(double, adouble, fails), era=Legacy, **more):
    SEEN.clear()
    module = ModuleType("middleware_of_a_test")
    for layer in LAYERS:
        setattr(module, layer.__name__, layer)
    targets = [f"{module.__name__}:{layer.__name__}" for layer in layers]
    catalog = catalog_of(*functions, module=module, settings={"middleware": targets, "coerce": False})
    return era(catalog, capabilities={"elicitation": {}}, **more)


@pytest.mark.requirement("R030")
@pytest.mark.parametrize("layer", [rename, arename])
@TOOLS
def test_a_middleware_may_repair_arguments_before_they_are_checked(layer, tool):
    client = client_of(layer)
    assert text_of(client.call(tool, Number=4)) == "8"
    assert SEEN[0][:2] == ("before", tool)


@pytest.mark.parametrize("layer", [stamp, astamp])
@TOOLS
def test_a_middleware_may_change_the_result(layer, tool):
    response = client_of(layer).call(tool, number=4)
    assert [block["text"] for block in response["result"]["content"]] == ["8", "stamped"]


def test_a_middleware_sees_what_went_wrong_too():
    response = client_of(stamp).call("fails", number=1)
    assert [block["text"] for block in response["result"]["content"]] == ["ValueError: no", "stamped"]
    response = client_of(stamp).call("double", digit=1)
    assert response["result"]["isError"]
    assert SEEN == [("after", True)]


def test_the_first_middleware_is_the_outermost():
    response = client_of(stamp, rename, astamp).call("double", Number=1)
    assert [block["text"] for block in response["result"]["content"]] == ["2", "stamped", "stamped"]
    assert [each[0] for each in SEEN] == ["before", "after"]


@pytest.mark.parametrize(
    ("layer", "text"),
    [
        (broken, "KeyError: 'lost'"),
        (forbids, "not on Sundays\nHint: try on Monday"),
        (breaks_later, "KeyError: 'lost'"),
        (twice, "RuntimeError: a middleware yields once"),
        (never, "RuntimeError: a middleware that is a generator has to yield"),
        (exits, "SystemExit: 3"),
    ],
)
@TOOLS
def test_a_middleware_that_fails_ends_the_call_and_nothing_else(layer, text, tool):
    client = client_of(stamp, layer)
    response = client.call(tool, number=4)
    assert response["result"]["isError"]
    assert [block["text"] for block in response["result"]["content"]] == [text, "stamped"]
    assert client.session.open == set()


@TOOLS
def test_a_middleware_cannot_leave_a_result_that_is_none(tool):
    assert text_of(client_of(spoils).call(tool, number=4)).startswith("[M-OUT-001]")


@pytest.mark.parametrize(
    "change",
    [
        {"content": [5]},
        {"content": [{"text": "x"}]},
        {"isError": "yes"},
        {"_meta": 5},
        {"resultType": "task"},
        {"rpcError": 5},
        {"rpcError": {"message": "x"}},
        {"content": [{"type": "text", "text": "x" * 100}]},
    ],
)
@TOOLS
def test_a_middleware_cannot_leave_a_result_of_another_shape(monkeypatch, change, tool):
    monkeypatch.setattr(middleware, "ROOM", 0)
    monkeypatch.setitem(CHANGE, "is", change)
    assert text_of(client_of(changes).call(tool, number=4)).startswith("[M-OUT-001]")
    monkeypatch.undo()
    assert text_of(client_of(stamp).call(tool, number=4)) == "8"


def test_a_middleware_that_cannot_be_imported_is_an_error_of_the_call():
    catalog = catalog_of(double, settings={"middleware": ["nowhere_at_all:f"]})
    assert text_of(Legacy(catalog, capabilities={}).call("double", number=1)).startswith("[M-CMD-004]")


def test_repairs_stay_with_the_call():
    message = {"number": 1, "deep": {"list": [1]}}

    def deep(deep, number):
        return deep

    module = ModuleType("deep_repairs")

    def change(call: ToolCall):
        call.arguments["deep"]["list"].append(2)

    module.change = change
    catalog = catalog_of(deep, module=module, settings={"middleware": ["deep_repairs:change"]})
    client = Legacy(catalog, capabilities={})
    assert json.loads(text_of(client.call("deep", **message))) == {"list": [1, 2]}
    assert message == {"number": 1, "deep": {"list": [1]}}


@pytest.mark.parametrize("era", [Legacy, Modern])
def test_a_call_that_asks_runs_its_middleware_again_and_ends_it_once(era):
    def ask(ctx: SyncContext, name="?"):
        return f"{name}: {ctx.elicit('who', 'Who?', schema=str)}"

    async def aask(ctx: Context, name="?"):
        return f"{name}: {await ctx.elicit('who', 'Who?', schema=str)}"

    for function in (ask, aask):
        client = client_of(rename, stamp, astamp, functions=[function], era=era)
        client.answers["elicitation/create"] = accept(who="Ada")
        response = client.call(function.__name__, name="x")
        assert [block["text"] for block in response["result"]["content"]] == ["x: Ada", "stamped", "stamped"]
        assert [each[0] for each in SEEN] == ["before", *(["before"] if era is Modern else []), "after"]
