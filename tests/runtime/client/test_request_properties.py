"""Whatever the arguments are, a request is well formed or the argument is refused; nothing else ever happens."""

import json
import xml.etree.ElementTree as ET
from decimal import Decimal
from urllib.parse import parse_qsl

from hypothesis import example, given
from hypothesis import strategies as st

from generator.runtime.client.masking import shown
from generator.runtime.client.values import ArgumentProblem
from tests.runtime.client.building import sent

NASTY = "a./\\%2e;,&=#?+[]{}<>'\" \r\n\t\0\x7fé日\ud800\u2028"

STYLES = ["simple", "label", "matrix", "form", "deepObject", "cookie"]
STYLES += ["spaceDelimited", "pipeDelimited", "tabDelimited"]
TYPES = ["application/json", "text/plain", "a/b; charset=latin-1", "*/*", "application/x-ndjson"]

nasty = st.text(st.sampled_from(NASTY), max_size=8)
names = st.text("aZé.-1", max_size=4) | nasty
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.text(max_size=8) | nasty
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
parameters = st.fixed_dictionaries(
    {
        "in": st.sampled_from(["path", "query", "querystring", "header", "cookie"]),
        "name": st.sampled_from(["q", "a[]", "$x", "X-Q"]),
        "argument": st.just("q"),
    },
    optional={
        "style": st.sampled_from(STYLES),
        "explode": st.booleans(),
        "reserved": st.booleans(),
        "required": st.just(True),
        "null": st.just(True),
        "content": st.sampled_from(["application/json", "text/plain", "application/x-www-form-urlencoded"]),
    },
)
kinds = st.sampled_from(["object", "array", "string", "binary", "any"])
contents = st.fixed_dictionaries(
    {
        "type": st.sampled_from(TYPES),
        "kind": st.sampled_from(["json", "form", "multipart", "text", "binary", "xml"]),
        "kinds": st.dictionaries(st.sampled_from("ab"), kinds),
        "items": st.dictionaries(st.sampled_from("ab"), kinds),
        "encoding": st.dictionaries(
            st.sampled_from("ab"),
            st.fixed_dictionaries(
                {}, optional={
                    "style": st.sampled_from(["form", "deepObject", "pipeDelimited"]),
                    "explode": st.booleans(),
                    "content_type": st.sampled_from(["application/json", "image/*", "text/plain, image/png"]),
                },
            ),
        ),
    }
)  # fmt: skip
bodies = values | st.dictionaries(st.sampled_from("ab"), values)


def sent_or_refused(argument, operation, arguments):
    """Return the request, or None for a problem that names the argument."""
    refused = None
    try:
        return sent(operation, arguments)
    except ArgumentProblem as problem:
        refused = problem
    assert refused.path[0] == argument
    return None


@given(parameters, values)
@example({"in": "path", "name": "q", "argument": "q", "style": "label", "explode": True}, ["", ""])
@example({"in": "path", "name": "q", "argument": "q", "content": "text/plain"}, "..")
def test_a_parameter_never_leaves_its_place(parameter, value):
    template = f"/p/{{{parameter['name']}}}/tail" if parameter["in"] == "path" else "/p/x/tail"
    request = sent_or_refused("q", {"path": template, "parameters": [parameter]}, {"q": value})
    if request is None:
        return
    assert request.target.isascii()
    assert request.target.isprintable()
    assert not set(request.target) & set(' #"<>\\^`{|}')
    path = request.target.partition("?")[0].split("/")
    assert (len(path), path[:3], path[4]) == (5, ["", "v1", "p"], "tail")
    assert path[3] not in ("", ".", "..")
    for name, text in request.headers:
        assert name in ("X-Q", "q", "$x", "Cookie")
        assert not set(text) & set("\r\n\0")
        text.encode("latin-1")
    cookie = request.header("Cookie")
    assert cookie is None or cookie.isascii()


@given(contents, bodies)
def test_a_body_is_bytes_that_say_what_they_are_or_is_refused(content, value):
    operation = {"method": "POST", "body": {"argument": "body", "content": [content]}}
    request = sent_or_refused("body", operation, {"body": value})
    if request is None or value is None:
        return
    content_type, body = request.header("Content-Type"), request.body
    assert content_type.isprintable()
    if content["type"] == "application/json" and content["kind"] == "json":
        assert json.loads(body, parse_float=Decimal, parse_constant=lambda name: 1 / 0) is not NotImplemented
    if content["kind"] == "xml" and not isinstance(value, str) and content["type"] != "application/x-ndjson":
        ET.fromstring(body)
    if content["kind"] == "form" and isinstance(value, dict) and content["type"] != "application/x-ndjson":
        parse_qsl(body.decode("ascii"), keep_blank_values=True)


@given(contents, bodies)
def test_a_request_that_can_be_built_can_be_shown(content, value):
    operation = {"method": "POST", "body": {"argument": "body", "content": [content]}}
    request = sent_or_refused("body", operation, {"body": value})
    if request is not None:
        json.dumps(shown(request), allow_nan=False)
