"""A server as a tree of files: a project folder with a standalone package in it. Pure: IR in, `{path: bytes}` out.

Three kinds of content meet here and never mix: data (JSON, made by `json.dumps`), a few lines of templated Python, TOML
and Markdown (env.py), and bytes that are copied: the runtime's and the user's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..digests import compact, definitions_line, digest
from ..runtime.registry.making import ENTRY_FILE
from .catalog import cache, catalog, readable
from .discovery import INDEX as INDEX_PATH
from .discovery import search_index
from .guard import check
from .handlers import PATH as HANDLERS_PATH
from .handlers import handlers
from .offers import texts
from .operations import PATH as OPERATIONS_PATH
from .operations import encoded, operations
from .project import package, project
from .registry import entry
from .routes import routes
from .runtime_files import runtime_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..ir.model import Server
    from ..ir.signature import Signature

RUNTIME = "_runtime"
"""Folder of the vendored runtime inside the package."""

TEXTS_PATH = "catalog.texts.json"
"""What resources say that were made with the server, by their URI; read when the first of them is."""

MODELS_PATH = "models.py"
"""Types of an API's schemas."""

Owner = Literal["mcpgen", "user"]
"""Whose a file is once it is written: a data file that the code changes is the user's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """A tree and who owns each of its files; `executable` names those that keep their mode.

    `begun` are files of the user that are only a beginning, and ours until somebody edits them.
    """

    tree: Mapping[str, bytes]
    owners: Mapping[str, Owner]
    executable: frozenset[str] = frozenset()
    begun: frozenset[str] = frozenset()


def render(server: Server, *, models: bytes | None = None, stubs: Sequence[Signature] = ()) -> Rendered:
    """Render a server whose names and schemas the passes went over; paths use `/` and come sorted.

    An API's server has its operations, a `handlers.py` with a function for each of `stubs`, and `models` if given.
    """
    content = catalog(server)
    made = {**package(server, content), **_api(server, models, stubs)}
    if server.exposure == "discovery":
        made[INDEX_PATH] = compact(search_index(server)) + b"\n"
    built_in = texts(server)
    if built_in:
        made[TEXTS_PATH] = compact(built_in) + b"\n"
    definitions = definitions_line(content)
    shown = digest(content, definitions)
    made["catalog.cache.jsonl"] = cache(content, len(made["catalog.json"]), definitions)
    made[ENTRY_FILE] = readable(entry(server, shown))
    outside = {**project(server, models=models is not None), "routes.json": readable(routes(server, content, shown))}
    for path, source in {**outside, **made}.items():
        if path.endswith(".py"):
            check(path, source, server.package)
    # Later parts win: no file of a user replaces one that the package is made of.
    tree = {
        **below(server.package, {each.path: each.content for each in server.source.files}),
        **below(f"{server.package}/{RUNTIME}", _runtime(server)),
        **below(server.package, made),
        **outside,
    }
    written = {f"{server.package}/{each.path}" for each in server.source.files if each.written}
    changing = written - {f"{server.package}/{path}" for path in made}
    begun = frozenset({f"{server.package}/{HANDLERS_PATH}"} if HANDLERS_PATH in made else ())
    return Rendered(
        tree=dict(sorted(tree.items())),
        owners={path: "user" if path in changing | begun else "mcpgen" for path in sorted(tree)},
        executable=frozenset(f"{server.package}/{each.path}" for each in server.source.files if each.executable),
        begun=begun,
    )


def _runtime(server: Server) -> Mapping[str, bytes]:
    offers = bool(server.resources or server.prompts)
    views = any(tool.ui is not None for tool in server.tools) or any(each.kind == "ui" for each in server.resources)
    return runtime_files(
        http=server.http is not None,
        discovery=server.exposure == "discovery",
        offers=offers,
        changes=bool(server.changes),
        tasks=any(tool.task != "forbidden" for tool in server.tools),
        views=views,
    )


def _api(server: Server, models: bytes | None, stubs: Sequence[Signature]) -> dict[str, bytes]:
    """Return what the package of an API's server has besides, by its path in the package; nothing for any other."""
    if server.http is None:
        return {}
    made = {
        OPERATIONS_PATH: encoded(operations(server, server.http)),
        HANDLERS_PATH: handlers(stubs, models=models is not None),
    }
    return made if models is None else {**made, MODELS_PATH: models}


def below(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return files by their paths in the project, given those in one of its folders."""
    return {f"{folder}/{path}": content for path, content in files.items()}
