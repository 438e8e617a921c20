"""The files of one description, each read once: names to addresses, the folder's jail, and the budget they share."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .limits import MAX_FILE_BYTES, MAX_FILES, MAX_SECONDS, MAX_TOTAL_BYTES
from .load_disk import Jail, Outside, read_file
from .load_file import LoadedFile
from .load_problem import LoadProblem, TextProblem, cut
from .references import file_address, file_paths, scheme_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_REMOTE = ("http", "https")


class Refused(Exception):
    """An address that may not be read; the text says why."""


class Library:
    """Loads and keeps files; `entry` is the description itself."""

    def __init__(self, source: str, *, ref_root: Path | None, remote: bool, private_hosts: bool) -> None:
        """Load the entry; raises LoadProblem."""
        self._remote = remote
        self._private_hosts = private_hosts
        self._deadline = time.monotonic() + MAX_SECONDS
        self._total = 0
        self._files: dict[str, LoadedFile] = {}
        self._resources: dict[str, tuple[LoadedFile, tuple[str, ...]]] = {}
        self._unregistered: list[LoadedFile] = []
        self._hashes: dict[str, str] = {}
        self._shown_folder = Path(source).parent
        self._folder = os.path.realpath(self._shown_folder)
        self._jail: Jail | None = None
        if scheme_of(source) in _REMOTE:
            self._jail = Jail(ref_root) if ref_root is not None else None
            self.entry = self._open_remote_entry(source)
        else:
            self._jail = Jail(ref_root if ref_root is not None else Path(self._folder))
            self.entry = self.read_named(source, referable=True)

    @property
    def inputs(self) -> Mapping[str, str]:
        """SHA-256 of every file read, by the path shown."""
        return dict(self._hashes)

    @property
    def size(self) -> int:
        """The bytes of all files read so far."""
        return self._total

    @property
    def files(self) -> tuple[LoadedFile, ...]:
        """Every file read so far."""
        return tuple(self._files.values())

    def read_named(self, source: str, *, referable: bool = False) -> LoadedFile:
        """Read a file the user named, wherever it is; raises LoadProblem. Only the entry may be referred to."""
        try:
            real = os.path.realpath(source)
        except ValueError:  # with a null character: no system has such a file
            message = f"{cut(source)}: no such file"
            raise LoadProblem(Diagnostic(rule=rule("unreadable-description"), message=message)) from None
        try:
            return self._add(real, self._within_budget(real), shown=source, referable=referable)
        except TextProblem as problem:
            message = f"{cut(source)}: {problem.message}"
            raise LoadProblem(Diagnostic(rule=rule(problem.rule), message=message, hint=problem.hint)) from None

    def resource(self, address: str, *, honour_ids: bool) -> tuple[LoadedFile, tuple[str, ...]] | None:
        """Return the file and pointer of a resource that a file read so far declares, or is."""
        while self._unregistered:
            file = self._unregistered.pop(0)
            for name, pointer in file.scopes(honour_ids=honour_ids).resources.items():
                self._resources.setdefault(name, (file, pointer))
        return self._resources.get(address)

    def load(self, address: str, *, from_file: LoadedFile) -> LoadedFile:
        """Return the file at an address; raises Refused, TextProblem or LoadProblem."""
        scheme = scheme_of(address)
        if scheme in _REMOTE:
            return self._load_remote(address)
        if scheme != "file":
            raise Refused(f"addresses of the kind `{cut(scheme)}:` are not followed")
        if scheme_of(from_file.location) in _REMOTE:
            raise Refused("a fetched document may not refer to files")
        return self._load_local(address)

    def _load_local(self, address: str) -> LoadedFile:
        paths = file_paths(address)
        if self._jail is None or not paths:
            raise Refused("it is on another host")
        problem: TextProblem | None = None
        for path in paths:
            try:
                real = self._jail.real(path)
            except Outside:
                raise Refused("it leads out of the folder that references may use") from None
            if real in self._files:
                return self._files[real]
            try:
                data = self._within_budget(real)
            except TextProblem as why:
                problem = problem or why
                continue
            return self._add(real, data, shown=self._shown(real))
        assert problem is not None  # noqa: S101 - every path either returned or left a problem
        raise problem

    def _within_budget(self, real: str) -> bytes:
        """Read a file's bytes while the shared limits allow it."""
        self._check_budget()
        data = read_file(real, min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - self._total))
        self._total += len(data)
        return data

    def _check_budget(self) -> None:
        if len(self._files) >= MAX_FILES:
            raise TextProblem("loading-limit", f"the description is spread over more than {MAX_FILES} files")
        if time.monotonic() > self._deadline:
            raise TextProblem("loading-limit", f"reading takes longer than {MAX_SECONDS:.0f} seconds")

    def _add(self, key: str, data: bytes, *, shown: str, referable: bool = True) -> LoadedFile:
        location = key if scheme_of(key) in _REMOTE else file_address(key)
        file = LoadedFile(data, shown=shown, location=location)
        self._hashes[shown] = hashlib.sha256(data).hexdigest()
        if referable:
            self._files[key] = file
            self._unregistered.append(file)
        return file

    def _shown(self, real: str) -> str:
        relative = os.path.relpath(real, self._folder)
        return Path(os.path.normpath(self._shown_folder / relative)).as_posix()

    def _open_remote_entry(self, source: str) -> LoadedFile:
        try:
            return self._fetched(source, typed=True)
        except TextProblem as problem:
            message = f"{cut(source)} is not read: {problem}"
            raise LoadProblem(Diagnostic(rule=rule(problem.rule), message=message, hint=problem.hint)) from None

    def _load_remote(self, address: str) -> LoadedFile:
        if not self._remote:
            raise Refused("other hosts are asked only with --allow-remote-refs")
        return self._fetched(address)

    def _fetched(self, address: str, *, typed: bool = False) -> LoadedFile:
        """Return the file at an address; `typed` is one that the user wrote, and that nothing refers to."""
        address = address.partition("#")[0]
        if address in self._files:
            return self._files[address]
        from .fetch import fetch

        self._check_budget()
        fetched = fetch(address, private_hosts=self._private_hosts, deadline=self._deadline, typed=typed)
        self._total += len(fetched.data)
        file = self._add(fetched.address, fetched.data, shown=address)
        self._files[address] = file
        return file
