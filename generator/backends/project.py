"""The project folder around the package: pyproject.toml, README.md, the stub server.py, .mcp.json."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from typing import TYPE_CHECKING, Any

from . import env, http_text
from .api_texts import environment_example, readme_values
from .catalog import readable
from .discovery import meta_entries
from .handlers import PATH as HANDLERS_PATH
from .hosts_text import PLACE, launch, needs_installed, project_configuration, python_options, snippets
from .identifiers import (
    CommandName,
    Identifier,
    MarkdownBlock,
    MarkdownCode,
    MarkdownParagraphs,
    MarkdownText,
    TomlKey,
    TomlText,
    VersionLiteral,
    summary,
)
from .registry import stdio_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import Prompt, Resource, Server, Tool
    from .hosts_text import Launch

SMOKE_REQUEST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
"""One line that every server with tools answers without a handshake (decision 12)."""

MAX_TAGS = 40
"""Rows of the table that counts the tools of an API too large to list."""

MAX_MARK = len("Deprecated.")
"""Characters of a first paragraph that only says that a tool is deprecated."""

PROJECT_FILES = ("pyproject.toml", "README.md", "server.py", "routes.json", ".mcp.json", "mcpgen.lock")
"""What stands beside the package; a source distribution carries the first three besides the package."""


def project(server: Server, *, models: bool = False) -> dict[str, bytes]:
    """Return the files beside the package, by their path in the project; `models` says that it has models.py."""
    return {
        **beside(server),
        "README.md": _readme(server, models=models),
        **({".env.example": environment_example(server)} if server.http is not None else {}),
    }


def beside(server: Server) -> dict[str, bytes]:
    """Return those of these files that every kind of server has in the same form."""
    return {
        "pyproject.toml": _pyproject(server),
        "server.py": env.render("server/server.py.jinja", env.PYTHON, _names(server)),
        ".mcp.json": json.dumps(project_configuration(launch(server, ".")), indent=2).encode("ascii") + b"\n",
    }


def package(server: Server, catalog: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the templated files of the package and its catalog, by their path in the package."""
    names = _names(server)
    return {
        "__init__.py": env.render("server/__init__.py.jinja", env.PYTHON, names),
        "__main__.py": env.render("server/__main__.py.jinja", env.PYTHON, names),
        "asgi.py": env.render("server/asgi.py.jinja", env.PYTHON, names),
        "py.typed": b"",
        "catalog.json": readable(catalog),
    }


def _names(server: Server) -> dict[str, env.Value]:
    return {
        "package": Identifier(server.package),
        "command": CommandName(server.command),
        "version": VersionLiteral(server.version),
        "gateway": server.source.kind == "servers",
    }


def _pyproject(server: Server) -> bytes:
    theirs = [each.path for each in server.source.files if each.path.endswith((".py", ".pyi"))]
    theirs += [HANDLERS_PATH] if server.http is not None else []
    values: dict[str, env.Value] = {
        "command": TomlKey(server.command),
        "command_text": TomlText(server.command),
        "version": TomlText(server.version),
        "summary": TomlText(_summary(server)),
        "requires_python": TomlText(server.requires_python),
        "dependencies": [TomlText(each) for each in server.dependencies],
        "entry_point": TomlText(f"{server.package}.__main__:main"),
        "package_text": TomlText(server.package),
        "sdist": [TomlText(each) for each in (server.package, *PROJECT_FILES[:3])],
        "copied": [TomlText(f"{server.package}/{path}") for path in ("_runtime", *theirs)],
    }
    return env.render("server/pyproject.toml.jinja", env.TOML, values)


def _readme(server: Server, *, models: bool) -> bytes:
    place = f"{PLACE}/{server.command}"
    smoke = " ".join((_runs(server), *stdio_words(server)))
    values: dict[str, env.Value] = {
        **readme_values(server),
        "title": MarkdownText(server.title or server.id),
        "description": [MarkdownParagraphs(server.description)] if server.description else [],
        "version": MarkdownCode(server.requires_python),
        "dependencies": bool(server.dependencies),
        "installed": needs_installed(server),
        **starting(server),
        "tools": [_tool(tool) for tool in server.tools],
        "resources": [_row(each.uri, each) for each in server.resources if each.kind != "ui"],
        "views": [_row(each.uri, each) for each in server.resources if each.kind == "ui"],
        "prompts": [_row(each.name, each) for each in server.prompts],
        "found": [MarkdownCode(name) for name in _finding(server)],
        "tags": _tags(server),
        "settings": setting_values(server),
        "smoke": MarkdownBlock(f"printf '%s\\n' '{json.dumps(_smoke(server))}' | {smoke}"),
        "models": models,
        "models_file": MarkdownCode(f"{server.package}/models.py"),
        "handlers": MarkdownCode(f"{server.package}/{HANDLERS_PATH}"),
        "dry_run": MarkdownBlock(f"printf '%s\\n' '{json.dumps(_dry_run(server))}' | {smoke}"),
        "place": MarkdownCode(place),
        "hosts": host_values(launch(server, place)),
    }
    return env.render("server/README.md.jinja", env.MARKDOWN, values)


