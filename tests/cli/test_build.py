"""`mcpgen build`: exit codes, what is printed where, what is written."""

import dataclasses
import json
import shlex
import sys

import pytest

from generator.cli.launch import base_interpreter
from generator.diagnostics.model import Diagnostic, Span
from generator.diagnostics.rules import rule
from generator.ir.model import Source, SourceFile

from .conftest import SERVER

SKIPPED = Diagnostic(
    rule=rule("unsupported-type"),
    message="`f` takes a socket",
    unit="f",
    span=Span(path="weather.py", line=1, column=5, end_line=1, end_column=13),
)
WARNED = dataclasses.replace(SKIPPED, rule=rule("untyped-parameter"))


@pytest.fixture
def venv(tmp_path):
    """A virtual environment near the source."""
    folder = tmp_path / ".venv"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    (folder / "lib" / f"python{version}" / "site-packages").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").write_bytes(b"")
    (folder / "pyvenv.cfg").write_text(f"home = {sys.base_prefix}/bin\nversion = {version}.0\n", encoding="utf-8")
    return folder


def test_a_build_writes_the_tree_and_says_what_it_made(run, pipeline, tmp_path):
    ended = run("build", "weather.py")
    assert (ended.code, ended.err) == (0, "")
    assert (tmp_path / "weather-mcp" / "server.py").read_bytes() == b"pass\n"
    lines = ended.out.splitlines()
    assert lines[0] == "weather-mcp  1 tool   0.0 kB of tool definitions, about 5 tokens"
    cells = ("forecast", "read-only", "city: string, days?: integer 1..14", "-> Forecast", "imports httpx when called")
    assert lines[1] == "  " + "  ".join(cells)
    adding = f"claude mcp add weather -- {base_interpreter()} -I -S {tmp_path}/weather-mcp/server.py"
    assert lines[2] == f"next: mcpgen verify weather-mcp · {adding}"


@pytest.mark.parametrize(
    ("name", "paths", "line"),
    [
        ("weather.py", ["stations.json", "weather.py"], "carries weather.py, stations.json"),
        ("weather.py", ["_source/__init__.py", "_source/main.py", "_source/weather.py"], "carries weather.py, main.py"),
        ("shop", ["shop/__init__.py", "shop/a.csv", "tax.py"], "carries shop/, tax.py"),
        ("shop", ["shop/__init__.py", "shop/a.csv"], None),
        ("weather.py", ["weather.py"], None),
        (
            "weather.py",
            ["weather.py", *(f"data/{number}.json" for number in range(99))],
            "carries weather.py, data/0.json",
        ),
    ],
)
def test_files_that_are_copied_beside_the_module_are_told(run, pipeline, name, paths, line):
    files = tuple(SourceFile(path=path, content=b"") for path in paths)
    pipeline.server = dataclasses.replace(SERVER, source=Source(kind="python", name=name, files=files))
    told = [each for each in run("build", "weather.py").out.splitlines() if each.startswith("carries")]
    if len(paths) > 9:
        assert told[0].startswith(line)
        assert told[0].endswith(", …")
        assert len(told[0]) <= 100
    else:
        assert told == ([line] if line else [])


def test_the_command_to_start_is_one_that_can_be_pasted(run, pipeline, tmp_path):
    folder = "it's a folder"
    ended = run("build", "weather.py", "-o", folder)
    words = shlex.split(ended.out.splitlines()[-1].partition(" -- ")[2])
    assert words == [base_interpreter(), "-I", "-S", str(tmp_path / folder / "server.py")]


def test_a_server_that_imports_installed_code_is_started_in_the_environment_it_was_looked_up_in(run, pipeline, venv):
    pipeline.server = dataclasses.replace(SERVER, dependencies=("httpx",))
    last = run("build", "weather.py").out.splitlines()[-1]
    assert f" -- {venv}/bin/python -I " in last
    assert run("build", "weather.py", "--format", "json").out.count(f'"start":["{venv}/bin/python","-I",') == 1


