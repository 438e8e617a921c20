"""`@tool(...)` and `[tool.mcpgen.tools.NAME]`: read by name, merged, and reported where they disagree."""

from __future__ import annotations

import pytest

from generator.diagnostics.model import Severity
from generator.frontends.python.markers import OPTIONS
from generator.ir.model import Annotations, Icon, Limits
from generator.runtime.authoring import markers as authoring

from .front import front


def test_every_option_an_author_may_write_is_read():
    assert set(OPTIONS) == set(authoring.OPTIONS)


def test_everything_a_marker_says_reaches_the_tool():
    tool = front(
        """
        import mcpgen as m
        NAMES = ["a", "b"]
        @m.tool(
            name="forecast", title="Forecast", description="What it " + "does.", read_only=True, destructive=False,
            idempotent=True, open_world=False, timeout=2.5, max_concurrent=3, max_result_bytes=10_000,
            scopes=["weather:read"], aliases=("old",), tags=NAMES, capture_output=True,
            icons=["https://x.example/i.png", {"src": "i.svg", "mimeType": "image/svg+xml"}],
            meta={"vendor/x": 1},
        )
        def f(city: str) -> int:
            '''Not this.'''
        """
    ).tools["forecast"]
    assert (tool.title, tool.description) == ("Forecast", "What it does.")
    assert tool.annotations == Annotations(read_only=True, destructive=False, idempotent=True, open_world=False)
    assert tool.limits == Limits(timeout=2.5, max_concurrent=3, max_result_bytes=10_000)
    assert (tool.scopes, tool.aliases, tool.tags) == (("weather:read",), ("old",), ("a", "b"))
    assert tool.icons == (Icon(src="https://x.example/i.png"), Icon(src="i.svg", mime_type="image/svg+xml"))
    assert tool.capture_output
    assert tool.meta == {"vendor/x": 1}
    assert tool.call.target == ".m:f"


@pytest.mark.parametrize("marker", ["@tool", "@tool()", "@mcpgen.tool", "@mcpgen.tool()", "@renamed(title='T')"])
def test_a_marker_is_known_by_what_its_name_resolves_to(marker):
    imports = "import mcpgen\nfrom mcpgen import tool\nfrom mcpgen import tool as renamed"
    found = front(f"{imports}\n{marker}\ndef _f(x: int) -> int: ...\n")
    assert list(found.tools) == ["_f"]
    assert found.rules() == []


def test_a_function_of_the_same_name_is_no_marker():
    found = front("def tool(f):\n    return f\n@tool\ndef _f(x: int) -> int: ...\ndef g() -> int: ...")
    assert "_f" not in found.tools


def test_annotations_may_be_a_dictionary_in_our_words_or_the_protocols():
    options = "annotations={'read_only': True, 'openWorldHint': False}, idempotent=True"
    text = f"from mcpgen import tool\n@tool({options})\ndef f() -> int: ..."
    assert front(text).tools["f"].annotations == Annotations(read_only=True, idempotent=True, open_world=False)


@pytest.mark.parametrize(
    "option",
    [
        "timeout=0",
        "timeout='10'",
        "timeout=float('inf')",
        "read_only=1",
        "title=''",
        "scopes='read'",
        "scopes=[1]",
        "max_concurrent=True",
        "input_schema=[]",
        "annotations={'read_only': 'yes'}",
        "annotations={'other': True}",
        "task='maybe'",
        "title=compute()",
        "**options",
        "titel='T'",
        "icons=[{'sizes': []}]",
    ],
)
def test_an_option_that_cannot_be_used_is_reported_and_left_out(option):
    found = front(f"from mcpgen import tool\n@tool({option})\ndef f() -> int: ...")
    assert found.errors() == ["marker-argument"]
    assert found.one("marker-argument").span.line == 2
    assert found.tools["f"].title == "F"


def test_a_misspelt_option_is_answered_with_the_nearest():
    assert (
        front("from mcpgen import tool\n@tool(titel='T')\ndef f() -> int: ...").one("marker-argument").hint
        == "Did you mean `title`?"
    )


def test_a_marker_on_what_cannot_be_a_tool_is_an_error():
    found = front(
        "from contextlib import contextmanager\nfrom mcpgen import tool\n@tool\n@contextmanager\ndef f():\n    yield 1"
    )
    assert found.errors() == ["unsupported-feature"]


def test_settings_say_the_same_as_markers():
    tool = front(
        "def f(x: int) -> int: ...",
        toml="""
        [tools.f]
        name = "renamed"
        title = "T"
        description = "D."
        timeout = 5
        scopes = ["a"]
        aliases = ["b"]
        max_concurrent = 1
        [tools.f.annotations]
        read_only = true
        """,
    ).tools["renamed"]
    assert (tool.title, tool.description, tool.scopes, tool.aliases) == ("T", "D.", ("a",), ("b",))
    assert tool.limits == Limits(timeout=5, max_concurrent=1)
    assert tool.annotations == Annotations(read_only=True)


