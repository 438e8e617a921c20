"""What a server promises to tell of: what its code tells, or what the settings say, and nothing it does not have."""

from __future__ import annotations

import pytest

from generator.ir.model import Prompt, PythonCall, Resource, Server, Source, Tool
from generator.passes import changes

CALL = PythonCall(target=".m:f")
TOOL = Tool(name="t", input_schema={"type": "object"}, call=CALL)
RESOURCE = Resource(uri="s://x", kind="computed", name="x", call=CALL)
PROMPT = Prompt(name="p", call=CALL)
ALL = ("tools", "prompts", "resources", "resource")


def server(told, *, whole=True):
    parts = {"tools": (TOOL,), "resources": (RESOURCE,), "prompts": (PROMPT,)} if whole else {"tools": (TOOL,)}
    source = Source(kind="python", name="m.py")
    return Server(id="s", package="s_mcp", command="s-mcp", source=source, changes=told, **parts)


@pytest.mark.parametrize(
    ("told", "lists", "subscribe", "promised"),
    [
        ((), None, None, ()),
        (ALL, None, None, ALL),
        (("tools", "resource"), ("prompts",), None, ("prompts", "resource")),
        (("tools", "resource"), (), None, ("resource",)),
        (("tools", "resource"), None, False, ("tools",)),
        ((), (), True, ("resource",)),
        ((), ("resources", "tools"), None, ("tools", "resources")),
    ],
)
def test_a_setting_says_all_that_it_is_about(told, lists, subscribe, promised):
    made, found = changes.apply(server(told), lists, subscribe)
    assert (made.changes, found) == (promised, ())


def test_nothing_is_promised_of_what_is_not_there_and_a_setting_that_asks_for_it_is_wrong():
    made, found = changes.apply(server(ALL, whole=False), None, None)
    assert (made.changes, found) == (("tools",), ())
    made, found = changes.apply(server((), whole=False), ("tools", "prompts"), True)
    assert made.changes == ("tools",)
    assert [(each.rule.name, each.unit, each.message) for each in found] == [
        ("invalid-setting", "list_changed", "`list_changed` is about prompts, and this server has none"),
        ("invalid-setting", "subscribe", "`subscribe` is about resources, and this server has none"),
    ]
