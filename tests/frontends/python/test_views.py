"""`@ui_resource`, `@tool(ui=...)`, `__mcp_ui__` and `[ui]`: what they make, and what is said of what cannot be."""

from __future__ import annotations

import pytest

from generator.ir.codec import thaw

from .front import front

HEAD = "from mcpgen import Context, SyncContext, resource, tool, ui_resource\nfrom pathlib import Path\n"
PAGE = "<!doctype html>\n<p>page\n"


def views(found):
    return {each.uri: each for each in found.server.resources if each.kind == "ui"}


def files(found):
    return {each.path: each.content.decode() for each in found.server.source.files if each.path.startswith("_views/")}


@pytest.mark.requirement("R032")
def test_all_that_is_said_of_a_view_is_kept():
    found = front(
        HEAD
        + """
@ui_resource("ui://s/x", name="n", title="T", description="D", csp={"connect_domains": ["https://a.example"]},
             permissions=["camera"], domain="d.example", prefers_border=True, icons=["https://a.example/i.png"],
             meta={"k": 1}, timeout=2, max_concurrent=1, max_result_bytes=9)
async def view(ctx: Context, more: str = "") -> str:
    return "<!doctype html>"
def t() -> int: ...
"""
    )
    (view,) = views(found).values()
    assert (view.name, view.title, view.description, view.mime_type) == ("n", "T", "D", "text/html;profile=mcp-app")
    ui = {
        "csp": {"connectDomains": ["https://a.example"]},
        "permissions": {"camera": {}},
        "domain": "d.example",
        "prefersBorder": True,
    }
    assert thaw(view.meta) == {"k": 1, "ui": ui}
    assert (view.limits.timeout, view.limits.max_concurrent, view.limits.max_result_bytes) == (2, 1, 9)
    assert (view.call.target, view.call.is_async, dict(view.call.inject)) == (".m:view", True, {"ctx": "async"})
    assert list(found.tools) == ["t"]
    assert not found.errors()


@pytest.mark.requirement("R036")
@pytest.mark.parametrize(
    ("marker", "wanted"),
    [
        ("tool(ui='ui://s/x')", ("ui://s/x", ("model", "app"))),
        ("tool(ui='ui://s/x', visibility=['app', 'model'])", ("ui://s/x", ("model", "app"))),
        ("tool(ui='ui://s/x', visibility=('app',))", ("ui://s/x", ("app",))),
        ("tool(visibility=['app'])", (None, ("app",))),
    ],
)
def test_a_tool_is_linked_by_its_marker(marker, wanted):
    found = front(HEAD + f"@{marker}\ndef f() -> int: ...\n")
    link = found.tools["f"].ui
    assert (link.resource_uri, link.visibility) == wanted


@pytest.mark.requirement("R032")
def test_a_view_may_be_a_file_named_by_its_marker_the_settings_or_the_module():
    found = front(
        HEAD
        + """
__mcp_ui__ = {"f": {"resourceUri": "ui://s/c", "visibility": ["model"], "file": "c.html", "prefersBorder": True}}
@ui_resource("ui://s/a", file="pages/a.html")
def view() -> str:
    '''Show a.'''
def f() -> int: ...
def g() -> int: ...
""",
        toml="""
[ui."ui://s/b/?x=1"]
file = "b.html"
title = "B"
[tools.g]
ui = "ui://s/b/?x=1"
visibility = ["app"]
""",
        files={"pages/a.html": PAGE, "b.html": PAGE + "b", "c.html": PAGE + "c"},
    )
    assert files(found) == {
        "_views/s-a.html": PAGE,
        "_views/s-b-x-1.html": PAGE + "b",
        "_views/s-c.html": PAGE + "c",
    }
    made = views(found)
    assert {uri: (each.file, each.call) for uri, each in made.items()} == {
        "ui://s/a": ("_views/s-a.html", None),
        "ui://s/b/?x=1": ("_views/s-b-x-1.html", None),
        "ui://s/c": ("_views/s-c.html", None),
    }
    assert made["ui://s/a"].description == "Show a."
    assert made["ui://s/b/?x=1"].title == "B"
    assert thaw(made["ui://s/c"].meta) == {"ui": {"prefersBorder": True}}
    assert (found.tools["f"].ui.resource_uri, found.tools["f"].ui.visibility) == ("ui://s/c", ("model",))
    assert (found.tools["g"].ui.resource_uri, found.tools["g"].ui.visibility) == ("ui://s/b/?x=1", ("app",))
    assert {"pages/a.html", "b.html", "c.html"} <= set(found.server.source.inputs)
    assert not found.errors()


@pytest.mark.requirement("R100")
def test_the_settings_may_name_the_function_that_makes_a_view():
    code = 'def page() -> str:\n    """Show it."""\n    return "<!doctype html>"\ndef t() -> int: ...\n'
    found = front(code, toml='[ui."ui://s/a"]\nfunction = "page"\nprefers_border = true\n')
    (view,) = views(found).values()
    assert (view.uri, view.call.target, view.description) == ("ui://s/a", ".m:page", "Show it.")
    assert thaw(view.meta) == {"ui": {"prefersBorder": True}}
    assert list(found.tools) == ["t"]
    assert not found.errors()


