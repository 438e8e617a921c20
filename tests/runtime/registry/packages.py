"""A generated package on disk, as small as one can be."""

from __future__ import annotations

import json
from pathlib import Path

from generator.runtime import VERSION

DIGEST = "sha256:" + "1" * 64

ENTRY = {
    "format": 1,
    "name": "weather",
    "command": ["${python}", "-I", "-S", "${package}/__main__.py"],
    "description": "Weather.",
    "version": "0.1.0",
    "transport": "stdio",
    "env": ["WEATHER_KEY"],
    "digest": DIGEST,
    "tools": 2,
}
CATALOG = {
    "format": 1,
    "runtime": VERSION,
    "id": "weather",
    "tools": [{"definition": {"name": name}} for name in ("forecast", "compare")],
}


def make(folder: Path, entry=None, catalog=None) -> Path:
    """Write a project with a package; returns the package's folder."""
    package = folder / "weather_mcp"
    package.mkdir(parents=True)
    (folder / "mcpgen.lock").write_text("{}", encoding="utf-8")
    (package / "__main__.py").write_text("print('serving')\n", encoding="utf-8")
    (package / "weather.py").write_text("def forecast(): ...\n", encoding="utf-8")
    (package / "registry-entry.json").write_text(json.dumps({**ENTRY, **(entry or {})}), encoding="utf-8")
    (package / "catalog.json").write_text(json.dumps({**CATALOG, **(catalog or {})}), encoding="utf-8")
    return package
