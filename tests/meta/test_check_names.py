"""`.ci/test`, as whoever reads the README meets it."""

import os
import subprocess

from tests.command import ROOT


def test_a_misspelt_check_is_refused_before_anything_is_installed(tmp_path):
    environment = {**os.environ, "MCPGEN_VENV": str(tmp_path / "environment")}
    words = ["bash", str(ROOT / ".ci/test"), "format", "tets"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "unknown check: tets (format lint types layers tests)\n"
    assert not (tmp_path / "environment").exists()
