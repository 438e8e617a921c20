"""Bodies: which media type is sent, what is left out, and that the bytes say exactly what the arguments said."""

import base64
import json
from decimal import Decimal

import pytest

from generator.runtime.client.values import ArgumentProblem
from tests.runtime.client.building import body_of, sent

JSON = {"type": "application/json", "kind": "json"}
FORM = {"type": "application/x-www-form-urlencoded", "kind": "form"}


def posted(arguments, **body):
    return sent({"method": "POST", "body": {"content": [JSON], **body}}, arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"file": "/9j/"}, "image/jpeg"),
        ({"file": {"data": "AAA=", "filename": "a.jpg"}}, "image/jpeg"),
        ({"file": {"data": "AAA=", "mimeType": "image/jpeg"}}, "image/jpeg"),
        ({"file": {"data": "AAA=", "mimeType": "video/mp4"}}, "image/png"),
        ({"file": "AAA="}, "image/png"),
        ({"file": "/9j/", "as": "image/png"}, "image/png"),
    ],
)
@pytest.mark.parametrize("own", [{}, {"argument": "file"}])
def test_of_several_types_a_file_is_sent_as_its_own_unless_one_is_chosen(arguments, expected, own):
    content = [{"type": kind, "kind": "binary", **own} for kind in ("image/png", "image/jpeg")]
    others = [{**JSON, "argument": "json"}]
    request = posted(arguments, argument="file", select="as", content=content + others)
    assert request.header("Content-Type") == expected


@pytest.mark.parametrize(
    "value", [{"a": "ü"}, [1, "x"], "hello", 5, True, {"a": {"b": [None]}}, {"n": 12345678901234567890}]
)
def test_a_json_body_of_any_root_is_sent_as_it_is(value):
    content_type, body = body_of(value, **JSON)
    assert content_type == "application/json"
    assert json.loads(body) == value


def test_a_json_body_keeps_the_digits_of_decimals():
    assert body_of({"n": Decimal("0.10000000000000000000001")}, **JSON)[1] == b'{"n":0.10000000000000000000001}'


@pytest.mark.parametrize(
    "media_type", ["application/json-patch+json", "application/vnd.api+json", "application/json; charset=utf-8"]
)
def test_a_json_type_of_another_name_is_sent_under_it(media_type):
    assert body_of([{"op": "remove", "path": "/a"}], type=media_type, kind="json")[0] == media_type


def test_fields_become_one_object_under_their_wire_names():
    request = posted({"id__body": 1, "body": "text", "other": 2}, fields={"id__body": "id", "body": "body"})
    assert json.loads(request.body) == {"id": 1, "body": "text"}


def test_a_null_field_is_sent_only_where_its_schema_allows_it():
    fields = {"name": "name", "tag": "tag"}
    request = posted({"name": None, "tag": None}, fields=fields, nullable_fields=["tag"], required=True)
    assert request.body == b'{"tag":null}'


def test_a_null_body_is_sent_only_where_its_schema_allows_it():
    assert posted({"body": None}, argument="body", nullable_fields=["body"]).body == b"null"
    assert posted({"body": None}, argument="body", required=True).body == b"null"
    assert posted({"body": None}, argument="body").body is None


def test_an_optional_body_that_is_left_out_sends_nothing_at_all():
    for request in (posted({}, argument="body"), posted({}, fields={"a": "a"}), sent({"method": "POST"}, {})):
        assert request.body is None
        assert request.header("Content-Type") is None


def test_a_required_body_without_fields_is_an_empty_object():
    assert posted({}, fields={"a": "a"}, required=True).body == b"{}"


def test_the_first_media_type_is_sent_unless_an_argument_names_another():
    body = {"argument": "body", "content": [JSON, FORM], "select": "content_type"}
    value = {"a": 1}
    assert posted({"body": value}, **body).body == b'{"a":1}'
    chosen = posted({"body": value, "content_type": FORM["type"]}, **body)
    assert (chosen.header("Content-Type"), chosen.body) == (FORM["type"], b"a=1")
    with pytest.raises(ArgumentProblem, match="application/json"):
        posted({"body": value, "content_type": "image/png"}, **body)


def test_text_is_encoded_in_the_charset_of_its_type():
    assert body_of("grüße", type="text/plain", kind="text") == ("text/plain; charset=utf-8", "grüße".encode())
    latin = "text/plain; charset=iso-8859-1"
    assert body_of("grüße", type=latin, kind="text") == (latin, b"gr\xfc\xdfe")
    with pytest.raises(ArgumentProblem, match="character 1"):
        body_of("日", type=latin, kind="text")
    with pytest.raises(ArgumentProblem, match="charset"):
        body_of("a", type="text/plain; charset=nonsense", kind="text")


def test_bytes_come_from_base64():
    content = {"type": "application/octet-stream", "kind": "binary"}
    assert body_of("AAH+/w==", **content) == ("application/octet-stream", b"\x00\x01\xfe\xff")
    assert body_of({"data": "AAH-_w=="}, **content)[1] == b"\x00\x01\xfe\xff"
    with pytest.raises(ArgumentProblem) as caught:
        body_of({"data": "no base64!"}, **content)
    assert caught.value.path == ("body", "data")


def test_a_range_of_types_is_sent_as_a_concrete_one():
    data = base64.b64encode(b"x").decode()
    assert body_of({"data": data, "mimeType": "image/webp"}, type="image/*", kind="binary")[0] == "image/webp"
    assert body_of({"data": data, "filename": "a.PNG"}, type="image/*", kind="binary")[0] == "image/png"
    assert body_of(data, type="*/*", kind="binary")[0] == "application/octet-stream"
    assert body_of({}, type="*/*", kind="json")[0] == "application/json"
    assert body_of("a", type="text/*", kind="text")[0] == "text/plain; charset=utf-8"


def test_a_sequence_of_json_values_has_a_line_for_each():
    assert body_of([{"a": 1}, 2], type="application/x-ndjson", kind="json")[1] == b'{"a":1}\n2\n'
    assert body_of([1, 2], type="application/json-seq", kind="json")[1] == b"\x1e1\n\x1e2\n"
    assert body_of('{"a":1}\n', type="application/jsonl", kind="text")[1] == b'{"a":1}\n'


def test_a_problem_names_the_argument_and_the_place_inside_it():
    with pytest.raises(ArgumentProblem) as caught:
        sent(
            {"method": "POST", "body": {"fields": {"f__body": "f"}, "content": [{"type": "m/x", "kind": "xml"}]}},
            {"f__body": {"a": "\0"}},
        )
    assert caught.value.path == ("f__body", "a")


def test_json_under_another_charset_is_the_same_in_all_of_them():
    media_type = "application/json; charset=iso-8859-1"
    assert body_of({"a": "ü"}, type=media_type, kind="json") == (media_type, b'{"a":"\\u00fc"}')
    assert body_of({"a": "ü"}, type="application/json; charset=UTF-8", kind="json")[1] == '{"a":"ü"}'.encode()


@pytest.mark.parametrize(
    ("declared", "data", "expected"),
    [
        ("image/*", b"\x89PNG\r\n\x1a\n", "image/png"),
        ("image/*", b"%PDF-1.7", "application/octet-stream"),
        ("*/*", b"%PDF-1.7", "application/pdf"),
        ("image/png", b"%PDF-1.7", "image/png"),
    ],
)
def test_a_file_of_a_range_of_types_is_of_the_type_it_begins_like(declared, data, expected):
    assert body_of(base64.b64encode(data).decode(), type=declared, kind="binary") == (expected, data)
