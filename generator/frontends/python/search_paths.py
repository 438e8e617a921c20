"""The folders in which an environment's modules are looked up, read from its files without starting its interpreter."""

from __future__ import annotations

import ast
import json
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MAX_PATH_FILE = 100_000  # bytes; a .pth or finder file larger than this is not a list of folders


def search_paths(roots: Iterable[Path], environment: Path | None = None) -> tuple[str, ...]:
    """Return the folders to search, in order: the roots, the standard library, then the environment's site-packages.

    `environment` is the prefix of a virtual environment or installation; without one roots and standard library count.
    """
    found: list[str] = [str(root) for root in roots]
    found.extend(_standard_library())
    if environment is not None:
        for folder in site_packages(environment):
            found.append(str(folder))
            found.extend(_path_files(folder))
            found.extend(_editable_installs(folder))
    return tuple(dict.fromkeys(found))


def site_packages(environment: Path) -> list[Path]:
    """Return the site-packages folders below an environment's prefix."""
    candidates = sorted((environment / "lib").glob("python3*/site-packages"))
    candidates += [environment / "Lib" / "site-packages"]
    return [path for path in candidates if path.is_dir()]


def _standard_library() -> list[str]:
    paths = [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")]
    return [*paths, *(str(Path(path) / "lib-dynload") for path in paths)]


def _path_files(folder: Path) -> Iterator[str]:
    """Folders that `.pth` files add, and those that editable finders map."""
    for path in sorted(folder.glob("*.pth")):
        for line in _text(path).splitlines():
            entry = line.strip()
            if entry and not entry.startswith(("#", "import ", "import\t")):
                target = folder / entry
                if target.is_dir():
                    yield str(target.resolve())
    for path in sorted(folder.glob("__editable___*_finder.py")):
        yield from _finder_mapping(_text(path))


def _finder_mapping(text: str) -> Iterator[str]:
    """Return the parents of the packages an editable finder (setuptools) maps by name."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Dict):
            for key, item in zip(value.keys, value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(item, ast.Constant) and isinstance(item.value, str):
                    path = Path(item.value)
                    if path.name.removesuffix(".py") == key.value:
                        yield str(path.parent)


def _editable_installs(folder: Path) -> Iterator[str]:
    """Return the sources of distributions installed in editable mode, as `direct_url.json` names them."""
    for path in sorted(folder.glob("*.dist-info/direct_url.json")):
        try:
            record = json.loads(_text(path))
            editable, url = record.get("dir_info", {}).get("editable"), urlsplit(record.get("url", ""))
        except (ValueError, AttributeError):
            continue
        if editable and url.scheme == "file":
            root = Path(unquote(url.path))
            yield from (str(candidate) for candidate in (root / "src", root) if candidate.is_dir())


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MAX_PATH_FILE:
            return ""
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
