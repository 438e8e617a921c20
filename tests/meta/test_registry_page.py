"""What docs/registry.md shows is what happens, and its table of members is the schema's."""

from __future__ import annotations

import json
import re
from pathlib import Path

from generator.runtime.registry.entries import entries_of
from generator.runtime.registry.names import is_obeyed

from .documents import Shell, blocks, matches

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "registry.md"


def test_the_commands_print_what_the_page_shows(tmp_path):
    shell = Shell(ROOT, tmp_path)
    shell.copy("samples")
    (block,) = (each for each in blocks(PAGE) if each.language == "console")
    for (command, expected), printed in zip(block.commands(), shell.run(block), strict=True):
        assert matches(expected, printed.replace(str(tmp_path), "/path/to")), (command, printed)
    assert json.loads((tmp_path / ".mcpgen" / "registry.json").read_bytes()) == {"version": 1, "clis": {}}


def test_the_file_it_shows_is_one():
    (shown,) = (json.loads(each.text) for each in blocks(PAGE) if each.language == "json")
    del shown["clis"]["weather"]["fingerprint"]  # of paths that are examples
    entries, problems = entries_of(shown)
    assert (list(entries), problems) == (["weather", "crm"], ())


def test_it_explains_every_member():
    schema = json.loads((ROOT / "schemas" / "registry-file.schema.json").read_bytes())
    text = PAGE.read_text(encoding="utf-8")
    assert {name for name in schema["$defs"]["entry"]["properties"] if f"`{name}`" not in text} == set()
    rows = "".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE))
    assert {name for name in schema["$defs"]["entry"]["properties"] if f"`{name}`" not in rows} == set()


def test_the_variables_it_names_are_those():
    named = ("LD_PRELOAD", "DYLD_LIBRARY_PATH", "PYTHONPATH", "NODE_OPTIONS", "BASH_ENV")
    assert all(map(is_obeyed, named))
    assert not is_obeyed("PYTHONUNBUFFERED")
