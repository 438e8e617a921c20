"""Calls of an operation whose media types have unlike schemas: each is checked and sent as its own type wants."""

from __future__ import annotations

import json

import pytest

from .calling import Bench, error, forget, texts
from .made import Api, Tools, json_answer, operation, query

CONTENT = [
    {"type": "application/json", "kind": "json"},
    {"type": "application/x-www-form-urlencoded", "kind": "form", "argument": "body_form"},
    {"type": "multipart/form-data", "kind": "multipart", "argument": "body_form"},
    {"type": "text/csv", "kind": "text", "argument": "body_text"},
]
BODY = {
    "required": True,
    "fields": {"name": "name", "age": "age"},
    "needs": ["name"],
    "content": CONTENT,
    "select": "content_type",
}
FORM = {
    "type": "object",
    "required": ["url"],
    "properties": {"url": {"type": "string"}, "size": {"type": "integer", "minimum": 1}},
    "additionalProperties": False,
}
PROPERTIES = {
    "q": {"type": "string"},
    "name": {"type": "string"},
    "age": {"type": "integer"},
    "body_form": FORM,
    "body_text": {"type": "string"},
    "content_type": {"type": "string", "enum": [each["type"] for each in CONTENT]},
}
MISSING, UNKNOWN, MISTYPED, BROKEN = "M-INP-004", "M-INP-005", "M-INP-006", "M-INP-007"


@pytest.fixture
def api():
    made = Api({"/pets": lambda _: json_answer({}), "/pets?q=1": lambda _: json_answer({})})
    yield made
    made.close()


@pytest.fixture
def bench(api, tmp_path, monkeypatch):
    request = operation("/pets", "POST", parameters=query("q"), body=BODY)
    yield Bench(Tools().add("post", request, properties=PROPERTIES), api, tmp_path / "one", monkeypatch)
    forget()


def sent(api):
    (seen,) = api.requests
    headers = {name.lower(): value for name, value in seen["headers"].items()}
    return headers.get("content-type"), seen["body"]


def codes(result):
    return {(each["code"], each["path"]) for each in error(result)["problems"]}


def test_the_members_are_sent_as_the_default(bench, api):
    assert "isError" not in bench.call("post", {"name": "Momo", "age": 3, "q": "1"})
    kind, data = sent(api)
    assert kind == "application/json"
    assert json.loads(data) == {"name": "Momo", "age": 3}


@pytest.mark.parametrize(
    ("arguments", "kind", "data"),
    [
        ({"content_type": "text/csv", "body_text": "a,b"}, "text/csv; charset=utf-8", b"a,b"),
        ({"body_text": "a,b"}, "text/csv; charset=utf-8", b"a,b"),
        ({"content_type": "TEXT/CSV", "body_text": "a,b"}, "text/csv; charset=utf-8", b"a,b"),
        ({"body_form": {"url": "x y", "size": 2}}, "application/x-www-form-urlencoded", b"url=x%20y&size=2"),
        ({"body_form": {"url": "x"}, "name": None}, "application/x-www-form-urlencoded", b"url=x"),
        ({"body_form": {"url": "x", "size": "2"}}, "application/x-www-form-urlencoded", b"url=x&size=2"),
    ],
)
def test_the_argument_of_another_type_is_sent_as_that_type_named_or_not(bench, api, arguments, kind, data):
    assert "isError" not in bench.call("post", arguments)
    assert sent(api) == (kind, data)


def test_of_types_that_share_an_argument_the_named_one_is_sent(bench, api):
    assert "isError" not in bench.call("post", {"content_type": "multipart/form-data", "body_form": {"url": "x"}})
    kind, data = sent(api)
    assert kind.startswith("multipart/form-data; boundary=")
    assert b'name="url"' in data


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, {(MISSING, "/name")}),
        ({"age": 3, "content_type": "application/json"}, {(MISSING, "/name")}),
        ({"content_type": "text/csv"}, {(MISSING, "/body_text")}),
        ({"content_type": "text/csv", "body_form": {"url": "x"}}, {(MISSING, "/body_text"), (UNKNOWN, "/body_form")}),
        ({"content_type": "application/json", "name": "a", "body_text": "b"}, {(UNKNOWN, "/body_text")}),
        ({"name": "a", "body_text": "b"}, {(UNKNOWN, "/name")}),
        ({"body_form": {"size": 0}}, {(MISSING, "/body_form/url"), (BROKEN, "/body_form/size")}),
        ({"content_type": "text/html", "name": "a"}, {(BROKEN, "/content_type")}),
        ({"content_type": ["text/csv"], "body_text": "a"}, {(MISTYPED, "/content_type")}),
        ({"content_type": "Text/CSV", "body_text": "a", "name": "b"}, {(UNKNOWN, "/name")}),
        ({"content_type": "TEXT/CSV"}, {(MISSING, "/body_text")}),
    ],
)
def test_a_call_is_checked_by_the_schema_of_its_type(bench, api, arguments, expected):
    assert codes(bench.call("post", arguments)) == expected
    assert api.requests == []


def test_what_belongs_to_another_type_is_told_with_what_this_one_takes(bench):
    (text,) = texts(bench.call("post", {"name": "a", "body_text": "b"}))
    assert text.endswith('/name: unknown argument. Leave it out; the known names are "q", "body_text", "content_type".')


def test_what_is_not_sent_is_checked_all_the_same(bench, api):
    result = bench.call("post", {"body_text": "a,b"}, mcpgen__dryRun=True)
    assert "text/csv; charset=utf-8" in texts(result)[0]
    assert codes(bench.call("post", {"age": 1}, mcpgen__dryRun=True)) == {(MISSING, "/name")}
    assert api.requests == []


def test_a_configured_value_chooses_no_type(api, tmp_path, monkeypatch):
    request = operation("/pets", "POST", body=BODY, defaults={"body_text": "a,b"})
    bench = Bench(Tools().add("post", request, properties=PROPERTIES), api, tmp_path / "set", monkeypatch)
    assert "isError" not in bench.call("post", {"name": "Momo"})
    assert sent(api) == ("application/json", b'{"name":"Momo"}')
    forget()


def test_a_merge_patch_in_an_argument_of_its_own_keeps_its_nulls(api, tmp_path, monkeypatch):
    patch = {"type": "application/merge-patch+json", "kind": "json", "argument": "body_merge_patch"}
    body = {**BODY, "content": [CONTENT[0], patch]}
    clearable = {"type": "object", "properties": {"age": {"type": ["integer", "null"]}}}
    properties = {"name": {"type": "string"}, "age": {"type": "integer"}, "body_merge_patch": clearable}
    tools = Tools().add("patch", operation("/pets", "PATCH", body=body), properties=properties)
    assert "isError" not in Bench(tools, api, tmp_path / "patch", monkeypatch).call(
        "patch", {"body_merge_patch": {"age": None}}
    )
    assert sent(api) == ("application/merge-patch+json", b'{"age":null}')
    forget()
