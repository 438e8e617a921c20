"""The same source gives the same bytes whatever the hash seed, locale, time zone, folder and file times."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CASES = ("records", "local_import_data_file", "config", "openapi_library")
SECONDS = 60
PROGRAM = "from generator.cli.app import main; main()"

SURROUNDINGS = {
    "another hash seed": {"PYTHONHASHSEED": "12345"},
    "another locale": {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0"},
    "another time zone": {"TZ": "Pacific/Kiritimati"},
    "optimised": {"PYTHONOPTIMIZE": "2"},
}


def built(case: str, place: Path, extra: dict[str, str]) -> dict[str, str]:
    """Build a golden case below `place` and return the mode and digest of every file it wrote."""
    place.mkdir(parents=True)
    for path in sorted((ROOT / "tests" / "golden" / case).rglob("*")):
        relative = path.relative_to(ROOT / "tests" / "golden" / case)
        if path.is_file() and relative.parts[0] not in {"out", "__pycache__"}:
            (place / relative).parent.mkdir(parents=True, exist_ok=True)
            (place / relative).write_bytes(path.read_bytes())
            os.utime(place / relative, (1, 1) if extra else None)
    (place / ".git").mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(place),
        "PYTHONHASHSEED": "1",
    } | extra
    words = ["from-openapi", "openapi.yaml", "--stubs"] if (place / "openapi.yaml").exists() else ["build", "input.py"]
    subprocess.run(
        [sys.executable, "-c", PROGRAM, *words, "-o", "made"],
        cwd=place,
        env=environment,
        capture_output=True,
        timeout=SECONDS,
        check=True,
    )
    return {
        path.relative_to(place).as_posix(): f"{path.stat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for path in (place / "made").rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("case", CASES)
def test_two_builds_give_the_same_bytes(case, tmp_path):
    first = built(case, tmp_path / "first", {})
    for name, extra in SURROUNDINGS.items():
        assert built(case, tmp_path / f"an other folder ({name})", extra) == first, name


def test_no_file_names_the_machine(tmp_path):
    place = tmp_path / "a place"
    built("local_import_data_file", place, {})
    for path in (place / "made").rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert str(tmp_path).encode() not in content, path
            assert str(ROOT).encode() not in content, path