def setting_values(server: Server) -> list[env.Value]:
    """Return the environment variables a server reads, as rows."""
    return [
        {"env": MarkdownCode(entry.env), "summary": MarkdownText(summary(entry.description) or entry.name)}
        for entry in server.config
    ]


def host_values(launched: Launch) -> list[env.Value]:
    """Return how hosts are told about a server that is started so."""
    return [
        {
            "title": MarkdownText(", ".join(host.name for host in hosts)),
            "files": [MarkdownCode(host.file) for host in hosts if host.file],
            "language": MarkdownBlock(hosts[0].language),
            "snippet": MarkdownBlock(text),
        }
        for hosts, text in snippets(launched)
    ]


def _runs(server: Server) -> str:
    """Return the command that starts a project in its folder and needs no installation."""
    if server.dependencies:
        return f"uvx --from . {server.command}"
    return shlex.join(("python3", *python_options(server), "server.py"))


def starting(server: Server) -> dict[str, env.Value]:
    """Return how a project is started, on standard input and output and over HTTP."""
    python = shlex.join(("python3", *python_options(server)))
    ways = (f"{python} server.py", f"python3 -m {server.package}", f"uvx --from . {server.command}")
    return {
        "starts": [MarkdownBlock(" ".join((each, *stdio_words(server)))) for each in ways],
        "http_start": MarkdownBlock(" ".join((_runs(server), *http_text.words(server)))),
        "http_default": http_text.is_default(server),
        "http_variables": [MarkdownCode(each) for each in http_text.variables(server)],
        "asgi": MarkdownCode(f"{server.package}/asgi.py"),
    }


def _smoke(server: Server) -> dict[str, Any]:
    """Return a request that shows that a server answers: it has a list of something."""
    if server.tools:
        return SMOKE_REQUEST
    return {**SMOKE_REQUEST, "method": "resources/list" if server.resources else "prompts/list"}


def _dry_run(server: Server) -> dict[str, Any]:
    """Return a call that is only shown, of the first tool that needs nothing."""
    simple = next((tool.name for tool in server.tools if not tool.input_schema.get("required")), "TOOL")
    parameters = {"name": simple, "arguments": {}, "_meta": {"mcpgen/dryRun": True}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": parameters}


def _summary(server: Server) -> str:
    return summary(server.description) or summary(server.title or "") or f"The MCP server {server.id}"


def _finding(server: Server) -> list[str]:
    """Return the tools that clients see where they have to look for the others; none where all are shown."""
    return [each["definition"]["name"] for each in meta_entries(server)] if server.exposure == "discovery" else []


def _tags(server: Server) -> list[dict[str, env.Value]]:
    """Return how many tools there are by the first tag of each, the most first; beyond a few they are one row."""
    counted = Counter(next(iter(tool.tags), "") for tool in server.tools)
    untagged = counted.pop("", 0)
    shown, rest = counted.most_common()[:MAX_TAGS], counted.most_common()[MAX_TAGS:]
    others = untagged + sum(count for _, count in rest)
    rows = [*shown, *([("everything else" if shown else "everything", others)] if others else [])]
    return [{"tag": MarkdownText(summary(tag)), "count": MarkdownText(str(count))} for tag, count in rows]


def _tool(tool: Tool) -> dict[str, env.Value]:
    said = summary(tool.description) or summary(tool.title or "")
    if tool.deprecated is not None and len(said) <= MAX_MARK:  # the first line says no more than that
        rest = tool.description.strip().partition("\n")[2]
        said = summary(f"{said} {summary(rest)}")
    return {"name": MarkdownCode(tool.name), "summary": MarkdownText(said)}


def _row(name: str, offer: Resource | Prompt) -> dict[str, env.Value]:
    said = summary(offer.description) or summary(offer.title or "")
    return {"name": MarkdownCode(name), "summary": MarkdownText(said)}
