"""Which runtime files a server carries: what its start and its calls import, directly or through others.

The copy is byte for byte. The closure follows every import in the source, also those inside functions, so that lazily
imported parts are there when they are needed; imports by computed names would be missed, and the runtime has none.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from ..resources import runtime

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

ROOTS = ("server/main.py", "authoring/__init__.py")
"""What emitted code and users' modules import: the server's entry and the authoring API."""

TYPED_MARKER = "py.typed"


def runtime_files() -> Mapping[str, bytes]:
    """Return the files by their path inside `_runtime`, sorted; raises FileNotFoundError when our tree is broken."""
    return _closure(runtime())


@cache
def _closure(root: Path) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {TYPED_MARKER: b""}
    waiting = list(ROOTS)
    while waiting:
        path = waiting.pop()
        if path not in files:
            files[path] = (root / path).read_bytes()
            waiting.extend(_imported(root, path, files[path]))
    return dict(sorted(files.items()))


def _imported(root: Path, path: str, source: bytes) -> Iterator[str]:
    """Yield the paths of the files a runtime file needs: its packages' own, then what it imports relatively."""
    package = path.split("/")[:-1]
    yield from ("/".join([*package[:depth], "__init__.py"]) for depth in range(len(package) + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1] + (node.module.split(".") if node.module else [])
            yield from _module(root, base)
            for alias in node.names:
                yield from _module(root, [*base, alias.name])


def _module(root: Path, parts: list[str]) -> Iterator[str]:
    """Yield the file of a module, if the name is one and not something a module defines."""
    plain, package = "/".join(parts) + ".py", "/".join([*parts, "__init__.py"])
    if parts and (root / plain).is_file():
        yield plain
    elif (root / package).is_file():
        yield package
