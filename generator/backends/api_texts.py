"""What the files for people say of an API's server: its address, its credentials, its environment."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from . import http_text
from .api_values import default_base, needed, needs_base
from .hosts_text import SECRET
from .identifiers import MarkdownBlock, MarkdownCode, summary

if TYPE_CHECKING:
    from ..ir.model import Server
    from .env import Value

_ENTRY = re.compile(r"[A-Za-z0-9_.-]{1,128}", re.ASCII)
"""Names of configuration entries that an example shows as they are."""

_HEAD = """\
# What the server reads from its environment. It does not open this file: name a copy of it .env,
# fill in what you have, and pass it on where you start the server:
#     set -a; . ./.env; set +a
# Or set the values in your host's settings, or in {file}; README.md shows both.
"""


def environment_example(server: Server) -> bytes:
    """Return the names of the environment variables the server reads, each with what it is, and no value."""
    lines = [f"# {summary(entry.description) or entry.name}\n{entry.env}=\n" for entry in server.config]
    known = {entry.env for entry in server.config}
    lines += [
        f"# Over HTTP: for {' and '.join(f'serve.{key}' for key in keys)} of its settings\n{name}=\n"
        for name, keys in sorted(http_text.uses(server).items())
        if name not in known
    ]
    return "\n".join([_HEAD.format(file=config_file(server)), *lines]).encode("utf-8")


def readme_values(server: Server) -> dict[str, Value]:
    """Return what the README says of addresses and credentials."""
    base = default_base(server)
    return {
        "api": server.http is not None,
        "base": [MarkdownCode(base)] if base and MarkdownCode.fits(base) else [],
        "needs_base": needs_base(server),
        "base_env": MarkdownCode(_base_variable(server)),
        "config_file": MarkdownCode(config_file(server)),
        "config_example": MarkdownBlock(_config_example(server)),
        "asked": bool(needed(server)),
    }


def config_file(server: Server) -> str:
    """Return the file that a server reads values from besides its environment, as people write its path."""
    return f"~/.config/mcpgen/{server.id}/config.json"


def _config_example(server: Server) -> str:
    """Return what that file holds, with a placeholder for each value that has to be given."""
    names = needed(server) or tuple(entry.name for entry in server.config)[:1]
    return json.dumps({name: SECRET for name in names if _ENTRY.fullmatch(name)})


def _base_variable(server: Server) -> str:
    """Return the environment variable that names the API's address."""
    name = (server.http or {}).get("base_url", "base_url")
    return next((entry.env for entry in server.config if entry.name == name), "BASE_URL")
