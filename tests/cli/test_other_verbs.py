"""`mcpgen inspect`, `mcpgen explain`, `--version`, `--help`, and how quickly they start."""

import json
import subprocess
import sys

import pytest

from generator import __version__
from generator.diagnostics.model import Diagnostic
from generator.diagnostics.rules import RULES, rule
from generator.ir import codec

from .conftest import SERVER


@pytest.mark.requirement("R191")
def test_the_version_is_printed(run):
    ended = run("--version")
    assert (ended.code, ended.out) == (0, f"mcpgen {__version__}\n")


def test_help_names_the_verbs(run):
    ended = run("--help")
    assert ended.code == 0
    assert all(f"  {verb} " in ended.out for verb in ("build", "inspect", "explain"))


@pytest.mark.parametrize(
    "words", [["nonsense"], ["build"], ["build", "x", "--nonsense"], ["build", "x", "--format", "y"]]
)
def test_wrong_usage_exits_2(run, words):
    assert run(*words).code == 2


def test_explain_says_what_to_do(run):
    ended = run("explain", "MG101")
    assert ended.code == 0
    assert ended.out.startswith("MG101 unresolved-type (error)\n\nA type in an annotation cannot be found.\n")
    assert run("explain", "unresolved-type").out == ended.out
    assert run("explain", "mg101").out == ended.out


def test_explain_lists_all_rules(run):
    assert [line.split()[0] for line in run("explain").out.splitlines()] == [rule.code for rule in RULES]
    assert len(json.loads(run("explain", "--format", "json").out)) == len(RULES)


def test_explain_of_one_rule_is_one_json_object(run):
    assert json.loads(run("explain", "MG308", "--format", "json").out)["name"] == "no-tools"


def test_an_unknown_rule_is_refused_with_the_nearest(run):
    ended = run("explain", "unresolved-typ")
    assert (ended.code, ended.out) == (2, "")
    assert "Did you mean `unresolved-type`?" in ended.err


def test_inspect_shows_a_table_and_each_tool_with_its_schemas(run, pipeline):
    ended = run("inspect", "weather.py")
    assert ended.code == 0
    lines = ended.out.splitlines()
    assert lines[:2] == [
        "weather-mcp  1 tool",
        "  forecast  read-only  city: string, days?: integer 1..14  -> Forecast  imports httpx when called",
    ]
    assert lines[3:6] == ["forecast  read-only", "  Forecast for a city.", "  More."]
    schemas = ended.out.partition("  input schema\n")[2].partition("\n\n  result schema\n")
    assert json.loads(schemas[0]) == SERVER.tools[0].input_schema
    assert json.loads(schemas[2]) == {"$ref": "#/$defs/Forecast"}


def test_inspect_says_that_a_build_would_fail(run, pipeline):
    pipeline.diagnostics = (Diagnostic(rule=rule("untyped-parameter"), message="`x` of tool `f` has no annotation"),)
    ended = run("inspect", "weather.py", "--strict")
    assert (ended.code, ended.out != "") == (2, True)
    assert ended.err.endswith("; a build would fail: --strict lets no error and no warning pass\n")


def test_inspect_says_how_many_functions_are_left_out(run, pipeline):
    pipeline.diagnostics = (Diagnostic(rule=rule("unsupported-type"), message="`x` of tool `f` has no JSON form"),)
    pipeline.left_out = ("f",)
    ended = run("inspect", "weather.py")
    assert (ended.code, "1 function was left out" in ended.err) == (0, True)


def test_inspect_prints_the_ir_that_can_be_read_back(run, pipeline):
    document = json.loads(run("inspect", "weather.py", "--ir").out)
    assert codec.dump(codec.load(document)) == document


def test_inspect_prints_json(run, pipeline):
    (record,) = json.loads(run("inspect", "weather.py", "--format", "json").out)
    assert record["name"] == "forecast"
    assert record["inputSchema"] == SERVER.tools[0].input_schema
    assert record["target"] == ".weather:forecast"


def test_help_does_not_import_what_only_verbs_need(root):
    program = (
        "import sys; sys.argv = ['mcpgen', '--help']\n"
        "from generator.cli.app import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'rich', 'jinja2', 'libcst', 'jsonschema', 'tomllib', 'json', 'ast'}\n"
        "sys.stderr.write(' '.join(sorted(heavy & set(sys.modules) - {'ast', 'json'})))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, timeout=30, check=True
    )
    assert ended.stderr == ""
