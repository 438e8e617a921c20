"""Servers of others, asked in real processes: what they have, and how bad ones are borne."""

import json
import sys
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from generator.frontends.servers import probe as probing
from generator.frontends.servers.probe import ProbeProblem, probe
from generator.frontends.servers.read import read_servers
from generator.frontends.servers.sources import ServerSource
from generator.ir.routes import Start
from generator.runtime.gateway.page_walk import PageWalk

ATTACKS = Path(__file__).resolve().parents[2] / "cases" / "attacks" / "gateway"

SERVER = """
import json, sys

LISTS = json.loads(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if "id" not in message:
        continue
    answer = {"error": {"code": -32601, "message": "no such method"}}
    if method == "initialize":
        told = {name: {} for name in LISTS["capabilities"]}
        answer = {"result": {"protocolVersion": "2025-11-25", "capabilities": told, "instructions": "Be brief.",
                             "serverInfo": {"name": "fake", "version": "3", "title": "Fake"}}}
    elif method in LISTS:
        pages = LISTS[method]
        at = int(params.get("cursor", 0))
        answer = {"result": {**pages[at], **({"nextCursor": str(at + 1)} if at + 1 < len(pages) else {})}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
"""


def tool(name):
    return {"name": name, "inputSchema": {"type": "object"}}


@pytest.fixture
def fake(tmp_path):
    """Return a start of a server with these lists, page by page."""
    path = tmp_path / "fake.py"
    path.write_text(SERVER, encoding="utf-8")

    def started(capabilities=("tools",), **lists):
        said = {"capabilities": capabilities, **{name.replace("_", "/"): pages for name, pages in lists.items()}}
        return Start(command=(sys.executable, str(path), json.dumps(said)))

    return started


def attack(name):
    return Start(command=(sys.executable, str(ATTACKS / f"{name}.py")))


def test_every_page_of_every_list_is_read(fake, tmp_path):
    start = fake(
        ("tools", "resources", "prompts"),
        tools_list=[{"tools": [tool("one")]}, {"tools": [tool("two")]}],
        resources_list=[{"resources": [{"uri": "file:///x", "name": "x"}]}],
        prompts_list=[{"prompts": []}],
    )
    listing = probe("fake", start, tmp_path)
    assert [each["name"] for each in listing.lists["tools"]] == ["one", "two"]
    assert (listing.era, listing.server["title"], listing.instructions, listing.cut) == (
        "legacy",
        "Fake",
        "Be brief.",
        (),
    )
    assert listing.lists["templates"] == []


def test_lists_that_a_server_does_not_declare_are_not_asked_for(fake, tmp_path):
    listing = probe("fake", fake(("tools",), tools_list=[{"tools": []}], prompts_list=[{"prompts": [1]}]), tmp_path)
    assert set(listing.lists) == {"tools"}


def test_a_list_without_an_end_is_cut(tmp_path):
    assert probe("bad", attack("child_endless_pages"), tmp_path).cut == ("tools",)


def test_more_pages_or_entries_than_are_read_are_cut(fake, tmp_path, monkeypatch):
    start = fake(tools_list=[{"tools": [tool(f"t{number}")]} for number in range(5)])
    monkeypatch.setattr(probing, "PageWalk", partial(PageWalk, most_pages=3))
    listing = probe("fake", start, tmp_path)
    assert (len(listing.lists["tools"]), listing.cut) == (3, ("tools",))
    monkeypatch.setattr(probing, "PageWalk", partial(PageWalk, most_items=2))
    assert len(probe("fake", start, tmp_path).lists["tools"]) == 2


@pytest.mark.parametrize(
    "name",
    [
        "child_silent",
        "child_dies_on_start",
        "child_garbage",
        "child_huge_line",
        "child_closes_stdout",
        "child_slow_init",
    ],
)
def test_a_bad_server_costs_a_bounded_time_and_says_why(name, tmp_path):
    began = monotonic()
    with pytest.raises(ProbeProblem) as problem:
        probe("bad", attack(name), tmp_path, seconds=1.5)
    assert str(problem.value)
    assert monotonic() - began < 1.5 + probing.FAREWELL_SECONDS + 5


