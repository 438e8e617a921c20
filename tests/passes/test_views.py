"""Links of tools to views."""

from __future__ import annotations

import pytest

from generator.diagnostics.model import Severity
from generator.ir.model import PythonCall, Resource, Server, Source, Tool, UiLink
from generator.passes import views
from generator.views.links import link_of

CALL = PythonCall(target=".m:f")


def tool(name, uri, **more):
    return Tool(name=name, input_schema={"type": "object"}, call=CALL, ui=UiLink(resource_uri=uri, **more))


def server(*tools, uris=("ui://shop/basket",)):
    resources = tuple(Resource(uri=uri, kind="ui", name="v", call=CALL) for uri in uris)
    source = Source(kind="python", name="m.py")
    return Server(id="s", package="s_mcp", command="s-mcp", source=source, tools=tools, resources=resources)


@pytest.mark.requirement("R041")
@pytest.mark.requirement("R100")
def test_a_link_that_leads_nowhere_is_an_error_that_names_tool_and_view_and_the_nearest():
    after, (found,) = views.apply(server(tool("put", "ui://shop/baskte"), tool("see", "ui://shop/basket")))
    assert (found.rule.name, found.level, found.unit) == ("dangling-view", Severity.ERROR, "put")
    assert "`put`" in found.message
    assert "`ui://shop/baskte`" in found.message
    assert "M-UI-002" in found.message
    assert found.hint == "Did you mean `ui://shop/basket`?"
    assert [each.ui is None for each in after.tools] == [True, False]


@pytest.mark.parametrize(
    "uri", ["http://evil.example/x.html", "javascript:alert(1)", "file:///etc/passwd", "ui://../x"]
)
def test_a_link_to_no_view_says_why(uri):
    _, (found, _) = views.apply(server(tool("put", uri)))
    assert "cannot be a view" in found.message


def test_a_link_to_a_view_that_cannot_be_served_is_not_told_as_one_that_is_missing():
    after, (found, _) = views.apply(server(tool("put", "ui://shop/bad")), refused=["ui://shop/bad"])
    assert after.tools[0].ui is None
    assert "cannot be served" in found.message
    assert found.hint == views.UNSERVED


def test_a_resource_of_another_kind_is_no_view():
    made = server(tool("put", "ui://shop/basket"), uris=())
    plain = Resource(uri="ui://shop/basket", kind="computed", name="v", call=CALL)
    _, (found,) = views.apply(Server(**{**{n: getattr(made, n) for n in made.__slots__}, "resources": (plain,)}))
    assert found.rule.name == "dangling-view"


def test_a_view_without_a_tool_is_a_note():
    _, (found,) = views.apply(server(tool("put", None, visibility=("app",))))
    assert (found.rule.name, found.level) == ("unlinked-view", Severity.NOTE)


@pytest.mark.requirement("R036")
def test_both_may_call_a_linked_tool_unless_it_says_otherwise():
    assert link_of("ui://x", ()) == link_of("ui://x", ("app", "model")) == UiLink(resource_uri="ui://x")
    assert UiLink(resource_uri="ui://x").visibility == ("model", "app")
    assert link_of(None, ("app",)) == UiLink(resource_uri=None, visibility=("app",))
    assert link_of(None, ("model", "app")) is link_of(None, ()) is None
