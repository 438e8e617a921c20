"""Parameters of every kind, defaults, contexts, and what makes a tool impossible."""

from __future__ import annotations

import pytest

from .front import front


def properties(text: str, name: str = "f") -> dict:
    return front(text).tools[name].input_schema["properties"]


@pytest.mark.requirement("R056")
def test_kinds_of_parameters_say_how_the_call_is_made():
    tool = front("def f(a: int, /, b: int, *rest: str, c: int = 3, **more: float) -> int: ...").tools["f"]
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "a": {"type": "integer"},
            "b": {"type": "integer"},
            "rest": {"type": "array", "items": {"type": "string"}},
            "c": {"type": "integer", "default": 3},
        },
        "required": ["a", "b"],
        "additionalProperties": {"type": "number"},
    }
    assert (tool.call.positional, tool.call.star, tool.call.star_star) == (("a", "b"), "rest", True)
    assert tool.call.conversions["**"] == "number"


def test_a_default_that_is_none_widens_the_type_and_says_so():
    found = front("def f(x: int = None) -> int: ...")
    assert found.tools["f"].input_schema["properties"]["x"]["anyOf"][1] == {"type": "null"}
    assert found.rules("f") == ["implicit-optional"]


@pytest.mark.parametrize("annotation", ["int | None", "object", "None", "Literal[1, None]"])
def test_a_type_that_accepts_null_is_not_widened(annotation):
    assert front(f"from typing import Literal\ndef f(x: {annotation} = None) -> int: ...").rules("f") == []


def test_an_unannotated_parameter_accepts_anything_and_suggests_a_type():
    found = front("def f(a, b=3, *args, **kwargs) -> int: ...")
    assert found.tools["f"].input_schema["properties"]["a"] == {}
    assert found.rules("f") == ["untyped-parameter"] * 2
    hints = [each.hint for each in found.diagnostics if each.rule.name == "untyped-parameter"]
    assert hints[1] == "Annotate it, for example `b: int = 3`."


def test_the_span_of_an_untyped_parameter_is_its_name():
    span = front("def f(a: int, days=3) -> int: ...").one("untyped-parameter").span
    assert (span.line, span.column, span.end_column) == (1, 15, 19)


def test_a_required_callable_refuses_the_tool_and_one_with_a_default_is_left_out():
    found = front(
        """
        from collections.abc import Callable
        def f(key: Callable[[int], int]) -> int: ...
        def g(x: int, key: Callable[[int], int] | None = None) -> int: ...
        """
    )
    assert set(found.tools) == {"g"}
    assert list(found.tools["g"].input_schema["properties"]) == ["x"]
    assert found.errors() == ["unsupported-type"]
    assert found.rules("g") == ["dropped-parameter"]


def test_all_problems_of_a_signature_are_reported_in_one_run():
    found = front("def f(a: range, b: 'Missing', c: lambda: int) -> int: ...")
    assert found.tools == {}
    assert sorted(found.errors()) == ["unresolved-type", "unsupported-type", "unsupported-type"]
    assert all(each.unit == "f" and each.paste == 'hide = ["f"]' for each in found.diagnostics if each.span)


def test_keyword_arguments_nobody_can_send_are_left_out():
    found = front("from collections.abc import Callable\ndef f(a: int, **hooks: Callable[[], None]) -> int: ...")
    assert found.tools["f"].input_schema["additionalProperties"] is False
    assert not found.tools["f"].call.star_star
    assert found.rules("f") == ["dropped-parameter"]


def test_an_unpacked_typed_dict_gives_its_keys():
    tool = front(
        """
        from typing import NotRequired, Required, TypedDict, Unpack
        class Options(TypedDict, total=False):
            colour: Required[str]
            size: int
        def f(name: str, **options: Unpack[Options]) -> str: ...
        """
    ).tools["f"]
    assert list(tool.input_schema["properties"]) == ["name", "colour", "size"]
    assert tool.input_schema["required"] == ["name", "colour"]
    assert tool.input_schema["additionalProperties"] is False
    assert tool.call.star_star


