"""The modules that the documents show are built as they stand there, with the settings shown beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.config import load_config
from generator.frontends.python.environment import own_environment
from generator.pipeline import BuildRequest, build

from .documents import blocks

DOCS = Path(__file__).resolve().parents[2] / "docs"
SHOWN = ("apps.md", "authoring.md", "interaction.md", "serving.md", "tasks.md")
NO_SERVERS = {"guards.py", "trips_test.py", "weather_auth.py"}
"""Modules that servers use, or their authors' tests."""

BESIDE = {"count.html": "<!doctype html>\n<p>counted\n"}
"""Files that the modules name and no document shows."""

MODULES = [
    (name, block.file)
    for name in SHOWN
    for block in blocks(DOCS / name)
    if block.language == "python" and block.file and block.file not in NO_SERVERS
]


@pytest.mark.parametrize(("document", "module"), MODULES, ids=lambda value: value)
def test_a_module_of_a_document_is_built_without_an_error(tmp_path, document, module):
    for block in blocks(DOCS / document):
        if block.file is not None and block.language in ("python", "toml"):
            (tmp_path / block.file).write_text(block.text, encoding="utf-8")
    for name, text in BESIDE.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    loaded = load_config(tmp_path)
    assert loaded.diagnostics == ()
    request = BuildRequest(source=str(tmp_path / module), config=loaded.config, environment=own_environment())
    result = build(request)
    assert [each.message for each in result.diagnostics if each.level == "error"] == []
    assert result.server is not None


def test_there_are_modules_to_build():
    assert len(MODULES) > 10