def test_the_result_is_json_for_machines(run, pipeline):
    ended = run("build", "weather.py", "-o", "out", "--format", "json")
    document = json.loads(ended.out)
    assert (document["command"], document["folder"]) == ("weather-mcp", "out")
    assert document["files"]["server.py"] == "create"
    assert document["tools"][0]["annotations"] == {"readOnly": True}
    assert document["start"][-1].endswith("/out/server.py")
    assert document["leftOut"] == []


def test_quiet_prints_nothing_but_errors(run, pipeline):
    pipeline.diagnostics = (WARNED, SKIPPED)
    ended = run("build", "weather.py", "--quiet")
    assert (ended.code, ended.out) == (0, "")
    assert "MG102" in ended.err
    assert "MG104" not in ended.err


def test_a_unit_that_cannot_be_served_is_reported_and_the_rest_is_built(run, pipeline, tmp_path):
    pipeline.diagnostics = (SKIPPED,)
    ended = run("build", "weather.py")
    assert ended.code == 0
    assert "error[MG102] unsupported-type: `f` takes a socket\n  --> weather.py:1:5\n" in ended.err
    assert (tmp_path / "weather-mcp").exists()


@pytest.mark.parametrize(
    ("units", "said"), [(("f",), "1 function was left out"), (("f", "g"), "2 functions were left out")]
)
@pytest.mark.parametrize("mode", [(), ("--check",), ("--diff",), ("--dry-run",)])
def test_a_build_that_had_to_leave_functions_out_says_how_many(run, pipeline, units, said, mode):
    pipeline.diagnostics, pipeline.left_out = (SKIPPED,), units
    ended = run("build", "weather.py", *mode)
    assert f"; {said}, the rest is served (--strict makes that fail)\n" in ended.err
    machine = run("build", "weather.py", "--format", "json", *mode)
    assert "left out" not in machine.err
    if not mode:
        assert json.loads(machine.out)["leftOut"] == list(units)


@pytest.mark.parametrize("found", [SKIPPED, WARNED])
@pytest.mark.requirement("R182")
def test_strict_makes_every_finding_fail_and_writes_nothing(run, pipeline, tmp_path, found):
    pipeline.diagnostics = (found,)
    ended = run("build", "weather.py", "--strict")
    assert ended.code == 2
    assert not (tmp_path / "weather-mcp").exists()
    assert ended.err.endswith("; nothing was written: --strict lets no error and no warning pass\n")


def test_a_strict_build_that_fails_quietly_still_says_why(run, pipeline):
    pipeline.diagnostics = (WARNED,)
    ended = run("build", "weather.py", "--strict", "--quiet")
    assert (ended.code, "MG104" in ended.err) == (2, True)


def test_what_is_found_often_is_counted_unless_everything_is_asked_for(run, pipeline):
    pipeline.diagnostics = tuple(dataclasses.replace(WARNED, unit=f"f{number}") for number in range(9))
    brief = run("build", "weather.py").err
    assert brief.count("warning[MG104]") == 3
    assert "… and 6 more of MG104 untyped-parameter: f3, f4, f5, f6, f7, f8\n" in brief
    for option in ("--verbose", "-v"):
        assert run("build", "weather.py", option).err.count("warning[MG104]") == 9
    assert len(run("build", "weather.py", "--format", "json").err.splitlines()) == 9


def test_strict_can_be_a_setting(run, pipeline, tmp_path):
    (tmp_path / "mcpgen.toml").write_text("strict = true\n", encoding="utf-8")
    pipeline.diagnostics = (WARNED,)
    assert run("build", "weather.py").code == 2


@pytest.mark.requirement("R182")
def test_warnings_alone_do_not_fail(run, pipeline):
    pipeline.diagnostics = (WARNED,)
    assert run("build", "weather.py").code == 0