def test_a_marker_and_a_setting_that_disagree_are_reported_one_by_one_and_the_setting_wins():
    found = front(
        "from mcpgen import tool\n@tool(title='A', timeout=5, read_only=True, scopes=['x'])\ndef f() -> int: ...",
        toml='[tools.f]\ntitle = "B"\ntimeout = 5\nscopes = ["y"]\n[tools.f.annotations]\nread_only = false\n',
    )
    assert found.rules("f") == ["marker-conflict"] * 3
    assert found.tools["f"].title == "B"
    assert all("mcpgen.toml" in each.message for each in found.diagnostics if each.rule.name == "marker-conflict")


def test_a_table_that_names_no_function_is_an_error():
    found = front("def f() -> int: ...\nVALUE = 1", toml='[tools.g]\ntitle = "G"\n[tools.VALUE]\ntitle = "V"\n')
    assert [each.unit for each in found.diagnostics if each.rule.name == "unmatched-tool-setting"] == ["g", "VALUE"]


def test_an_authors_schema_is_emitted_as_it_is_and_unreadable_types_do_not_matter():
    found = front(
        """
        from mcpgen import tool
        import missing
        @tool(input_schema={"type": "object", "anyOf": [{"required": ["a"]}]}, output_schema={"type": "array"})
        def f(a: missing.Frame, b: range = range(3)) -> missing.Other: ...
        """
    )
    tool = found.tools["f"]
    assert tool.input_schema == {"type": "object", "anyOf": [{"required": ["a"]}]}
    assert (tool.result_schema, tool.wrap, tool.verbatim) == ({"type": "array"}, True, True)
    levels = [each.level for each in found.diagnostics if each.rule.name == "verbatim-schema"]
    assert levels == [Severity.WARNING, Severity.NOTE]
    assert found.errors() == []


@pytest.mark.requirement("R070", "R123")
def test_a_tool_by_import_string_is_listed_without_reading_anything():
    found = front(
        "def f() -> int: ...",
        toml="""
        [tools.deploy]
        target = "statistics:mean"
        description = "Deploy."
        input_schema = { type = "object", properties = { data = { type = "array" } }, additionalProperties = false }
        output_schema = { type = "number" }
        [tools.anything]
        target = "json:dumps"
        """,
    )
    tool = found.tools["deploy"]
    assert tool.call.target == "statistics:mean"
    assert (tool.description, tool.wrap, tool.verbatim) == ("Deploy.", True, True)
    assert not tool.call.star_star
    assert found.tools["anything"].input_schema == {"type": "object"}
    assert found.tools["anything"].description == 'Run the "anything" function.'


def test_a_target_that_is_not_installed_is_a_warning():
    found = front("def f() -> int: ...", toml='[tools.deploy]\ntarget = "not_installed_here.deploy:run"\n')
    assert found.one("unknown-dependency").level is Severity.WARNING
    assert found.tools["deploy"].call.target == "not_installed_here.deploy:run"


def test_application_configuration_is_joined_from_both_sides():
    found = front(
        """
        from mcpgen import tool
        @tool(config=["token"])
        def f() -> int: ...
        def g() -> int: ...
        def h() -> int: ...
        """,
        toml="""
        [config.token]
        env = "TOKEN"
        sensitive = true
        required_by = ["g"]
        [config.region]
        env = "REGION"
        default = "eu"
        required = false
        """,
    )
    assert {name: tool.config for name, tool in found.tools.items()} == {"f": ("token",), "g": ("token",), "h": ()}
    token, region = found.server.config
    assert (token.env, token.sensitive, token.required_by) == ("TOKEN", True, ("f", "g"))
    assert (region.default, region.required, region.required_by) == ("eu", False, ())


def test_configuration_that_nobody_defines_is_an_error():
    found = front("from mcpgen import tool\n@tool(config=['token'])\ndef f() -> int: ...")
    assert found.errors() == ["marker-argument"]
    assert found.tools["f"].config == ()
    found = front("def f() -> int: ...", toml='[config.t]\nenv = "T"\nrequired_by = ["nobody"]\n')
    assert [each.hint for each in found.diagnostics if each.rule.name == "unmatched-tool-setting"] == [
        "Name a tool of this server, or take the name out of `required_by`."
    ]
    near = front("def order() -> int: ...", toml='[config.t]\nenv = "T"\nrequired_by = ["ordre"]\n')
    assert "Did you mean `order`?" in [each.hint for each in near.diagnostics]
    assert found.errors() == ["unmatched-tool-setting"]
