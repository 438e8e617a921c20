"""The project folder: what people, hosts and packagers read."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib

import jsonschema
import pytest

from generator.backends.hosts_text import HOSTS, PLACE, Launch
from generator.backends.server import render
from generator.ir.model import ConfigEntry


def text(server, path: str) -> str:
    return render(server).tree[path].decode("utf-8")


def snippet(name: str, env: tuple[str, ...] = ()) -> str:
    host = next(host for host in HOSTS if host.name == name)
    return host.form(Launch("weather", "python3", ("-I", "-S", f"{PLACE}/weather-mcp/server.py"), env))


def test_the_tree_is_what_the_architecture_shows(server):
    paths = {path for path in render(server).tree if "/_runtime/" not in path}
    assert paths == {
        "pyproject.toml",
        "README.md",
        "server.py",
        "routes.json",
        ".mcp.json",
        "weather_mcp/__init__.py",
        "weather_mcp/__main__.py",
        "weather_mcp/asgi.py",
        "weather_mcp/py.typed",
        "weather_mcp/catalog.json",
        "weather_mcp/catalog.cache.jsonl",
        "weather_mcp/registry-entry.json",
        "weather_mcp/weather.py",
    }


def test_every_text_file_has_line_feeds_only_and_ends_with_one(server):
    for path, content in render(server).tree.items():
        if "/_runtime/" not in path and content:
            assert b"\r" not in content, path
            assert content.endswith(b"\n"), path


def test_the_project_says_what_it_depends_on_and_how_it_starts(make):
    project = tomllib.loads(text(make(dependencies=("httpx>=0.27", 'x; python_version < "3.12"')), "pyproject.toml"))
    assert project["project"] == {
        "name": "weather-mcp",
        "version": "0.1.0",
        "description": "Forecasts and stations.",
        "readme": "README.md",
        "requires-python": ">=3.11",
        "dependencies": ["httpx>=0.27", 'x; python_version < "3.12"'],
        "scripts": {"weather-mcp": "weather_mcp.__main__:main"},
    }
    assert project["build-system"]["build-backend"] == "hatchling.build"


@pytest.mark.requirement("R172")
def test_a_server_without_dependencies_of_its_own_has_none(server):
    assert tomllib.loads(text(server, "pyproject.toml"))["project"]["dependencies"] == []


@pytest.mark.requirement("R004")
def test_the_console_script_starts_the_packages_main(server):
    assert tomllib.loads(text(server, "pyproject.toml"))["project"]["scripts"] == {
        "weather-mcp": "weather_mcp.__main__:main"
    }


def test_a_description_of_many_lines_is_one_line_of_the_project(make):
    project = tomllib.loads(text(make(description="First.\n\nSecond\u2028line"), "pyproject.toml"))
    assert project["project"]["description"] == "First."


def test_a_server_without_a_description_still_has_a_summary(make):
    project = tomllib.loads(text(make(description="", title=None), "pyproject.toml"))
    assert project["project"]["description"] == "The MCP server weather"


def test_the_readme_has_one_row_for_each_tool(server):
    readme = text(server, "README.md")
    assert "| `forecast` | Forecast for a city. |\n| `station` | Find a station. |\n" in readme


def test_the_readme_has_the_names_of_the_settings_and_no_values(make):
    server = make(config=(ConfigEntry(name="token", env="WEATHER_TOKEN", sensitive=True, default="hunter2"),))
    readme = text(server, "README.md")
    assert "| `WEATHER_TOKEN` | token |" in readme
    assert "hunter2" not in readme


@pytest.mark.requirement("R192")
def test_the_readme_has_a_smoke_test_of_one_line(server):
    line = next(line for line in text(server, "README.md").splitlines() if line.startswith("printf"))
    request = json.loads(re.search(r"'(\{.*\})'", line)[1])
    assert request["method"] == "tools/list"


def test_the_readme_has_no_gaps_of_blank_lines(server, make):
    for each in (server, make(config=(), description=""), make(dependencies=("httpx",))):
        assert "\n\n\n" not in text(each, "README.md")


def test_every_json_and_toml_block_of_the_readme_parses(server):
    blocks = re.findall(r"```(json|toml)\n(.*?)\n```", text(server, "README.md"), re.DOTALL)
    assert {language for language, _ in blocks} == {"json", "toml"}
    for language, content in blocks:
        assert (json.loads if language == "json" else tomllib.loads)(content)


def test_the_readme_names_every_host(server):
    readme = text(server, "README.md")
    for host in HOSTS:
        assert host.name in readme


@pytest.mark.parametrize("env", [(), ("WEATHER_TOKEN", "OTHER")])
@pytest.mark.parametrize(
    ("host", "schema"),
    [
        ("Claude Desktop", "own-mcpServers"),
        ("Cursor", "own-mcpServers"),
        ("Gemini CLI", "own-mcpServers"),
        ("Windsurf", "own-mcpServers"),
        ("VS Code", "own-vscode-mcp"),
        ("Codex CLI", "own-codex-mcp"),
        ("Zed", "own-zed"),
        ("OpenCode", "own-opencode"),
    ],
)
def test_a_hosts_snippet_has_the_form_the_host_reads(shared, host, schema, env):
    document = json.loads((shared / "hosts" / "schemas" / f"{schema}.schema.json").read_text(encoding="utf-8"))
    content = snippet(host, env)
    read = tomllib.loads(content) if host == "Codex CLI" else json.loads(content)
    jsonschema.Draft7Validator(document).validate(read)
    assert f"{PLACE}/weather-mcp/server.py" in content


def test_the_projects_own_host_file_has_the_form_hosts_read(shared, server):
    document = json.loads((shared / "hosts/schemas/own-mcpServers.schema.json").read_text(encoding="utf-8"))
    content = json.loads(text(server, ".mcp.json"))
    jsonschema.Draft7Validator(document).validate(content)
    assert content["mcpServers"]["weather"]["args"] == ["-I", "-S", "server.py"]


def test_the_command_of_claude_code_has_its_name_before_the_environment():
    command = snippet("Claude Code", ("TOKEN",))
    assert command == ("claude mcp add weather -e TOKEN=your-value -- python3 -I -S /path/to/weather-mcp/server.py")


def mentioned(readme: str, word: str) -> list[str]:
    """Return the lines of the README's code blocks with a word."""
    blocks = re.findall(r"```\w+\n(.*?)\n```", readme, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if word in line]


