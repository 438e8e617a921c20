"""The command line of an emitted server: banner, version, log flags and the settings that say the same."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.runtime.server.behaviour import TOOLS, call, emitted, line, piped

if TYPE_CHECKING:
    pass


@pytest.mark.requirement("R008")
@pytest.mark.parametrize("words", [(), ("--verbose",)])
def test_the_banner_goes_to_standard_error_only_and_only_when_wanted(argv, words):
    done = subprocess.run([*argv, *words], input=line(1, "ping"), capture_output=True, timeout=20, check=True)
    assert [json.loads(each)["id"] for each in done.stdout.splitlines()] == [1]
    banner = done.stderr.decode()
    if not words:
        assert banner == ""
        return
    assert "MCP server ready: behaviour" in banner
    assert f"{len(TOOLS)} (add, nap, loop" in banner
    assert "2025-11-25" in banner
    assert banner.count('{"jsonrpc"') == 3
    assert "Ctrl+C" in banner


@pytest.mark.requirement("R191")
def test_the_version_option_prints_name_and_version(argv):
    done = subprocess.run([*argv, "--version"], capture_output=True, timeout=20, check=True)
    assert done.stdout == b"behaviour 0.1.0\n"


@pytest.mark.parametrize(
    "words", [["--nope"], ["--log-format", "xml"], ["--log-file"], ["--log-file", "/no/such/folder/log"]]
)
def test_a_command_line_it_does_not_understand_ends_with_2_and_says_why(argv, words):
    done = subprocess.run([*argv, *words], input=b"", capture_output=True, timeout=20, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"behaviour: " in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.requirement("R127")
def test_the_log_is_on_standard_error_and_nothing_but_messages_on_standard_output(argv):
    done = subprocess.run(argv, input=call(1, "add", a=1, b=1), capture_output=True, timeout=20, check=True)
    assert [json.loads(each)["id"] for each in done.stdout.splitlines()] == [1]
    assert done.stderr.startswith(b"call add ok ")


@pytest.mark.requirement("R196")
def test_log_lines_follow_the_flags(argv, tmp_path):
    place = tmp_path / "server.log"
    words = ["--log-format=json", "--log-file", str(place), "--obscure-errors"]
    code, answers, _ = piped([*argv, *words], call(1, "add", a=1, b=1) + call(2, "add", a=1))
    assert code == 0
    assert {answer["id"] for answer in answers} == {1, 2}
    lines = [json.loads(each) for each in place.read_text(encoding="utf-8").splitlines()]
    assert {each["tool"] for each in lines} == {"add"}
    assert sorted(each["ok"] for each in lines if each["msg"] == "call") == [False, True]


def test_settings_choose_the_log_and_hide_errors_like_the_flags(tmp_path):
    project = emitted(tmp_path, {"log_format": "json", "obscure_errors": True})
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(project / "server.py")],
        input=call(1, "reads"),
        capture_output=True,
        timeout=20,
        check=True,
    )
    shown = json.loads(done.stdout)["result"]["content"][0]["text"]
    assert "EOFError" not in shown
    assert all(json.loads(each)["msg"] in {"call", "fault"} for each in done.stderr.splitlines())
