"""A project folder that mcpgen made, read as a server behind a gateway: nothing of it is run.

Its catalog says all it offers, its registry entry how it is started. Both are taken only as they were written: the
digest in the entry has to be that of the catalog, and the lock's that of the file. A gateway's own folder is read in
the same way, because its catalog has the same form.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ...digests import OFFERS, definitions_line, digest
from ...ir.codec import CodecError, freeze
from ...ir.model import Change, ConfigEntry, JsonObject
from ...ir.routes import Offered, OfferedTool, Snapshot, Start
from ...on_disk import is_file, is_folder
from ...runtime import VERSION
from ...runtime.registry.making import CATALOG_FILE, ENTRY_FILE, MAX_BYTES, PACKAGE, PYTHON, Package
from ...runtime.registry.problems import RegistryError
from ...runtime.wire.dialects import APPS, TASKS
from .findings import MAX_REASON, finding, shown
from .reading import Reading, from_base

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from ...diagnostics.model import Diagnostic

LOCK, CACHE = "mcpgen.lock", "catalog.cache.jsonl"

FORMAT = 1
"""The form of catalogs and registry entries that is understood."""

REBUILD = "Build that server again with this mcpgen."


class FolderProblem(Exception):
    """A folder that is no server's; carries the finding."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        """Keep the finding."""
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def read_folder(folder: Path, base: Path, python: Path | None = None) -> Reading:
    """Return the snapshot of a project's folder; `base` is the folder of the gateway's project, all absolute.

    `python` starts it in place of the gateway's own interpreter: one that has what it imports.
    """
    try:
        package = _package(folder)
    except FolderProblem as problem:
        return Reading(snapshot=None, diagnostics=(problem.diagnostic,))
    reading = read_package(package, folder, from_base(package, base))
    if python is None or reading.snapshot is None:
        return reading
    start = reading.snapshot.start
    words = tuple(from_base(python, base) if word == PYTHON else word for word in start.command)
    return replace(reading, snapshot=replace(reading.snapshot, start=replace(start, command=words)))


def read_package(package: Path, folder: Path, place: str, start: Start | None = None) -> Reading:
    """Return the snapshot of a package; `folder` is what people know it by, `place` how its own files are named.

    Without a `start` it is started as its own registry entry says.
    """
    try:
        content, entry = _document(package / CATALOG_FILE, folder), _document(package / ENTRY_FILE, folder)
        _check_form(content, entry, folder)
        definitions = digest(content, definitions_line(content))
        _check_edits(package, entry, definitions)
        snapshot = _snapshot(content, entry, package, start or _start(entry, place), definitions)
    except FolderProblem as problem:
        return Reading(snapshot=None, diagnostics=(problem.diagnostic,))
    except RegistryError as error:
        return Reading(snapshot=None, diagnostics=(_unusable(folder, error.problem.message),))
    except (KeyError, TypeError, AttributeError, ValueError, CodecError) as failure:
        reason = (
            f"its {CATALOG_FILE} has not the form of a catalog ({type(failure).__name__}: {shown(failure, MAX_REASON)})"
        )
        return Reading(snapshot=None, diagnostics=(_unusable(folder, reason),))
    return Reading(snapshot=snapshot, diagnostics=_outdated(content, folder), inputs=_inputs(package, folder))


def _package(folder: Path) -> Path:
    """Return the folder of the package: the only one with a catalog, or the folder itself."""
    if is_file(folder / CATALOG_FILE):
        return folder
    if not is_folder(folder):
        raise FolderProblem(_unusable(folder, "there is no such folder"))
    found = sorted(path.parent for path in folder.glob(f"*/{CATALOG_FILE}"))
    if len(found) != 1:
        reason = "it has no package with a catalog" if not found else "it has more than one package with a catalog"
        raise FolderProblem(_unusable(folder, reason))
    return found[0]


def _document(path: Path, folder: Path) -> dict[str, Any]:
    try:
        with _opened(path) as stream:
            data = stream.read(MAX_BYTES + 1) or b""
        found = json.loads(data) if len(data) <= MAX_BYTES else None
    except OSError as failure:
        raise FolderProblem(_unusable(folder, f"its {path.name} cannot be read: {failure.strerror}")) from None
    except (ValueError, RecursionError):
        raise FolderProblem(_unusable(folder, f"its {path.name} is not JSON")) from None
    if not isinstance(found, dict):
        raise FolderProblem(_unusable(folder, f"its {path.name} is no object, or larger than it can be"))
    return found


def _opened(path: Path) -> BinaryIO:
    """Open a file without waiting for whoever would write to it, were it a FIFO."""
    return open(path, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))


def _check_form(content: Mapping[str, Any], entry: Mapping[str, Any], folder: Path) -> None:
    if content.get("format") != FORMAT or entry.get("format") != FORMAT:
        raise FolderProblem(_unusable(folder, "its catalog is of a form that this mcpgen does not know"))
    command = entry.get("command")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) for word in command):
        raise FolderProblem(_unusable(folder, f"its {ENTRY_FILE} names no command"))


