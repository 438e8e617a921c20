"""What clients may answer when they are asked."""

from __future__ import annotations

import pytest

from generator.runtime.authoring import SyncContext

from .asking import Legacy, Modern, catalog_of, text_of


@pytest.mark.parametrize("said", [{}, {"model": None}, {"model": 5}])
def test_who_answers_for_a_model_says_which_model_it_was(said):
    def asks(ctx: SyncContext):
        return ctx.sample("word", "x").text

    answer = {"role": "assistant", "content": {"type": "text", "text": "t"}, **said}
    client = Modern(catalog_of(asks), capabilities={"sampling": {}})
    client.answers["sampling/createMessage"] = lambda _: answer
    assert client.call("asks")["error"]["code"] == -32602
    client = Legacy(catalog_of(asks), capabilities={"sampling": {}})
    client.answers["sampling/createMessage"] = lambda _: answer
    assert text_of(client.call("asks")).startswith("[M-ASK-003]")


@pytest.mark.parametrize("block", [{"type": "text"}, {"type": "image", "data": "eA=="}, {"type": "audio", "data": 5}])
def test_what_a_model_says_has_the_members_of_its_kind(block):
    def asks(ctx: SyncContext):
        return ctx.sample("word", "x").text

    client = Modern(catalog_of(asks), capabilities={"sampling": {}})
    client.answers["sampling/createMessage"] = lambda _: {"role": "assistant", "model": "m", "content": block}
    assert client.call("asks")["error"]["code"] == -32602
    client = Legacy(catalog_of(asks), capabilities={"sampling": {}})
    client.answers["sampling/createMessage"] = lambda _: {"role": "assistant", "model": "m", "content": [block]}
    assert text_of(client.call("asks")).startswith("[M-ASK-003]")
