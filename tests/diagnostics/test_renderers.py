"""Every form a diagnostic is shown in."""

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.diagnostics import github, human, json_form, sarif
from generator.diagnostics.actions import ACTIONS
from generator.diagnostics.collect import arranged, counted
from generator.diagnostics.model import Diagnostic, Severity, Span
from generator.diagnostics.plain import plain, width
from generator.diagnostics.rules import RULES, rule

SOURCE = "import x\n\n\ndef forecast(city: str, days=3) -> list[Day]:\n\treturn 天気(city)\n"


def span(line=4, column=25, end_line=4, end_column=29, path="weather.py"):
    return Span(path=path, line=line, column=column, end_line=end_line, end_column=end_column)


DAYS = Diagnostic(
    rule=rule("untyped-parameter"),
    message="`days` of tool `forecast` has no annotation; any value is accepted",
    span=span(),
    hint="Annotate it, for example `days: int = 3`.",
)
NOTHING = Diagnostic(rule=rule("no-tools"), message="nothing is left")


def blocks(*diagnostics, **options):
    return human.render(diagnostics, {"weather.py": SOURCE}.get, **options)


def test_a_block_has_the_source_line_carets_and_the_hint():
    assert (
        blocks(DAYS)
        == """\
warning[MG104] untyped-parameter: `days` of tool `forecast` has no annotation; any value is accepted
  --> weather.py:4:25
   |
 4 | def forecast(city: str, days=3) -> list[Day]:
   |                         ^^^^
   = hint: Annotate it, for example `days: int = 3`.

1 warning
"""
    )


def test_a_setting_that_skips_the_unit_is_ready_to_paste():
    shown = blocks(replace(DAYS, paste='[tool.mcpgen]\nhide = ["forecast"]'))
    assert '   = skip: [tool.mcpgen]\n           hide = ["forecast"]\n' in shown


def test_tabs_and_wide_characters_keep_the_carets_in_place():
    shown = blocks(replace(DAYS, span=span(5, 9, 5, 11))).split("\n")
    assert shown[3:5] == [" 5 |     return 天気(city)", "   |            ^^^^"]


def test_a_span_over_several_lines_marks_the_rest_of_the_first():
    shown = blocks(replace(DAYS, span=span(4, 40, 5, 3))).split("\n")
    assert shown[4] == "   | " + " " * 39 + "^" * 6


def test_an_empty_span_gets_one_caret():
    assert blocks(replace(DAYS, span=span(4, 46, 4, 46))).split("\n")[4].endswith(" ^")


def test_a_line_number_of_many_digits_keeps_the_frame_aligned():
    shown = human.render([replace(DAYS, span=span(1000, 1, 1000, 2))], lambda _: "\n" * 999 + "xy").split("\n")
    assert shown[1:6] == [
        "     --> weather.py:1000:1",
        "      |",
        " 1000 | xy",
        "      | ^",
        "      = hint: " + DAYS.hint,
    ]


@pytest.mark.parametrize("place", [span(99, 1, 99, 2), span(path="gone.py")])
def test_a_place_that_cannot_be_shown_is_named_all_the_same(place):
    shown = blocks(replace(DAYS, span=place))
    assert f"--> {place.path}:{place.line}:1\n" in shown or f"--> {place.path}:{place.line}:25\n" in shown
    assert "|" not in shown


def test_a_very_long_line_is_cut_around_the_carets():
    source = "x = [" + "1, " * 500 + "here, " + "2, " * 500 + "]"
    column = source.index("here") + 1
    lines = human.render([replace(DAYS, span=span(1, column, 1, column + 4))], lambda _: source).split("\n")
    start = lines[4].index("^")
    assert len(lines[3]) < 180
    assert lines[3][start : start + 4] == "here"


def test_escape_sequences_and_hidden_characters_are_shown_not_sent():
    hostile = replace(DAYS, message="a\x1b[31m\u202eb\r\nc", hint="x\x07", span=span(path="we\x1bather.py"))
    shown = human.render([hostile], lambda _: "de\x1b[2Jf forecast(): pass\n" * 9)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", shown)
    assert "a\\u{1b}[31m\\u{202e}b\\r\\nc" in shown


def test_colour_changes_nothing_but_colour():
    assert re.sub(r"\x1b\[[0-9;]*m", "", blocks(DAYS, NOTHING, colour=True)) == blocks(DAYS, NOTHING)
    assert "\x1b[" not in blocks(DAYS, NOTHING)


def test_notes_stand_before_the_hint_and_go_to_machines_too(validator):
    told = replace(DAYS, notes=("reached through `Job.lock`",))
    assert "   = note: reached through `Job.lock`\n   = hint: Annotate" in blocks(told)
    record = json.loads(json_form.render([told]))
    assert record["notes"] == ["reached through `Job.lock`"]
    assert list(validator.iter_errors(record)) == []
    lines = f"{told.message}\nnote: {told.notes[0]}\nhint: {told.hint}"
    assert json.loads(sarif.render([told], version="1"))["runs"][0]["results"][0]["message"]["text"] == lines
    assert github.render([told]).endswith(lines.replace("\n", "%0A") + "\n")


def test_an_error_without_a_hint_of_its_own_has_that_of_its_rule():
    assert f"= hint: {rule('no-tools').action}" in blocks(NOTHING)
    assert json.loads(json_form.render([NOTHING]))["hint"] == rule("no-tools").action
    warned = replace(NOTHING, severity=Severity.WARNING)
    assert "hint" not in blocks(warned)


