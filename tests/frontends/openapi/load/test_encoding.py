"""Bytes to text."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi.load_encoding import decode
from generator.frontends.openapi.load_file import LoadedFile
from generator.frontends.openapi.load_problem import LoadProblem, TextProblem

TEXT = '{"title": "Grüße, \N{SNOWMAN} \N{GRINNING FACE}"}\n'


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
)
def test_unicode_is_found_with_and_without_a_mark(encoding):
    assert decode(TEXT.encode(encoding)) == TEXT


@pytest.mark.parametrize(
    ("data", "message", "before"),
    [
        (b"a: 1\nb: gr\xfcn", "not UTF-8: byte 10 cannot be decoded", "a: 1\nb: gr"),
        (b"\xef\xbb\xbfa: \xff", "not UTF-8: byte 6 cannot be decoded", "a: "),
        (b"a: \xed\xa0\x80", "not UTF-8: byte 3 cannot be decoded", "a: "),
        (b"\xff\xfea\x00\x00\xd8", "not UTF-16-LE: byte 4 cannot be decoded", "a"),
        ("ä: é".encode() + b"\xc3", "not UTF-8: byte 6 cannot be decoded", "ä: é"),
    ],
)
def test_other_bytes_are_refused_with_their_offset(data, message, before):
    with pytest.raises(TextProblem) as caught:
        decode(data)
    assert (caught.value.rule, caught.value.message) == ("unknown-encoding", message)
    assert (caught.value.text, caught.value.offset) == (before, len(before))


@pytest.mark.parametrize("data", [b"a: \x00", b"\x7fELF\x02", b"PK\x03\x04", b"a: \x1b[31m"])
def test_control_characters_are_refused(data):
    with pytest.raises(LoadProblem, match="control character") as caught:
        LoadedFile(data, shown="a", location="file:///a")
    assert caught.value.diagnostics[0].rule.name == "unknown-encoding"


@given(st.binary(max_size=40))
def test_any_bytes_give_a_text_or_a_refusal(data):
    with contextlib.suppress(TextProblem):
        decode(data).encode("utf-8")