def _check_edits(package: Path, entry: Mapping[str, Any], definitions: str) -> None:
    """Refuse a catalog that is not as it was written: what is shown of it would not be what its author built."""
    folder = package.parent
    if entry.get("digest") != definitions:
        raise FolderProblem(_edited(folder, f"its {CATALOG_FILE} is not the one that its {ENTRY_FILE} was written for"))
    try:
        with _opened(folder / LOCK) as stream:
            lock = json.loads(stream.read(MAX_BYTES) or b"")
    except (OSError, ValueError, RecursionError):
        return  # an installed package has none
    files = lock.get("files") if isinstance(lock, dict) else None
    for name in (CATALOG_FILE, ENTRY_FILE):
        known = (files.get(f"{package.name}/{name}") or {}).get("sha256") if isinstance(files, dict) else None
        if known is not None and known != hashlib.sha256((package / name).read_bytes()).hexdigest():
            raise FolderProblem(_edited(folder, f"its {name} was edited since it was written"))


def _snapshot(
    content: Mapping[str, Any], entry: Mapping[str, Any], package: Path, start: Start, definitions: str
) -> Snapshot:
    server, settings = content["server"], content.get("settings") or {}
    return Snapshot(
        name=str(content["id"]),
        origin="generated",
        start=start,
        era="dual",
        digest=definitions,
        files=Package(str(package)).files(),
        version=str(server["version"]),
        title=server.get("title"),
        description=str(entry.get("description") or ""),
        instructions=content.get("instructions"),
        capabilities=_object(_capabilities(package)),
        tools=tuple(_tool(tool) for tool in content["tools"] if not tool.get("hidden")),
        **{kind: tuple(_offer(each) for each in content.get(kind) or ()) for kind in OFFERS},
        changes=tuple(cast("Change", kind) for kind in content.get("changes") or ()),
        config=_variables(content.get("config") or {}, entry),
        ttl_ms=settings.get("ttl_ms"),
        private=bool((content.get("gateway") or {}).get("private")),
    )


def _start(entry: Mapping[str, Any], place: str) -> Start:
    return Start(
        command=tuple(word.replace(PACKAGE, place) for word in entry["command"]),
        env=tuple(str(name) for name in entry.get("env") or ()),
    )


def _tool(entry: Mapping[str, Any]) -> OfferedTool:
    ui = entry.get("ui")
    return OfferedTool(
        definition=_object(entry["definition"]),
        ui=_object(ui) if ui else None,
        scopes=tuple(entry.get("scopes") or ()),
    )


def _offer(entry: Mapping[str, Any]) -> Offered:
    return Offered(
        definition=_object(entry["definition"]),
        completes=bool(entry.get("completions")),
        scopes=tuple(entry.get("scopes") or ()),
    )


def _variables(config: Mapping[str, Any], entry: Mapping[str, Any]) -> tuple[ConfigEntry, ...]:
    """Return the variables a server reads: those of its catalog, and of a gateway those that its own servers read.

    A variable is required as well where the entry says that the server is of no use without it: an API's credentials
    are alternatives to each other, so that its catalog requires none of them.
    """
    needs = frozenset(str(name) for name in entry.get("needs") or ())
    known = {str(each["env"]): _config(name, each, needs) for name, each in config.items()}
    for variable in map(str, entry.get("env") or ()):
        passed = ConfigEntry(name=variable.lower(), env=variable, sensitive=True, required=variable in needs)
        known.setdefault(variable, passed)
    return tuple(known.values())


def _config(name: str, entry: Mapping[str, Any], needs: Collection[str]) -> ConfigEntry:
    return ConfigEntry(
        name=name,
        env=str(entry["env"]),
        description=str(entry.get("description") or ""),
        sensitive=bool(entry.get("sensitive")),
        required=bool(entry.get("required")) or entry["env"] in needs,
        default=entry.get("default"),
    )


def _capabilities(package: Path) -> dict[str, Any]:
    """Return what the server declares, from the header of its cache, which its own runtime made."""
    try:
        with _opened(package / CACHE) as stream:
            header = json.loads(stream.readline(MAX_BYTES))
        promises = header.get("promises") or {}
        found: dict[str, Any] = {name: promises.get(name) or {} for name in header["capabilities"]}
    except (OSError, ValueError, KeyError, AttributeError):
        raise FolderProblem(_unusable(package.parent, f"its {CACHE} cannot be read")) from None
    extensions: dict[str, Any] = {name: {} for name, key in ((TASKS, "tasks"), (APPS, "ui")) if header.get(key)}
    return {**found, "extensions": extensions} if extensions else found


def _object(value: Any) -> JsonObject:
    frozen = freeze(value)
    if not isinstance(value, dict):
        raise TypeError("an object was expected")
    return cast("JsonObject", frozen)


def _inputs(package: Path, folder: Path) -> tuple[tuple[str, str], ...]:
    """Return the digest of what was read; its name has no part that differs between machines."""
    content = (package / CATALOG_FILE).read_bytes()
    return ((f"{folder.name}/{package.name}/{CATALOG_FILE}", hashlib.sha256(content).hexdigest()),)


def _outdated(content: Mapping[str, Any], folder: Path) -> tuple[Diagnostic, ...]:
    found = content.get("runtime")
    if found == VERSION:
        return ()
    message = f"`{_called(folder)}` has the runtime {shown(found)}; this mcpgen's is {VERSION}"
    return (finding("outdated-server", _called(folder), message, hint=REBUILD),)


def _unusable(folder: Path, reason: str) -> Diagnostic:
    message = f"`{_called(folder)}` is no server that can be put behind a gateway: {reason}"
    return finding("unreadable-server", _called(folder), message)


def _edited(folder: Path, reason: str) -> Diagnostic:
    called = _called(folder)
    return finding("edited-server", called, f"`{called}` is not as mcpgen wrote it: {reason}", hint=REBUILD)


def _called(folder: Path) -> str:
    """Return what people know a folder by; the root has no name."""
    return folder.name or str(folder)
