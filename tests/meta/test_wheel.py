"""The wheel: what is in it, and that it works where nothing else of the checkout is."""

import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=root,
        capture_output=True,
        timeout=100,
        check=True,
    )
    (path,) = folder.glob("*.whl")
    return path


def test_the_top_level_names_are_exactly_ours(wheel):
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    (metadata,) = (name for name in names if name.endswith(".dist-info"))
    assert names == {"generator", "mcpgen", metadata}
    assert re.fullmatch(r"mcpgen-[0-9][^-]*\.dist-info", metadata)


def test_templates_schemas_and_type_marker_are_shipped(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "mcpgen/py.typed",
        "mcpgen/__init__.py",
        "generator/_schemas/ir.schema.json",
        "generator/_schemas/config.schema.json",
        "generator/runtime/authoring/__init__.py",
    } <= names
    assert any(name.startswith("generator/_templates/") for name in names)
    assert not [name for name in names if "__pycache__" in name or name.startswith(("tests", "samples"))]


def test_the_vendored_authoring_package_is_the_shipped_one(wheel):
    archive = zipfile.ZipFile(wheel)
    shipped = {name: archive.read(name) for name in archive.namelist() if name.startswith("mcpgen/")}
    assert shipped == {name: archive.read(f"generator/runtime/authoring/{name[7:]}") for name in shipped}


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Install the wheel alone into an environment that borrows only the third-party packages of this one."""
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], timeout=100, check=True)
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(_python(folder)),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*install, str(wheel)], timeout=100, check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def _run(installed, folder, *words):
    command = _python(installed).with_name("mcpgen.exe" if sys.platform == "win32" else "mcpgen")
    return subprocess.run([str(command), *words], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.requirement("R191")
def test_the_installed_command_tells_its_version(installed, tmp_path, wheel):
    ended = _run(installed, tmp_path, "--version")
    assert ended.stdout == f"mcpgen {wheel.name.split('-')[1]}\n", ended.stderr


def test_a_strangers_generator_module_does_not_matter(installed, tmp_path):
    (tmp_path / "generator.py").write_text("raise SystemExit('a stranger was imported')\n", encoding="utf-8")
    command = [str(_python(installed)), "-m", "mcpgen", "--version"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.stdout.startswith("mcpgen "), ended.stderr


def test_the_installed_command_builds_a_server(installed, tmp_path):
    docstring = '"""Add two numbers.\n\n    Args:\n        a: One.\n        b: Other.\n    """'
    module = f"def add(a: int, b: int) -> int:\n    {docstring}\n    return a + b\n"
    (tmp_path / "sums.py").write_text(module, encoding="utf-8")
    ended = _run(installed, tmp_path, "build", "sums.py", "--strict")
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "sums-mcp" / "sums_mcp" / "catalog.json").is_file()
