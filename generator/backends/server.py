"""A server as a tree of files: a project folder with a standalone package in it. Pure: IR in, `{path: bytes}` out.

Three kinds of content meet here and never mix: data (JSON, made by `json.dumps`), a few lines of templated Python, TOML
and Markdown (env.py), and bytes that are copied: the runtime's and the user's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .catalog import cache, catalog, digest, readable
from .guard import check
from .project import package, project
from .registry import PATH as REGISTRY_PATH
from .registry import entry
from .routes import routes
from .runtime_files import runtime_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import Server

RUNTIME = "_runtime"
"""Folder of the vendored runtime inside the package."""

Owner = Literal["mcpgen", "user"]
"""Whose a file is once it is written: a data file that the code changes is the user's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A tree and who owns each of its files; `executable` names those that keep their mode."""

    tree: Mapping[str, bytes]
    owners: Mapping[str, Owner]
    executable: frozenset[str] = frozenset()


def render(server: Server) -> Rendered:
    """Render a server whose names and schemas the passes went over; paths use `/` and come sorted."""
    content = catalog(server)
    made = package(server, content)
    made["catalog.cache.jsonl"] = cache(content, len(made["catalog.json"]))
    made[REGISTRY_PATH] = readable(entry(server, digest(content)))
    outside = {**project(server), "routes.json": readable(routes(server, content))}
    for path, source in {**outside, **made}.items():
        if path.endswith(".py"):
            check(path, source, server.package)
    # Later parts win: no file of a user replaces one that the package is made of.
    tree = {
        **_below(server.package, {each.path: each.content for each in server.source.files}),
        **_below(f"{server.package}/{RUNTIME}", runtime_files()),
        **_below(server.package, made),
        **outside,
    }
    written = {f"{server.package}/{each.path}" for each in server.source.files if each.written}
    changing = written - {f"{server.package}/{path}" for path in made}
    return Rendered(
        tree=dict(sorted(tree.items())),
        owners={path: "user" if path in changing else "mcpgen" for path in sorted(tree)},
        executable=frozenset(f"{server.package}/{each.path}" for each in server.source.files if each.executable),
    )


def _below(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{path}": content for path, content in files.items()}
