"""The validator is on the path of a server's first call: what it imports is paid there."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = ("re", "json", "typing", "dataclasses", "enum", "functools", "decimal", "urllib", "unicodedata", "inspect")

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
from generator.runtime.schema.validator import compile_validator
schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"enum": ["x", 1]},
          "c": {"anyOf": [{"type": "array", "items": {"$ref": "#"}}, {"type": "null"}]}}, "required": ["a"]}
validator = compile_validator(schema)
assert validator.accepts({"a": 1, "c": [{"a": 2}]})
assert validator.problems({"a": 0, "c": 5})
print(*sorted(set(sys.modules) - before))
"""


def test_validating_and_explaining_import_nothing_heavy(root: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROGRAM, str(root)], capture_output=True, text=True, timeout=60, check=True
    )
    imported = run.stdout.split()
    assert "generator.runtime.schema.validator" in imported
    assert [name for name in HEAVY if name in imported] == []
    assert "generator.runtime.schema.formats" not in imported
    assert "generator.runtime.schema.patterns" not in imported
