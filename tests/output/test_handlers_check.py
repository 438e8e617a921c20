"""Checking the user's part in an API's server: `handlers.py` is imported, in a process of its own."""

import json
import sys

import pytest

from generator.diagnostics.model import Severity
from generator.output import handlers_check
from generator.output.handlers_check import handlers_problems, syntax_problem

WORDS = (sys.executable, "-I", "-S")


@pytest.fixture
def problems(tmp_path):
    """Return the messages about a source of handlers in a project with two operations."""
    package = tmp_path / "pets_mcp"
    alias = package / "_runtime" / "server" / "authoring_alias.py"
    alias.parent.mkdir(parents=True)
    alias.write_text("def install(): pass\n", encoding="utf-8")
    operations = {"operations": {"GET /pets/{id}": {}, "GET /pets": {}}}
    (package / "operations.json").write_text(json.dumps(operations), encoding="utf-8")

    def check(source: str):
        (package / "handlers.py").write_text(source, encoding="utf-8")
        return handlers_problems(tmp_path, "pets_mcp", WORDS)

    return check


GOOD = """
from . import helper_of_mine

def before_request(operation, request): ...
def after_response(operation, response, *, extra=1): ...
operations = {"GET /pets/{id}": print, "GET /pets": after_response}
"""


def test_sound_handlers_are_not_spoken_of_and_leave_nothing_behind(problems, tmp_path):
    (tmp_path / "pets_mcp" / "helper_of_mine.py").write_text("", encoding="utf-8")
    before = set(tmp_path.rglob("*"))
    assert problems(GOOD) == ()
    assert set(tmp_path.rglob("*")) - before == {tmp_path / "pets_mcp" / "handlers.py"}


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("x = 1\ndef f(:\n", "it cannot be imported: SyntaxError", 2),
        ("\nimport requests\n", "it cannot be imported: ModuleNotFoundError: No module named 'requests'", 2),
        ("raise SystemExit(3)\n", "it cannot be imported: SystemExit: 3", 1),
        ("def before_request(request): ...\n", "`before_request` must take two arguments", 1),
        ("async def after_response(o, r): ...\n", "`after_response` is called and not awaited", 1),
        ("operations = []\n", "`operations` must be a dict of functions by operation, not list", None),
        ("operations = {'GET /pets': 1}\n", "`operations` has something for `GET /pets` that cannot be called", None),
        ("operations = {'GET /x': print}\n", "`GET /x` in `operations` is no operation of this server", None),
    ],
)
def test_what_would_fail_or_have_no_effect_is_said_with_its_place(problems, source, message, line):
    (found,) = problems(source)
    assert found.rule.name == "broken-handlers"
    assert message in found.message
    assert (found.span.line if found.span else None) == line


def test_an_unknown_operation_is_told_with_the_nearest(problems):
    (found,) = problems("operations = {'GET /pet/{id}': print}\n")
    assert found.hint == "Did you mean `GET /pets/{id}`?"


def test_an_import_that_does_not_end_is_bounded(problems, monkeypatch):
    monkeypatch.setattr(handlers_check, "SECONDS", 0.5)
    (found,) = problems("while True: pass\n")
    assert "did not end" in found.message


def test_a_process_that_ends_without_an_answer_is_a_diagnostic(problems):
    (found,) = problems("import os\nos._exit(0)\n")
    assert "it cannot be imported" in found.message


def test_a_project_without_handlers_has_none_to_check(tmp_path):
    assert handlers_problems(tmp_path, "pets_mcp", WORDS) == ()


def test_a_build_warns_of_what_cannot_be_compiled():
    found = syntax_problem("out/handlers.py", b"x = 1\ndef f(:\n")
    assert (found.level, found.span.line) == (Severity.WARNING, 2)
    assert syntax_problem("out/handlers.py", b"x = 1\n") is None