@pytest.mark.parametrize(("expose", "code"), [("f", 2), ("f*", 0), ("g", 0)])
def test_a_unit_that_was_named_must_be_served(run, pipeline, tmp_path, expose, code):
    (tmp_path / "mcpgen.toml").write_text(f'expose = ["{expose}"]\n', encoding="utf-8")
    pipeline.diagnostics = (SKIPPED,)
    ended = run("build", "weather.py")
    assert ended.code == code
    assert ("nothing was written: `f` was asked for by name" in ended.err) is (code == 2)


@pytest.mark.requirement("R126")
def test_an_expose_pattern_that_matches_nothing_fails(run, pipeline):
    pipeline.diagnostics = (Diagnostic(rule=rule("unmatched-expose"), message="no such function"),)
    assert run("build", "weather.py").code == 2


def test_nothing_left_to_serve_fails(run, pipeline):
    pipeline.server = None
    pipeline.diagnostics = (Diagnostic(rule=rule("no-tools"), message="nothing"),)
    ended = run("build", "weather.py")
    assert (ended.code, ended.out) == (2, "")
    assert "MG308" in ended.err


@pytest.mark.parametrize("name", ["../../evil.py", "/etc/passwd", "CON", "a\\b.py"])
@pytest.mark.parametrize("option", ["--name", "--package"])
def test_a_name_that_would_leave_the_folder_is_refused(run, pipeline, option, name, tmp_path):
    ended = run("build", "weather.py", option, name)
    assert ended.code == 2
    assert "MG310" in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "weather.py"]


@pytest.mark.parametrize("output", ["CON", "a\\b.py", "out/nul", ""])
def test_an_output_folder_some_system_cannot_hold_is_refused(run, pipeline, output):
    assert run("build", "weather.py", "-o", output).code == 2


def test_an_output_that_is_a_file_is_refused(run, pipeline):
    ended = run("build", "weather.py", "-o", "weather.py")
    assert ended.code == 2
    assert "MG604" in ended.err


def test_a_named_function_whose_tool_goes_by_another_name_must_be_served_too(run, pipeline, tmp_path):
    (tmp_path / "mcpgen.toml").write_text('expose = ["f"]\n', encoding="utf-8")
    pipeline.diagnostics = (dataclasses.replace(SKIPPED, rule=rule("illegal-tool-name"), unit="no good"),)
    pipeline.left_out = ("f",)
    assert run("build", "weather.py").code == 2