@pytest.mark.parametrize("default", ["...", "compute()", "object()", "float('nan')"])
def test_a_default_that_cannot_be_stated_leaves_the_parameter_optional(default):
    tool = front(f"def f(x: float = {default}) -> int: ...").tools["f"]
    assert tool.input_schema["properties"]["x"] == {"type": "number"}
    assert "required" not in tool.input_schema


def test_a_computed_default_is_reported_and_an_ellipsis_is_not():
    assert front("def f(x: int = compute()) -> int: ...").rules("f") == ["computed-default"]
    assert front("def f(x: int = ...) -> int: ...").rules("f") == []


def test_a_field_in_the_place_of_a_default_describes_the_parameter():
    tool = front(
        """
        from pydantic import Field
        def f(
            a: int = Field(ge=1), b: int = Field(default=7, description="count"), c: int = Field(..., le=3)
        ) -> int: ...
        """
    ).tools["f"]
    assert tool.input_schema["properties"] == {
        "a": {"type": "integer", "minimum": 1},
        "b": {"type": "integer", "description": "count", "default": 7},
        "c": {"type": "integer", "maximum": 3},
    }
    assert tool.input_schema["required"] == ["a", "c"]
    assert tool.call.field_defaults == ("b",)


@pytest.mark.requirement("R057")
@pytest.mark.parametrize(
    "annotation", ["Context", "Optional[Context]", "'Context'", "Context | None", "Annotated[Context, 1]"]
)
def test_our_context_is_injected_by_its_type(annotation):
    text = f"""
        from typing import Annotated, Optional
        from mcpgen import Context
        async def f(x: int, c: {annotation}) -> int: ...
        """
    tool = front(text).tools["f"]
    assert dict(tool.call.inject) == {"c": "async"}
    assert list(tool.input_schema["properties"]) == ["x"]


def test_a_parameter_called_ctx_is_data_unless_its_type_says_otherwise():
    assert list(properties("def f(ctx: str, request: str, self: int, context=None) -> int: ...")) == [
        "ctx",
        "request",
        "self",
        "context",
    ]


@pytest.mark.parametrize(("kind", "context"), [("def", "Context"), ("async def", "SyncContext")])
def test_a_context_of_the_other_kind_of_function_is_an_error(kind, context):
    found = front(f"from mcpgen import {context}\n{kind} f(x: int, ctx: {context}) -> int: ...")
    assert found.tools == {}
    assert found.one("context-mismatch").hint


def test_a_context_of_another_sdk_gets_ours_of_the_right_kind():
    found = front(
        """
        from mcp.server.fastmcp import Context
        def f(x: int, ctx: Context) -> int: ...
        async def g(x: int, *, ctx: Context) -> int: ...
        """
    )
    assert {name: dict(tool.call.inject) for name, tool in found.tools.items()} == {
        "f": {"ctx": "sync"},
        "g": {"ctx": "async"},
    }


def test_a_name_hosts_refuse_is_renamed_and_mapped_back():
    long = "x" * 70
    found = front(f"def f(größe: int, {long}: int) -> int: ...")
    tool = found.tools["f"]
    names = dict(tool.call.names)
    assert set(names.values()) == {"größe", long}
    assert all(len(wire) <= 64 and wire.isascii() for wire in tool.input_schema["properties"])
    assert found.rules("f") == ["renamed-parameter"] * 2


def test_an_alias_is_the_property_and_the_parameter_keeps_its_name():
    tool = front(
        """
        from typing import Annotated
        from pydantic import Field
        def f(x: Annotated[int, Field(alias="xValue")]) -> int: ...
        """
    ).tools["f"]
    assert list(tool.input_schema["properties"]) == ["xValue"]
    assert dict(tool.call.names) == {"xValue": "x"}


