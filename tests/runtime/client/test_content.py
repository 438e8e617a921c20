"""What headers and bytes say of a body."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.content import Media, decode, file_name, media_of, sniffed


@pytest.mark.parametrize(
    ("header", "kind", "charset"),
    [
        ("application/json", "application/json", None),
        ('Application/JSON ; Charset="UTF-8"', "application/json", "UTF-8"),
        ("text/plain;charset=latin1;format=flowed", "text/plain", "latin1"),
        ("application/json, application/json", "application/json", None),
        ("nonsense", "", None),
        ("", "", None),
        (None, "", None),
        ("a b/c", "", None),
    ],
)
def test_a_content_type_is_read(header, kind, charset):
    media = media_of(header)
    assert (media.type, media.charset) == (kind, charset)


@pytest.mark.parametrize(
    "kind", ["application/json", "application/problem+json", "text/json", "application/vnd.api+json"]
)
def test_json_has_many_names(kind):
    assert Media(kind).is_json


@pytest.mark.parametrize("kind", ["text/csv", "application/xml", "image/svg+xml", "application/soap+xml"])
def test_what_people_can_read_is_text(kind):
    assert Media(kind).is_text


@pytest.mark.parametrize("kind", ["application/pdf", "application/zip", "application/octet-stream", "video/mp4", ""])
def test_the_rest_is_bytes(kind):
    assert not Media(kind).is_text
    assert not Media(kind).is_json


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="x.bin"', "x.bin"),
        ("attachment; filename=x.bin", "x.bin"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ("attachment; filename*=UTF-8''%e2%82%ac.txt; filename=euro.txt", "€.txt"),
        ("attachment; filename*=no-such''%ff; filename=plain.txt", "plain.txt"),
        ('inline; filename="a\\"b.txt"', "a_b.txt"),
        ("attachment", None),
        (None, None),
    ],
)
def test_a_file_name_is_one_name(header, name):
    assert file_name(header) == name


def test_bytes_tell_what_they_are():
    assert sniffed(b"%PDF-1.7") == "application/pdf"
    assert sniffed("grüße".encode()) == "text/plain"
    assert sniffed(b"\xff\xfe\x00") == "application/octet-stream"


@given(st.binary(), st.sampled_from([None, "utf-8", "latin-1", "hex", "rot13", "zip", "\ud800", "utf-16"]))
def test_anything_decodes_to_something(body, charset):
    assert isinstance(decode(body, Media("text/html", charset)), str)


@given(st.text())
def test_any_header_is_read(header):
    media_of(header)
    file_name(header)
