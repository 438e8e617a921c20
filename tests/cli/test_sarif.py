"""`--format sarif`: the document is what standard output holds, unless another result for machines was asked for."""

import json

import pytest

from generator.diagnostics.model import Diagnostic
from generator.diagnostics.rules import rule

LEFT_OUT = Diagnostic(rule=rule("unsupported-type"), message="`x` of tool `f` has no JSON form", unit="f(x)")


def results(text):
    return [each["ruleId"] for each in json.loads(text)["runs"][0]["results"]]


@pytest.mark.parametrize(
    ("words", "code"), [(["build"], 0), (["inspect"], 0), (["build", "--check"], 4), (["build", "--dry-run"], 0)]
)
def test_standard_output_is_the_document_alone(run, pipeline, words, code):
    verb, *mode = words
    pipeline.diagnostics = (LEFT_OUT,)
    ended = run(verb, "weather.py", *mode, "--format", "sarif")
    assert (ended.code, ended.err) == (code, "")
    assert results(ended.out) == ["MG102", *(["MG603"] if code else [])]


def test_a_document_is_written_even_when_there_is_nothing_to_say(run, pipeline):
    assert results(run("build", "weather.py", "--quiet", "--format", "sarif").out) == []


def test_a_refusal_is_in_the_document(run, pipeline):
    ended = run("build", "weather.py", "--name", "BAD", "--format", "sarif")
    assert (ended.code, results(ended.out), ended.err) == (2, ["MG310"], "")


@pytest.mark.parametrize(("words", "start"), [(["inspect", "--ir"], "{"), (["build", "--diff"], "--- ")])
def test_another_result_keeps_standard_output(run, pipeline, words, start):
    verb, *mode = words
    ended = run(verb, "weather.py", *mode, "--format", "sarif")
    assert (ended.out.startswith(start), results(ended.err)) == (True, [])


@pytest.mark.parametrize("verb", ["build", "inspect"])
def test_help_says_where_each_form_goes(run, verb):
    said = " ".join(run(verb, "--help").out.split())
    assert "sarif's document goes to standard output" in said
    assert "github's commands too" in said
    assert "[human|json|github|sarif]" in said


@pytest.mark.parametrize(
    ("option", "choices"), [("--format", "human, json, github, sarif"), ("--color", "auto, always, never")]
)
def test_a_wrong_choice_is_told_in_plain_words(run, option, choices):
    ended = run("build", "weather.py", option, "xml")
    assert ended.code == 2
    first = f"error[MG710] wrong-usage: invalid value for '{option}': 'xml' is not one of {choices}\n"
    assert ended.err.startswith(first)
