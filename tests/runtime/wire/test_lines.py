"""Chunks to lines, however the bytes are cut."""

from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.wire.lines import TOO_LONG, LineBuffer


@given(st.binary(max_size=200), st.lists(st.integers(1, 20), max_size=40))
def test_lines_do_not_depend_on_how_the_bytes_arrive(data, cuts):
    buffer, lines, rest = LineBuffer(), [], data
    for cut in [*cuts, len(data) + 1]:
        lines += buffer.feed(rest[:cut])
        rest = rest[cut:]
    last = buffer.end()
    assert lines == data.split(b"\n")[:-1]
    assert b"\n".join([*lines, last or b""]) == data


def test_other_separators_are_data():
    assert LineBuffer().feed("a\u2028b\x85c\x0bd\r\n".encode()) == ["a\u2028b\x85c\x0bd\r".encode()]


def test_a_line_over_the_bound_is_reported_once_and_the_next_is_read():
    buffer = LineBuffer(limit=10)
    assert buffer.feed(b"x" * 11) == [TOO_LONG]
    assert buffer.feed(b"y" * 100) == []
    assert buffer.feed(b"z\nok\n") == [b"ok"]
    assert buffer.feed(b"12345678901\n") == [TOO_LONG]
    assert buffer.feed(b"1234567890\n") == [b"1234567890"]


def test_a_last_line_without_newline_counts():
    buffer = LineBuffer()
    assert buffer.feed(b"a\nb") == [b"a"]
    assert buffer.end() == b"b"
    assert buffer.end() is None
