"""No file of the project knows the machine it was written on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SUFFIXES = frozenset({".py", ".toml", ".md", ".json", ".jinja", ".txt", ".yaml", ".yml", ".jsonl", ""})

SKIPPED = frozenset({".git", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "out", "dist"})
"""Folders at the top that are not the project, for where git cannot tell; `out` below tests/golden is looked at."""

GIT = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")


def _places(root):
    """Return the folders of this machine that a file could have caught: the checkout, its neighbour, our Python."""
    places = {root, root.parent / "shared", Path(sys.prefix), Path(sys.prefix).parent}
    # A place at the top of the file system is called the same on every machine.
    return sorted(str(place).encode() for place in places if len(place.parts) > 2)


def _listed(root):
    """Return the files that git tracks or would track; None without git or outside a checkout."""
    if shutil.which("git") is None or not (root / ".git").exists():
        return None
    ended = subprocess.run(GIT, cwd=root, capture_output=True, timeout=60, check=False)
    return [root / os.fsdecode(name) for name in ended.stdout.split(b"\0") if name] if ended.returncode == 0 else None


def _walked(root):
    """Return the files below a folder, without caches and without virtual environments whatever their names."""
    found = []
    for folder, names, files in os.walk(root):
        skipped = {"__pycache__"} | (SKIPPED if Path(folder) == root else set())
        inside = [name for name in names if name not in skipped]
        names[:] = [name for name in inside if not Path(folder, name, "pyvenv.cfg").is_file()]
        found += [Path(folder, name) for name in files]
    return found


def test_environments_in_the_checkout_are_not_the_project(tmp_path):
    for name in ("a.py", "env/pyvenv.cfg", "env/lib/b.py", "dist/c.py", "sub/dist/d.py", "sub/__pycache__/e.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert _listed(tmp_path) is None
    assert sorted(path.relative_to(tmp_path).as_posix() for path in _walked(tmp_path)) == ["a.py", "sub/dist/d.py"]


def test_no_absolute_path_of_a_machine_is_in_any_file(root):
    found = []
    home = str(Path.home()).encode() + b"/"
    for path in sorted(_listed(root) or _walked(root)):
        parts = path.relative_to(root).parts
        if path.is_file() and path.suffix in SUFFIXES:
            content = path.read_bytes()
            here = [*_places(root), *([] if parts[0] == "tests" else [home])]  # tests speak of invented homes
            found += [f"{path.relative_to(root)}: {place.decode()}" for place in here if place in content]
    assert found == []