def test_overloads_speak_where_the_implementation_says_any():
    tool = front(
        """
        from typing import Any, overload
        @overload
        def f(x: int) -> int: ...
        @overload
        def f(x: str) -> str: ...
        def f(x): return x
        """
    ).tools["f"]
    assert tool.input_schema["properties"]["x"] == {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    assert tool.result_schema == {"anyOf": [{"type": "integer"}, {"type": "string"}]}


def test_a_stub_beside_the_module_gives_the_types_and_the_source_the_rest():
    stub = """
        from typing import overload
        def f(a: int, b: int = ...) -> int: ...
        @overload
        def g(x: int) -> int: ...
        @overload
        def g(x: str) -> str: ...
        """
    found = front('def f(a, b=1):\n    """Add."""\ndef g(x): ...\ndef h(x): ...', files={"m.pyi": stub})
    tool = found.tools["f"]
    assert tool.input_schema["properties"] == {"a": {"type": "integer"}, "b": {"type": "integer", "default": 1}}
    assert (tool.description, tool.result_schema) == ("Add.", {"type": "integer"})
    assert "anyOf" in found.tools["g"].input_schema["properties"]["x"]
    assert found.rules() == ["untyped-parameter"]


@pytest.mark.requirement("R058")
@pytest.mark.parametrize(
    ("annotation", "schema", "wrap"),
    [
        ("dict", {"type": "object"}, False),
        ("dict[str, int]", {"type": "object", "additionalProperties": {"type": "integer"}}, False),
        ("int", {"type": "integer"}, True),
        ("list[int]", {"type": "array", "items": {"type": "integer"}}, True),
        ("dict | None", {"anyOf": [{"type": "object"}, {"type": "null"}]}, True),
        ("Any", None, False),
        ("object", None, False),
    ],
)
def test_the_result_schema_decides_about_wrapping(annotation, schema, wrap):
    tool = front(f"from typing import Any\ndef f() -> {annotation}: ...").tools["f"]
    assert (tool.result_schema, tool.wrap, tool.result) == (schema, wrap, "json")


@pytest.mark.parametrize("annotation", ["None", "NoReturn", "Awaitable[None]", "Coroutine[Any, Any, None]"])
def test_a_function_that_returns_nothing_sends_nothing(annotation):
    imports = "from typing import Any, NoReturn\nfrom collections.abc import Awaitable, Coroutine"
    text = f"{imports}\ndef f() -> {annotation}: ..."
    assert front(text).tools["f"].result == "none"


@pytest.mark.parametrize(
    "annotation", ["Image", "list[Image]", "str | Image", "tuple[str, File] | None", "list[Text | Link | Audio]"]
)
def test_content_types_are_sent_as_they_are(annotation):
    tool = front(f"from mcpgen import Audio, File, Image, Link, Text\ndef f() -> {annotation}: ...").tools["f"]
    assert (tool.result, tool.result_schema, tool.wrap) == ("content", None, False)


def test_a_result_without_a_json_form_gives_no_schema_and_a_warning():
    found = front("class Frame: ...\ndef f() -> Frame: ...\ndef g() -> 'missing.Type': ...")
    assert set(found.tools) == {"f", "g"}
    assert found.tools["f"].result_schema is None
    assert found.rules() == ["unsupported-type", "unresolved-type"]
    assert found.errors() == []


def test_a_result_that_is_a_function_refuses_the_tool():
    found = front(
        """
        from collections.abc import Callable
        import functools
        def f(n: int) -> Callable[[int], int]: return functools.partial(pow, n)
        """
    )
    assert found.tools == {}
    assert found.errors() == ["unsupported-type"]


def test_the_texts_of_a_docstring_reach_parameters_and_result():
    tool = front(
        '''
        from typing import Annotated
        from mcpgen import Param
        def f(a: int, b: Annotated[int, Param(description="stated")], *rest: int) -> list[int]:
            """Do it.

            Args:
                a: The first.
                b: Not used.
                *rest: More.

            Returns:
                The list.
            """
        '''
    ).tools["f"]
    texts = {name: each["description"] for name, each in tool.input_schema["properties"].items()}
    assert texts == {"a": "The first.", "b": "stated", "rest": "More."}
    assert tool.result_schema["description"] == tool.result_description == "The list."


def test_values_that_say_nothing_are_named_in_the_description():
    tool = front(
        """
        from enum import Enum, auto
        class E(Enum):
            ONE = auto()
            TWO = auto()
        def f(e: E) -> int:
            "Do."
        """
    ).tools["f"]
    assert tool.description == "Do.\n\nValues of `e`: 1 = ONE, 2 = TWO."


def test_the_items_of_a_spread_tuple_are_the_items_of_star_args():
    found = front("""
        from typing import Unpack
        def f(*args: *tuple[int, str]) -> int: ...
        def g(*args: "Unpack[tuple[int, *tuple[str, ...]]]") -> int: ...
    """).tools
    assert found["f"].input_schema["properties"]["args"]["prefixItems"] == [{"type": "integer"}, {"type": "string"}]
    assert found["g"].input_schema["properties"]["args"]["items"] == {"type": "string"}
    assert found["f"].input_schema["required"] == found["g"].input_schema["required"] == ["args"]


def test_keys_of_an_unpacked_typed_dict_get_names_that_hosts_accept():
    tool = front("""
        from typing import TypedDict, Unpack
        Keys = TypedDict("Keys", {"$ref": int, "a b": str})
        def f(**more: Unpack[Keys]) -> int: ...
    """).tools["f"]
    assert list(tool.input_schema["properties"]) == ["ref", "a_b"]
    assert tool.call.names == {"ref": "$ref", "a_b": "a b"}


def test_what_is_said_about_a_parameter_stays_when_null_is_added():
    found = front("""
        from typing import Annotated
        from pydantic import Field
        def f(x: Annotated[int, Field(alias="from", description="d")] = None) -> int: ...
    """)
    assert found.tools["f"].input_schema["properties"] == {
        "from": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "d", "default": None}
    }