@pytest.mark.parametrize("function", ["none", "_hidden", "NUMBER", "other"])
def test_a_function_that_makes_no_view_is_an_error_at_its_setting(function):
    code = "from mcpgen import ui_resource\nNUMBER = 1\n@ui_resource('ui://s/b')\ndef other() -> str: ...\n"
    found = front(code, toml=f'[ui."ui://s/a"]\nfunction = "{function}"\n')
    assert found.one("invalid-view").span.line == 2


def test_two_uris_with_one_file_name_have_two_files():
    found = front(
        "def t() -> int: ...", toml='[ui."ui://s/a"]\nfile = "a.html"\n[ui."ui://s-a"]\nfile = "a.html"\n',
        files={"a.html": PAGE},
    )  # fmt: skip
    assert len(files(found)) == 2


def test_a_linked_module_keeps_the_files_of_its_views():
    found = front("def t() -> int: ...", toml='[ui."ui://s/a"]\nfile = "a.html"\n', files={"a.html": PAGE}, link=True)
    if found.server is not None:  # a module that no import finds cannot be linked at all
        assert list(files(found)) == ["_views/s-a.html"]


@pytest.mark.requirement("R034")
@pytest.mark.parametrize("uri", ["ui://s/x", "UI://s/x", "ui://s/{a}"])
def test_a_resource_cannot_have_the_scheme_of_views(uri):
    found = front(HEAD + f"@resource('{uri}')\ndef f(a: str = '') -> str: ...\ndef t() -> int: ...")
    assert found.errors() == ["reserved-scheme"]
    assert not found.server.resources


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("@ui_resource('ui://s/x')\ndef v(a: str) -> str: ...", "invalid-view"),
        ("@ui_resource('ui://s/x')\ndef v() -> int: ...", "invalid-view"),
        ("@ui_resource('ui://s/x')\ndef v() -> str | None: ...", "invalid-view"),
        ("@ui_resource('ui://s/x')\ndef v() -> None: ...", "invalid-view"),
        ("@ui_resource('https://s/x')\ndef v() -> str: ...", "invalid-view"),
        ("@ui_resource('ui://../x')\ndef v() -> str: ...", "invalid-view"),
        ("@ui_resource('ui://s/x', file='none.html')\ndef v() -> str: ...", "invalid-view"),
        ("@ui_resource('ui://s/x', file='../m.html')\ndef v() -> str: ...", "invalid-view"),
        ("@ui_resource('ui://s/x')\ndef v() -> str:\n    return '<p>part'", "invalid-view"),
        ("@ui_resource\ndef v() -> str: ...", "marker-argument"),
        ("@ui_resource(unknown)\ndef v() -> str: ...", "marker-argument"),
        ("@ui_resource('ui://s/x', csp={'connect_domains': ['*']})\ndef v() -> str: ...", "view-permission"),
        ("@ui_resource('ui://s/x', permissions=['usb'])\ndef v() -> str: ...", "view-permission"),
        ("@ui_resource('ui://s/x', domain='a b')\ndef v() -> str: ...", "view-permission"),
        ("@ui_resource('ui://s/x', file='x.html')\ndef v() -> str:\n    return 'x'", "marker-conflict"),
        ("__mcp_ui__ = {'t': {'resourceUri': 'ui://s/x', 'csp': {}}}", "invalid-view"),
        ("__mcp_ui__ = {'t': {'resourceURI': 'ui://s/x'}}", "marker-argument"),
        ("__mcp_ui__ = {'t': {'resourceUri': 1}}", "marker-argument"),
        ("__mcp_ui__ = {'t': {'visibility': ['nobody']}}", "marker-argument"),
        ("__mcp_ui__ = {'none': {'resourceUri': 'ui://s/x'}}", "marker-argument"),
        ("__mcp_ui__ = {'t': {'csp': {}}}", "marker-argument"),
        ("__mcp_ui__ = dict(open('x'))", "marker-argument"),
        ("__mcp_ui__ = ['t']", "marker-argument"),
    ],
)
def test_what_cannot_be_a_view_is_an_error_and_makes_none(code, rule):
    found = front(HEAD + code + "\ndef t() -> int: ...\n")
    assert found.errors() == [rule]
    assert views(found) == {}
    assert list(found.tools) == ["t"]


@pytest.mark.requirement("R032")
@pytest.mark.parametrize("option", ["mime_type='text/html'", "csp=[]", "permissions='camera'", "annotations={}"])
def test_an_option_that_a_view_does_not_take_is_told(option):
    found = front(HEAD + f"@ui_resource('ui://s/x', {option})\ndef v() -> str: ...")
    assert found.errors() == ["marker-argument"]
    assert views(found)["ui://s/x"].mime_type == "text/html;profile=mcp-app"


def test_an_unannotated_view_is_served():
    found = front(
        HEAD + "@ui_resource('ui://s/x')\ndef v():\n    return PAGE\nPAGE = '<!doctype html>'\ndef t() -> int: ..."
    )
    assert list(views(found)) == ["ui://s/x"]
    assert not found.errors()


