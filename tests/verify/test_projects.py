"""Built projects, whole and broken on the disk in every way that a check looks for."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from generator.verify.run import run
from generator.verify.subject import NoServerError, of_folder
from generator.verify.table import BY_ID, CHECKS, MILO
from tests.command import ROOT, built, mcpgen

from .conftest import SAMPLES


@pytest.mark.requirement("R054")
def test_the_ten_ids_of_milo_are_there_in_its_order_and_ours_after_them():
    names = "imports cli_located commands_registered schemas_generate mcp_list_tools mcp_discover mcp_apps_in_process"
    assert [check.id for check in MILO] == [*names.split(), "mcp_apps_gateway", "mcp_transport", "mcp_apps_transport"]
    assert len(BY_ID) == len(CHECKS) > len(MILO)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_passes(built_samples, name):
    report = run(of_folder(built_samples[name], sys.executable), timeout=20)
    bad = {check.id: finding for check, finding in report.findings if finding.status == "fail"}
    assert bad == {}
    warned = {check.id for check, finding in report.findings if finding.status == "warn"}
    assert warned <= {"documentation"}


def test_a_project_is_left_as_it_was(project):
    folder = project("board")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert run(of_folder(folder, sys.executable), timeout=20).status == "ok"
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def edited(path, change):
    """Change a JSON file in place; the cache of a catalog goes, as it does when people edit one."""
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    path.with_name("catalog.cache.jsonl").unlink(missing_ok=True)


def module(text):
    return lambda folder: (folder / "weather_mcp/weather.py").write_text(text, encoding="utf-8")


def catalog(change, name="weather"):
    return lambda folder: edited(folder / f"{name}_mcp/catalog.json", change)


def set_in(*path, value):
    """Return a change that sets what a path of keys leads to."""

    def change(document):
        for key in path[:-1]:
            document = document[key]
        document[path[-1]] = value

    return change


def without(path):
    return lambda folder: (folder / path).unlink()


def runtime(path, old, new):
    """Return a breach of the runtime: a text of one of its files replaced."""

    def breach(folder):
        file = folder / "weather_mcp/_runtime" / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new), encoding="utf-8")

    return breach


def hidden_and_listed(folder):
    catalog(set_in("tools", 0, "hidden", value=True))(folder)
    runtime("server/catalog.py", 'if not entry.get("hidden") and not', "if not")(folder)


WIRE_LEAK = (
    "    try:\n        source, sink = take()",
    '    system.write(1, b"ready\\n")\n    try:\n        source, sink = take()',
)
SYNTAX = "def forecast(:\n"

BROKEN = [
    ("imports", "fail", module("import no_such_distribution\n"), "no_such_distribution"),
    ("imports", "fail", module(SYNTAX), "SyntaxError"),
    ("imports", "fail", module("import os; os._exit(7)\n"), "status 7"),
    ("imports", "fail", module("raise SystemExit('go away')\n"), "SystemExit"),
    ("imports", "fail", module("def forecast(): ...\n"), "has no `stations`"),
    ("imports", "fail", without("weather_mcp/_runtime/server/plan.py"), "plan"),
    ("cli_located", "fail", without("server.py"), "server.py"),
    ("cli_located", "fail", without("weather_mcp/__main__.py"), "__main__.py"),
    ("cli_located", "fail", without("weather_mcp/_runtime/server/options.py"), "options"),
    ("cli_located", "fail", catalog(set_in("runtime", value="9.9.9")), "not for this runtime"),
    ("cli_located", "warn", without("weather_mcp/registry-entry.json"), "registry-entry.json"),
    ("commands_registered", "fail", catalog(set_in("tools", value=[])), "no tool"),
    ("commands_registered", "fail", catalog(set_in("tools", 0, "call", value=None)), "cannot be called"),
    ("commands_registered", "fail", without("weather_mcp/catalog.json"), "missing"),
    ("schemas_generate", "fail", lambda folder: (folder / "weather_mcp/catalog.json").write_text("{"), "JSON"),
    ("schemas_generate", "fail", catalog(set_in("tools", 0, "limits", value={"timeout": "long"})), "tools/0/limits"),
    (
        "schemas_generate",
        "fail",
        catalog(set_in("tools", 0, "definition", "inputSchema", "$ref", value="#/$defs/x")),
        "$defs/x",
    ),
    ("mcp_list_tools", "fail", catalog(lambda document: document["tools"].append(document["tools"][0])), "twice"),
    (
        "mcp_discover",
        "fail",
        runtime("server/session_answers.py", '"supportedVersions"', '"versions"'),
        "supportedVersions",
    ),
    ("mcp_transport", "fail", runtime("server/main.py", *WIRE_LEAK), "not JSON"),
    ("mcp_transport", "fail", catalog(set_in("runtime", value="9.9.9")), "not for this runtime"),
    ("stdout_purity", "fail", runtime("server/main.py", *WIRE_LEAK), "not JSON"),
    (
        "stdout_purity",
        "fail",
        runtime("server/main.py", 'system.write(2, f"{message}', 'system.write(1, f"{message}'),
        "bad option",
    ),
    ("hidden_tools", "fail", hidden_and_listed, "hidden tool"),
    ("http_start", "fail", without("weather_mcp/_runtime/server/http_server.py"), "http_server"),
    ("http_start", "fail", runtime("server/http_rules.py", "403", "200"), "200, not 403"),
    ("drift", "fail", without("README.md"), "1 file of the project is missing"),
    ("drift", "fail", without("README.md"), "README.md is missing"),
    ("drift", "warn", lambda folder: (folder / "README.md").write_text("mine"), "README.md was edited"),
    ("drift", "warn", lambda folder: (folder.parent / "weather.py").write_text("x = 1\n"), "weather.py was changed"),
    ("drift", "warn", lambda folder: (folder.parent / "weather.py").unlink(), "weather.py is gone"),
    ("drift", "warn", without("mcpgen.lock"), "mcpgen.lock is missing"),
    ("drift", "warn", lambda folder: (folder / "mcpgen.lock").write_text("{"), "mcpgen.lock"),
    ("drift", "warn", lambda folder: edited(folder / "mcpgen.lock", set_in("runtime", value="0.0.1")), "0.0.1"),
    (
        "documentation",
        "warn",
        catalog(lambda document: document["tools"][0]["definition"].pop("description")),
        "description",
    ),
]
"""The check, what it says then, the breach, and a part of what is told."""


@pytest.mark.parametrize(
    ("wanted", "status", "breach", "told"), BROKEN, ids=[f"{n}-{row[0]}" for n, row in enumerate(BROKEN)]
)
def test_a_breach_is_found_with_its_cause_and_the_next_action(project, check, wanted, status, breach, told):
    folder = project()
    breach(folder)
    finding = check(folder, wanted)
    assert finding.status == status, finding
    assert told in " ".join((finding.message, *finding.details)), finding
    assert finding.action


VIEWS = [
    (
        "mcp_apps_in_process",
        catalog(set_in("tools", 0, "ui", "resourceUri", value="ui://board/none"), "board"),
        "M-UI-002",
    ),
    (
        "mcp_apps_in_process",
        catalog(set_in("views", 0, "definition", "mimeType", value="text/html"), "board"),
        "M-UI-001",
    ),
    (
        "mcp_apps_in_process",
        catalog(set_in("views", 0, "call", value={"kind": "view", "path": "x.html"}), "board"),
        "M-UI-004",
    ),
    (
        "mcp_apps_in_process",
        catalog(set_in("views", 0, "definition", "_meta", "ui", "csp", value={"all": []}), "board"),
        "`all`",
    ),
    ("mcp_apps_transport", catalog(set_in("tools", 0, "ui", "resourceUri", value="ui://board/none"), "board"), "-32"),
    ("mcp_apps_transport", catalog(set_in("views", 0, "call", "target", value=".board:missing"), "board"), "error"),
    ("ui_links", catalog(set_in("views", 0, "call", "target", value=".board:missing"), "board"), "error"),
    ("mcp_apps_gateway", catalog(set_in("views", 0, "call", "target", value=".board:missing"), "board"), ""),
]


@pytest.mark.parametrize(("wanted", "breach", "told"), VIEWS, ids=[f"{n}-{row[0]}" for n, row in enumerate(VIEWS)])
def test_a_broken_view_is_found(project, check, wanted, breach, told):
    folder = project("board")
    breach(folder)
    finding = check(folder, wanted)
    assert (finding.status, bool(finding.action)) == ("fail", True), finding
    assert told in " ".join((finding.message, *finding.details)), finding


@pytest.mark.requirement("R055")
def test_views_are_read_through_a_real_gateway_of_one_server(project, check):
    finding = check(project("board"), "mcp_apps_gateway")
    assert finding.message == "through a gateway of its own: 1 tool listed, 1 view read"


def test_a_gateway_is_a_project_like_any_other(built_samples, tmp_path):
    """It is put behind another gateway, too: a gateway is a server."""
    folders = [str(built_samples[name]) for name in ("weather", "board")]
    done = mcpgen("gateway", *folders, "-o", "made", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = run(of_folder(tmp_path / "made", sys.executable), timeout=20)
    assert {check.id: finding.message for check, finding in report.findings if finding.status == "fail"} == {}
    found = {check.id: finding for check, finding in report.findings}
    assert found["mcp_apps_gateway"].message == "through a gateway of its own: 5 tools listed, 1 view read"


def test_the_source_is_looked_for_where_the_lock_says(tmp_path):
    (tmp_path / "prices").mkdir()
    source = tmp_path / "prices" / "prices.py"
    source.write_bytes((ROOT / "samples/text_tools/text_tools.py").read_bytes())
    done = mcpgen("build", "prices.py", "-o", "../made/prices-mcp", "--quiet", cwd=source.parent)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "made/prices-mcp/mcpgen.lock").read_bytes())["source"] == "../../prices/prices.py"

    def drift():
        done = mcpgen("verify", "made/prices-mcp", "--only", "drift", cwd=tmp_path)
        return done.stdout.splitlines()[0]

    assert drift().endswith("and the source as it was read")
    source.write_text("x = 1\n", encoding="utf-8")
    assert (
        drift()
        == "warn  drift                1 difference; the first: the source's prices.py was changed since the build"
    )
    source.rename(tmp_path / "elsewhere.py")
    assert drift().startswith("skip  drift ")
    assert "nor is it at `../../prices/prices.py`, where the lock says (name its folder with --source)" in drift()


def test_another_place_of_the_same_source_is_no_drift_of_the_build(tmp_path):
    for place in ("one", "two/deep"):
        (tmp_path / place).mkdir(parents=True)
        shutil.copy(ROOT / "samples/text_tools/text_tools.py", tmp_path / place / "tools.py")
    assert mcpgen("build", "one/tools.py", "-o", "made", "--quiet", cwd=tmp_path).returncode == 0
    done = mcpgen("build", "two/deep/tools.py", "-o", "made", "--check", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_servers_behind_a_gateway_are_compared_where_its_table_has_them(built_samples, tmp_path):
    for name in ("weather", "board"):
        shutil.copytree(built_samples[name], tmp_path / name / f"{name}-mcp")
    done = mcpgen("gateway", "weather/weather-mcp", "board/board-mcp", "-o", "out/made", "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    words = ("verify", "out/made", "--only", "drift")
    assert "and the source as it was read" in mcpgen(*words, cwd=tmp_path).stdout
    shutil.rmtree(tmp_path / "board")
    assert "the source's board-mcp/board_mcp/catalog.json is gone" in mcpgen(*words, cwd=tmp_path).stdout


EXAMPLES = '''"""Lamps."""

from typing import Annotated

from mcpgen import Param, ToolError, tool


@tool(read_only=True)
def lamp(name: Annotated[str, Param(examples=["desk"])], watts: int = 5) -> str:
    """Find a lamp."""
    if name != KNOWN:
        raise ToolError(f"there is no {name}")
    return name


@tool(read_only=True)
def switch(name: str) -> str:
    """Find a switch."""
    return name


@tool
def count() -> int:
    """Count, which may change something."""
    raise RuntimeError
'''


@pytest.mark.parametrize(
    ("known", "status", "told"),
    [
        ("desk", "ok", "1 call answered as expected"),
        (
            "floor",
            "warn",
            "the examples of its parameters (`lamp`): no error is expected; the result says: there is no",
        ),
    ],
)
def test_examples_of_parameters_make_a_call_of_a_tool_that_only_reads(tmp_path, check, known, status, told):
    finding = check(built(tmp_path, "lamps", f"{EXAMPLES}\nKNOWN = {known!r}\n"), "golden_calls")
    assert finding.status == status
    assert told in finding.message


def test_every_check_of_projects_has_a_breach_that_it_finds():
    own = {check.id for check in CHECKS if check.kinds == {"project"}} | {"cli_located", "commands_registered"}
    assert own <= {row[0] for row in BROKEN} | {row[0] for row in VIEWS}


def test_a_module_that_hangs_when_it_is_imported_is_told_in_time(project, check, monkeypatch):
    monkeypatch.setattr("generator.verify.checks.imports.TARGET_SECONDS", 1.0)
    folder = project()
    module("import time; time.sleep(3600)\n")(folder)
    finding = check(folder, "imports", timeout=1.5)
    assert (finding.status, finding.seconds < 15) == ("fail", True)
    assert "did not end within 1.5 s" in finding.message


def test_one_broken_module_of_several_does_not_hide_the_others(project, check):
    folder = project("invoices")
    (folder / "invoices_mcp/rates/__init__.py").write_text("raise RuntimeError('no rates today')\n", encoding="utf-8")
    finding = check(folder, "imports")
    assert finding.status == "fail"
    assert "no rates today" in finding.details[0]


def test_a_broken_module_is_told_once_with_all_that_it_stops(tmp_path, check):
    names = ["one", "two", "three", "four", "five"]
    project = built(tmp_path, "many", "".join(f"def {name}() -> str:\n    return ''\n" for name in names))
    (project / "many_mcp/many.py").write_text(SYNTAX, encoding="utf-8")
    finding = check(project, "imports")
    assert finding.status == "fail"
    assert finding.message.startswith(
        "5 targets of 5 cannot be imported: tool `one`, tool `two`, tool `three` and 2 more: "
    )
    assert finding.message.count("SyntaxError") == 1
    assert len(finding.details) == 1


@pytest.mark.parametrize("content", [[], ["a.txt"], ["pyproject.toml"]])
def test_a_folder_that_is_no_server_is_refused(tmp_path, content):
    for name in content:
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(NoServerError, match="no server that mcpgen built"):
        of_folder(tmp_path, sys.executable)


@pytest.mark.parametrize("inside", ["", "server.py", "weather_mcp"])
def test_a_project_is_found_by_its_stub_and_its_package_as_well(built_samples, inside):
    assert of_folder(built_samples["weather"] / inside, sys.executable).project.package == "weather_mcp"


@pytest.mark.parametrize(
    ("word", "message", "hint"),
    [
        ("https://mcp.example/mcp", "is an address", "--url"),
        ("a.py", "is a file", "mcpgen build"),
        ("b", "no folder", "spelling"),
    ],
)
def test_a_word_that_is_no_folder_is_told_what_it_is(tmp_path, monkeypatch, word, message, hint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("", encoding="utf-8")
    with pytest.raises(NoServerError) as told:
        of_folder(Path(word), sys.executable)
    assert message in told.value.args[0]
    assert hint in told.value.hint
