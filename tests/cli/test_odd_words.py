"""Words that name nothing, or something of another kind, are told with a code and the next action by every verb."""

from __future__ import annotations

import json
import os

import pytest

VERBS = [
    "build WORD",
    "inspect WORD",
    "from-openapi WORD",
    "gateway WORD",
    "gateway x=WORD",
    "verify WORD",
    "explain WORD",
    "registry add WORD",
    "registry add a --cwd WORD -- WORD",
    "registry remove WORD",
    "registry import WORD",
    "build real.py --config WORD",
    "build real.py --python WORD",
    "build real.py --check -o WORD",
    "build real.py -o WORD/deeper",
    "verify made --calls WORD",
    "verify made --source WORD/deeper",
    "verify made --python WORD",
    "from-openapi api.yaml --ref-root WORD/deeper",
    "from-openapi api.yaml --overlay WORD",
]
WORDS = {
    "long": "x" * 300,
    "very-long": "x" * 5000,
    "dangling": "dangling",
    "loop": "loop",
    "file": "file",
    "below-a-file": "file/x",
    "folder": "folder",
    "lines": "a\nb",
    "device": os.devnull,
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("MCPGEN_REGISTRY", str(tmp_path / "own" / "registry.json"))
    (tmp_path / "real.py").write_text('def f() -> int:\n    """F."""\n    return 1\n', encoding="utf-8")
    text = (
        "openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {/a: {get: {responses: {'200': {description: ok}}}}}\n"
    )
    (tmp_path / "api.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "made" / "made_mcp").mkdir(parents=True)
    (tmp_path / "made" / "made_mcp" / "catalog.json").write_text("{}", encoding="utf-8")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_leads_nowhere_is_told_with_what_to_do(run, place, verb, word):
    ended = run(*(each.replace("WORD", WORDS[word]) for each in verb.split()))
    assert "Traceback" not in ended.err
    assert "MG901" not in ended.err
    if ended.code:
        assert (ended.code in (2, 3, 4), "error[MG" in ended.err, "= hint: " in ended.err) == (True, True, True), ended


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ('[openapi]\noverlays = ["a\\u0000b"]', ("from-openapi", "api.yaml")),
        ('[openapi]\nref_root = "a\\u0000b"', ("from-openapi", "api.yaml")),
        ('[gateway.servers.x]\npath = "a\\u0000b"', ("gateway",)),
        ('[gateway.servers.x]\npath = "absent"', ("gateway",)),
        ('[gateway.servers.x]\ncommand = ["a\\u0000b"]', ("gateway",)),
    ],
)
def test_a_path_of_the_settings_that_no_system_has_is_told(run, place, settings, words):
    (place / "mcpgen.toml").write_text(settings, encoding="utf-8")
    ended = run(*words)
    assert (ended.code, "error[MG" in ended.err, "= hint: " in ended.err, "MG901" in ended.err) == (
        2,
        True,
        True,
        False,
    )


def test_a_file_in_the_place_of_the_output_is_told_for_one(run, place):
    assert "`file/x` cannot be written: `file` is a file, and no folder" in run("build", "real.py", "-o", "file/x").err
    checked = run("build", "real.py", "--check", "-o", "file")
    assert (checked.code, "`file` is a file, and no folder" in checked.err) == (4, True)


def test_an_interpreter_is_the_file_that_was_named_and_none_of_path(run, place):
    (place / "env").write_text("", encoding="utf-8")
    (place / "env").chmod(0o755)
    ended = run("build", "real.py", "--python", "env")
    assert (ended.code, "env cannot be run as a Python interpreter (OSError)" in ended.err) == (2, True)


def test_a_link_that_leads_to_nothing_is_no_misspelling(run, place):
    (place / "lost.py").symlink_to("nowhere.py")
    ended = run("build", "lost.py")
    assert "`lost.py` is a link that leads to nothing" in ended.err
    assert "Did you mean" not in ended.err


def test_a_file_without_its_ending_is_told_with_it(run, place):
    assert "= hint: Did you mean `real.py`?" in run("build", "./real").err


def test_a_rule_that_is_none_is_told_to_machines_in_their_form(run):
    assert json.loads(run("explain", "nothing-like-it", "--format", "json").err)["code"] == "MG710"
