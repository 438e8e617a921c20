"""Built samples, copies of them that may be broken, and one check at a time."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from generator.verify.checks.drift import source_folder
from generator.verify.finding import Finding
from generator.verify.run import run
from generator.verify.subject import Subject, of_command, of_folder
from tests.command import ROOT, mcpgen

SECONDS = 20.0
"""For one answer of a server that gives one; a loaded machine is slow, not wrong."""

SAMPLES = {
    "weather": ("weather/weather.py", "build"),
    "board": ("board/board.py", "build"),
    "text_tools": ("text_tools/text_tools.py", "build"),
    "invoices": ("invoices/invoices.py", "build"),
    "petstore": ("petstore/openapi.yaml", "from-openapi"),
}


@pytest.fixture(scope="session")
def built_samples(tmp_path_factory) -> dict[str, Path]:
    """The projects of all samples, beside copies of their sources; not to be changed."""
    projects = {}
    for name, (source, verb) in SAMPLES.items():
        folder = tmp_path_factory.mktemp("samples") / name
        shutil.copytree(ROOT / "samples" / name, folder, ignore=shutil.ignore_patterns("__pycache__", "*-mcp"))
        done = mcpgen(verb, Path(source).name, "-o", "project", "--quiet", cwd=folder)
        assert done.returncode == 0, done.stderr
        projects[name] = folder / "project"
    return projects


@pytest.fixture
def project(built_samples, tmp_path):
    """A function that copies a sample with its source, so that the copy may be broken."""

    def copied(name: str = "weather") -> Path:
        target = tmp_path / name
        shutil.copytree(built_samples[name].parent, target, ignore=shutil.ignore_patterns("__pycache__"))
        return target / "project"

    return copied


@pytest.fixture
def check():
    """A function that runs one check over a folder, or over a foreign command, and returns what it found."""

    def found(subject: Path | list[str] | Subject, wanted: str, *, timeout: float = SECONDS, **options) -> Finding:
        if isinstance(subject, Path):
            subject = of_folder(subject, sys.executable)
            lock = subject.project.lock
            options.setdefault("source", source_folder(subject.project.folder, lock) if lock else None)
        elif isinstance(subject, list):
            subject = of_command(tuple(subject))
        report = run(subject, only={wanted}, timeout=timeout, **options)
        ((_, finding),) = report.findings
        return finding

    return found
