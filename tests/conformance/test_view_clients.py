"""Official clients find the views of a golden case, over both transports and in each era, if they say so."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from tests.command import ROOT, built
from tests.conformance.test_clients import (  # noqa: F401 # fixtures are found by their names
    ERAS,
    SECONDS,
    inspected,
    programs,
)
from tests.http_client import HttpServer
from tests.stdio_client import stub

CASE = ROOT / "tests" / "golden" / "views"
NO_APP, APP = 2, 0

TYPESCRIPT = """
import * as C from "@modelcontextprotocol/client";
const [mode, cmd, ...args] = process.argv.slice(2);
const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
const more = mode === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {};
const extensions = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const client = new C.Client({ name: "t", version: "1" }, { capabilities: { extensions }, ...more });
await client.connect(new StdioClientTransport({ command: cmd, args, stderr: "ignore" }));
const { tools } = await client.listTools();
const { resources } = await client.listResources();
const read = await client.readResource({ uri: "ui://shop/map" });
const called = await client.callTool({ name: "put", arguments: { item: "tea" } });
console.log(JSON.stringify({
  links: Object.fromEntries(tools.map((each) => [each.name, each._meta?.ui])),
  views: resources.map((each) => each.uri), read: read.contents[0], said: called.content[0].text,
  extensions: Object.keys(client.getServerCapabilities().extensions ?? {}),
}));
await client.close();
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("views") / "shop"
    shutil.copytree(CASE, folder, ignore=shutil.ignore_patterns("out", "ir.json", "stderr.txt", "case.toml"))
    return built(folder, "shop", folder / "input.py")


@pytest.fixture(scope="module")
def http(project):
    with HttpServer(stub(project, sys.executable)) as server:
        yield server.url


@pytest.fixture(scope="module", params=["stub", "http"])
def server(request, project) -> list[str]:
    return stub(project, sys.executable) if request.param == "stub" else [request.getfixturevalue("http")]


@pytest.mark.requirement("R038")
@pytest.mark.requirement("R039")
@pytest.mark.parametrize(
    ("era", "tool", "words", "ends"),
    [
        *((era, "map_of", ["--advertise-apps"], APP) for era in ERAS),
        *((era, "basket", [], NO_APP) for era in ERAS),
        ("auto", "put", ["--advertise-apps"], APP),
        ("auto", "tick", ["--advertise-apps"], NO_APP),
    ],
)
def test_the_inspector_finds_a_view_where_it_shows_them(node, clients, server, tmp_path, era, tool, words, ends):
    asked = ["--method", "tools/call", "--tool-name", tool, "--app-info", *words]
    done = inspected(node, clients, tmp_path, era, *asked, server=server)
    assert done.returncode == ends, done.stderr.decode("utf-8", "replace")
    found = json.loads(done.stdout.splitlines()[0])["appInfo"]
    assert found["hasApp"] is (ends == APP)
    if tool == "map_of":
        assert found["resourceUri"] == "ui://shop/map"
        assert found["resourceMimeType"] == "text/html;profile=mcp-app"
        assert found["csp"] == {"frameDomains": ["https://maps.example"]}
        assert found["permissions"] == {"geolocation": {}}


@pytest.mark.requirement("R040")
@pytest.mark.parametrize("mode", ["legacy", "modern"])
def test_the_second_typescript_client_sees_links_and_reads_views(node, programs, project, mode):  # noqa: F811
    (programs / "views.mjs").write_text(TYPESCRIPT, encoding="utf-8")
    command = [node, "views.mjs", mode, *stub(project, sys.executable)]
    done = subprocess.run(command, cwd=programs, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-3_000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["links"] == {
        "basket": {"resourceUri": "ui://shop/basket"},
        "put": {"resourceUri": "ui://shop/basket", "visibility": ["app"]},
        "offers": {"resourceUri": "ui://shop/offers?of=today", "visibility": ["model"]},
        "tick": {"visibility": ["app"]},
        "map_of": {"resourceUri": "ui://shop/map"},
    }
    assert found["views"] == ["ui://shop/basket", "ui://shop/offers?of=today", "ui://shop/help", "ui://shop/map"]
    assert found["read"]["text"].startswith("<!DOCTYPE html>\n<title>Map")
    assert found["read"]["_meta"]["ui"]["prefersBorder"] is True
    assert found["said"] == "tea is in the basket"
    assert found["extensions"] == ["io.modelcontextprotocol/ui"]
