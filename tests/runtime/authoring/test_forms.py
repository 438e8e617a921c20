"""Forms: what an author asks for becomes a schema MCP allows, and what is filled in becomes a value."""

from __future__ import annotations

import asyncio
import datetime as dt
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Annotated, Literal, NotRequired, TypedDict

import pytest

from generator.runtime.authoring import (
    Cancelled,
    Context,
    Declined,
    Elicit,
    Image,
    Message,
    Param,
    Reply,
    Root,
    Sample,
    SyncContext,
)
from generator.runtime.authoring.form_rules import check_schema
from generator.runtime.authoring.forms import Form


class Colour(Enum):
    RED = "#f00"
    DARK_BLUE = "#009"


class Plain(Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Trip:
    city: Annotated[str, Param(description="Where to", max_length=40)]
    days: Annotated[int, Param(ge=1, le=14)] = 3
    when: dt.date | None = None
    colour: Colour = Colour.RED
    tags: list[Literal["a", "b"]] = field(default_factory=list)
    note: str | None = None


class Address(TypedDict):
    street: str
    zip: NotRequired[str]


@pytest.mark.parametrize(
    ("wanted", "schema", "content", "value"),
    [
        (bool, {"type": "boolean"}, True, True),
        (int, {"type": "integer"}, 3.0, 3),
        (float, {"type": "number"}, 3, 3.0),
        (str, {"type": "string"}, "x", "x"),
        (dt.date, {"type": "string", "format": "date"}, "2026-07-28", dt.date(2026, 7, 28)),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, "b", "b"),
        (Literal[1, 2], {"type": "string", "enum": ["1", "2"]}, "2", 2),
        (Plain, {"type": "string", "enum": ["red", "blue"]}, "blue", Plain.BLUE),
        (Level, {"type": "string", "enum": ["LOW", "HIGH"]}, "HIGH", Level.HIGH),
        (
            Colour,
            {
                "type": "string",
                "oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#009", "title": "Dark blue"}],
            },
            "#009",
            Colour.DARK_BLUE,
        ),
        (
            Annotated[list[Plain], Param(min_length=1, title="Which")],
            {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}, "title": "Which", "minItems": 1},
            ["red"],
            [Plain.RED],
        ),
        (
            set[Colour],
            {
                "type": "array",
                "items": {"anyOf": [{"const": "#f00", "title": "Red"}, {"const": "#009", "title": "Dark blue"}]},
            },
            ["#f00", "#f00"],
            {Colour.RED},
        ),
        (Annotated[str, Param(format="email")], {"type": "string", "format": "email"}, "a@b.example", "a@b.example"),
    ],
)
def test_a_plain_type_is_a_form_with_one_field(wanted, schema, content, value):
    form = Form(wanted, "key")
    assert form.schema == {"type": "object", "properties": {"key": schema}, "required": ["key"]}
    found = form.read({"key": content})
    assert (found, type(found)) == (value, type(value))


def test_a_dataclass_is_a_form_with_its_fields_and_defaults():
    form = Form(Trip, "trip")
    assert form.schema["required"] == ["city"]
    fields = form.schema["properties"]
    assert fields["city"] == {"type": "string", "description": "Where to", "maxLength": 40}
    assert fields["days"] == {"type": "integer", "minimum": 1, "maximum": 14, "default": 3}
    assert fields["when"] == {"type": "string", "format": "date"}
    assert fields["colour"]["default"] == "#f00"
    assert form.read({"city": "Oslo", "when": "2026-01-02", "tags": ["b"]}) == Trip(
        "Oslo", when=dt.date(2026, 1, 2), tags=["b"]
    )


def test_a_typed_dict_is_a_form_too():
    form = Form(Address, "address")
    assert form.schema["required"] == ["street"]
    assert form.read({"street": "x"}) == {"street": "x"}


def test_optional_fields_without_a_default_are_none():
    @dataclass
    class Asked:
        name: str | None
        age: int

    Asked.__annotations__ = {"name": str | None, "age": int}
    form = Form(Asked, "x")
    assert form.schema["required"] == ["age"]
    assert form.read({"age": 5}) == Asked(None, 5)


def test_without_a_schema_the_person_just_goes_on():
    form = Form(None, "x")
    assert form.schema == {"type": "object", "properties": {}}
    assert form.read({}) is True


