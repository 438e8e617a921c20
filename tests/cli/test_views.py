"""What the command tells of views, and views of an API's tools."""

from __future__ import annotations

import json
import sys

from tests.command import ROOT, mcpgen
from tests.stdio_client import StdioServer, stub

MODULE = '''from mcpgen import tool, ui_resource

@tool(ui="ui://m/view", visibility=["app"])
def f() -> int:
    """Count."""
    return 1

@ui_resource("ui://m/view")
def view() -> str:
    """Show the count."""
    return "<!doctype html>"
'''
HOST = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}


def test_a_build_counts_views_and_says_whose_they_are(tmp_path):
    (tmp_path / "m.py").write_text(MODULE, encoding="utf-8")
    done = mcpgen("build", "m.py", "-o", "out", cwd=tmp_path)
    assert "1 tool, 1 UI view" in done.stdout
    assert "UI view  ui://m/view  of f" in done.stdout
    told = json.loads(mcpgen("build", "m.py", "-o", "out", "--format", "json", cwd=tmp_path).stdout)
    assert (told["resources"], told["views"]) == ([], ["ui://m/view"])
    routes = json.loads((tmp_path / "out" / "routes.json").read_text(encoding="utf-8"))
    assert routes["tools"][0]["ui"] == {"resourceUri": "ui://m/view", "visibility": ["app"]}
    assert routes["views"][0]["original"] == "ui://m/view"


def test_inspect_shows_views_and_links(tmp_path):
    (tmp_path / "m.py").write_text(MODULE, encoding="utf-8")
    assert "UI view ui://m/view" in mcpgen("inspect", "m.py", cwd=tmp_path).stdout
    tool, view = json.loads(mcpgen("inspect", "m.py", "--format", "json", cwd=tmp_path).stdout)
    assert tool["ui"] == {"resourceUri": "ui://m/view", "visibility": ["app"]}
    assert (view["kind"], view["target"], view["mimeType"]) == ("view", ".m:view", "text/html;profile=mcp-app")


def test_a_wrong_view_fails_the_build_whatever_else_could_be_served(tmp_path):
    (tmp_path / "m.py").write_text(MODULE.replace('"ui://m/view")\ndef', '"ui://m/other")\ndef'), encoding="utf-8")
    done = mcpgen("build", "m.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "nothing was written: a view is wrong" in done.stderr
    assert not (tmp_path / "out").exists()


def test_settings_give_the_tools_of_an_api_views(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "openapi.yaml").write_bytes((ROOT / "samples" / "petstore" / "openapi.yaml").read_bytes())
    (tmp_path / "pets.html").write_text("<!doctype html>\n<title>Pets</title>\n", encoding="utf-8")
    settings = '[ui."ui://pets/list"]\nfile = "pets.html"\n[tools.listPets]\nui = "ui://pets/{}"\n'
    (tmp_path / "mcpgen.toml").write_text(settings.format("list"), encoding="utf-8")
    done = mcpgen("from-openapi", "openapi.yaml", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with StdioServer(stub(tmp_path / "out", sys.executable)) as server:
        server.initialize(capabilities=HOST)
        links = {tool["name"]: tool.get("_meta", {}).get("ui") for tool in server.tools()}
        assert links["listPets"] == {"resourceUri": "ui://pets/list"}
        assert [each["uri"] for each in server.request("resources/list")["resources"]] == ["ui://pets/list"]
        page = server.request("resources/read", {"uri": "ui://pets/list"})["contents"][0]["text"]
    assert page == "<!doctype html>\n<title>Pets</title>\n"
    (tmp_path / "mcpgen.toml").write_text(settings.format("none"), encoding="utf-8")
    done = mcpgen("from-openapi", "openapi.yaml", "-o", "out2", cwd=tmp_path)
    assert (done.returncode, "MG401" in done.stderr) == (2, True)
