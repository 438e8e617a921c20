"""The sample `board`: one contract gives a page, a part of a page, a tool's result and a view, offline (R102)."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from tests.command import ROOT, built
from tests.stdio_client import StdioServer, stub

EXPECTED = Path(__file__).with_name("board")
SAMPLE = ROOT / "samples" / "board"
HOST = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
STOP = {"stop": "Harbour", "most": 2}


@pytest.fixture
def board(monkeypatch):
    """The module as an ordinary program imports it."""
    specification = importlib.util.spec_from_file_location("board_sample", SAMPLE / "board.py")
    authoring = importlib.import_module("generator.runtime.authoring")
    monkeypatch.setitem(sys.modules, "mcpgen", authoring)
    module = importlib.util.module_from_spec(specification)
    monkeypatch.setitem(sys.modules, "board_sample", module)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("board")
    (folder / "board.html").write_bytes((SAMPLE / "board.html").read_bytes())
    return built(folder, "board", SAMPLE / "board.py")


def keep(name: str, made: str, update: bool) -> None:
    path = EXPECTED / name
    if update:
        path.write_text(made, encoding="utf-8", newline="")
    assert path.read_text(encoding="utf-8") == made


@pytest.mark.requirement("R102")
def test_a_page_and_a_part_of_it_come_of_the_same_contract(board, update_golden):
    found = board.departures(**STOP)
    keep("page.html", board.page(found), update_golden)
    keep("fragment.html", board.fragment(found), update_golden)
    assert board.fragment(found) in board.page(found)
    hostile = board.Board("x", [board.Departure("<b>", "</script>", 1)])
    assert "&lt;b&gt;" in board.page(hostile)
    assert "</script></td>" not in board.page(hostile)


@pytest.mark.requirement("R102")
@pytest.mark.requirement("R031")
def test_the_tools_result_and_the_view_come_of_the_same_contract(board, project, update_golden):
    with StdioServer(stub(project, sys.executable)) as server:
        server.initialize(capabilities=HOST)
        (tool,) = server.tools()
        result = server.call("departures", STOP)
        view = server.request("resources/read", {"uri": tool["_meta"]["ui"]["resourceUri"]})["contents"][0]
    keep("result.json", json.dumps(result, indent=1, ensure_ascii=False) + "\n", update_golden)
    keep("view.html", view["text"], update_golden)
    assert view["text"] == board.board_view()
    assert view["mimeType"] == "text/html;profile=mcp-app"
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@pytest.mark.requirement("R031")
@pytest.mark.requirement("R039")
def test_without_a_host_for_views_the_tool_says_the_same(project):
    with StdioServer(stub(project, sys.executable)) as server:
        server.initialize()
        (tool,) = server.tools()
        assert "_meta" not in tool
        plain = server.call("departures", STOP)
    with StdioServer(stub(project, sys.executable)) as server:
        server.initialize(capabilities=HOST)
        assert server.call("departures", STOP) == plain
    assert plain["content"][0]["text"]
