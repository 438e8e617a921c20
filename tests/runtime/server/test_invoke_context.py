"""Contexts in a running tool: what they send, and that only the server can hand one out."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from generator.runtime.authoring import CallCancelled, Context, SyncContext
from generator.runtime.server.invoke import run, run_async
from generator.runtime.server.settings import Settings

CONTEXT = {"inject": {"ctx": "sync"}}


def notified(bench, function, *, call=CONTEXT, log_level="debug", meta=None, **more):
    result = run(bench.call(bench.tool(function, call=call), log_level=log_level, meta=meta, **more))
    assert "isError" not in result, result
    return bench.sent


@pytest.mark.requirement("R057")
def test_a_context_is_injected_by_keyword_or_position(bench):
    def by_keyword(city, *, ctx):
        return [city, type(ctx).__name__]

    def by_position(ctx, city, /):
        return [city, type(ctx).__name__]

    assert bench.run(by_keyword, {"city": "Oslo"}, call=CONTEXT)["content"][0]["text"] == '["Oslo","SyncContext"]'
    call = {"inject": {"ctx": "sync"}, "positional": ["ctx", "city"]}
    assert bench.run(by_position, {"city": "Oslo"}, call=call)["content"][0]["text"] == '["Oslo","SyncContext"]'


class MyContext(SyncContext):
    def shout(self, text):
        self.info(text.upper())


@pytest.mark.requirement("R057")
def test_an_authors_own_context_class_is_honoured(bench):
    def direct(ctx: "MyContext"):  # noqa: UP037 # quoted, as some authors write it
        ctx.shout("hi")

    def optional(ctx: MyContext | None = None):
        ctx.shout("ho")

    def evaluated(ctx):
        ctx.shout("ha")

    evaluated.__annotations__ = {"ctx": MyContext | None}
    for function in (direct, optional, evaluated):
        notified(bench, function)
    assert [each["params"]["data"] for each in bench.sent] == ["HI", "HO", "HA"]


def test_a_client_cannot_supply_a_context(bench):
    result = bench.run(lambda ctx: type(ctx).__name__, {"ctx": "forged"}, call=CONTEXT)
    assert result["content"][0]["text"] == "SyncContext"


def test_log_messages_carry_level_data_and_the_tools_name(bench):
    def talks(ctx):
        ctx.info("asking", city="Oslo", day=date(2026, 1, 2), odd=object())
        ctx.log("critical", "down")

    first, second = notified(bench, talks)
    assert first["method"] == "notifications/message"
    assert first["params"]["level"] == "info"
    assert first["params"]["logger"] == "forecast"
    assert first["params"]["data"] == {"message": "asking", "city": "Oslo", "day": "2026-01-02", "odd": "<object>"}
    assert second["params"]["data"] == "down"


def test_messages_below_the_clients_level_are_not_sent(bench):
    def talks(ctx):
        ctx.debug("a")
        ctx.info("b")
        ctx.warning("c")
        ctx.error("d")

    assert [each["params"]["data"] for each in notified(bench, talks, log_level="warning")] == ["c", "d"]
    bench.sent.clear()
    assert notified(bench, talks, log_level=None) == []


def test_progress_is_sent_only_to_who_asked_and_only_when_it_grows(bench):
    def works(ctx):
        for step in (0, 50, 50, 20, 100):
            ctx.progress(step, 100, "going")

    sent = notified(bench, works, meta={"progressToken": "t"})
    assert [each["params"]["progress"] for each in sent] == [0, 50, 100]
    assert sent[0]["params"] == {"progressToken": "t", "progress": 0, "total": 100, "message": "going"}
    bench.sent.clear()
    assert notified(bench, works) == []


def test_progress_texts_are_left_out_for_revisions_without_them(bench):
    sent = notified(bench, lambda ctx: ctx.progress(1, 2, "x"), meta={"progressToken": 1}, revision="2024-11-05")
    assert sent[0]["params"] == {"progressToken": 1, "progress": 1, "total": 2}


@pytest.mark.parametrize("wrong", [float("nan"), float("inf")])
def test_progress_that_is_no_number_is_the_authors_error(bench, wrong):
    assert "ValueError" in bench.run(lambda ctx: ctx.progress(wrong), call=CONTEXT)["content"][0]["text"]


@pytest.mark.requirement("R158")
def test_a_context_knows_the_call(bench):
    def facts(ctx):
        return [
            ctx.invocation,
            ctx.request_id,
            ctx.client.name,
            ctx.client.capabilities,
            ctx.request_meta["traceparent"],
        ]

    meta = {"traceparent": "00-1", "io.modelcontextprotocol/clientCapabilities": {"roots": {}}}
    call = bench.call(
        bench.tool(facts, call=CONTEXT), meta=meta, client={"name": "host", "version": "1"}, request_id="a"
    )
    assert run(call)["content"][0]["text"] == '["mcp","a","host",{"roots":{}},"00-1"]'


def test_an_async_context_says_the_same_with_await(bench):
    async def talks(ctx: Context):
        await ctx.info("hello")
        await ctx.progress(1)
        await ctx.sleep(0)
        return ctx.cancelled

    tool = bench.tool(talks, call={"async": True, "inject": {"ctx": "async"}})
    result = asyncio.run(run_async(bench.call(tool, log_level="info", meta={"progressToken": 1})))
    assert result["content"][0]["text"] == "false"
    assert [each["method"] for each in bench.sent] == ["notifications/message", "notifications/progress"]


def test_a_blocking_sleep_ends_with_the_call(bench):
    ended = []

    def sleeps(ctx: SyncContext):
        call.cancelled = True
        try:
            ctx.sleep(60)
        except CallCancelled:
            ended.append(ctx.cancelled)
            raise

    call = bench.call(bench.tool(sleeps, call=CONTEXT))
    assert "CallCancelled" in run(call)["content"][0]["text"]
    assert ended == [True]


def test_nothing_is_sent_once_the_call_was_answered(bench):
    kept = []

    def keeps(ctx):
        kept.append(ctx)

    call = bench.call(bench.tool(keeps, call=CONTEXT), log_level="debug", meta={"progressToken": 1})
    run(call)
    call.finished = True
    kept[0].info("late")
    kept[0].progress(1)
    assert bench.sent == []


def test_messages_beside_the_answer_show_no_configured_secret(bench, monkeypatch):
    monkeypatch.setattr(Settings, "secrets", lambda _: ("hunter2x",))

    def works(ctx):
        ctx.info("with hunter2x", key="hunter2x")
        ctx.warning("hunter2x")
        ctx.progress(1, 2, "at hunter2x")

    sent = notified(bench, works, meta={"progressToken": 1})
    assert len(sent) == 3
    assert "hunter2x" not in str(sent)
    assert sent[2]["params"]["message"] == "at ***"
