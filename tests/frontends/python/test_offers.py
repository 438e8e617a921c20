"""`@resource`, `@prompt` and `@completer`, read from source: what they make, and what is said of what cannot be."""

from __future__ import annotations

import pytest

from generator.frontends.python.uris import read_uri
from generator.ir.codec import thaw

from .front import front


def resources(found):
    return {each.name: each for each in found.server.resources}


def prompts(found):
    return {each.name: each for each in found.server.prompts}


NAMES = "Context, File, Image, SyncContext, Text, completer, prompt, resource, tool"
HEAD = f"from mcpgen import {NAMES}\nfrom typing import *\n"


@pytest.mark.parametrize(
    "lines",
    [
        "from mcpgen import resource\n@resource('t://x')",
        "import mcpgen\n@mcpgen.resource('t://x')",
        "from mcpgen import resource as r\nURI = 't://' + 'x'\n@r(URI)",
        "try:\n    from mcpgen import resource\nexcept ImportError:\n    def resource(u): return lambda f: f\n@resource('t://x')",
    ],
)
def test_a_resource_is_found_however_its_marker_is_imported(lines):
    found = front(f"{lines}\ndef f() -> str: ...\ndef t() -> int: ...")
    assert [(each.uri, each.kind) for each in found.server.resources] == [("t://x", "computed")]
    assert list(found.tools) == ["t"]
    assert not found.errors()


@pytest.mark.requirement("R157")
def test_all_that_is_said_of_a_resource_is_kept():
    found = front(
        HEAD
        + """
        @resource(
            "t://{a}/{b}", name="n", title="T", description="D", mime_type="text/html", icons=["https://i.example/x.png"],
            annotations={"audience": "user", "priority": 1, "lastModified": "2026-01-01"}, meta={"k": 1}, timeout=2,
            max_concurrent=3, max_result_bytes=4,
        )
        async def f(b: int, a: str = "x") -> str: ...
        """.replace("        ", "")
    )
    assert not found.errors()
    (one,) = found.server.resources
    assert (one.name, one.title, one.description, one.mime_type) == ("n", "T", "D", "text/html")
    assert (one.annotations.audience, one.annotations.priority) == (("user",), 1)
    assert one.annotations.last_modified == "2026-01-01"
    assert (one.icons[0].src, thaw(one.meta)) == ("https://i.example/x.png", {"k": 1})
    assert (one.limits.timeout, one.limits.max_concurrent, one.limits.max_result_bytes) == (2, 3, 4)
    assert [each.name for each in one.variables] == ["a", "b"]
    assert one.call.is_async


@pytest.mark.parametrize(
    ("returns", "kind"),
    [
        ("str", "text/plain"),
        ("str | None", "text/plain"),
        ("bytes", None),
        ("dict[str, int]", "application/json"),
        ("list[str]", "application/json"),
        ("int | None", "application/json"),
        ("Image", None),
        ("list[Text | File]", None),
        ("Any", None),
        ("str | bytes", None),
        ("Awaitable[str]", "text/plain"),
    ],
)
def test_the_media_type_follows_from_the_result_where_it_can(returns, kind):
    found = front(f"{HEAD}@resource('t://x')\ndef f() -> {returns}: ...")
    assert not found.errors()
    assert found.server.resources[0].mime_type == kind


