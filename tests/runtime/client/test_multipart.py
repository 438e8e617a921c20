"""Multipart bodies as the standard library reads them: names, types, file names and bytes."""

import base64
import json
from email.parser import BytesParser
from email.policy import HTTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client import multipart
from generator.runtime.client.values import ArgumentProblem
from tests.runtime.client.building import body_of, sent

PNG = b"\x89PNG\r\n\x1a\n"
PNG_TEXT = base64.b64encode(PNG).decode()


def parsed(content_type, body):
    message = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    assert not message.defects
    return list(message.iter_parts())


def parts(value, media_type="multipart/form-data", **content):
    return parsed(*body_of(value, type=media_type, kind="multipart", **content))


def name(part):
    return part.get_param("name", header="content-disposition")


def data(part):
    return part.get_payload(decode=True)


def test_text_json_and_file_parts_have_their_defaults():
    kinds = {"title": "string", "meta": "object", "file": "binary"}
    text, meta, file = parts({"title": "tü", "meta": {"k": 1}, "file": PNG_TEXT}, kinds=kinds)
    assert (name(text), text.get_content_type(), text.get_filename(), data(text)) == (
        "title",
        "text/plain",
        None,
        "tü".encode(),
    )
    assert (name(meta), meta.get_content_type(), json.loads(data(meta))) == ("meta", "application/json", {"k": 1})
    assert (name(file), file.get_content_type(), file.get_filename()) == (
        "file",
        "application/octet-stream",
        "file.bin",
    )
    assert data(file) == PNG


def test_an_encoding_names_the_type_of_a_part():
    encoding = {"file": {"content_type": "image/png"}, "note": {"content_type": "text/markdown"}}
    file, note = parts({"file": PNG_TEXT, "note": "#"}, kinds={"file": "binary"}, encoding=encoding)
    assert (file.get_content_type(), file.get_filename(), note.get_content_type()) == (
        "image/png",
        "file.png",
        "text/markdown",
    )


@pytest.mark.parametrize(
    ("declared", "file", "expected"),
    [
        ("image/png, image/jpeg", {"filename": "a.jpg"}, "image/jpeg"),
        ("image/png, image/jpeg", {}, "image/png"),
        ("image/*", {}, "image/png"),
        ("audio/*", {}, "application/octet-stream"),
        ("image/*", {"filename": "a.gif"}, "image/gif"),
        ("image/png", {"mimeType": "image/webp", "filename": "a.png"}, "image/webp"),
        ("", {"filename": "a.pdf"}, "application/pdf"),
    ],
)
def test_the_type_of_a_file_is_the_callers_or_the_one_its_name_or_beginning_says(declared, file, expected):
    value = {"f": {"data": PNG_TEXT, **file}}
    (part,) = parts(value, kinds={"f": "binary"}, encoding={"f": {"content_type": declared}})
    assert part.get_content_type() == expected


def test_an_array_of_files_has_a_part_for_each():
    found = parts({"files": [PNG_TEXT, {"data": PNG_TEXT, "filename": "b.png"}]}, items={"files": "binary"})
    assert [(name(part), part.get_filename(), data(part)) for part in found] == [
        ("files", "files.bin", PNG),
        ("files", "b.png", PNG),
    ]


def test_arrays_have_a_part_for_each_item_and_null_has_none():
    found = parts({"tags": ["a", "b"], "rows": [{"a": 1}], "no": None, "on": True})
    assert [(name(part), data(part)) for part in found] == [
        ("tags", b"a"), ("tags", b"b"), ("rows", b'{"a":1}'), ("on", b"true"),
    ]  # fmt: skip


def test_base64_text_that_is_no_file_is_sent_as_text():
    (part,) = parts({"pic": PNG_TEXT}, kinds={"pic": "string"})
    assert (part.get_filename(), data(part)) == (None, PNG_TEXT.encode())


def test_a_style_makes_parts_as_in_a_form_but_unencoded():
    deep = {"o": {"style": "deepObject", "explode": True}, "t": {"explode": False}}
    found = parts({"o": {"a": {"b": "x y"}}, "t": ["1", "2"]}, encoding=deep)
    assert [(name(part), data(part)) for part in found] == [("o[a][b]", b"x y"), ("t", b"1,2")]


def test_a_part_has_the_headers_that_arguments_give():
    content = {
        "type": "multipart/form-data",
        "kind": "multipart",
        "encoding": {"f": {"headers": {"X-Sum": "sum", "Content-Length": "length", "X-None": None}}},
    }
    operation = {"method": "POST", "body": {"fields": {"f": "f"}, "content": [content]}}
    request = sent(operation, {"f": "x", "sum": "abc", "length": "7"})
    (part,) = parsed(request.header("Content-Type"), request.body)
    assert part["X-Sum"] == "abc"
    assert part["Content-Length"] is None
    with pytest.raises(ArgumentProblem):
        sent(operation, {"f": "x", "sum": "a\r\nX-Evil: 1"})


def test_a_header_of_a_part_is_exploded_or_json_where_that_is_said():
    headers = {
        "X-Pairs": {"argument": "pairs", "explode": True},
        "X-Json": {"argument": "json", "content": "application/json"},
        "X-List": "list",
        "X-Empty": "empty",
    }
    content = {"type": "multipart/form-data", "kind": "multipart", "encoding": {"f": {"headers": headers}}}
    operation = {"method": "POST", "body": {"fields": {"f": "f"}, "content": [content]}}
    values = {"f": "x", "pairs": {"R": 1, "G": 2}, "json": {"a": "ü"}, "list": ["a", "b"], "empty": []}
    request = sent(operation, values)
    (part,) = parsed(request.header("Content-Type"), request.body)
    found = [part["X-Pairs"], part["X-Json"], part["X-List"], part["X-Empty"]]
    assert found == ["R=1,G=2", '{"a":"\\u00fc"}', "a,b", None]