@pytest.mark.parametrize("linked", [False, True])
def test_a_server_with_dependencies_is_started_by_what_installs_them(make, server, linked):
    source = dataclasses.replace(server.source, linked=linked)
    needy = make(dependencies=("httpx>=0.27",), source=source)
    readme = text(needy, "README.md")
    assert "and nothing else" not in readme
    assert "no installation" not in readme
    assert "those packages have to be installed" in readme
    first, *_ = re.findall(r"```sh\n(.*?)\n```", readme, re.DOTALL)
    assert first == "uvx --from . weather-mcp"
    assert f"claude mcp add weather -- uvx --from {PLACE}/weather-mcp weather-mcp" in readme
    assert f'args = ["--from", "{PLACE}/weather-mcp", "weather-mcp"]' in readme
    assert mentioned(readme, "python3") == ["python3 -I server.py", "python3 -m weather_mcp"]
    entry = json.loads(text(needy, ".mcp.json"))["mcpServers"]["weather"]
    assert (entry["command"], entry["args"]) == ("uvx", ["--from", ".", "weather-mcp"])


def test_a_server_that_imports_what_no_distribution_is_known_for_needs_a_python_that_has_it(make):
    readme = text(make(settings={"needs_site": True}), "README.md")
    assert "and nothing else" not in readme
    assert "no installation" not in readme
    assert not mentioned(readme, "uvx")
    assert not mentioned(readme, "-S")
    assert f"claude mcp add weather -- python3 -I {PLACE}/weather-mcp/server.py" in readme


def test_a_server_without_dependencies_needs_nothing_installed(server):
    readme = text(server, "README.md")
    assert "and nothing else" in readme
    assert "the first two need no installation" in readme


def test_the_reader_puts_in_the_path_of_the_folder_whatever_its_name(server):
    assert f"Replace `{PLACE}/weather-mcp` by this folder's path." in text(server, "README.md")


def test_the_snippets_set_only_what_a_tool_cannot_do_without(make):
    config = (
        ConfigEntry(name="token", env="WEATHER_TOKEN"),
        ConfigEntry(name="region", env="WEATHER_REGION", default="north"),
        ConfigEntry(name="proxy", env="WEATHER_PROXY", required=False),
    )
    readme = text(make(config=config), "README.md")
    assert "claude mcp add weather -e WEATHER_TOKEN=your-value -- python3" in readme
    assert not mentioned(readme, '"WEATHER_REGION":')
    assert 'env_vars = ["WEATHER_TOKEN", "WEATHER_REGION", "WEATHER_PROXY"]' in readme


def test_a_new_build_is_not_hidden_by_what_uvx_built_before(server):
    keys = tomllib.loads(text(server, "pyproject.toml"))["tool"]["uv"]["cache-keys"]
    assert keys == [{"file": "pyproject.toml"}, {"file": "mcpgen.lock"}]
