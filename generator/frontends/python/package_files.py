"""Which files of a folder belong to it: what is code or data of a package, and what is merely lying there."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .secrets_guard import looks_secret

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_DEPTH = 24
"""Folders within folders that are followed; deeper ones are generated or hostile."""

_DATA = frozenset(
    {
        ".avif", ".avro", ".bin", ".bmp", ".bz2", ".cfg", ".conf", ".css", ".csv", ".dat", ".db", ".docx", ".feather",
        ".geojson", ".gif", ".gql", ".graphql", ".gz", ".htm", ".html", ".ico", ".ics", ".ini", ".j2", ".jinja",
        ".jinja2", ".jpeg", ".jpg", ".js", ".json", ".json5", ".jsonl", ".jsonschema", ".lark", ".lua", ".mako",
        ".md", ".mjs", ".mo", ".mp3", ".mustache", ".ndjson", ".npy", ".npz", ".onnx", ".otf", ".parquet", ".pdf",
        ".png", ".po", ".prompt", ".properties", ".proto", ".pyi", ".rst", ".sql", ".sqlite", ".sqlite3", ".svg",
        ".tab", ".template", ".tmpl", ".toml", ".tpl", ".tsv", ".ttf", ".txt", ".wasm", ".wav", ".webp", ".woff",
        ".woff2", ".xlsx", ".xml", ".xsd", ".xsl", ".xslt", ".xz", ".yaml", ".yml", ".zip",
    }
)  # fmt: skip
"""Kinds of file that packages carry as data; others are copied only when they are named."""

_LEFT_OUT = frozenset({"build", "dist", "node_modules", "test", "tests", "venv"})
_NAMES = frozenset({"py.typed", "LICENSE", "NOTICE"})


def files_below(folder: Path, *, tests: bool = False) -> Iterator[Path]:
    """Yield the Python and data files below a folder in a stable order; links to folders are not followed.

    Left out are hidden files and folders, caches, builds, environments, what looks like a secret, and unless `tests` is
    set the folders `test` and `tests`.
    """
    yield from _walk(folder, 0, tests=tests)


def _walk(folder: Path, depth: int, *, tests: bool) -> Iterator[Path]:
    if depth > MAX_DEPTH:
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        path = folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            if _wanted_folder(path, tests=tests):
                yield from _walk(path, depth + 1, tests=tests)
        elif entry.is_file() and _wanted_file(path):
            yield path


def _wanted_folder(path: Path, *, tests: bool) -> bool:
    name = path.name
    if name.startswith((".", "__pycache__")) or name.endswith((".egg-info", ".dist-info")):
        return False
    if (path / "pyvenv.cfg").is_file():
        return False
    return name not in _LEFT_OUT or (tests and name in {"test", "tests"})


def _wanted_file(path: Path) -> bool:
    if path.name.startswith(".") or looks_secret(path):
        return False
    return path.suffix == ".py" or path.suffix.lower() in _DATA or path.name in _NAMES