def test_the_second_of_two_views_with_one_uri_is_left_out():
    code = "@ui_resource('ui://s/x')\ndef {}() -> str:\n    return '<!doctype html>'\n"
    found = front(HEAD + code.format("a") + code.format("b"))
    assert found.errors() == ["offer-collision"]
    assert [each.name for each in views(found).values()] == ["a"]


MARKED = (
    HEAD
    + "@ui_resource('ui://s/x', title='T', permissions=['camera'])\ndef v() -> str:\n    return '<!doctype html>'\n"
)


@pytest.mark.parametrize(
    ("setting", "errors"),
    [
        ("title = 'T'\npermissions = ['camera']", []),
        ("title = 'U'", ["marker-conflict"]),
        ("permissions = ['microphone']", ["marker-conflict"]),
        ("file = 'x.html'", ["marker-conflict"]),
        ("prefers_border = true", []),
        ("csp = { connect_domains = ['https://a b'] }", ["view-permission"]),
    ],
)
def test_settings_add_to_a_marker_and_do_not_contradict_it(setting, errors):
    found = front(MARKED + "def t() -> int: ...", toml=f'[ui."ui://s/x"]\n{setting}\n', files={"x.html": PAGE})
    assert found.errors() == errors


def test_a_setting_of_a_view_that_is_nowhere_names_the_nearest():
    found = front(MARKED, toml='[ui."ui://s/y"]\ntitle = "Y"\n')
    assert found.one("invalid-view").hint == "Did you mean `ui://s/x`?"


@pytest.mark.parametrize("stated", ["ui='ui://s/y'", "visibility=['app']"])
def test_a_marker_and_the_modules_data_do_not_contradict_each_other(stated):
    data = "__mcp_ui__ = {'t': {'resourceUri': 'ui://s/x', 'visibility': ['model']}}\n"
    found = front(HEAD + data + f"@tool({stated})\ndef t() -> int: ...")
    assert found.errors() == ["marker-conflict"]


@pytest.mark.requirement("R043")
@pytest.mark.requirement("R044")
def test_html_that_is_known_is_looked_at_wherever_it_stands():
    secret = "sk-" + "a" * 30
    found = front(
        HEAD
        + f"""
PAGE = '''<html>
<p>{secret}
'''
HERE = Path(__file__).with_name("part.html")
@ui_resource("ui://s/a")
def a() -> str:
    return PAGE
@ui_resource("ui://s/b")
def b() -> str:
    return HERE.read_text() + "x"
@ui_resource("ui://s/c", file="c.html")
def c() -> str: ...
""",
        files={"part.html": "<script src='https://a.example/x.js'></script>", "c.html": PAGE + f"{secret}\n"},
    )
    told = [(each.rule.name, each.span.path.rpartition("/")[2], each.span.line) for each in found.diagnostics]
    assert told == [
        ("view-markup", "m.py", 4),
        ("view-secret", "m.py", 5),
        ("unlisted-origin", "part.html", 1),
        ("view-secret", "c.html", 3),
    ]
    assert not found.errors()
    assert secret not in str([each.message for each in found.diagnostics])


@pytest.mark.parametrize("key", ["ui", "ui/resourceUri"])
@pytest.mark.parametrize("marker", ["tool({})", "ui_resource('ui://s/x', {})", "resource('s://x', {})"])
def test_a_link_in_meta_is_none(marker, key):
    found = front(HEAD + f"@{marker.format(f'meta={{{key!r}: 1}}')}\ndef f() -> str: ...")
    assert found.errors() == ["marker-argument"]


@pytest.mark.parametrize("returns", ["Html", "Page", "Literal['<html>']", "str | bytes", "Any", "bytearray", "Unknown"])
def test_whatever_may_be_a_text_is_accepted(returns):
    types = "from typing import *\nHtml = NewType('Html', str)\nclass Page(str): ...\n"
    found = front(HEAD + types + f"@ui_resource('ui://s/x')\ndef f() -> {returns}: ...")
    assert "invalid-view" not in found.errors()
    assert list(views(found)) == ["ui://s/x"]


def test_parts_of_a_page_are_looked_at_and_not_judged_as_pages():
    found = front(
        HEAD
        + """
ROW = "<li><script src='https://a.example/x.js'></script>"
@ui_resource("ui://s/a")
def a(ctx: SyncContext) -> str:
    def part() -> str:
        return "<p>part"
    if ctx is None:
        raise ValueError("<b>")
    return "<!doctype html>" + part() + ROW + f"<i>{ctx}</i><img src='https://b.example/x.png'>"
"""
    )
    told = [(each.rule.name, each.span.line) for each in found.diagnostics if each.rule.name != "undocumented-tool"]
    assert told == [("unlisted-origin", 4), ("unlisted-origin", 11)]
    assert not found.errors()


def test_settings_say_to_whom_views_are_shown():
    found = front(MARKED, toml='[ui]\nadvertise = "always"\nflat_key = true\n')
    assert thaw(found.server.settings)["ui"] == {"advertise": "always", "flat_key": True}
    assert "ui" not in front(MARKED, toml='[ui]\nadvertise = "negotiated"\n').server.settings
