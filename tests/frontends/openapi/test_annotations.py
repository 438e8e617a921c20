"""What a tool tells of its effects."""

from __future__ import annotations

import itertools

import pytest

from generator.frontends.openapi.annotations import annotations_of
from generator.ir.model import Annotations

from .described import description, messages, operation


@pytest.mark.requirement("R130")
@pytest.mark.parametrize(
    ("method", "read_only", "destructive", "idempotent"),
    [
        ("GET", True, False, True),
        ("HEAD", True, False, True),
        ("OPTIONS", True, False, True),
        ("QUERY", True, False, True),
        ("TRACE", True, False, True),
        ("PUT", False, True, True),
        ("DELETE", False, True, True),
        ("PATCH", False, True, False),
        ("POST", False, True, False),
        ("COPY", False, True, False),
    ],
)
def test_annotations_follow_from_the_method(method, read_only, destructive, idempotent):
    assert annotations_of(method, Annotations()) == Annotations(
        read_only=read_only, destructive=destructive, idempotent=idempotent, open_world=True
    )


def test_what_is_stated_wins_and_the_rest_agrees_with_it():
    assert annotations_of("POST", Annotations(read_only=True)) == Annotations(
        read_only=True, destructive=False, idempotent=True, open_world=True
    )
    assert annotations_of("GET", Annotations(read_only=False)) == Annotations(
        read_only=False, destructive=True, idempotent=False, open_world=True
    )
    assert annotations_of("POST", Annotations(destructive=False)).destructive is False


def test_every_annotation_is_stated_whatever_was_said():
    choices = (None, True, False)
    for method, (one, two, three, four) in itertools.product(
        ("GET", "POST", "PUT"), itertools.product(choices, repeat=4)
    ):
        said = Annotations(read_only=one, destructive=two, idempotent=three, open_world=four)
        found = annotations_of(method, said)
        for name in ("read_only", "destructive", "idempotent", "open_world"):
            assert getattr(found, name) == (
                getattr(said, name) if getattr(said, name) is not None else getattr(found, name)
            )
            assert getattr(found, name) is not None


@pytest.mark.requirement("R130")
def test_a_reading_says_which_tools_may_change_data(reader):
    paths = {"/p": {"get": operation(), "delete": operation(), "post": operation(**{"x-mcp": {"destructive": False}})}}
    assert messages(reader(description(paths)), "writing-tools") == [
        "2 of 3 tools may change data, 1 of them destructively: `delete_p`"
    ]


@pytest.mark.requirement("R130")
def test_nothing_is_said_of_tools_that_only_read(reader):
    assert messages(reader(description({"/p": {"get": operation()}})), "writing-tools") == []
