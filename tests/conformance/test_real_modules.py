"""Modules nobody here wrote become servers that give the right answers; so do the samples.

The table is `real_modules.toml`. Every case is built by the command line and called over standard streams.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.stdio_client import StdioServer, stub

ROOT = Path(__file__).resolve().parents[2]
TABLE = tomllib.loads(Path(__file__).with_name("real_modules.toml").read_text(encoding="utf-8"))
SECONDS = 100
"""For one build or one call: a first import of numba or lxml takes many seconds on a loaded machine."""


def build(source: str, folder: Path) -> tuple[Path, list[dict]]:
    """Build a source into a folder and return the project and the diagnostics."""
    command = [sys.executable, "-c", "from generator.cli.app import main; main()", "build", source, "-o", "project"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*command, "--python", sys.prefix, "--format", "json"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "project", diagnostics(done.stderr)


def diagnostics(text: str) -> list[dict]:
    """Return the diagnostics of a JSON report: one a line."""
    return [json.loads(line) for line in text.splitlines()]


def call(project: Path, tool: str, arguments: dict) -> dict:
    with StdioServer(stub(project, sys.executable), cwd=project.parent, timeout=SECONDS) as server:
        server.initialize()
        assert tool in [one["name"] for one in server.tools()]
        return server.call(tool, arguments)


def answered_rightly(case: dict, result: dict) -> None:
    assert not result.get("isError"), result
    text = result["content"][0]["text"] if result["content"] else None
    if "result" in case:
        sent = result["structuredContent"]
        assert {key: sent.get(key) for key in case["result"]} == case["result"]
    elif "json" in case:
        assert json.loads(text) == case["json"]
    else:
        assert text == case["text"]


def catalog(project: Path) -> dict:
    (found,) = project.glob("*_mcp/catalog.json")
    return json.loads(found.read_text(encoding="utf-8"))


def requirements(project: Path) -> list[str]:
    return tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]


@pytest.mark.timeout(2 * SECONDS + 20)
@pytest.mark.parametrize("case", TABLE["module"], ids=[case["name"] for case in TABLE["module"]])
def test_an_installed_module_is_served_by_its_dotted_name(case: dict, tmp_path: Path) -> None:
    project, found = build(case["name"], tmp_path)
    answered_rightly(case, call(project, case["tool"], case["arguments"]))
    assert requirements(project) == ([case["distribution"]] if "distribution" in case else [])
    errors = {(one.get("unit") or "", one["code"]) for one in found if one["severity"] == "error"}
    assert errors == {(name, code) for name, code in case.get("skipped", {}).items()}
    assert not list(project.glob(f"*_mcp/{case['name'].rpartition('.')[2]}.py")), "a linked module is not copied"


@pytest.mark.timeout(2 * SECONDS + 20)
@pytest.mark.parametrize("case", TABLE["package"], ids=[case["name"] for case in TABLE["package"]])
def test_a_package_folder_is_copied_whole_and_runs_without_the_installed_one(case: dict, tmp_path: Path) -> None:
    installed = Path(find_spec(case["name"]).origin).parent
    shutil.copytree(installed, tmp_path / "src" / case["name"], ignore=shutil.ignore_patterns("__pycache__"))
    project, found = build(f"src/{case['name']}", tmp_path)
    assert [one for one in found if one["severity"] == "error"] == []
    assert catalog(project)["needs_site"] is False
    answered_rightly(case, call(project, case["tool"], case["arguments"]))


@pytest.mark.timeout(2 * SECONDS + 20)
@pytest.mark.parametrize("case", TABLE["sample"], ids=[Path(case["path"]).stem for case in TABLE["sample"]])
def test_a_sample_is_served_from_a_copy(case: dict, tmp_path: Path) -> None:
    project, found = build(str(ROOT / case["path"]), tmp_path)
    assert [one for one in found if one["severity"] == "error"] == []
    (package,) = project.glob("*_mcp")
    carried = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert set(case["files"]) <= carried
    assert requirements(project) == []
    assert catalog(project)["needs_site"] is False
    answered_rightly(case, call(project, case["tool"], case["arguments"]))


def test_the_weather_sample_reports_progress_from_an_async_tool(tmp_path: Path) -> None:
    project, _ = build(str(ROOT / "samples/weather/weather.py"), tmp_path)
    with StdioServer(stub(project, sys.executable), timeout=SECONDS) as server:
        server.initialize()
        arguments = {"cities": ["Oslo", "lisbon"], "days": 2}
        params = {"name": "compare", "arguments": arguments, "_meta": {"progressToken": "p"}}
        result = server.request("tools/call", params)
    assert result["structuredContent"] == {"Oslo": 2.5, "Lisbon": 19.5}
    progress = [one["params"] for one in server.notifications if one["method"] == "notifications/progress"]
    assert [(one["progressToken"], one["progress"], one["total"]) for one in progress] == [
        ("p", n, 2) for n in range(3)
    ]


def test_an_error_an_author_raises_on_purpose_reaches_the_model_with_its_hint(tmp_path: Path) -> None:
    project, _ = build(str(ROOT / "samples/weather/weather.py"), tmp_path)
    result = call(project, "forecast", {"city": "Atlantis"})
    assert result["isError"] is True
    text = result["content"][0]["text"]
    assert "no station in Atlantis" in text
    assert "Bergen, Lisbon, Oslo, Vienna" in text


def test_there_are_enough_modules() -> None:
    assert len({case["name"] for case in TABLE["module"]}) >= 12
    assert len(TABLE["sample"]) >= 3
