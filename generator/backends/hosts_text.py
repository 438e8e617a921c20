"""How hosts are told about a server: snippets for the README, made from one table.

A host is a row: where its file is and which form it has. A form is a function from the server to the file's content.
The place of the project is not known when it is generated, so snippets hold `PLACE`, which the reader replaces.
"""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from .api_values import needed_variables
from .registry import stdio_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..ir.model import Server

PLACE = "/path/to"
"""What the reader replaces by the folder that holds the project."""

SECRET = "your-value"  # noqa: S105 - the word that stands where the reader's own value goes


class Launch(NamedTuple):
    """How a server is started: its key in a host's file, the command, and the environment names it reads.

    `env` are those that must be set; `optional` are read as well, and have a default or are not needed.
    """

    name: str
    command: str
    arguments: tuple[str, ...]
    env: tuple[str, ...]
    optional: tuple[str, ...] = ()

    def entry(self) -> dict[str, Any]:
        """Return the entry most hosts share."""
        entry: dict[str, Any] = {"command": self.command, "args": list(self.arguments)}
        return {**entry, "env": self.values()} if self.env else entry

    def values(self) -> dict[str, str]:
        """Return the environment with a placeholder for each value."""
        return dict.fromkeys(self.env, SECRET)


class Host(NamedTuple):
    """One host: its name, its file (None: the snippet is a command), the snippet's language, and its form."""

    name: str
    file: str | None
    language: str
    form: Callable[[Launch], str]


def launch(server: Server, folder: str) -> Launch:
    """Return a start that works wherever the project's folder is: `uvx` where there are dependencies to install."""
    if server.dependencies:
        return started(server, ("uvx", "--from", folder, server.command))
    stub = "server.py" if folder == "." else f"{folder}/server.py"
    return started(server, ("python3", *python_options(server), stub))


def started(server: Server, words: tuple[str, ...]) -> Launch:
    """Return the start by these words, with the environment names the server reads."""
    names = needed_variables(server)
    others = tuple(entry.env for entry in server.config if entry.env not in names)
    return Launch(server.id, words[0], (*words[1:], *stdio_words(server)), names, others)


def needs_installed(server: Server) -> bool:
    """Return whether a server imports anything that has to be installed."""
    return bool(server.dependencies) or bool(server.settings.get("needs_site"))


def python_options(server: Server) -> tuple[str, ...]:
    """Return how Python starts the stub: isolated, and without installed packages where none is imported."""
    return ("-I",) if needs_installed(server) else ("-I", "-S")


def project_configuration(launched: Launch) -> dict[str, Any]:
    """Return the content of the project's own `.mcp.json`, which hosts read with the project as working folder."""
    # No environment: its readers pass on their own, and a value has no place in a file that is committed.
    entry = {"type": "stdio", "command": launched.command, "args": list(launched.arguments)}
    return {"mcpServers": {launched.name: entry}}


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2)


def _standard(launched: Launch) -> str:
    return _json({"mcpServers": {launched.name: launched.entry()}})


def claude_code(launched: Launch) -> str:
    """Return the command that adds a server to Claude Code."""
    # The name comes before -e: that option takes every word up to the next one.
    settings = "".join(f" -e {name}={SECRET}" for name in launched.env)
    return f"claude mcp add {launched.name}{settings} -- {shlex.join((launched.command, *launched.arguments))}"


def _vscode(launched: Launch) -> str:
    inputs = [{"type": "promptString", "id": name, "description": name, "password": True} for name in launched.env]
    entry: dict[str, Any] = {"type": "stdio", "command": launched.command, "args": list(launched.arguments)}
    if inputs:
        entry["env"] = {name: f"${{input:{name}}}" for name in launched.env}
        return _json({"servers": {launched.name: entry}, "inputs": inputs})
    return _json({"servers": {launched.name: entry}})


def _codex(launched: Launch) -> str:
    lines = [
        f"[mcp_servers.{launched.name}]",
        f"command = {json.dumps(launched.command)}",
        f"args = {json.dumps(list(launched.arguments))}",
    ]
    passed = [*launched.env, *launched.optional]
    if passed:
        # Codex passes only what is named: the values stay in the environment it was started from.
        lines.append(f"env_vars = {json.dumps(passed)}")
    return "\n".join(lines)


def _zed(launched: Launch) -> str:
    return _json({"context_servers": {launched.name: {"source": "custom", **launched.entry()}}})


def _opencode(launched: Launch) -> str:
    entry: dict[str, Any] = {"type": "local", "command": [launched.command, *launched.arguments], "enabled": True}
    if launched.env:
        entry["environment"] = launched.values()
    return _json({"mcp": {launched.name: entry}})


HOSTS: tuple[Host, ...] = (
    Host("Claude Code", None, "sh", claude_code),
    Host("Claude Desktop", "claude_desktop_config.json", "json", _standard),
    Host("Cursor", ".cursor/mcp.json", "json", _standard),
    Host("VS Code", ".vscode/mcp.json", "json", _vscode),
    Host("Codex CLI", "~/.codex/config.toml", "toml", _codex),
    Host("Gemini CLI", "~/.gemini/settings.json", "json", _standard),
    Host("Windsurf", "~/.codeium/windsurf/mcp_config.json", "json", _standard),
    Host("Zed", ".zed/settings.json", "json", _zed),
    Host("OpenCode", "opencode.json", "json", _opencode),
)
"""The hosts a README speaks of, in the order it does."""


def snippets(launched: Launch) -> list[tuple[list[Host], str]]:
    """Return the snippets with the hosts each one is for: hosts of one form share one."""
    grouped: dict[tuple[str, Callable[[Launch], str]], list[Host]] = {}
    for host in HOSTS:
        grouped.setdefault((host.language, host.form), []).append(host)
    return [(hosts, form(launched)) for (_, form), hosts in grouped.items()]