@pytest.mark.parametrize("default", ["'x' * 5000", "'\\ud800'", "10**400"])
def test_a_default_that_would_burden_or_break_clients_is_not_stated(default):
    found = front(f"def f(x: object = {default}) -> int: ...")
    assert "default" not in found.tools["f"].input_schema["properties"]["x"]
    assert found.rules("f") == ["computed-default"]


def test_arguments_that_a_decorator_gives_itself_are_not_a_clients():
    text = """
        from collections.abc import Callable
        from functools import wraps
        from typing import Concatenate, ParamSpec, TypeVar
        P, R = ParamSpec("P"), TypeVar("R")
        def session(f: Callable[Concatenate[int, P], R]) -> Callable[P, R]:
            @wraps(f)
            def inner(*args: P.args, **kwargs: P.kwargs) -> R: return f(1, *args, **kwargs)
            return inner
        def asking(f: Callable[P, R]) -> "Callable[Concatenate[int, P], R]":
            @wraps(f)
            def inner(first: int, *args: P.args, **kwargs: P.kwargs) -> R: return f(*args, **kwargs)
            return inner
        @session
        def f(connection: int, query: str) -> str: ...
        @asking
        def g(query: str) -> str: ...
    """
    found = front(text)
    assert list(found.tools["f"].input_schema["properties"]) == ["query"]
    assert found.rules("f") == []
    assert found.rules("g") == ["unknown-decorator"]


def test_a_type_that_was_not_imported_is_told_to_be():
    found = front("import absent\ndef f(a: Forgotten) -> int: ...\ndef g(a: absent.Type) -> int: ...\n")
    hints = [each.hint for each in found.diagnostics if each.rule.name == "unresolved-type"]
    assert hints[0] == "Import `Forgotten`, or define it in the module."
    assert hints[1].startswith("Install the package")
