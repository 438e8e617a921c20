"""Which names of tools a later build keeps: those nobody asked for."""

from __future__ import annotations

import json

import pytest

OK = {"200": {"description": "ok"}}
PATHS = {f"/{name}": {"get": {"operationId": f"get_{name}", "responses": OK}} for name in ("one", "two")}
DESCRIPTION = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "servers": [{"url": "https://a.example"}]}


@pytest.fixture
def build(run, tmp_path):
    """Return a function that builds with these settings and returns how it ended and the names that the lock has."""

    def call(settings: str = "", paths=PATHS):
        (tmp_path / "api.json").write_text(json.dumps({**DESCRIPTION, "paths": paths}), encoding="utf-8")
        (tmp_path / "mcpgen.toml").write_text(f'name = "api"\n{settings}', encoding="utf-8")
        ended = run("from-openapi", "api.json", "-o", "out")
        return ended, json.loads((tmp_path / "out/mcpgen.lock").read_text(encoding="utf-8"))["names"]

    return call


def test_a_name_of_the_settings_goes_with_them(build):
    assert build()[1] == {"GET /one": "get_one", "GET /two": "get_two"}
    assert build('[openapi.operations."GET /one"]\nname = "first"\n')[1] == {"GET /two": "get_two"}
    assert build()[1] == {"GET /one": "get_one", "GET /two": "get_two"}


def test_a_name_that_nobody_asked_for_is_kept_when_the_description_changes(build):
    build()
    changed = {**PATHS, "/one": {"get": {"operationId": "fetchOne", "responses": OK}}}
    assert build(paths=changed)[1]["GET /one"] == "get_one"


def test_a_name_that_another_tool_has_is_refused(build):
    build()
    ended, names = build('[openapi.operations."GET /one"]\nname = "get_two"\n')
    assert ended.code == 2
    assert "the name `get_two` of `GET /one` is also that of `GET /two`" in ended.err
    assert names == {"GET /one": "get_one", "GET /two": "get_two"}
