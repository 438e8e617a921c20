"""`mcpgen verify` as people and scripts meet it: words, exit codes, both forms of the report."""

from __future__ import annotations

import json
import sys

import pytest
from jsonschema import Draft202012Validator

from generator.verify.table import CHECKS
from tests.command import ROOT, mcpgen

from .foreign import script

SCHEMA = json.loads((ROOT / "schemas/verify.schema.json").read_bytes())


@pytest.mark.requirement("R053")
def test_a_good_project_ends_with_0_and_says_what_to_do_next(built_samples):
    done = mcpgen("verify", "project", cwd=built_samples["weather"].parent)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[1] for line in lines[: len(CHECKS)]] == [check.id for check in CHECKS]
    assert lines[-1] == "next: mcpgen registry add project"


@pytest.mark.requirement("R053")
def test_a_failure_ends_with_1_and_tells_the_next_action(project):
    folder = project()
    (folder / "weather_mcp/weather.py").write_text("import no_such_distribution\n", encoding="utf-8")
    done = mcpgen("verify", "project", "--only", "imports", cwd=folder.parent)
    assert done.returncode == 1
    assert "no_such_distribution" in done.stdout
    assert "= hint: Install `no_such_distribution`" in done.stdout
    assert "next:" not in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.requirement("R053", "R182")
def test_warnings_about_documentation_end_with_0_and_with_1_under_strict(tmp_path):
    command = ["--", sys.executable, str(script(tmp_path, 'del TOOLS[0]["description"]'))]
    plain = mcpgen("verify", "--only", "documentation", *command, cwd=tmp_path)
    assert (plain.returncode, plain.stdout.splitlines()[0][:4]) == (0, "warn")
    strict = mcpgen("verify", "--only", "documentation", "--strict", "-q", *command, cwd=tmp_path)
    assert (strict.returncode, strict.stdout.splitlines()[0][:4]) == (1, "warn")


def test_the_report_for_machines_has_its_schema(tmp_path, built_samples):
    Draft202012Validator.check_schema(SCHEMA)
    command = ["--", sys.executable, str(script(tmp_path, "TOOLS[0]['name'] = 'a.b'"))]
    for words in (command, [str(built_samples["board"])], ["--", "no-such-command-of-anybody"]):
        done = mcpgen("verify", "--format", "json", "--timeout", "20", *words, cwd=tmp_path)
        report = json.loads(done.stdout)
        Draft202012Validator(SCHEMA).validate(report)
        assert done.returncode == (1 if report["counts"]["fail"] else 0)
        assert [each["id"] for each in report["checks"]] == [check.id for check in CHECKS]
        assert sum(report["counts"].values()) == len(CHECKS)


def test_the_schema_refuses_a_failure_without_a_next_action():
    row = {"id": "a", "title": "a", "status": "fail", "message": "a", "action": "", "details": [], "seconds": 0}
    report = {
        "version": 1,
        "subject": {"kind": "url", "name": "u"},
        "status": "fail",
        "seconds": 0,
        "checks": [row],
        "counts": dict.fromkeys(("ok", "warn", "fail", "skip"), 0),
    }
    assert not Draft202012Validator(SCHEMA).is_valid(report)
    assert Draft202012Validator(SCHEMA).is_valid({**report, "checks": [{**row, "action": "Do."}]})


WRONG_WORDS = [
    ([], "name one of"),
    (["--"], "no command after"),
    (["project", "--", "x"], "name one of"),
    (["project", "--url", "http://x"], "name one of"),
    (["nowhere"], "no folder"),
    (["."], "no server that mcpgen built"),
    (["project", "--only", "import"], "the nearest is imports"),
    (["project", "--skip", "everything"], "there are imports"),
    (["project", "--timeout", "soon"], "number of seconds"),
    (["project", "--timeout", "0"], "number of seconds"),
    (["project", "--format", "sarif"], "not one of human, json"),
    (["project", "--calls", "missing.json"], "missing.json"),
    (["project", "--source", "missing"], "no folder `missing`"),
    (["project", "--python", "missing"], "missing"),
    (["--url", "http://x", "--header", "nonsense"], "--header"),
]


@pytest.mark.parametrize(("words", "told"), WRONG_WORDS, ids=[" ".join(words) or "nothing" for words, _ in WRONG_WORDS])
def test_wrong_words_end_with_2_and_say_what_is_meant(built_samples, words, told):
    done = mcpgen("verify", *words, cwd=built_samples["weather"].parent)
    assert done.returncode == 2
    assert told in " ".join(done.stderr.split()).replace("│ ", "")
    assert "Traceback" not in done.stderr


def test_a_server_that_cannot_be_started_is_told_once_and_what_was_not_tried_in_one_line(tmp_path):
    words = ("--", str(tmp_path / "nowhere"))
    done = mcpgen("verify", *words, cwd=tmp_path)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines if line.startswith(("fail", "skip"))] == ["skip", "fail", "skip"]
    assert lines[1].startswith("fail  cli_located          there is no command `")
    assert lines[3] == (
        "skip  22 more checks were not made: it cannot be started; see cli_located (--format json names them)"
    )
    report = json.loads(mcpgen("verify", "--format", "json", *words, cwd=tmp_path).stdout)
    assert [each["id"] for each in report["checks"]] == [check.id for check in CHECKS]
    assert (report["counts"]["fail"], report["counts"]["skip"]) == (1, len(CHECKS) - 1)


