"""Servers made from the descriptions of APIs that nobody here wrote, driven against the APIs themselves.

An official client makes one call of each; a longer conversation goes over our own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import mcpgen
from tests.stdio_client import StdioServer

from . import real_apis

SECONDS = 100


@pytest.fixture(scope="module")
def apis() -> Path:
    named = os.environ.get("MCPGEN_APIS")
    folder = Path(named) if named else real_apis_default()
    if not (folder / "docs_src").exists():
        pytest.skip("needs the public API implementations: run .ci/apis, or name their folder with MCPGEN_APIS")
    return folder


def real_apis_default() -> Path:
    return Path(__file__).resolve().parents[2] / ".venv" / "apis"


@pytest.fixture(scope="module")
def official(shared) -> list[str]:
    """The words that start the official Python client's program."""
    named = os.environ.get("MCPGEN_CLIENTS")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / ".venv" / "clients"
    if not (folder / "venv").exists():
        pytest.skip("needs the official clients: run .ci/clients, or name their folder with MCPGEN_CLIENTS")
    return [str(folder / "venv" / "bin" / "python"), str(shared / "protocol" / "clients" / "py_client.py"), "auto"]


class Made:
    """A server made from a description: how it is started, and calls through both clients."""

    def __init__(self, description: Path, base: str, name: str, official: list[str]) -> None:
        folder = description.parent
        done = mcpgen("from-openapi", description.name, "--name", name, "-o", "made-mcp", cwd=folder)
        assert done.returncode == 0, done.stderr
        self.words = [sys.executable, "-m", f"{name}_mcp"]
        self.folder = folder / "made-mcp"
        self.environment = {**os.environ, f"{name.upper()}_BASE_URL": base}
        self.official = official

    def officially(self, tool: str, arguments: dict) -> dict:
        environment = {**self.environment, "TOOL": tool, "TOOL_ARGS": json.dumps(arguments)}
        command = ["env", f"PYTHONPATH={self.folder}", *self.words]
        environment_words = [f"{key}={value}" for key, value in self.environment.items() if key.endswith("_BASE_URL")]
        done = subprocess.run(
            [*self.official, command[0], *environment_words, *command[1:]],
            env=environment, capture_output=True, timeout=SECONDS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")[-3_000:]
        return json.loads(done.stdout.splitlines()[-1])

    def server(self) -> StdioServer:
        return StdioServer(self.words, cwd=self.folder, env=self.environment)


@pytest.mark.timeout(2 * SECONDS)
def test_heroes_of_a_fastapi_sample_are_made_changed_and_deleted(apis, official, tmp_path):
    with real_apis.heroes(apis, tmp_path) as (base, description):
        made = Made(description, base, "heroes", official)
        hero = {"name": "Deadpond", "secret_name": "Dive Wilson", "age": 30}
        found = made.officially("create_hero_heroes__post", hero)
        assert (found["is_error"], found["tools"]) == (False, 5)
        assert found["structured"] == {"name": "Deadpond", "age": 30, "id": 1}
        with made.server() as server:
            server.initialize()
            assert server.call("read_heroes_heroes__get", {"limit": 5})["structuredContent"]["result"][0]["id"] == 1
            changed = server.call("update_hero_heroes__hero_id__patch", {"hero_id": 1, "age": None})
            assert changed["structuredContent"] == {"name": "Deadpond", "age": None, "id": 1}
            wrong = server.call("create_hero_heroes__post", {"name": "x"})
            assert "secret_name" in wrong["content"][0]["text"]
            assert server.call("delete_hero_heroes__hero_id__delete", {"hero_id": 1})["structuredContent"] == {
                "ok": True
            }
            gone = server.call("read_hero_heroes__hero_id__get", {"hero_id": 1})
            assert gone["isError"] is True
            assert "404" in gone["content"][0]["text"]
            assert "Hero not found" in gone["content"][0]["text"]


@pytest.mark.timeout(2 * SECONDS)
def test_httpbin_gets_what_was_meant_and_its_answers_come_back(apis, official, tmp_path):
    with real_apis.httpbin(apis, tmp_path) as (base, description):
        made = Made(description, base, "httpbin", official)
        found = made.officially("get_json", {})
        assert found["is_error"] is False
        assert json.loads(found["text"])["slideshow"]["title"] == "Sample Slide Show"
        with made.server() as server:
            server.initialize()
            paths = json.loads(description.read_bytes())["paths"]
            assert len(server.tools()) == sum(len(methods) for methods in paths.values())
            image = server.call("get_image_png")["content"][0]
            assert (image["type"], image["mimeType"]) == ("image", "image/png")
            assert "slideshow" in server.call("get_xml")["content"][0]["text"]
            for packed in ("get_gzip", "get_deflate"):
                assert not server.call(packed).get("isError")
            assert "418" in server.call("get_status_by_codes", {"codes": "418"})["content"][0]["text"]
            assert server.call("get_status_by_codes", {"codes": "503"})["isError"] is True
            assert "get_uuid" in {tool["name"] for tool in server.tools()}
            said = server.call("get_anything_by_anything", {"anything": "a/b ü"})
            assert json.loads(said["content"][0]["text"])["url"].endswith("/anything/a%2Fb %C3%BC") or "a/b" in str(
                said
            )
            moved = server.call("get_redirect-to", {"url": "/uuid"})
            assert "uuid" in moved["content"][0]["text"]


@pytest.mark.timeout(2 * SECONDS)
def test_a_file_is_written_read_and_deleted_in_jupyter(apis, official, tmp_path):
    with real_apis.jupyter(apis, tmp_path) as (base, description):
        made = Made(description, base, "jupyter", official)
        found = made.officially("get_api", {})
        assert found["is_error"] is False
        assert "version" in found["structured"]
        with made.server() as server:
            server.initialize()
            names = {tool["name"] for tool in server.tools()}
            save = next(name for name in names if name.startswith("put_api_contents"))
            file = {"path": "note.txt", "type": "file", "format": "text", "content": "grüße"}
            arguments = {
                "path": "note.txt",
                "type": "file",
                "format": "text",
                "content": "grüße",
                "path__body": "note.txt",
            }
            wanted = next(tool for tool in server.tools() if tool["name"] == save)["inputSchema"]["properties"]
            sent = (
                {"path": "note.txt", "body": file}
                if "body" in wanted
                else {k: v for k, v in arguments.items() if k in wanted}
            )
            saved = server.call(save, sent)
            assert not saved.get("isError"), saved
            read = server.call("get_api_contents_by_path", {"path": "note.txt"})
            assert read["structuredContent"]["content"] == "grüße"
            deleted = server.call("delete_api_contents_by_path", {"path": "note.txt"})
            assert not deleted.get("isError"), deleted
            assert not (tmp_path / "notebooks" / "note.txt").exists()
