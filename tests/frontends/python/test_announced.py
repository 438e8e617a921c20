"""Which changes a module's code tells of is seen in its source, wherever in it that is done."""

from __future__ import annotations

from textwrap import dedent

import pytest

from generator.config import Config
from generator.frontends.python.announced import METHODS, announced
from generator.frontends.python.environment import Environment
from generator.frontends.python.read import read

from .front import front

TOOL = """
    from mcpgen import Context

    async def tell(ctx: Context) -> None:
        {}
"""


@pytest.mark.parametrize(("method", "change"), METHODS.items())
def test_a_call_of_a_context_is_seen(method, change):
    argument = '"a:b"' if change == "resource" else ""
    assert front(TOOL.format(f"await ctx.{method}({argument})")).server.changes == (change,)


def test_it_is_seen_in_other_modules_that_are_carried_and_where_it_is_only_named():
    files = {"helper.py": "def tell(anything):\n    return anything.prompts_changed\n"}
    found = front("import helper\n\ndef f() -> None:\n    helper.tell(None)\n", files=files)
    assert found.server.changes == ("prompts",)


def test_it_is_seen_in_a_module_that_is_linked(tmp_path):
    (tmp_path / "m.py").write_text(dedent(TOOL.format("await ctx.tools_changed()")), encoding="utf-8")
    server = read(str(tmp_path / "m.py"), Config(), Environment(paths=(tmp_path,)), link=True).server
    assert server.source.linked
    assert server.changes == ("tools",)


@pytest.mark.parametrize(
    "line",
    [
        '"ctx.tools_changed()"',
        "pass  # ctx.tools_changed()",
        "tools_changed = 1",
        "ctx.tools_changed_twice()",
        "await ctx.progress(1)",
    ],
)
def test_texts_comments_and_other_names_are_nothing(line):
    assert front(TOOL.format(line)).server.changes == ()


def test_the_order_is_always_the_same_and_what_cannot_be_parsed_is_left_to_others():
    sources = [b"a.resource_updated(1)", b"a.tools_changed()\nb.prompts_changed()", b"a.tools_changed( ="]
    assert announced(sources) == ("tools", "prompts", "resource")


def test_what_a_module_says_of_itself_at_length_is_kept():
    assert front('"""One line."""\n\ndef f() -> None: ...\n').server.documentation == ""
    long = '"""One line.\n\n    And more,\n    # of it.\n"""\n\ndef f() -> None: ...\n'
    assert front(long).server.documentation == "One line.\n\nAnd more,\n# of it."