def test_parameters_with_a_default_may_be_missing_from_the_uri():
    found = front(f"{HEAD}@resource('t://{{a}}')\ndef f(a: int, b: int = 2, *c: str, ctx: SyncContext, **d: str): ...")
    assert not found.errors()
    (one,) = found.server.resources
    assert thaw(one.input_schema) == {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert thaw(one.call.inject) == {"ctx": "sync"}


@pytest.mark.parametrize(
    ("uri", "parameters", "rule"),
    [
        ("no scheme", "", "resource-uri"),
        ("t:", "", "resource-uri"),
        ("t://{a", "a: str", "resource-uri"),
        ("t://{a}{b}", "a: str, b: str", "resource-uri"),
        ("t://{a}/{a}", "a: str", "resource-uri"),
        ("t://{?a}", "a: str", "resource-uri"),
        ("t://{a*}", "a: str", "resource-uri"),
        ("t://{a,b}", "a: str, b: str", "resource-uri"),
        ("t://{a:3}", "a: str", "resource-uri"),
        ("t://a b", "", "resource-uri"),
        ("t://å", "", "resource-uri"),
        ("ui://x", "", "reserved-scheme"),
        ("t://{a}", "", "template-parameter"),
        ("t://x", "a: str", "template-parameter"),
        ("t://{a}", "a: str, b: str", "template-parameter"),
        ("t://{a}", "a: Callable[[], int]", "unsupported-type"),
    ],
)
def test_what_cannot_be_a_resource_says_why_and_the_rest_is_served(uri, parameters, rule):
    found = front(f"{HEAD}@resource({uri!r})\ndef f({parameters}) -> str: ...\ndef t() -> int: ...")
    assert found.errors() == [rule]
    assert found.server.resources == ()
    assert list(found.tools) == ["t"]
    assert "tool `f`" not in found.diagnostics[0].message


@pytest.mark.parametrize(
    "marker",
    [
        "resource",
        "resource()",
        "resource(compute())",
        "resource('t://x', 'extra')",
        "resource('t://x', colour='red')",
        "resource('t://x', mime_type='text')",
        "resource('t://x', annotations={'priority': 2})",
        "resource('t://x', annotations={'read_only': True})",
        "prompt('x')",
        "prompt(mime_type='text/plain')",
        "completer",
        "completer(p)",
        "completer(p, compute())",
        "completer('p', 'a')",
        "completer(p, 'a', title='x')",
    ],
)
def test_a_marker_that_is_written_wrongly_is_an_error_that_fails_the_build(marker):
    found = front(f"{HEAD}def compute() -> str: ...\n@prompt\ndef p(a): ...\n@{marker}\ndef f(typed) -> str: ...")
    assert "marker-argument" in found.errors()


def test_a_prompt_takes_its_arguments_from_the_signature():
    found = front(
        HEAD
        + '''
@prompt
def briefing(city: str, tone: Literal["short", "full"] = "short", days: int = 1, text=None, *, ctx: SyncContext) -> str:
    """Brief somebody.

    Args:
        city: Where it is.
    """
'''
    )
    assert found.rules() == []
    (one,) = found.server.prompts
    assert (one.name, one.title, one.description) == ("briefing", "Brief somebody", "Brief somebody.")
    assert [(each.name, each.required, each.choices) for each in one.arguments] == [
        ("city", True, ()),
        ("tone", False, ("short", "full")),
        ("days", False, ()),
        ("text", False, ()),
    ]
    assert one.arguments[0].description == "Where it is."


@pytest.mark.parametrize(
    ("annotation", "choices"),
    [
        ("Literal[1, 2]", ("1", "2")),
        ("Literal['a', 'b'] | None", ("a", "b")),
        ("bool", ()),
        ("Literal[True]", ()),
        ("Literal['a'] | int", ()),
        ("Colour", ("red", "blue")),
    ],
)
def test_the_few_values_of_an_argument_are_its_completions(annotation, choices):
    enum = "import enum\nclass Colour(enum.Enum):\n    RED = 'red'\n    BLUE = 'blue'\n"
    found = front(f"{HEAD}{enum}@prompt\ndef p(a: {annotation}): ...")
    assert found.server.prompts[0].arguments[0].choices == choices


def test_a_function_may_be_a_tool_and_a_resource():
    found = front(f"{HEAD}@tool\n@resource('t://x')\n@prompt\ndef f() -> str: ...")
    assert list(found.tools) == ["f"]
    assert (len(found.server.resources), len(found.server.prompts)) == (1, 1)


def test_one_function_may_be_several_resources():
    found = front(f"{HEAD}@resource('t://x')\n@resource('t://y/{{a}}')\ndef f(a: str = 'b') -> str: ...")
    assert sorted(each.uri for each in found.server.resources) == ["t://x", "t://y/{a}"]


def test_settings_choose_tools_and_hide_everything():
    offers = "@resource('t://x')\ndef f() -> str: ...\n@prompt\ndef _p(): ...\n"
    text = f"{HEAD}{offers}def t() -> int: ...\ndef u() -> int: ..."
    found = front(text, toml='expose = ["t"]')
    assert (list(found.tools), list(resources(found)), list(prompts(found))) == (["t"], ["f"], ["_p"])
    found = front(text, toml='hide = ["f", "_p"]')
    assert (list(found.tools), found.server.resources, found.server.prompts) == (["t", "u"], (), ())
    assert not found.errors()


def test_settings_of_a_tool_for_what_is_none_are_an_error():
    text = f"{HEAD}@prompt\ndef p(): ...\n@tool\n@prompt\ndef both() -> int: ..."
    found = front(text, toml='[tools.p]\ntitle = "T"\n[tools.both]\ntitle = "T"')
    assert [each.unit for each in found.diagnostics if each.rule.name == "unmatched-tool-setting"] == ["p"]


def test_a_module_without_tools_is_no_mistake():
    found = front(f"{HEAD}@prompt\ndef p(): ...")
    assert (found.tools, found.rules()) == ({}, [])


# -- completers


def test_a_completer_belongs_to_the_argument_it_names():
    found = front(
        f"{HEAD}@prompt\ndef p(a, b): ...\n@resource('t://{{a}}')\ndef r(a: str) -> str: ...\n"
        "@completer(p, 'b')\n@completer(r, 'a')\ndef c(typed: str) -> list[str]: ...\n"
        "@completer(p, 'a')\nasync def d(typed, chosen: dict[str, str], *, ctx: Context): ..."
    )
    assert found.rules() == []
    a, b = found.server.prompts[0].arguments
    assert (a.completer.target.partition(":")[2], a.completer.is_async) == ("d", True)
    assert (a.completer.positional, thaw(a.completer.inject)) == (("typed", "chosen"), {"ctx": "async"})
    assert (b.completer.target.partition(":")[2], b.completer.positional) == ("c", ("typed",))
    assert found.server.resources[0].variables[0].completer == b.completer


@pytest.mark.parametrize(
    "completer",
    [
        "@completer(p, 'c')\ndef c(typed): ...",
        "@completer(other, 'a')\ndef c(typed): ...",
        "@completer(p, 'a')\ndef c(): ...",
        "@completer(p, 'a')\ndef c(x, y, z): ...",
        "@completer(p, 'a')\ndef c(*, typed): ...",
        "@completer(p, 'a')\ndef c(typed): ...\n@completer(p, 'a')\ndef d(typed): ...",
    ],
)
def test_a_completer_of_nothing_is_an_error(completer):
    found = front(f"{HEAD}@prompt\ndef p(a): ...\ndef other(a: int) -> int: ...\n{completer}")
    assert found.errors() == ["unmatched-completer"]
    assert list(found.tools) == ["other"]


def test_a_context_of_the_wrong_kind_is_an_error_of_offers_too():
    found = front(
        f"{HEAD}@prompt\ndef p(ctx: Context): ...\n@resource('t://x')\nasync def f(ctx: SyncContext) -> str: ..."
    )
    assert found.errors() == ["context-mismatch", "context-mismatch"]


@pytest.mark.parametrize(
    "uri", ["t://x", "urn:isbn:1", "file:///a/b.txt", "https://x.example/%C3%A5?q=1#f", "a+b.c-d:x"]
)
def test_uris_of_any_scheme_are_taken(uri):
    assert read_uri(uri) == ((), None, None)
