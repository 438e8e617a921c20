"""The `mcpgen` command starts although anybody may have a `generator.py`."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

OURS = "__mcpgen__ = True\n"
APPLICATION = "def main():\n    print('ours', __name__)\n    return 0\n"
STRANGER = "print('a stranger ran')\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def site(tmp_path, root):
    """Return a folder laid out like an installed wheel."""
    folder = tmp_path / "site"
    authoring = root / "generator" / "runtime" / "authoring"
    shutil.copytree(authoring, folder / "mcpgen", ignore=shutil.ignore_patterns("__pycache__"))
    write(folder / "generator" / "__init__.py", OURS)
    write(folder / "generator" / "cli" / "__init__.py", "")
    write(folder / "generator" / "cli" / "process.py", APPLICATION)
    return folder


def launch(site, folder, *arguments, path=()):
    command = [sys.executable, "-S", "-c", "import sys, mcpgen; sys.exit(mcpgen.main())", *arguments]
    search = ":".join(map(str, (*path, site)))
    environment = {"PYTHONPATH": search, "PYTHONDONTWRITEBYTECODE": "1", "PATH": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_the_sibling_runs_although_the_current_folder_has_a_generator(site, tmp_path):
    write(tmp_path / "here" / "generator.py", STRANGER)
    done = launch(site, tmp_path / "here")
    assert (done.returncode, done.stdout, done.stderr) == (0, "ours generator.cli.process\n", "")


def test_the_sibling_runs_although_pythonpath_has_a_generator(site, tmp_path):
    write(tmp_path / "other" / "generator" / "__init__.py", STRANGER)
    assert launch(site, tmp_path, path=[tmp_path / "other"]).stdout == "ours generator.cli.process\n"


def test_an_editable_install_is_found_behind_a_stranger(site, tmp_path):
    (site / "generator").rename(tmp_path / "generator")
    write(tmp_path / "other" / "generator" / "__init__.py", STRANGER)
    assert launch(site, site, path=[tmp_path / "other", tmp_path]).stdout == "ours generator.cli.process\n"


def test_a_generator_that_was_overwritten_is_explained(site, tmp_path):
    write(site / "generator" / "__init__.py", "")
    done = launch(site, tmp_path)
    assert done.returncode == 2
    assert "another distribution or file provides the Python package `generator`" in done.stderr
    assert "= hint: " in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_generator_is_explained(site, tmp_path):
    shutil.rmtree(site / "generator")
    done = launch(site, tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "mcpgen cannot start" in done.stderr


def test_the_copy_inside_a_server_says_that_mcpgen_is_not_installed(site, tmp_path):
    (site / "mcpgen").rename(tmp_path / "authoring")
    for name in ("weather_mcp", "weather_mcp/_runtime"):
        write(tmp_path / name / "__init__.py", "")
    (tmp_path / "authoring").rename(tmp_path / "weather_mcp" / "_runtime" / "authoring")
    code = "import sys, weather_mcp._runtime.authoring as copy; sys.exit(copy.main())"
    done = subprocess.run(
        [sys.executable, "-B", "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("mcpgen is not installed here")


def test_python_m_mcpgen_is_the_command(site, tmp_path):
    environment = {"PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1", "PATH": ""}
    command = [sys.executable, "-m", "mcpgen"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "ours generator.cli.process\n")


def test_importing_the_authoring_api_loads_next_to_nothing(site, tmp_path):
    heavy = {"typing", "dataclasses", "enum", "re", "json", "asyncio", "collections", "inspect", "pathlib", "functools"}
    code = f"import sys; sys.path.insert(0, {str(site)!r}); import mcpgen; print(sorted({heavy} & sys.modules.keys()))"
    command = [sys.executable, "-I", "-S", "-B", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
