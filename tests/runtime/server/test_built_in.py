"""Pages of documentation are read without any code of the author's, and their loss is told."""

from __future__ import annotations

import json
import sys

import pytest

from tests.command import built, mcpgen
from tests.stdio_client import CallFailed, StdioServer, stub

MODULE = '''"""Cannot be imported.

But it can be read about.
"""

raise RuntimeError("no")


def add(a: int) -> int:
    """Add one."""
    return a + 1
'''

OWN = '''from mcpgen import resource


@resource("m://docs/{topic}")
def page(topic: str) -> str:
    """A page."""
    return topic
'''

URI = "broken-server://docs/"


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    settings = 'name = "broken_server"\ndocs_resources = true'
    return built(tmp_path_factory.mktemp("built_in"), "broken_server", MODULE, settings)


def read(server, topic):
    (content,) = server.request("resources/read", {"uri": URI + topic})["contents"]
    assert (content["uri"], content["mimeType"]) == (URI + topic, "text/markdown")
    return content["text"]


@pytest.mark.requirement("R156")
def test_the_pages_of_a_server_are_listed_and_read_without_its_code(project):
    with StdioServer(stub(project, sys.executable)) as server:
        assert server.initialize()["capabilities"]["resources"] == {}
        listed = server.request("resources/list")["resources"]
        assert [each["uri"] for each in listed] == [f"{URI}overview", f"{URI}tools/add"]
        assert all(each["mimeType"] == "text/markdown" and each["annotations"]["priority"] == 0.2 for each in listed)
        assert "But it can be read about." in read(server, "overview")
        assert "Add one." in read(server, "tools/add")
        assert server.call("add", {"a": 1})["isError"]


def test_a_page_may_be_kept_as_long_as_a_list(project):
    with StdioServer(stub(project, sys.executable)) as server:
        server.discover()
        found = server.request("resources/read", {"uri": f"{URI}overview"})
        assert (found["ttlMs"], found["cacheScope"]) == (300_000, "public")


def test_a_server_that_lost_its_texts_says_so(project):
    file = project / "broken_server_mcp" / "catalog.texts.json"
    kept = file.read_bytes()
    try:
        for broken in (b"[]", b"{}", b"", json.dumps({f"{URI}overview": 1}).encode()):
            file.write_bytes(broken)
            with StdioServer(stub(project, sys.executable)) as server:
                server.initialize()
                with pytest.raises(CallFailed, match=r"-32603.*build the server again"):
                    read(server, "overview")
                assert server.request("ping") == {}
    finally:
        file.write_bytes(kept)


@pytest.mark.requirement("R157")
def test_a_page_whose_uri_the_author_uses_fails_the_build(tmp_path):
    (tmp_path / "m.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "mcpgen.toml").write_text("docs_resources = true", encoding="utf-8")
    done = mcpgen("build", "m.py", "-o", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "`m://docs/{topic}` is also the URI of a page, `m://docs/overview`" in done.stderr
    assert not (tmp_path / "out").exists()


READER = '''from mcpgen import Context, SyncContext, resource


def overview(ctx: SyncContext) -> str:
    """Read the overview."""
    (page,) = ctx.read_resource("reader://docs/overview")
    return page.text


@resource("reader://itself")
def itself(ctx: SyncContext) -> str:
    """Read this."""
    return ctx.read_resource("reader://itself")[0].text


@resource("reader://aitself")
async def aitself(ctx: Context) -> str:
    """Read this."""
    return (await ctx.read_resource("reader://aitself"))[0].text
'''


@pytest.mark.parametrize("name", ["itself", "aitself"])
def test_a_resource_that_reads_itself_is_told_so(tmp_path, name):
    with StdioServer(stub(built(tmp_path, "reader", READER, "docs_resources = true"), sys.executable)) as server:
        server.initialize()
        with pytest.raises(CallFailed, match="nested deeper than 8"):
            server.request("resources/read", {"uri": f"reader://{name}"})


def test_a_tool_reads_pages_as_a_client_does(tmp_path):
    with StdioServer(stub(built(tmp_path, "reader", READER, "docs_resources = true"), sys.executable)) as server:
        server.initialize()
        (page,) = server.request("resources/read", {"uri": "reader://docs/overview"})["contents"]
        assert server.call("overview")["content"][0]["text"] == page["text"]