def test_a_program_that_is_not_there_is_told_of(tmp_path):
    with pytest.raises(ProbeProblem, match="could not be started"):
        probe("bad", Start(command=(str(tmp_path / "nothing"),)), tmp_path)


def test_the_last_line_of_standard_error_says_what_is_wrong(tmp_path):
    start = Start(command=(sys.executable, "-c", "import sys; sys.exit('set CRM_TOKEN first')"))
    with pytest.raises(ProbeProblem, match="set CRM_TOKEN first"):
        probe("crm", start, tmp_path, seconds=5)


def test_a_server_gets_only_the_variables_that_are_named(fake, tmp_path, monkeypatch):
    monkeypatch.setenv("CRM_TOKEN", "secret")
    monkeypatch.setenv("OTHER_TOKEN", "secret")
    code = "import os, sys; sys.exit(' '.join(n for n in ('CRM_TOKEN', 'OTHER_TOKEN') if n in os.environ))"
    with pytest.raises(ProbeProblem) as problem:
        probe("crm", Start(command=(sys.executable, "-c", code), env=("CRM_TOKEN",)), tmp_path, seconds=5)
    assert str(problem.value).endswith("it wrote: CRM_TOKEN")


def test_servers_are_asked_at_the_same_time_and_keep_their_order(tmp_path):
    slow = ServerSource(
        text="slow", way="command", name="slow", words=attack("child_silent").command, cwd=tmp_path, start_timeout=1.5
    )
    sources = [ServerSource(text="s", way="command", name=f"s{n}", words=slow.words, cwd=tmp_path, start_timeout=1.5)
               for n in range(4)]  # fmt: skip
    began = monotonic()
    readings = read_servers(sources, tmp_path)
    assert monotonic() - began < 4 * 1.5
    assert [each.diagnostics[0].unit for each in readings] == ["s0", "s1", "s2", "s3"]
    assert {each.diagnostics[0].rule.name for each in readings} == {"unreachable-server"}


@pytest.mark.requirement("R132", "R199")
def test_a_server_over_http_is_asked_in_the_same_way(tmp_path):
    from tests.command import ROOT, built
    from tests.http_client import HttpServer

    sample = ROOT / "samples" / "text_tools" / "text_tools.py"
    project = built(tmp_path, "text_tools", sample)
    with HttpServer([sys.executable, "-I", "-S", str(project / "server.py")]) as server:
        url = f"http://127.0.0.1:{server.port}/mcp"
        (reading,) = read_servers([ServerSource(text="x", way="url", name="text", url=url)], tmp_path)
    assert reading.diagnostics == ()
    assert reading.snapshot.start.url == url
    assert (reading.snapshot.era, reading.snapshot.origin) == ("modern", "foreign")
    assert "slug" in [each.name for each in reading.snapshot.tools]


ASKING = """
import json, sys

roots = capabilities = None
for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize":
        capabilities = message["params"]["capabilities"]
        told = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        told["serverInfo"] = {"name": "a", "version": "1"}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": told}), flush=True)
    elif method == "tools/list":
        # A server may ask before it answers, under an id that is its own and here the same.
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "method": "roots/list"}), flush=True)
        answer = json.loads(sys.stdin.readline())
        names = [*sorted(capabilities), f"{len(answer['result']['roots'])}-roots"]
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in names]
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": tools}}), flush=True)
    elif "id" in message and method:
        error = {"code": -32601, "message": "no such method"}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
"""


@pytest.mark.requirement("R045")
def test_a_server_is_told_what_a_gateway_can_do_and_its_questions_are_answered(tmp_path):
    path = tmp_path / "asking.py"
    path.write_text(ASKING, encoding="utf-8")
    listing = probe("asking", Start(command=(sys.executable, str(path))), tmp_path)
    named = [each["name"] for each in listing.lists["tools"]]
    assert named == ["elicitation", "extensions", "roots", "sampling", "0-roots"]
