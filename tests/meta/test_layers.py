"""The layers of the house are enforced, not described."""

import os
import subprocess
import sys


def test_import_linter_keeps_every_contract(root):
    environment = os.environ | {"PYTHONPATH": str(root)}
    program = "import sys; from importlinter.cli import lint_imports_command; sys.argv = ['lint-imports', '--no-cache']"
    ended = subprocess.run(
        [sys.executable, "-c", f"{program}; lint_imports_command()"],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-4000:] + ended.stderr[-2000:]
    assert " 0 broken" in ended.stdout
