"""Gateways by hand: a catalog of proxied tools in a package of its own, over children of any kind."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.runtime import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

RUNTIME = Path(__file__).resolve().parents[3] / "generator" / "runtime"

MAIN = '''"""Start the gateway."""

from gateway import __path__ as folders
from gateway._runtime.gateway.main import serve


def main():
    serve("gateway", folders[0])


if __name__ == "__main__":
    main()
'''

STUB = """import sys

sys.path.insert(0, __file__[: -len("server.py")])

from gateway.__main__ import main

main()
"""

ASGI = """from gateway import __path__ as folders
from gateway._runtime.server.asgi import Application

app = Application("gateway", folders[0])
"""

ANYTHING = {"type": "object"}


def tool(server: str, original: str, **more: Any) -> dict[str, Any]:
    """Return the entry of a proxied tool; `more` are members of its definition, or `limits` and `scopes`."""
    entry = {name: more.pop(name) for name in ("limits", "scopes", "ui") if name in more}
    definition = {"name": f"{server}__{original}", "description": original, "inputSchema": ANYTHING, **more}
    return {
        "definition": definition,
        "ui": None,
        "aliases": [f"{server}.{original}"],
        "call": {"kind": "proxy", "server": server, "original": original},
        "result": {},
        **entry,
    }


def gateway(folder: Path, servers: dict[str, dict[str, Any]], tools: Sequence[dict[str, Any]], **more: Any) -> Path:
    """Write a gateway over servers and return its project; `more` are members of its catalog."""
    package = folder / "gateway"
    package.mkdir(parents=True)
    (package / "_runtime").symlink_to(RUNTIME)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "__main__.py").write_text(MAIN, encoding="utf-8")
    (package / "asgi.py").write_text(ASGI, encoding="utf-8")
    (folder / "server.py").write_text(STUB, encoding="utf-8")
    servers = {name: {"era": "dual", "capabilities": {}, **row} for name, row in servers.items()}
    about = {"digest": "sha256:0", "prefix": "ui://mcpgen-gateway/", "separator": "__", "servers": servers}
    catalog = {
        "format": 1,
        "runtime": VERSION,
        "id": "gateway",
        "server": {"name": "gateway", "version": "1.0.0"},
        "settings": {},
        "gateway": about | more.pop("gateway", {}),
        "tools": list(tools),
        "changes": ["tools"],
        **more,
    }
    (package / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    return folder


def marked(variable: str) -> list[str]:
    """Return the command lines of the processes that have a variable in their environment."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if variable.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    return found


def zombies(parent: int) -> list[str]:
    """Return the processes that ended and that their parent did not take notice of."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                state, above = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
                if state == "Z" and int(above) == parent:
                    found.append(folder.name)
    return found
