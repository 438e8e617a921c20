"""Server-sent events, from whatever pieces they come in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.event_stream import EventReader, TooLong


def read(data, *, limit=1000):
    reader = EventReader(limit)
    return [(event.kind, event.data, event.id) for event in reader.feed(data)], reader


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_an_event_is_its_data_and_the_id_of_its_place(end):
    lines = [b": comment", b"id: 7", b"event: note", b"data: {", b"data:}", b"", b"data: next", b"", b""]
    events, reader = read(end.join(lines))
    assert events == [("note", b"{\n}", "7"), ("message", b"next", "7")]
    assert reader.last == "7"


def test_an_event_without_data_only_says_where_the_stream_is():
    events, reader = read(b"id: 3\nretry: 250\ndata: \n\n:\n\n")
    assert (events, reader.last, reader.retry) == ([], "3", 0.25)


@pytest.mark.parametrize(
    ("said", "retry"), [(b"0", 0.1), (b"999999999", 60.0), (b"soon", None), (b"-5", None), (b"9" * 400, None)]
)
def test_the_time_a_server_asks_for_is_bounded(said, retry):
    assert read(b"retry: " + said + b"\n\n")[1].retry == retry


def test_an_id_with_a_zero_byte_is_none():
    assert read(b"id: a\0b\n\n")[1].last == ""


@pytest.mark.parametrize(
    "data", [b"data: " + b"x" * 2000, b"data: x\n" * 2000, b"data:" + b"x" * 990 + b"\ndata: yyyyyyyyyy\n"]
)
def test_an_event_over_the_bound_ends_the_stream(data):
    with pytest.raises(TooLong):
        read(data)


def test_comments_without_end_are_no_event():
    reader = EventReader(1000)
    for _ in range(1000):
        assert reader.feed(b": " + b"x" * 100 + b"\n") == []


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["", "id: 1", "id: two", "event: e", "retry: 10", ": c", "odd", "data"]),
        st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=8), max_size=3),
    ),
    max_size=6,
)


@given(EVENTS, st.sampled_from(["\n", "\r\n", "\r"]), st.lists(st.integers(1, 7), min_size=1, max_size=6))
def test_how_a_stream_is_cut_makes_no_difference(parts, end, sizes):
    text = end.join([line for field, data in parts for line in (field, *(f"data: {each}" for each in data), "")] + [""])
    stream = text.encode("utf-8")
    whole, at_once = read(stream)
    reader, events, at, turn = EventReader(1000), [], 0, 0
    while at < len(stream):
        size = sizes[turn % len(sizes)]
        events += [(event.kind, event.data, event.id) for event in reader.feed(stream[at : at + size])]
        at, turn = at + size, turn + 1
    assert events == whole
    assert (reader.last, reader.retry) == (at_once.last, at_once.retry)


@given(st.lists(st.binary(max_size=60), max_size=20))
def test_any_bytes_are_read_or_too_long(chunks):
    reader = EventReader(100)
    try:
        for chunk in chunks:
            reader.feed(chunk)
    except TooLong:
        pass
