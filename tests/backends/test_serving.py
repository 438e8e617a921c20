"""An emitted project starts in every way that its README names, from anywhere."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from generator.backends.hosts_text import HOSTS, PLACE
from generator.backends.server import render
from generator.config import Config
from generator.frontends.python.environment import own_environment
from generator.pipeline import BuildRequest, build

REQUESTS = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo","days":2}}}\n'
)
SECONDS = 30


def written(server, folder: Path) -> Path:
    for path, content in render(server).tree.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return folder


@pytest.fixture
def project(server, tmp_path) -> Path:
    """The emitted project in a folder whose name has a space, called as its README says."""
    return written(server, tmp_path / "a place" / "weather-mcp")


def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `python3` is the interpreter that runs the tests, and little else."""
    programs = tmp_path / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "python3").unlink(missing_ok=True)
    (programs / "python3").symlink_to(sys.executable)
    return {"PATH": f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin", "HOME": str(tmp_path)}


def answers(command: list[str], *, cwd: Path, env: dict[str, str] | None = None, sent: bytes = REQUESTS):
    done = subprocess.run(command, input=sent, capture_output=True, cwd=cwd, env=env, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return {message["id"]: message["result"] for message in map(json.loads, done.stdout.splitlines())}


def right(replies) -> None:
    assert [tool["name"] for tool in replies[1]["tools"]] == ["forecast", "station"]
    assert replies[2]["structuredContent"] == {"result": ["Oslo: day 0", "Oslo: day 1"]}


@pytest.mark.parametrize("options", [["-I", "-S"], ["-I"], []], ids=["isolated without site", "isolated", "plain"])
def test_the_stub_starts_from_another_folder(project, tmp_path, options):
    right(answers([sys.executable, *options, str(project / "server.py")], cwd=tmp_path))


def test_the_stub_starts_by_its_bare_name(project):
    right(answers([sys.executable, "-I", "-S", "server.py"], cwd=project))


@pytest.mark.requirement("R004")
@pytest.mark.parametrize("flags", [[], ["--mcp"], ["mcp"]])
def test_the_package_starts_as_a_module(project, flags):
    right(answers([sys.executable, "-m", "weather_mcp", *flags], cwd=project))


@pytest.mark.requirement("R061")
def test_the_registry_entrys_command_starts_the_package_from_anywhere(project, tmp_path):
    entry = json.loads((project / "weather_mcp" / "registry-entry.json").read_text(encoding="utf-8"))
    values = {"${python}": sys.executable, "${package}": str(project / "weather_mcp")}
    command = [re.sub(r"\$\{\w+\}", lambda found: values[found[0]], word) for word in entry["command"]]
    right(answers(command, cwd=tmp_path))


@pytest.mark.requirement("R192")
def test_the_readmes_smoke_test_answers(project, tmp_path):
    line = next(line for line in (project / "README.md").read_text(encoding="utf-8").splitlines() if "printf" in line)
    replies = answers(["sh", "-c", line], cwd=project, env=environment(tmp_path), sent=b"")
    assert len(replies[1]["tools"]) == 2


def test_the_snippet_of_every_host_starts_the_server(project, tmp_path):
    blocks = re.findall(r"```(\w+)\n(.*?)\n```", (project / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    started = 0
    for language, content in blocks:
        command = started_by(language, content)
        if command:
            placed = [word.replace(PLACE, str(project.parent)) for word in command]
            right(answers(placed, cwd=tmp_path, env=environment(tmp_path)))
            started += 1
    assert started == len({host.form for host in HOSTS})


def started_by(language: str, content: str) -> list[str] | None:
    """Return the command a snippet makes a host run, or None for a block that is no snippet."""
    if language == "sh":
        return shlex.split(content.partition(" -- ")[2]) if content.startswith("claude ") else None
    document = json.loads(content) if language == "json" else tomllib.loads(content)
    (servers,) = (value for key, value in document.items() if key != "inputs")
    entry = servers["weather"]
    return entry["command"] if isinstance(entry["command"], list) else [entry["command"], *entry["args"]]


def test_the_projects_own_host_file_starts_the_server(project, tmp_path):
    entry = json.loads((project / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["weather"]
    right(answers([entry["command"], *entry["args"]], cwd=project, env=environment(tmp_path)))


def test_a_tool_can_be_invoked_in_a_test_of_the_users(project):
    program = "import weather_mcp, json; print(json.dumps(weather_mcp.invoke('forecast', {'city': 'Oslo', 'days': 1})))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=project, timeout=SECONDS, check=True
    )
    assert json.loads(done.stdout)["structuredContent"] == {"result": ["Oslo: day 0"]}


def test_importing_the_package_imports_nothing_else(project):
    program = (
        "import sys; sys.path.insert(0, '.'); before = set(sys.modules); import weather_mcp; "
        "print(sorted(set(sys.modules) - before), weather_mcp.__version__)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, cwd=project, timeout=SECONDS, check=True
    )
    assert done.stdout.decode().strip() == "['weather_mcp'] 0.1.0"


def wheel(project: Path, place: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(place)]
    subprocess.run(command, cwd=project, capture_output=True, timeout=SECONDS * 2, check=True)
    (built,) = place.glob("*.whl")
    return built


def test_the_wheel_has_the_whole_package_and_is_the_same_each_time(project, server, tmp_path):
    (project / ".gitignore").write_text("*.json*\n_*\n", encoding="utf-8")
    first = wheel(project, tmp_path / "first")
    again = wheel(written(server, tmp_path / "elsewhere" / "weather-mcp"), tmp_path / "second")
    assert first.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(first) as archive:
        carried = {name for name in archive.namelist() if ".dist-info/" not in name}
        metadata = archive.read("weather_mcp-0.1.0.dist-info/METADATA").decode()
        entry_points = archive.read("weather_mcp-0.1.0.dist-info/entry_points.txt").decode()
    assert carried == {path for path in render(server).tree if path.startswith("weather_mcp/")}
    assert "Requires-Dist" not in metadata
    assert "weather-mcp = weather_mcp.__main__:main" in entry_points


ASYNC_MODULE = b'''\
"""Things that wait."""

import asyncio


async def wait(word: str) -> str:
    """Wait a moment."""
    await asyncio.sleep(0)
    return word


def later(word: str) -> object:
    """Return what is awaited."""
    return wait(word)


def here() -> int:
    """Name the thread."""
    import threading

    return threading.get_ident()
'''

IN_A_LOOP = """\
import asyncio, threading, weather_mcp

async def test():
    said = [weather_mcp.invoke(name, {"word": "x"})["content"][0]["text"] for name in ("wait", "later")]
    assert said == ["x", "x"], said
    assert weather_mcp.invoke("here")["structuredContent"] == {"result": threading.get_ident()}
    assert await asyncio.sleep(0, "still here") == "still here"

asyncio.run(test())
assert weather_mcp.invoke("wait", {"word": "y"})["content"][0]["text"] == "y"
assert threading.active_count() == 1
"""


def test_an_async_tool_can_be_invoked_in_an_async_test(tmp_path):
    source = tmp_path / "weather.py"
    source.write_bytes(ASYNC_MODULE)
    request = BuildRequest(source=str(source), config=Config(), environment=own_environment(), name="weather")
    for path, content in build(request).tree.items():
        place = tmp_path / "project" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", IN_A_LOOP],
        capture_output=True,
        text=True,
        cwd=tmp_path / "project",
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
