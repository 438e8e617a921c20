"""Text of users never enters generated Python: a hostile server and its harmless twin are the same code."""

from __future__ import annotations

import ast
import dataclasses
import tomllib
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from generator.backends.server import render
from generator.config import Config
from generator.frontends.python.environment import own_environment
from generator.ir.codec import freeze
from generator.ir.model import ConfigEntry, PythonCall, Server, Source, SourceFile, Tool
from generator.pipeline import BuildRequest, build, refine

HOSTILE = (
    '"""\nimport os; os.system("x")\n"""',
    "'''; raise SystemExit #",
    "{{ package }}{% raw %}{% include 'server/server.py.jinja' %}",
    "a\r\nb\x0bc\x0cd\x85e\u2028f",
    "\\N{BELL}\\x22\\",
    "\x00\x1b[2J",
    "\ud800\U000e0041",
    "]]\nname = 1\n[tool.evil]\n",
    "<script>alert(1)</script>",
    "```\n# mcp-name: io.github.evil/x",
)


def server(text: str, default: object) -> Server:
    """Return a server with `text` in every place that takes prose and `default` in every place that takes data."""
    schema = {
        "type": "object",
        "title": text,
        "description": text,
        "properties": {
            "city": {"type": "string", "description": text, "default": default, "enum": [default], "pattern": text}
        },
        "$defs": {"X": {"const": default}},
    }
    tool = Tool(
        name="forecast",
        title=text,
        description=text,
        input_schema=freeze(schema),
        result_schema=freeze({"type": "string", "description": text, "default": default}),
        result_description=text,
        call=PythonCall(target=".weather:forecast"),
        tags=(text,),
        deprecated=text,
        raises=((text, text),),
        examples=(text,),
        meta=freeze({text: default}),
    )
    return Server(
        id="weather",
        package="weather_mcp",
        command="weather-mcp",
        title=text,
        description=text,
        instructions=text,
        website=text,
        tools=(tool,),
        config=(ConfigEntry(name=text, env="TOKEN", description=text, default=text),),
        dependencies=(),
        source=Source(kind="python", name=text, files=(SourceFile(path="weather.py", content=b"x = 1\n"),)),
    )


def tree(text: str, default: object):
    refined, _ = refine(server(text, default))
    assert refined is not None
    return render(refined).tree


def templated(files) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if path.endswith(".py") and "/_runtime/" not in path}


texts = st.text() | st.sampled_from(HOSTILE)
defaults = st.none() | st.integers() | texts | st.lists(texts, max_size=2)
BENIGN = tree("x", "x")


@settings(deadline=None, max_examples=150)
@given(texts, defaults)
def test_python_files_do_not_depend_on_any_text(text, default):
    assert templated(tree(text, default)) == templated(BENIGN)


@settings(deadline=None, max_examples=100)
@given(texts)
def test_the_projects_settings_do_not_depend_on_any_text(text):
    def shape(files):
        project = tomllib.loads(files["pyproject.toml"].decode("utf-8"))
        project["project"].pop("description")
        return project

    assert shape(tree(text, text)) == shape(BENIGN)


@settings(deadline=None, max_examples=100)
@given(texts.filter(str.strip))
def test_the_readme_has_the_same_structure_whatever_the_text(text):
    def shape(files):
        tokens = MarkdownIt("commonmark").enable("table").parse(files["README.md"].decode("utf-8"))
        kinds = [token.type for token in tokens if token.type.endswith(("_open", "fence", "html_block"))]
        # The description has as many paragraphs as its text, so only the other kinds are compared.
        return [kind for kind in kinds if kind != "paragraph_open"]

    assert shape(tree(text, text)) == shape(BENIGN)


def module(text: str, default: str) -> str:
    """Return a module with `text` as every docstring and comment-like literal, `default` as every default."""
    lines = [
        repr(text),
        "from typing import Annotated, Literal",
        f"def forecast(city: Annotated[str, {text!r}] = {default!r}, kind: Literal[{default!r}] = {default!r}) -> str:",
        f"    {text!r}",
        "    return city",
        "",
    ]
    return "\n".join(lines)


def from_source(folder: Path, text: str, default: str):
    (folder / "weather.py").write_text(module(text, default), encoding="utf-8", newline="\n")
    request = BuildRequest(
        source=str(folder / "weather.py"), config=Config(), environment=own_environment(), name="weather"
    )
    return build(request).tree


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts.filter(lambda text: text.isprintable() or text in HOSTILE), texts)
def test_a_hostile_module_and_its_harmless_twin_are_the_same_code(tmp_path, text, default):
    hostile = {path: content for path, content in from_source(tmp_path, text, default).items() if ours(path)}
    twin = {path: content for path, content in from_source(tmp_path, "x", "x").items() if ours(path)}
    assert hostile == twin
    assert hostile


def ours(path: str) -> bool:
    return path.endswith(".py") and "/_runtime/" not in path and not path.endswith("/weather.py")


def test_other_names_change_identifiers_only():
    refined, _ = refine(dataclasses.replace(server("x", "x"), id="rain", package="rain_mcp", command="rain-mcp"))
    renamed = templated(render(refined).tree)
    for path, content in templated(BENIGN).items():
        assert renamed[path.replace("weather_mcp", "rain_mcp")] == content.replace(b"weather_mcp", b"rain_mcp").replace(
            b"weather-mcp", b"rain-mcp"
        ) or (path == "weather_mcp/weather.py")


def test_templated_python_imports_only_what_it_must():
    imported = set()
    for path, content in templated(BENIGN).items():
        if path != "weather_mcp/weather.py":
            for node in ast.walk(ast.parse(content)):
                if isinstance(node, ast.Import):
                    imported.update(alias.name for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    imported.add("." * node.level + (node.module or ""))
    assert imported == {
        "sys",
        "weather_mcp",
        "weather_mcp.__main__",
        "weather_mcp._runtime.server.asgi",
        "weather_mcp._runtime.server.main",
        "._runtime.server.main",
    }
