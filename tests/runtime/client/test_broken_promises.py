"""Answers that are not what the description promises: the text has what came, and nothing false stands beside it."""

from __future__ import annotations

from .calling import error, texts
from .made import json_answer

OBJECT = {"type": "object"}
ARRAY = {"type": ["array", "null"]}


def typed(kind, body):
    return 200, {"Content-Type": kind}, body


def test_what_is_called_json_and_is_none_is_no_failure_where_nothing_was_promised(ask):
    result = ask(typed("application/json", b'{"oops": '))
    assert texts(result)[0] == '{"oops": '
    assert "isError" not in result


def test_an_object_where_an_array_was_promised_is_told_as_what_it_is(ask):
    result = ask(json_answer({"error": "busy"}), output=ARRAY, wrap=True)
    assert texts(result)[0] == '{"error":"busy"}'
    assert "another kind" in texts(result)[1]
    assert result["structuredContent"]["received"] == {"error": "busy"}


def test_a_page_where_json_was_promised_says_that_nothing_is_structured(ask):
    result = ask(typed("text/html", b"<html><body>Sign in</body></html>"), output=OBJECT)
    assert result["structuredContent"] == {}
    assert "stands empty" in texts(result)[1]


def test_what_is_not_found_without_an_identifier_is_a_matter_of_the_base_url(ask):
    (text,) = texts(ask(json_answer({}, 404), properties={"_fields": {"type": "array"}}))
    assert text.endswith("ask the user whether PETSTORE_BASE_URL is the API's base URL.")


def test_an_array_where_an_object_was_promised_keeps_its_data(ask):
    result = ask(json_answer([1]), output=OBJECT)
    assert result["structuredContent"] == {"result": [1]}


def test_what_is_called_json_and_is_none_is_shown_as_it_came(ask):
    result = ask(typed("application/json", b'{"oops": '), output=OBJECT)
    assert texts(result)[0] == '{"oops": '
    assert "not valid JSON" in texts(result)[1]
    assert "structuredContent" not in result
    assert error(result)["code"] == "M-HTTP-008"