@dataclass
class Nested:
    trip: Trip


@pytest.mark.parametrize("wanted", [dict[str, int], list[int], list[str], bytes, Nested, object(), str | int])
def test_what_no_form_has_a_field_for_is_a_mistake(wanted):
    with pytest.raises(TypeError, match="a form has no field for"):
        Form(wanted, "x")


def test_bounds_that_forms_do_not_have_are_a_mistake():
    with pytest.raises(ValueError, match="a form has no pattern="):
        Form(Annotated[str, Param(pattern="a+")], "x")


@pytest.mark.parametrize(
    ("schema", "complaint"),
    [
        ({"type": "string"}, "it is an object with properties"),
        ({"type": "object", "properties": {}, "additionalProperties": False}, "a form has no 'additionalProperties'"),
        ({"type": "object", "properties": {"a": {"type": "object"}}}, "'a' is a string, number"),
        ({"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}, "'a' has no 'pattern'"),
        ({"type": "object", "properties": {"a": {"type": "string", "format": "ipv4"}}}, "format of 'a' is one of"),
        ({"type": "object", "properties": {"a": {"type": "string", "enum": [1]}}}, "the choices of 'a' are texts"),
        ({"type": "object", "properties": {"a": {"type": "array"}}}, "'a' has items"),
        ({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}}, "items of 'a' has"),
        ({"type": "object", "properties": {}, "required": ["b"]}, "'b' is required but no property"),
    ],
)
def test_a_schema_of_the_authors_own_is_held_to_the_rules(schema, complaint):
    with pytest.raises(ValueError, match="this is no schema of a form") as found:
        check_schema(schema)
    assert complaint in str(found.value)


def test_a_page_is_a_web_address_without_a_form():
    with pytest.raises(ValueError, match="url= is a web address"):
        Elicit("Go", url="javascript:alert(1)")
    with pytest.raises(ValueError, match="no schema="):
        Elicit("Go", bool, url="https://x.example")


def test_a_model_is_told_texts_messages_and_content():
    png = b"\x89PNG\r\n\x1a\n"
    sample = Sample(["hello", Message("assistant", "hi"), Message("user", ["see", Image(png)])], system="be kind")
    messages = sample.request("x")["params"]["messages"]
    assert [each["role"] for each in messages] == ["user", "assistant", "user"]
    assert messages[0]["content"] == {"type": "text", "text": "hello"}
    assert [block["type"] for block in messages[2]["content"]] == ["text", "image"]
    assert sample.request("x")["params"]["systemPrompt"] == "be kind"
    with pytest.raises(TypeError, match="a model is told a text"):
        Sample(5)


def test_a_reply_is_its_text_whatever_its_blocks():
    reply = Reply([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], model="m")
    assert (reply.text, str(reply), reply.model) == ("ab", "ab", "m")
    assert Reply("plain").content == [{"type": "text", "text": "plain"}]


def test_a_root_knows_its_path():
    assert Root("file:///a%20b/c").path == "/a b/c"
    with pytest.raises(ValueError, match="no file of this machine"):
        _ = Root("https://x.example").path


def test_a_context_made_by_hand_has_the_answers_it_was_made_with():
    def plan(ctx: SyncContext):
        return ctx.elicit("long", "Go on?", schema=bool), ctx.roots(), ctx.sample("word", "x").text

    answers = {"long": True, "roots": [Root("file:///x")], "word": Reply("yes")}
    assert plan(SyncContext(answers=answers)) == (True, [Root("file:///x")], "yes")
    assert SyncContext(answers={"long": Declined()}).elicit("long", "?") == Declined() != Cancelled()
    with pytest.raises(LookupError, match=r"make the context with answers=\{'long': \.\.\.\}"):
        SyncContext().elicit("long", "Go on?", schema=bool)
    with pytest.raises(TypeError, match="a form has no field"):
        SyncContext(answers=answers).elicit("long", "Go on?", schema=bytes)
    SyncContext().require("sampling")

    async def aplan(ctx: Context):
        return await ctx.elicit("long", "Go on?", schema=bool), await ctx.read_resource("t://x")

    assert asyncio.run(aplan(Context(answers={"long": False, "t://x": []}))) == (False, [])
