"""The IR as JSON."""

import dataclasses
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.diagnostics.model import Span
from generator.ir import codec, model, schema

_text = st.text(max_size=8)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_text, inner, max_size=3),
    max_leaves=6,
)
_object = st.dictionaries(_text, _json, max_size=3)


def _values(expected):
    """Return a strategy for any type of the IR, derived from the dataclasses themselves."""
    if expected is codec.JsonValue:
        return _json.map(codec.freeze)
    if expected is codec.JsonMapping:
        return _object.map(codec.freeze)
    if dataclasses.is_dataclass(expected):
        hints = codec.hints(expected)
        fields = {each.name: _values(hints[each.name]) for each in dataclasses.fields(expected)}
        return st.builds(expected, **fields)
    plain = {str: _text, bool: st.booleans(), int: st.integers(), bytes: st.binary(max_size=8)}
    plain[float] = st.floats(allow_nan=False, allow_infinity=False)
    if expected in plain:
        return plain[expected]
    if expected is type(None):
        return st.none()
    origin, arguments = codec.typing.get_origin(expected), codec.typing.get_args(expected)
    if origin is codec.Literal:
        return st.sampled_from(arguments)
    if origin is codec.Mapping:
        return st.dictionaries(_text, _values(arguments[1]), max_size=2)
    if origin is tuple and arguments[-1] is Ellipsis:
        return st.lists(_values(arguments[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(_values, arguments))
    return st.one_of(*map(_values, arguments))


servers = _values(model.Server)
SMALL = model.Server(
    id="a",
    package="a_mcp",
    command="a-mcp",
    source=model.Source(kind="python", name="a.py", files=(model.SourceFile(path="a.py", content=b"\0x"),)),
    tools=(
        model.Tool(
            name="t",
            input_schema={"enum": [1, 2]},
            call=model.PythonCall(target=".a:t"),
            raises=(("ValueError", "when wrong"),),
            span=Span(path="a.py", line=1, column=1, end_line=1, end_column=2),
        ),
        model.Tool(name="h", input_schema={}, call=model.HttpCall(operation="get", request={"method": "GET"})),
    ),
)


@given(servers)
def test_every_server_survives_the_way_through_json_text(server):
    document = codec.dump(server)
    text = json.dumps(document)
    assert codec.dump(codec.load(json.loads(text))) == document
    assert list(Draft202012Validator(schema.derived()).iter_errors(json.loads(text))) == []


def test_a_loaded_server_equals_the_dumped_one():
    loaded = codec.load(codec.dump(SMALL))
    assert loaded.tools[1] == SMALL.tools[1]
    assert (loaded.source, loaded.tools[0].span, loaded.tools[0].raises) == (
        SMALL.source,
        SMALL.tools[0].span,
        SMALL.tools[0].raises,
    )


def test_what_has_its_default_is_left_out():
    assert codec.dump(SMALL)["server"]["tools"][1] == {
        "name": "h",
        "input_schema": {},
        "call": {"kind": "http", "operation": "get", "request": {"method": "GET"}},
    }


def _changed(path, value):
    document = json.loads(json.dumps(codec.dump(SMALL)))
    at = document
    for key in path[:-1]:
        at = at[key]
    if value is KeyError:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "pointer"),
    [
        (("format",), 2, "/format"),
        (("more",), 1, "/more"),
        (("server", "more/~"), 1, "/server/more~1~0"),
        (("server", "id"), KeyError, "/server/id"),
        (("server", "id"), 1, "/server/id"),
        (("server", "tools"), {}, "/server/tools"),
        (("server", "tools", 0, "wrap"), 1, "/server/tools/0/wrap"),
        (("server", "tools", 0, "result"), "xml", "/server/tools/0/result"),
        (("server", "tools", 0, "call", "kind"), "ftp", "/server/tools/0/call/kind"),
        (("server", "tools", 0, "call", "operation"), "x", "/server/tools/0/call/operation"),
        (("server", "tools", 0, "raises"), [["a"]], "/server/tools/0/raises/0"),
        (("server", "tools", 0, "span", "line"), True, "/server/tools/0/span/line"),
        (("server", "source", "files", 0, "content"), "*", "/server/source/files/0/content"),
        (("server", "source", "inputs"), {"a": 1}, "/server/source/inputs/a"),
    ],
)
def test_a_document_that_is_not_an_ir_is_refused_with_a_pointer(path, value, pointer):
    with pytest.raises(codec.CodecError, match=f"^{pointer}: "):
        codec.load(_changed(path, value))


@pytest.mark.parametrize("document", [None, [], "x", {}, {"format": 1}])
def test_anything_else_is_refused(document):
    with pytest.raises(codec.CodecError):
        codec.load(document)


def test_frozen_values_cannot_be_changed():
    frozen = codec.freeze({"a": [1, {"b": None}]})
    with pytest.raises(TypeError):
        frozen["a"] = 1
    with pytest.raises(TypeError):
        frozen["a"][1]["b"] = 2


@given(_json)
def test_thawing_undoes_freezing(value):
    assert codec.thaw(codec.freeze(value)) == value


def _deep(levels):
    value = None
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("value", [math.nan, math.inf, {1: 2}, {"a": {3}}, b"x", _deep(50_000)])
def test_what_has_no_json_form_is_refused(value):
    with pytest.raises(codec.CodecError):
        codec.freeze(value)


def test_the_written_schema_is_the_dataclasses(root, update_golden):
    path = root / "schemas" / "ir.schema.json"
    if update_golden:
        path.write_text(json.dumps(schema.derived(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    written = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(written)
    assert written == schema.derived()