def test_every_rule_that_may_end_a_run_has_an_action_and_every_action_a_rule():
    assert [each.name for each in RULES if each.severity is Severity.ERROR and not each.action] == []
    assert set(ACTIONS) <= {each.name for each in RULES if each.severity is Severity.ERROR}


def many(count, name="untyped-parameter", severity=None):
    return [
        replace(DAYS, rule=rule(name), severity=severity, span=span(line), unit=f"tool_{line}")
        for line in range(1, count + 1)
    ]


def test_what_is_found_often_is_shown_three_times_and_then_counted():
    shown = blocks(*many(3), every=False)
    assert shown.count("warning[MG104]") == 3
    assert "more of" not in shown
    shown = blocks(*many(40), NOTHING, every=False)
    assert shown.count("warning[MG104]") == 3
    others = next(
        line for line in shown.splitlines() if line.startswith("… and 37 more of MG104 untyped-parameter: tool_4, ")
    )
    assert others.endswith(", …")
    assert len(others) <= 100
    assert "error[MG308]" in shown
    assert shown.endswith("1 error, 40 warnings; --verbose shows all\n")
    assert blocks(*many(40), every=True).count("warning[MG104]") == 40


def test_errors_and_warnings_of_one_rule_are_counted_apart():
    shown = blocks(*many(5, "unsupported-type"), *many(4, "unsupported-type", Severity.WARNING), every=False)
    assert [line for line in shown.splitlines() if line.startswith("…")] == [
        "… and 2 more of MG102 unsupported-type: tool_4, tool_5",
        "… and 1 more of MG102 unsupported-type: tool_4",
    ]


def test_findings_without_a_unit_are_only_counted():
    nameless = [replace(each, unit=None) for each in many(5)]
    assert "… and 2 more of MG104 untyped-parameter\n" in blocks(*nameless, every=False)


def test_machines_get_everything():
    assert len(json_form.render(many(40)).splitlines()) == len(github.render(many(40)).splitlines()) == 40
    assert len(json.loads(sarif.render(many(40), version="1"))["runs"][0]["results"]) == 40


def test_the_last_line_says_what_the_run_came_to():
    assert blocks(NOTHING, closing="nothing was written").endswith("\n\n1 error; nothing was written\n")


def test_no_diagnostics_print_nothing():
    assert blocks() == ""


def test_the_order_is_path_line_column_code_and_repetitions_are_dropped():
    other = replace(DAYS, span=span(2))
    first = replace(DAYS, span=span(9, path="a.py"))
    assert arranged([NOTHING, DAYS, other, DAYS, first]) == (first, other, DAYS, NOTHING)


def test_the_count_names_each_severity_once():
    note = replace(DAYS, severity=Severity.NOTE)
    assert counted([NOTHING, DAYS, DAYS, note]) == "1 error, 2 warnings, 1 note"


@pytest.fixture(scope="module")
def validator(root):
    schema = json.loads((root / "schemas" / "diagnostics.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_json_lines_follow_the_schema(validator):
    full = replace(DAYS, pointer="/a", unit="forecast", paste="x")
    records = [json.loads(line) for line in json_form.render([full, NOTHING]).splitlines()]
    assert [list(validator.iter_errors(record)) for record in records] == [[], []]
    assert records[0]["span"] == {"path": "weather.py", "line": 4, "column": 25, "endLine": 4, "endColumn": 29}
    assert "span" not in records[1]


def test_github_commands_are_escaped():
    hostile = replace(DAYS, message="100%\n::error::x", hint=None, span=span(path="a,b:c.py"))
    assert github.render([hostile]) == (
        "::warning file=a%2Cb%3Ac.py,line=4,endLine=4,col=25,endColumn=28,"
        "title=MG104 untyped-parameter::100%25%0A::error::x\n"
    )


@given(st.text())
def test_a_github_command_is_always_one_line(text):
    shown = github.render([replace(DAYS, message=text, hint=text, span=span(path=text))])
    assert shown.count("\n") == 1
    assert "\r" not in shown


def test_sarif_names_rules_once_and_places_by_characters():
    log = json.loads(sarif.render([DAYS, replace(DAYS, span=span(5)), NOTHING], version="1.2.3"))
    run = log["runs"][0]
    assert (log["version"], run["columnKind"], run["tool"]["driver"]["version"]) == (
        "2.1.0",
        "unicodeCodePoints",
        "1.2.3",
    )
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["MG104", "MG308"]
    assert [each["ruleIndex"] for each in run["results"]] == [0, 0, 1]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 4, "startColumn": 25, "endLine": 4, "endColumn": 29}
    assert "locations" not in run["results"][2]


@given(st.text())
def test_plain_text_has_no_character_that_commands_a_terminal(text):
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", plain(text))


def test_width_counts_columns():
    assert [width(text) for text in ("abc", "天気", "e\u0301")] == [3, 4, 1]


def test_rule_codes_and_names_are_unique_and_well_formed():
    assert len({each.code for each in RULES}) == len({each.name for each in RULES}) == len(RULES)
    assert all(re.fullmatch(r"MG[1-79]\d\d", each.code) for each in RULES)
    assert all(re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", each.name) for each in RULES)
    assert all(each.summary.endswith(".") for each in RULES)