def test_a_part_of_text_is_in_the_charset_of_its_type():
    latin = {"t": {"content_type": "text/csv; charset=iso-8859-1"}}
    (part,) = parts({"t": "ü"}, encoding=latin)
    assert data(part) == b"\xfc"
    with pytest.raises(ArgumentProblem) as caught:
        parts({"t": "日"}, encoding=latin)
    assert caught.value.path == ("body", "t")


@pytest.mark.parametrize("media_type", ["multipart/mixed", "multipart/related"])
def test_members_have_their_names_in_every_kind_of_multipart(media_type):
    found = parts({"meta": {"k": 1}, "file": PNG_TEXT}, media_type, kinds={"file": "binary"})
    assert [(name(part), part.get_filename()) for part in found] == [("meta", None), ("file", "file.bin")]


def test_items_of_an_array_body_are_parts_without_names():
    found = parts([{"a": 1}, "x"], media_type="multipart/mixed")
    assert [(part["Content-Disposition"], data(part)) for part in found] == [(None, b'{"a":1}'), (None, b"x")]


@pytest.mark.parametrize(
    "filename",
    ['a"; filename="b.sh', "a\r\nX-Evil: 1", "../../etc/passwd", "C:\\x\\y.txt", "\0", "..", "a\nb", "\u202egnp.exe"],
)
def test_a_file_name_stays_inside_its_quotes_and_names_no_folder(filename):
    value = {"f": {"data": PNG_TEXT, "filename": filename}}
    (part,) = parts(value, kinds={"f": "binary"})
    found = part.get_filename()
    assert found
    assert found not in (".", "..")
    assert not set(found) & set('/\\"\r\n\0\u202e')
    assert part["X-Evil"] is None
    assert data(part) == PNG


def test_a_name_cannot_end_its_header():
    (part,) = parts({'a"\r\nX-Evil: 1': "x"})
    assert part["X-Evil"] is None
    assert name(part) == "a%22%0D%0AX-Evil: 1"


def test_a_media_type_cannot_end_its_header():
    with pytest.raises(ArgumentProblem):
        parts({"f": {"data": PNG_TEXT, "mimeType": "image/png\r\nX-Evil: 1"}}, kinds={"f": "binary"})


def test_a_boundary_that_stands_in_the_content_is_not_used(monkeypatch):
    drawn = iter(["aaaa", "bbbb"])
    monkeypatch.setattr(multipart.secrets, "token_hex", lambda size: next(drawn))
    content_type, body = body_of({"a": "--aaaa--"}, type="multipart/form-data", kind="multipart")
    assert content_type == "multipart/form-data; boundary=bbbb"
    assert [data(part) for part in parsed(content_type, body)] == [b"--aaaa--"]


def test_the_boundary_of_a_description_is_replaced():
    content_type, _ = body_of({"a": "x"}, type="multipart/form-data; boundary=fixed", kind="multipart")
    assert content_type.startswith("multipart/form-data; boundary=")
    assert "fixed" not in content_type


def test_a_root_without_parts_is_refused():
    with pytest.raises(ArgumentProblem, match="object"):
        parts("text")


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=4))
def test_files_are_read_back_byte_for_byte(files):
    found = parts({"f": [base64.b64encode(file).decode() for file in files]}, items={"f": "binary"})
    assert [data(part) for part in found] == files


def test_members_that_are_not_named_are_files_where_the_rest_is():
    note, file = parts({"note": "n", "any": PNG_TEXT}, kinds={"note": "string", "*": "binary"})
    assert (name(note), note.get_filename(), data(note)) == ("note", None, b"n")
    assert (name(file), file.get_filename(), data(file)) == ("any", "any.bin", PNG)


def test_items_are_parts_of_the_types_their_positions_name():
    encoding = {"0": {"content_type": "application/json"}, "1": {"content_type": "image/png"}}
    encoding["*"] = {"content_type": "text/csv"}
    first, second, third = parts(
        [{"k": 1}, PNG_TEXT, "a,b"], "multipart/mixed", kinds={"1": "binary"}, encoding=encoding
    )
    assert (first.get_content_type(), json.loads(data(first))) == ("application/json", {"k": 1})
    assert (second.get_content_type(), data(second)) == ("image/png", PNG)
    assert (third.get_content_type(), data(third)) == ("text/csv", b"a,b")


def test_a_fault_in_an_item_is_told_by_its_position():
    with pytest.raises(ArgumentProblem) as caught:
        body_of(["x", "?"], type="multipart/mixed", kind="multipart", kinds={"1": "binary"}, encoding={"1": {}})
    assert caught.value.path[-1] == 1


def test_a_part_of_xml_is_xml_where_it_is_known_how_to_write_it():
    plan = {"name": "pet", "properties": {"id": {"name": "id", "attribute": True}}}
    encoding = {
        "pet": {"content_type": "application/xml", "xml": plan},
        "raw": {"content_type": "application/xml"},
        "other": {"content_type": "application/xml"},
    }
    pet, raw, other = parts({"pet": {"id": 1}, "raw": "<a/>", "other": {"k": 1}}, encoding=encoding)
    assert (pet.get_content_type(), data(pet)[-13:]) == ("application/xml", b'<pet id="1"/>')
    assert (raw.get_content_type(), data(raw)) == ("application/xml", b"<a/>")
    assert (other.get_content_type(), data(other)) == ("application/json", b'{"k":1}')
