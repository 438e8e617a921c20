"""Contexts made by hand: a function that takes one can be tested without a server."""

from __future__ import annotations

import asyncio

import pytest

from generator.runtime.authoring import Configuration, Context, SyncContext


def test_a_hand_made_context_accepts_everything_and_sends_nothing():
    ctx = SyncContext(config={"region": "eu"})
    ctx.info("hello", day=1)
    ctx.progress(1, 2, "x")
    ctx.sleep(0)
    assert (ctx.cancelled, ctx.invocation, ctx.config.region, ctx.client.name) == (False, "test", "eu", "")


def test_a_hand_made_async_context_does_too():
    async def use(ctx):
        await ctx.warning("hello")
        await ctx.progress(1)
        await ctx.sleep(0)
        return ctx.request_meta

    assert asyncio.run(use(Context())) == {}


class Channel:
    """Keeps the changes that a context tells of."""

    def __init__(self):
        self.told = []

    def changed(self, kind, key=""):
        self.told.append((kind, key))

    def close_stream(self):
        self.told.append("close")


TOLD = [("tools", ""), ("prompts", ""), ("resources", ""), ("resource", "a:b"), "close"]


def test_both_contexts_tell_of_changes_and_a_hand_made_one_tells_nobody():
    async def tell(ctx):
        await ctx.tools_changed()
        await ctx.prompts_changed()
        await ctx.resources_changed()
        await ctx.resource_updated("a:b")
        await ctx.close_stream()

    def tell_at_once(ctx):
        ctx.tools_changed()
        ctx.prompts_changed()
        ctx.resources_changed()
        ctx.resource_updated("a:b")
        ctx.close_stream()

    channels = Channel(), Channel()
    asyncio.run(tell(Context(channel=channels[0])))
    tell_at_once(SyncContext(channel=channels[1]))
    assert [each.told for each in channels] == [TOLD, TOLD]
    asyncio.run(tell(Context()))
    tell_at_once(SyncContext())


@pytest.mark.parametrize("uri", [7, None, b"a:b"])
def test_a_resource_is_named_by_a_text(uri):
    with pytest.raises(TypeError, match="named by its URI, a text, not by"):
        SyncContext().resource_updated(uri)
    with pytest.raises(TypeError):
        asyncio.run(Context().resource_updated(uri))


def test_a_log_level_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="'warn' does not exist; use one of"):
        SyncContext().log("warn", "x")


def test_configuration_is_read_by_key_or_attribute_and_shows_no_value():
    config = Configuration({"api_token": "secret"})
    assert config["api_token"] == config.api_token == "secret"
    assert config.get("other") is None
    assert "secret" not in repr(config) + str(config)
    with pytest.raises(AttributeError, match="'other' is not set"):
        _ = config.other
    with pytest.raises(KeyError):
        _ = config["other"]
