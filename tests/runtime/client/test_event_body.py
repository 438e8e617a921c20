"""Bodies of `text/event-stream`: what a reader of events gets is what was given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.event_body import event_bytes
from generator.runtime.client.values import ArgumentProblem

LINE = st.text(st.characters(exclude_characters="\r\n\0", exclude_categories=["Cs"]), max_size=8)
EVENTS = st.lists(
    st.fixed_dictionaries({"data": st.lists(LINE, min_size=1).map("\n".join)}, optional={"event": LINE, "id": LINE})
)


def parsed(text):
    """Read events as the HTML Standard says (section 9.2.6)."""
    events, current = [], {}
    for line in text.split("\n"):
        if not line:
            events += [current] if current else []
            current = {}
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        current[name] = f"{current[name]}\n{value}" if name in current else value
    return events


@given(EVENTS)
def test_events_are_read_as_they_were_given(events):
    assert parsed(event_bytes(events).decode()) == events


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"data": {"a": 1}, "retry": 5}, b'retry: 5\ndata: {"a":1}\n\n'),
        ([{"name": "x"}, 7, None], b'data: {"name":"x"}\n\ndata: 7\n\ndata: null\n\n'),
        ({"data": "a\r\nb\rc", "event": None}, b"data: a\ndata: b\ndata: c\n\n"),
        ("data: as it is\n\n", b"data: as it is\n\n"),
        ({}, b"data: {}\n\n"),
    ],
)
def test_objects_values_and_texts_become_events(value, expected):
    assert event_bytes(value) == expected


@pytest.mark.parametrize("value", ["a\nb", "a\rb", "a\0b"])
def test_no_field_adds_another(value):
    with pytest.raises(ArgumentProblem) as caught:
        event_bytes([{"data": "x"}, {"id": value}])
    assert caught.value.path == (1, "id")
