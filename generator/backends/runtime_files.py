"""Which runtime files a server carries: what its start and its calls import, directly or through others.

The copy is byte for byte. The closure follows every import in the source, also those inside functions, so that lazily
imported parts are there when they are needed. Imports by computed names are not seen: the runtime uses them only for
what only some servers carry: those with HTTP operations (`HTTP_ROOTS`), in discovery (`DISCOVERY_ROOTS`), with
resources or prompts (`OFFER_ROOTS`), that tell of changes (`CHANGE_ROOTS`), with tasks (`TASK_ROOTS`), or with views
(`VIEW_ROOTS`).
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING

from ..resources import runtime

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

ROOTS = ("server/main.py", "server/farm_child.py", "server/asgi.py", "authoring/__init__.py")
"""What emitted code, worker processes, ASGI servers and users' modules import: the entries and the authoring API."""

HTTP_ROOTS = ("client/http_plan.py", "client/resources.py")
"""What the server imports by computed names: only when it has HTTP operations."""

DISCOVERY_ROOTS = ("server/meta_plan.py",)
"""What it imports by a computed name when its tools are found by searching."""

OFFER_ROOTS = ("server/offer_methods.py", "server/contents.py", "server/messages.py", "server/completions.py")
"""What it imports by computed names when it has resources or prompts."""

CHANGE_ROOTS = ("server/listening_methods.py",)
"""What it imports by a computed name when it tells its clients of changes."""

TASK_ROOTS = ("server/task_methods.py", "server/listening_methods.py")
"""What it imports by computed names when calls of its tools may be tasks."""

VIEW_ROOTS = ("server/ui.py", "server/view_plan.py")
"""What it imports by computed names when its tools have views."""

_RELATIVE = re.compile(r"^[ \t]*from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
"""A relative import as the formatter writes it; a test finds the same imports by parsing, which takes much longer."""

_NAME = re.compile(r"\w+")

TYPED_MARKER = "py.typed"


def runtime_files(
    *,
    http: bool = False,
    discovery: bool = False,
    offers: bool = False,
    changes: bool = False,
    tasks: bool = False,
    views: bool = False,
) -> Mapping[str, bytes]:
    """Return the files by their path inside `_runtime`, sorted; raises FileNotFoundError when our tree is broken."""
    wanted = (
        (http, HTTP_ROOTS),
        (discovery, DISCOVERY_ROOTS),
        (offers, OFFER_ROOTS),
        (changes, CHANGE_ROOTS),
        (tasks, TASK_ROOTS),
        (views, VIEW_ROOTS),
    )
    return _closure(runtime(), (*ROOTS, *(root for needed, roots in wanted if needed for root in roots)))


def gateway_files() -> Mapping[str, bytes]:
    """Return the files a gateway carries: all that a server may, save what only handlers of its own would need.

    Its own part is reached by computed names, so every file of it is there, with what they import.
    """
    own = tuple(sorted(f"gateway/{path.name}" for path in (runtime() / "gateway").glob("*.py")))
    return _closure(runtime(), (*ROOTS, *OFFER_ROOTS, *CHANGE_ROOTS, *TASK_ROOTS, *VIEW_ROOTS, *own))


@cache
def _closure(root: Path, roots: tuple[str, ...]) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {TYPED_MARKER: b""}
    present = set(_sources(os.fspath(root), ""))
    waiting = list(roots)
    while waiting:
        path = waiting.pop()
        if path not in files:
            with open(f"{root}/{path}", "rb") as file:  # noqa: PTH123 - of two hundred files, in half of the time
                files[path] = file.read()
            waiting.extend(_imported(present, path, files[path]))
    return dict(sorted(files.items()))


def _sources(folder: str, within: str) -> Iterator[str]:
    """Yield the paths of the sources below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _sources(entry.path, f"{within}{entry.name}/")
            elif entry.name.endswith(".py"):
                yield f"{within}{entry.name}"


def _imported(present: Collection[str], path: str, source: bytes) -> Iterator[str]:
    """Yield the paths of the files a runtime file needs: its packages' own, then what it imports relatively."""
    package = path.split("/")[:-1]
    yield from ("/".join([*package[:depth], "__init__.py"]) for depth in range(len(package) + 1))
    for dots, module, names in _RELATIVE.findall(source.decode("utf-8")):
        base = package[: len(package) - len(dots) + 1] + (module.split(".") if module else [])
        yield from _module(present, base)
        for name in _NAME.findall(names):
            yield from _module(present, [*base, name])


def _module(present: Collection[str], parts: list[str]) -> Iterator[str]:
    """Yield the file of a module, if the name is one and not something a module defines."""
    plain, package = "/".join(parts) + ".py", "/".join([*parts, "__init__.py"])
    if parts and plain in present:
        yield plain
    elif package in present:
        yield package
