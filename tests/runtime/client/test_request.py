"""A whole request: which parameters are sent, under which names, and what headers and cookies refuse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.values import ArgumentProblem
from tests.runtime.client.building import cookie_of, header_of, path_of, query_of, sent


def test_an_optional_parameter_without_a_value_or_with_null_is_left_out():
    parameters = [{"argument": name, "name": name, "in": "query"} for name in ("a", "b", "c")]
    assert sent({"parameters": parameters}, {"a": "1", "b": None}).target == "/v1/x?a=1"
    assert query_of(None, null=True) == ""
    assert header_of(None) is None
    assert cookie_of(None) is None


def test_null_is_sent_where_a_value_must_be_or_where_json_says_it():
    assert query_of(None, null=True, required=True) == "q="
    assert query_of(None, null=True, content="application/json") == "q=null"


def test_a_path_parameter_without_a_value_is_refused():
    with pytest.raises(ArgumentProblem) as caught:
        path_of(None)
    assert caught.value.path == ("q",)


def test_arguments_of_one_name_in_three_places_stay_apart():
    operation = {
        "method": "POST",
        "path": "/u/{id}",
        "parameters": [
            {"argument": "id", "name": "id", "in": "path"},
            {"argument": "id__query", "name": "id", "in": "query"},
        ],
        "body": {"fields": {"id__body": "id"}, "content": [{"type": "application/json", "kind": "json"}]},
    }
    request = sent(operation, {"id": "P", "id__query": "Q", "id__body": "B"})
    assert (request.target, request.body) == ("/v1/u/P?id=Q", b'{"id":"B"}')


@pytest.mark.parametrize("name", ["ids[]", "$filter", "user.name", "class", "2fa-code", "a&b=c#"])
def test_a_name_is_sent_exactly_but_encoded(name):
    from urllib.parse import parse_qsl

    assert parse_qsl(query_of("1", name=name)) == [(name, "1")]


@pytest.mark.parametrize(
    ("value", "text"),
    [(True, "true"), (False, "false"), (10.0, "10"), (1.5, "1.5"), (9007199254740993, "9007199254740993"), ("", "")],
)
def test_scalars_are_sent_as_json_writes_them(value, text):
    assert query_of(value) == f"q={text}"


def test_a_parameter_with_content_is_serialised_then_encoded():
    assert query_of({"a": 1}, content="application/json") == "q=%7B%22a%22%3A1%7D"
    assert path_of({"a": 1}, content="application/json") == "/p/%7B%22a%22%3A1%7D/tail"
    assert cookie_of(["a;"], content="application/json") == "q=%5B%22a%3B%22%5D"
    assert header_of({"é": 1}, content="application/json") == '{"\\u00e9":1}'
    assert query_of("a b", content="text/plain") == "q=a%20b"


def test_a_whole_query_string_is_a_form_or_an_encoded_text():
    described = {"argument": "q", "name": "q", "in": "querystring"}
    form = {**described, "content": "application/x-www-form-urlencoded"}
    assert sent({"parameters": [form]}, {"q": {"a": "x y", "b": 2}}).target == "/v1/x?a=x%20y&b=2"
    document = {**described, "content": "application/json"}
    assert sent({"parameters": [document]}, {"q": {"a": [1]}}).target == "/v1/x?%7B%22a%22%3A%5B1%5D%7D"


def test_accept_and_idempotence_come_from_the_operation():
    request = sent({"accept": "application/json", "idempotent": True}, {})
    assert request.headers == [("Accept", "application/json")]
    assert (request.method, request.idempotent, request.body) == ("GET", True, None)


def test_a_configured_value_holds_where_the_caller_gives_none():
    parameters = [{"argument": name, "name": name, "in": "query"} for name in ("a", "b", "c")]
    operation = {"parameters": parameters, "defaults": {"a": 1, "b": 2}}
    assert sent(operation, {"a": None, "b": 3, "c": 4}).target == "/v1/x?a=1&b=3&c=4"
    body = {"fields": {"n": "n"}, "nullable_fields": ["n"], "content": [{"type": "application/json", "kind": "json"}]}
    assert sent({"method": "PATCH", "body": body, "defaults": {"n": 1}}, {"n": None}).body == b'{"n":null}'


def test_cookies_stand_in_one_header():
    parameters = [{"argument": name, "name": name, "in": "cookie"} for name in ("sid", "dbg")]
    assert sent({"parameters": parameters}, {"sid": "abc", "dbg": True}).header("Cookie") == "sid=abc; dbg=true"


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "a\x7fb", "日本", ["a", "b\r\nc"]])
def test_a_header_refuses_what_would_end_it_or_cannot_be_written(value):
    with pytest.raises(ArgumentProblem) as caught:
        header_of(value)
    assert caught.value.path == ("q",)
    assert "Evil" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["Host", "content-length", "Transfer-Encoding", "Connection", "X Y", "a:b", "", "x\r\ny"]
)
def test_a_header_that_frames_the_message_or_has_no_lawful_name_is_refused(name):
    with pytest.raises(ArgumentProblem):
        header_of("1", name=name)


@pytest.mark.parametrize("value", ["a b", "a;b", 'a"b', "a,b", "a\\b", "é", "a\nb"])
def test_style_cookie_refuses_what_it_would_have_to_escape(value):
    with pytest.raises(ArgumentProblem, match="cookie"):
        cookie_of(value, style="cookie")


@given(st.text(max_size=20))
def test_a_header_value_is_sent_unchanged_or_refused(value):
    try:
        assert header_of(value) == value
    except ArgumentProblem:
        assert not value.isprintable() or not all(character < "\u0100" for character in value)


def test_a_whole_query_is_encoded_as_its_description_says():
    whole = {"argument": "q", "name": "q", "in": "querystring", "content": "application/x-www-form-urlencoded"}
    operation = {"method": "GET", "parameters": [{**whole, "encoding": {"ids": {"explode": False}}}]}
    request = sent(operation, {"q": {"ids": ["a,b", "c"], "all": ["d", "e"]}})
    assert request.target.partition("?")[2] == "ids=a%2Cb,c&all=d&all=e"
