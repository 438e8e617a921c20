"""The login shell's environment is merged once, carefully, and never stands in the way."""

from __future__ import annotations

import os

import pytest

from generator.runtime.server import login_shell
from generator.runtime.server.invoke import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="login shells are POSIX")


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """Install a shell that runs this script, and undo what it does to the environment."""
    saved = dict(os.environ)

    def install(script):
        path = tmp_path / "shell"
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)
        monkeypatch.setenv("SHELL", str(path))

    yield install
    os.environ.clear()
    os.environ.update(saved)


WITH_ENVIRONMENT = """
echo "welcome to this machine"
PATH="/only/shell:$PATH" NEW_ONE="two
lines" HOME=/other exec /bin/sh -c "$3"
"""


@pytest.mark.requirement("R161")
def test_shell_only_segments_go_in_front_and_set_variables_stay(shell):
    shell(WITH_ENVIRONMENT)
    before = dict(os.environ)
    login_shell.adopt(True)
    assert os.environ["PATH"] == f"/only/shell:{before['PATH']}"
    assert os.environ["NEW_ONE"] == "two\nlines"
    assert os.environ["HOME"] == before["HOME"]


@pytest.mark.requirement("R161")
def test_path_only_takes_nothing_else(shell):
    shell(WITH_ENVIRONMENT)
    login_shell.adopt("PATH")
    assert os.environ["PATH"].startswith("/only/shell:")
    assert "NEW_ONE" not in os.environ


@pytest.mark.requirement("R161")
@pytest.mark.parametrize("script", ["exit 3", "echo nothing of use"])
def test_a_shell_that_fails_is_one_warning(shell, log, script):
    shell(script)
    login_shell.adopt(True)
    assert [line.startswith("warning: going on without the login shell's environment") for line in log()] == [True]


@pytest.mark.requirement("R161")
def test_a_shell_that_hangs_is_ended_with_what_it_started(shell, log, monkeypatch):
    monkeypatch.setattr(login_shell, "TIMEOUT_SECONDS", 0.2)
    shell("/bin/sleep 60 & wait")
    login_shell.adopt(True)
    assert "no answer within 0.2 s" in log()[0]


@pytest.mark.requirement("R161")
def test_it_is_off_unless_the_catalog_says_so_and_happens_before_the_first_call(shell, bench):
    shell(WITH_ENVIRONMENT)
    look = lambda: os.environ.get("NEW_ONE")  # noqa: E731 # a tool without a name of its own
    assert bench.run(look) == {"content": []}
    assert run(bench.call(bench.tool(look, settings={"shell_env": True})))["content"][0]["text"] == "two\nlines"