def test_a_project_without_its_start_is_told_once_whatever_else_would_need_it(project):
    folder = project()
    (folder / "weather_mcp/__main__.py").unlink()
    done = mcpgen("verify", "project", cwd=folder.parent)
    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("fail")] == ["cli_located", "drift"]
    assert "1 file that starts the server is missing: weather_mcp/__main__.py" in done.stdout
    assert done.stdout.count("see cli_located") == 1


def test_only_and_skip_choose_checks(built_samples):
    folder = built_samples["weather"]
    words = ["--format", "json", "--only", "imports", "--only", "drift", "--skip", "drift"]
    done = mcpgen("verify", str(folder), *words, cwd=folder.parent)
    assert [each["id"] for each in json.loads(done.stdout)["checks"]] == ["imports"]


CALLS = """
[tool.mcpgen.verify]
calls = [
    { tool = "forecast", arguments = { city = "Oslo" }, text = "Oslo" },
    { tool = "forecast", arguments = { city = 5 }, error = true },
]
"""


def test_golden_calls_come_from_the_settings_of_the_source(project):
    folder = project()
    (folder.parent / "pyproject.toml").write_text(CALLS, encoding="utf-8")
    done = mcpgen("verify", "project", "--only", "golden_calls", cwd=folder.parent)
    assert done.stdout.startswith("ok    golden_calls         3 calls answered as expected"), done.stdout
    (folder.parent / "pyproject.toml").write_text(CALLS.replace('text = "Oslo"', 'text = "Bergen"'), encoding="utf-8")
    done = mcpgen("verify", "project", "--only", "golden_calls", cwd=folder.parent)
    assert (done.returncode, "call 1 in the settings" in done.stdout) == (1, True)


def test_golden_calls_come_from_a_file_beside_the_project_and_from_a_named_one(project):
    folder = project()
    calls = {"calls": [{"tool": "forecast", "arguments": {"city": "Oslo"}, "text": ["Oslo"]}]}
    (folder / "verify.json").write_text(json.dumps(calls), encoding="utf-8")
    done = mcpgen("verify", "project", "--only", "golden_calls", "--only", "mcp_apps_gateway", cwd=folder.parent)
    assert "1 call made" in done.stdout
    assert "2 calls answered as expected" in done.stdout, "that, and the other tool that only reads and needs nothing"
    (folder.parent / "mine.json").write_text(json.dumps(calls).replace('Oslo"]', 'Rome"]'), encoding="utf-8")
    done = mcpgen("verify", "project", "--only", "golden_calls", "--calls", "mine.json", cwd=folder.parent)
    assert (done.returncode, "call 1 in mine.json" in done.stdout) == (1, True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[]", "no object with `calls`"),
        ('{"calls": [{}]}', "must have a `tool`"),
        ('{"calls": [{"tool": "a", "argument": {}}]}', "has `argument`"),
        ('{"calls": [{"tool": "a", "error": 1}]}', "has a `error`"),
    ],
)
def test_a_file_of_calls_that_cannot_be_used_ends_with_2(project, text, told):
    folder = project()
    (folder / "verify.json").write_text(text, encoding="utf-8")
    done = mcpgen("verify", "project", cwd=folder.parent)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_what_a_server_says_cannot_command_the_terminal(tmp_path):
    wrong = "TOOLS[0]['name'] = 'a\\x1b[31m\\u202eb'"
    done = mcpgen("verify", "--only", "host_rules", "--", sys.executable, str(script(tmp_path, wrong)), cwd=tmp_path)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("DIR", "--header", "A: b"), "--header goes with --url"),
        (("--header", "A: b", "--", "python3", "server.py"), "--header goes with --url"),
        (("--source", ".", "--url", "http://127.0.0.1:9/mcp"), "--source goes with a project's folder"),
        (("--python", ".", "--", "python3", "server.py"), "--python goes with a project's folder"),
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(tmp_path, words, said):
    done = mcpgen("verify", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout, said in " ".join(done.stderr.split())) == (2, "", True), done.stderr


def test_a_name_in_the_registry_is_told_with_how_it_is_checked(built_samples, tmp_path):
    where = {"MCPGEN_REGISTRY": str(tmp_path / "registry.json")}
    project = built_samples["weather"]
    assert mcpgen("registry", "add", str(project), cwd=tmp_path, env=where).returncode == 0
    assert (
        mcpgen("registry", "add", "far", "--", sys.executable, "--api-key=abc1", cwd=tmp_path, env=where).returncode
        == 0
    )
    done = mcpgen("verify", "weather", cwd=tmp_path, env=where)
    assert (done.returncode, f"`mcpgen verify {project.resolve()}`" in done.stderr) == (2, True), done.stderr
    done = mcpgen("verify", "far", cwd=tmp_path, env=where)
    assert "name its folder, its command or its address." in done.stderr
    assert "abc1" not in done.stderr


def test_a_gateway_ends_with_its_doctor(built_samples, tmp_path):
    assert mcpgen("gateway", str(built_samples["weather"]), "-o", "made", "-q", cwd=tmp_path).returncode == 0
    done = mcpgen("verify", "made", "--only", "schemas_generate", cwd=tmp_path)
    last = done.stdout.splitlines()[-1]
    assert last.endswith("--doctor (it looks at the servers behind it) · mcpgen registry add made")
