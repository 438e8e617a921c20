"""The command that starts a server: its interpreter has what the server needs, and stays where it is."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from generator.backends.project import project
from generator.cli.launch import base_interpreter, launch
from generator.cli.summary import Made, human
from generator.frontends.python.environment import Environment, own_environment
from generator.ir.model import ConfigEntry
from generator.output.plan import Plan

from .conftest import SERVER

VENV = Environment(paths=(), executable=Path("/project/.venv/bin/python"))
NEEDY = (
    dataclasses.replace(SERVER, dependencies=("httpx",)),
    dataclasses.replace(SERVER, settings={"needs_site": True}),
)


@pytest.mark.parametrize("server", NEEDY)
def test_what_was_looked_up_is_imported_by_the_interpreter_of_that_environment(server, tmp_path):
    assert launch(server, VENV, tmp_path) == ("/project/.venv/bin/python", "-I", str(tmp_path / "server.py"))
    assert launch(server, own_environment(), tmp_path)[:2] == (sys.executable, "-I")


def test_a_server_without_dependencies_needs_no_site_packages(tmp_path):
    started = launch(SERVER, VENV, tmp_path)
    assert started == ("/project/.venv/bin/python", "-I", "-S", str(tmp_path / "server.py"))


def test_the_environment_of_mcpgen_itself_is_not_named_where_nothing_of_it_is_needed(tmp_path):
    assert launch(SERVER, own_environment(), tmp_path)[0] == base_interpreter()


@pytest.mark.parametrize("changes", [{"version": (3, 9, 1)}, {"executable": None}])
def test_an_environment_that_cannot_run_a_server_is_not_named(changes, tmp_path):
    assert launch(SERVER, dataclasses.replace(VENV, **changes), tmp_path)[0] == base_interpreter()


def test_without_an_interpreter_at_hand_the_name_of_one_is_given(tmp_path):
    assert launch(NEEDY[0], dataclasses.replace(VENV, executable=None), tmp_path)[0] == "python3"


def test_the_base_interpreter_is_of_our_version_and_outside_of_virtual_environments():
    program = "import sys; print(sys.version_info[:2], sys.prefix == sys.base_prefix)"
    ended = subprocess.run(
        [base_interpreter(), "-I", "-S", "-c", program], capture_output=True, text=True, timeout=30, check=True
    )
    assert ended.stdout.strip() == f"{sys.version_info[:2]} True"


def test_a_relative_folder_becomes_absolute(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert launch(SERVER, VENV, Path("weather-mcp"))[-1] == str(tmp_path / "weather-mcp" / "server.py")


@pytest.mark.parametrize("server", [SERVER, NEEDY[1]])
def test_the_next_step_is_the_command_of_the_projects_readme_with_this_machines_paths(server, tmp_path):
    config = (ConfigEntry(name="token", env="WEATHER_TOKEN"), ConfigEntry(name="zone", env="ZONE", default="utc"))
    server = dataclasses.replace(server, config=config)
    start = launch(server, VENV, tmp_path)
    said = human(Made(server, "out", start, (), Plan(steps=(), files={})), 0).splitlines()[-1]
    shown = next(line for line in project(server)["README.md"].decode().splitlines() if line.startswith("claude"))
    shown = shown.replace("/path/to/weather-mcp", str(tmp_path)).replace(" python3 ", f" {start[0]} ")
    assert said == f"next: mcpgen verify out · {shown}"
    assert "-e WEATHER_TOKEN=your-value -- " in said
