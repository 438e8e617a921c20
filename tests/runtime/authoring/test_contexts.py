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
