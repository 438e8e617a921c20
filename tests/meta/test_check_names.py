"""`.ci/test`, as whoever reads the README meets it, and what it counts as a failure."""

import os
import shutil
import subprocess

import pytest

from tests.command import ROOT

PYTHON = """#!/bin/sh
case "$*" in *pytest*) : > "$LEFT" ;; esac
"""
"""Stands for a Python whose tests all pass and leave an empty file."""


def test_a_misspelt_check_is_refused_before_anything_is_installed(tmp_path):
    environment = {**os.environ, "MCPGEN_VENV": str(tmp_path / "environment")}
    words = ["bash", str(ROOT / ".ci/test"), "format", "tets"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "unknown check: tets (format lint types layers tests)\n"
    assert not (tmp_path / "environment").exists()


@pytest.mark.parametrize(("left", "said"), [("events.jsonl", "?? events.jsonl\n"), (".venv/x", ""), ("old.txt", "")])
def test_what_tests_leave_in_the_checkout_is_a_failure_unless_it_is_ignored_or_was_there(tmp_path, left, said):
    for folder in (".ci", ".venv", "tests"):
        (tmp_path / folder).mkdir()
    shutil.copy(ROOT / ".ci/environment", tmp_path / ".ci")
    shutil.copy(ROOT / ".gitignore", tmp_path)
    python = tmp_path / ".venv/python"
    python.write_text(PYTHON, encoding="utf-8")
    python.chmod(0o755)
    (tmp_path / "old.txt").touch()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True, timeout=60)
    words = ["bash", "-euo", "pipefail", "-c", "source .ci/environment; tests_with .venv/python tests"]
    environment = {**os.environ, "LEFT": left}
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == (1 if said else 0), done.stderr
    assert done.stdout.endswith(f"\n== what tests left or changed in the checkout\n{said}") is bool(said)