REFUSALS = {
    "no such file": (["nowhere.py"], {}),
    "no such module": (["no.such"], {}),
    "a folder that is no package": (["."], {}),
    "a server's name": (["weather.py", "--name", "BAD"], {}),
    "a package's name": (["weather.py", "--package", "json"], {}),
    "an output": (["weather.py", "-o", "CON"], {}),
    "an output that is a file": (["weather.py", "-o", "weather.py"], {}),
    "an environment": (["weather.py", "--python", "nowhere"], {}),
    "a settings file that is not there": (["weather.py", "--config", "nowhere.toml"], {}),
    "settings that are no TOML": (["weather.py"], {"mcpgen.toml": "x ="}),
    "a setting that is unknown": (["weather.py"], {"mcpgen.toml": "x = 1"}),
    "a setting of the wrong kind": (["weather.py"], {"mcpgen.toml": "strict = 2"}),
    "settings that switch the project off": (["weather.py"], {"mcpgen.toml": "enabled = false"}),
    "settings twice": (
        ["weather.py"],
        {"mcpgen.toml": "strict = true", "pyproject.toml": "[tool.mcpgen]\nstrict = true"},
    ),
    "a pattern that matches nothing": (["weather.py"], {"mcpgen.toml": 'expose = ["g"]'}),
    "a table for nothing": (["weather.py"], {"mcpgen.toml": "[tools.g]\ntitle = 'G'"}),
    "a syntax error": (["m.py"], {"m.py": "def f(:"}),
    "an encoding": (["m.py"], {"m.py": "# coding: utf-7"}),
    "a module that is too deep": (["m.py"], {"m.py": "x = " + "(" * 300 + ")" * 300}),
    "a module with nothing to serve": (["m.py"], {"m.py": "X = 1"}),
    "a module of which nothing can be served": (["m.py"], {"m.py": "def f(x: nowhere) -> int: ..."}),
    "a function that was asked for": (
        ["m.py"],
        {"m.py": "def f(x: range) -> int: ...", "mcpgen.toml": 'expose = ["f"]'},
    ),
    "a warning under --strict": (["m.py", "--strict"], {"m.py": "def f(x) -> int: ..."}),
    "a schema that is none": (
        ["weather.py"],
        {"mcpgen.toml": "[tools.x]\ntarget = 'm:f'\ninput_schema = { type = 'numbr' }"},
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_every_refusal_says_what_to_do_and_that_nothing_was_written(run, tmp_path, case):
    words, files = REFUSALS[case]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    ended = run("build", *words)
    assert (ended.code, ended.out) == (2, "")
    blocks = ended.err.strip().split("\n\n")
    assert "nothing was written" in blocks[-1]
    assert all("= hint: " in block for block in blocks[:-1] if block.startswith("error"))
    assert "= hint: " in ended.err
    assert sorted(tmp_path.rglob("*")) == before
    records = [json.loads(line) for line in run("build", *words, "--format", "json").err.splitlines()]
    assert all(record["hint"] for record in records if record["severity"] == "error")


def test_wrong_usage_says_where_to_look(run):
    ended = run("build", "weather.py", "--nonsense")
    assert ended.code == 2
    assert ended.err.startswith("error[MG710] wrong-usage: no such option: --nonsense\n   = note: Usage: mcpgen build ")
    assert "   = hint: See `mcpgen build --help`.\n" in ended.err


def test_an_output_elsewhere_is_used_when_it_is_named(run, pipeline, tmp_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere") / "deep" / "out"
    assert run("build", "weather.py", "-o", str(folder)).code == 0
    assert (folder / "server.py").exists()


def test_names_given_on_the_command_line_decide_all_three(run, pipeline):
    run("build", "weather.py", "--name", "my-rain")
    assert (pipeline.requests[0].name, pipeline.requests[0].package) == ("my_rain", "my_rain_mcp")


@pytest.mark.requirement("R140")
def test_every_problem_of_the_settings_is_shown_at_once(run, pipeline, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        "[tool.mcpgen]\nnme = 1\nstrict = 2\n[tool.mcpgen.tools.x]\n", encoding="utf-8"
    )
    ended = run("build", "weather.py", "--name", "BAD")
    assert ended.code == 2
    assert [code for code in ("MG310", "MG701", "MG702") if code in ended.err] == ["MG310", "MG701", "MG702"]
    assert "pyproject.toml:2:1\n" in ended.err
    assert pipeline.requests == []


@pytest.mark.requirement("R144")
def test_a_project_can_say_that_it_is_not_to_be_served(run, pipeline, tmp_path):
    (tmp_path / "mcpgen.toml").write_text("enabled = false\n", encoding="utf-8")
    ended = run("build", "weather.py")
    assert (ended.code, "MG708" in ended.err) == (2, True)


def test_an_environment_that_does_not_exist_is_refused(run, pipeline):
    ended = run("build", "weather.py", "--python", "nowhere")
    assert (ended.code, "MG707" in ended.err) == (2, True)


def test_an_edited_file_is_kept_and_the_exit_code_says_so(run, pipeline, tmp_path):
    run("build", "weather.py")
    stub = tmp_path / "weather-mcp" / "server.py"
    stub.write_text("mine", encoding="utf-8")
    pipeline.tree |= {"server.py": b"new\n", "weather_mcp/__init__.py": b"# new\n"}
    ended = run("build", "weather.py")
    assert (ended.code, stub.read_text(encoding="utf-8")) == (3, "mine")
    assert "MG601" in ended.err
    assert ended.err.endswith("\n\n1 error; 1 file was kept, everything else was written\n")
    assert (stub.parent / "weather_mcp" / "__init__.py").read_bytes() == b"# new\n"


def test_a_preview_says_what_would_be_kept(run, pipeline, tmp_path):
    (tmp_path / "weather-mcp").mkdir()
    (tmp_path / "weather-mcp" / "server.py").write_text("mine", encoding="utf-8")
    for mode in ("--diff", "--dry-run"):
        ended = run("build", "weather.py", mode)
        assert (ended.code, ended.err.endswith("1 error; a build would keep 1 file (exit 3)\n")) == (0, True)
    ended = run("build", "weather.py", "--check")
    assert (ended.code, "MG602" in ended.err, "MG603" in ended.err) == (4, True, True)


def test_a_lock_that_cannot_be_read_stops_everything_and_says_so(run, pipeline, tmp_path):
    run("build", "weather.py")
    (tmp_path / "weather-mcp" / "mcpgen.lock").write_text("broken", encoding="utf-8")
    ended = run("build", "weather.py")
    assert (ended.code, "MG605" in ended.err) == (3, True)
    assert ended.err.endswith("1 error; nothing was written\n")


def test_check_agrees_with_a_fresh_build_and_writes_nothing(run, pipeline, tmp_path):
    run("build", "weather.py")
    ended = run("build", "weather.py", "--check")
    assert (ended.code, ended.out, ended.err) == (0, "", "")


def test_check_shows_the_difference_and_exits_4(run, pipeline, tmp_path):
    run("build", "weather.py")
    pipeline.tree |= {"server.py": b"new\n"}
    ended = run("build", "weather.py", "--check")
    assert ended.code == 4
    assert "MG603" in ended.err
    assert "-pass\n+new\n" in ended.out
    assert (tmp_path / "weather-mcp" / "server.py").read_bytes() == b"pass\n"


def test_check_imports_the_result(run, pipeline):
    pipeline.tree |= {"weather_mcp/__init__.py": b"import nowhere_at_all\n"}
    run("build", "weather.py")
    ended = run("build", "weather.py", "--check")
    assert (ended.code, "MG606" in ended.err) == (4, True)


def test_diff_shows_the_patch_and_what_clients_see(run, pipeline):
    run("build", "weather.py")
    pipeline.tree |= {"weather_mcp/catalog.json": b'{"tools": [{"definition": {"name": "rain"}}]}'}
    ended = run("build", "weather.py", "--diff")
    assert ended.code == 0
    assert ended.out.endswith("# + tool rain\n# - tool forecast\n")


def test_dry_run_lists_and_writes_nothing(run, pipeline, tmp_path):
    ended = run("build", "weather.py", "--dry-run")
    assert ended.code == 0
    assert "create    weather_mcp/catalog.json\n" in ended.out
    assert not (tmp_path / "weather-mcp").exists()


def test_modes_exclude_one_another(run, pipeline):
    assert run("build", "weather.py", "--check", "--diff").code == 2


@pytest.mark.parametrize(("form", "start"), [("json", "{"), ("github", "::error ")])
def test_diagnostics_come_in_the_form_that_was_asked_for(run, pipeline, form, start):
    pipeline.diagnostics = (SKIPPED,)
    ended = run("build", "weather.py", "--format", form)
    assert ended.err.startswith(start)
    if form != "github":
        json.loads(ended.err)


def test_colour_is_used_when_it_is_asked_for_only(run, pipeline):
    pipeline.diagnostics = (SKIPPED,)
    assert "\x1b[" not in run("build", "weather.py").err
    assert "\x1b[31;1merror" in run("build", "weather.py", "--color", "always").err
