"""Markers of resources and prompts leave functions as they are, and refuse what a build would refuse."""

from __future__ import annotations

import inspect

import pytest

from generator.frontends.python.offer_options import PROMPT, RESOURCE
from generator.runtime.authoring import Message, completer, offer_markers, prompt, resource


def f(a: int) -> int:
    return a


def test_the_function_is_returned_unchanged():
    assert resource("t://{a}", title="T")(f) is f
    assert prompt(f) is f
    assert prompt(title="T")(f) is f
    assert completer(f, "a")(f) is f


@pytest.mark.parametrize(
    "use",
    [
        lambda: resource(f),
        lambda: resource("t://x", colour="red"),
        lambda: prompt("t://x"),
        lambda: prompt(mime_type="text/plain"),
        lambda: completer("f", "a"),
        lambda: completer(f, 1),
    ],
)
def test_what_is_used_wrongly_is_a_type_error(use):
    with pytest.raises(TypeError):
        use()


def test_the_build_reads_the_options_that_the_markers_take():
    assert set(RESOURCE.options) == offer_markers.RESOURCE_OPTIONS
    assert set(PROMPT.options) == offer_markers.PROMPT_OPTIONS


def test_a_message_has_a_role_of_the_protocol():
    assert (Message("assistant", "x").role, repr(Message("user", "x"))) == ("assistant", "Message('user', 'x')")
    with pytest.raises(ValueError, match="role is"):
        Message("system", "x")


def test_the_markers_are_documented():
    assert all(inspect.getdoc(each) for each in (resource, prompt, completer, Message))
