"""What is advised about a server that did not say what it offers."""

from __future__ import annotations

import os

import pytest

from generator.frontends.servers.advice import MOST_FOLDERS, advice
from generator.ir.routes import Start


def advised(start, **environ):
    return advice("x", start, registered=False, environ=environ)


def test_a_program_that_is_nowhere_is_told_with_where_it_was_looked_for(tmp_path):
    path = os.pathsep.join(["/one", "/two", "/one"])
    notes, hint = advised(Start(command=("no-such-program", "a"), cwd=str(tmp_path)), PATH=path)
    assert notes == ("`no-such-program` was looked for in the folders of PATH: /one, /two",)
    assert hint == "Install `no-such-program`, correct its name, or name it by its path."
    note, other = advised(Start(command=("no-such-program",), cwd=str(tmp_path)), PATH=path)[0]
    assert other == f"no folder in {tmp_path} and no server in the registry has that name either"
    (note,), _ = advised(
        Start(command=("no-such-program", "a")), PATH=os.pathsep.join(f"/{each}" for each in range(99))
    )
    assert note.endswith(f"/{MOST_FOLDERS - 1} and {99 - MOST_FOLDERS} more")
    (note,), _ = advised(Start(command=("no-such-program", "a")))
    assert note.endswith("PATH: none, since PATH is not set")


def test_a_path_that_leads_nowhere_is_told_with_where_it_is_seen_from(tmp_path):
    _, hint = advised(Start(command=("bin/absent",), cwd=str(tmp_path)))
    assert hint == f"Correct the path of the program, which is seen from {tmp_path}."


def test_a_program_that_is_there_is_to_be_started_by_hand_in_its_folder(tmp_path):
    program = tmp_path / "a b"
    program.write_text("", encoding="utf-8")
    start = Start(command=(str(program), "--deep", "x;y"), cwd=str(tmp_path))
    notes, hint = advised(start)
    assert notes == ()
    assert f"`cd {tmp_path} && '{program}' --deep 'x;y'`" in hint
    assert hint.endswith("Of your variables it gets only those named by `--env x:NAME`.")
    registered = advice("x", start, registered=True, environ={})[1]
    assert registered.endswith("`mcpgen registry add x --env NAME`.")


def test_a_secret_of_the_words_is_not_repeated(tmp_path):
    program = tmp_path / "serve"
    program.write_text("", encoding="utf-8")
    _, hint = advised(Start(command=(str(program), "--token=very-private-1234")))
    assert "very-private" not in hint
    _, hint = advised(Start(url="https://a.example/mcp?key=very-private-1234"))
    assert "very-private" not in hint


@pytest.mark.parametrize("words", [("cd", "/a", "&&", "python", "b"), ("cat", "a", "|", "python")])
def test_words_of_a_shell_are_known_for_what_they_are(words):
    assert advised(Start(command=words), PATH="/one")[1].startswith("No shell runs these words")


def test_an_address_is_to_be_looked_at_and_a_variable_to_be_set():
    start = Start(url="https://a.example/mcp", headers={"Authorization": "Bearer ${TOKEN}"})
    assert advised(start)[1] == "Set TOKEN in the environment; its value is written nowhere."
    assert "`mcpgen verify --url https://a.example/mcp`" in advised(start, TOKEN="x")[1]


def test_a_program_that_is_filled_in_later_is_not_looked_for():
    assert advised(Start(command=("${python}", "x.py"), cwd="/"))[0] == ()
