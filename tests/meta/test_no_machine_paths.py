"""No file of the project knows the machine it was written on."""

import sys
from pathlib import Path

SUFFIXES = frozenset({".py", ".toml", ".md", ".json", ".jinja", ".txt", ".yaml", ".yml", ".jsonl", ""})

SKIPPED = frozenset(
    {".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__", "out", "dist"}
)
"""Folders that are not the project; `out` below tests/golden is looked at all the same."""


def _places(root):
    """Return the folders of this machine that a file could have caught: the checkout, its neighbour, our Python."""
    places = {root, root.parent / "shared", Path(sys.prefix), Path(sys.prefix).parent}
    # A place at the top of the file system is called the same on every machine.
    return sorted(str(place).encode() for place in places if len(place.parts) > 2)


def test_no_absolute_path_of_a_machine_is_in_any_file(root):
    found = []
    home = str(Path.home()).encode() + b"/"
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        ours = not SKIPPED & set(parts[:1]) and "__pycache__" not in parts and ".venv" not in parts
        if ours and path.is_file() and path.suffix in SUFFIXES:
            content = path.read_bytes()
            here = [*_places(root), *([] if parts[0] == "tests" else [home])]  # tests speak of invented homes
            found += [f"{path.relative_to(root)}: {place.decode()}" for place in here if place in content]
    assert found == []
