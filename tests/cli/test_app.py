"""The application that is made for a verb alone says and does what the whole one does."""

import pytest
from typer.testing import CliRunner

from generator.cli.app import _app_for, app

VERBS = ["build", "from-openapi", "gateway", "inspect", "explain"]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("words", [["--help"], ["--no-such-option"], []])
def test_a_verb_alone_answers_as_among_the_others(verb, words):
    alone = _app_for([verb, *words])
    assert alone is not app
    answers = [CliRunner().invoke(each, [verb, *words], prog_name="mcpgen") for each in (alone, app)]
    assert answers[0].output == answers[1].output
    assert answers[0].exit_code == answers[1].exit_code


@pytest.mark.parametrize("words", [[], ["--help"], ["bild"], ["registry", "list"], ["--version", "build"]])
def test_anything_else_is_for_the_whole(words):
    assert _app_for(words) is app
