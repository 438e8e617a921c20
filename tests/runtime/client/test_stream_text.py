"""Server-sent events and JSON lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.stream_text import MAX_VALUES, events, lines


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", []),
        ("data: 1\n\ndata: 2\n\n", [1, 2]),
        ("data: 1", [1]),
        ("\ufeffdata:1\r\rdata:two\r\r", [1, "two"]),
        ("data: a\ndata: b\n\n", ["a\nb"]),
        ("event: message\ndata: {}\n\n", [{}]),
        ("event: ping\n\n: comment\n\nretry: 5\n\n", []),
        ("event: e\nid: 7\ndata: x\n\n", [{"event": "e", "id": "7", "data": "x"}]),
        ("data: 1\n\ndata: [DONE]\n\n", [1]),
    ],
)
def test_events_are_read_as_the_standard_says(text, values):
    assert events(text) == values


def test_what_was_cut_off_is_left_out():
    assert events('data: 1\n\ndata: {"n":', complete=False) == [1]
    assert lines('{"n":1}\n{"n":', complete=False) == [{"n": 1}]


def test_lines_are_values_or_texts():
    assert lines('1\n\n{"a":2}\r\nnot json\n') == [1, {"a": 2}, "not json"]
    assert lines('\x1e{"a":1}\n\x1e[2]\n') == [{"a": 1}, [2]]


def test_no_more_than_the_limit_is_read():
    assert len(lines("1\n" * (MAX_VALUES + 5))) == MAX_VALUES
    assert len(events("data: 1\n\n" * (MAX_VALUES + 5))) == MAX_VALUES


@given(st.text())
def test_any_text_can_be_read(text):
    assert isinstance(events(text), list)
    assert isinstance(lines(text), list)
