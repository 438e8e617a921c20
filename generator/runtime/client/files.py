"""Files that arguments name or hold, and files that answers are saved to.

A file argument is base64 text, or an object with `data` (base64) or `path`, and with `filename` and `mimeType` if they
matter. A path is opened only below the root folder that the operator configured: the way there is resolved first, then
walked again without following links, so that a link put there meanwhile leads nowhere.
"""

from __future__ import annotations

import os
import stat
from base64 import b64decode, b64encode

from .values import ArgumentProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_FILE_BYTES = 32 * 1024 * 1024
"""The largest file that is sent: a request is held in memory, and several may be built at once."""

MAX_FILENAME_BYTES = 120
"""Bytes of a file name: every file system takes 255, and a number may be added."""

MAX_SAME_NAMES = 1000
"""How many files of one name are kept apart by a number."""

_UNSAFE_IN_NAMES = frozenset('/\\:*?"<>|;%')
_ALTERNATIVE = bytes.maketrans(b"-_", b"+/")
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_WALKS = os.open in os.supports_dir_fd
_RESERVED_NAMES = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})


NOT_BASE64 = 'the text is not base64; a file in the server\'s files folder is given as {"path": "report.pdf"}'
"""What is wrong with most files: their text or their path was given."""

SHOWN_BASE64 = '; base64 of "hello" is "aGVsbG8="'
"""An example where the report of the problem has none."""


class FileContent:
    """The bytes of a file argument, with the name and the media type it was given, None where it was not."""

    __slots__ = ("data", "filename", "media_type")

    def __init__(self, data: bytes, filename: str | None = None, media_type: str | None = None) -> None:
        self.data = data
        self.filename = filename
        self.media_type = media_type


class Files:
    """Reads file arguments and saves answers below `root`, a folder, or None when none is configured.

    `setting` is the name of the configuration entry, for messages. `max_bytes` bounds a file that is read.
    """

    __slots__ = ("_max_bytes", "_root", "_setting")

    def __init__(self, root: str | None, *, setting: str = "files", max_bytes: int = MAX_FILE_BYTES) -> None:
        self._root = root or None
        self._setting = setting
        self._max_bytes = max_bytes

    @property
    def configured(self) -> bool:
        """Say whether there is a root folder."""
        return self._root is not None

    def read(self, value: Any) -> FileContent:
        """Return the content of a file argument; raises ArgumentProblem, whose path is inside the argument."""
        if isinstance(value, str):
            return _from_base64(value, ())
        if not isinstance(value, dict):
            raise ArgumentProblem((), "a file is base64 text or an object with `data` or `path`")
        data, path = value.get("data"), value.get("path")
        if isinstance(data, str) and path is None:
            content = _from_base64(data, ("data",))
        elif isinstance(path, str) and data is None:
            content = FileContent(self._read_path(path), clean_name(path))
        else:
            raise ArgumentProblem((), "a file has either `data` (base64) or `path`")
        filename, media_type = value.get("filename"), value.get("mimeType")
        if isinstance(filename, str) and filename:
            content.filename = clean_name(filename)
        if isinstance(media_type, str) and media_type:
            content.media_type = _checked_type(media_type)
        return content

    def save(self, name: str, data: bytes) -> str:
        """Write a new file below the root and return its path; the name is cleaned and made unique.

        Raises ArgumentProblem when no root is configured or the file cannot be written.
        """
        root = self._real_root()
        stem, dot, extension = clean_name(name).rpartition(".")
        if not stem:
            stem, dot, extension = extension, "", ""
        for number in range(1, MAX_SAME_NAMES + 1):
            path = os.path.join(root, f"{stem}{dot}{extension}" if number == 1 else f"{stem}-{number}{dot}{extension}")
            try:
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS, 0o600)
            except FileExistsError:
                continue
            except OSError as error:
                raise ArgumentProblem((), f"the file cannot be saved: {error.strerror}") from None
            _write(descriptor, path, data)
            return path
        raise ArgumentProblem((), "the file cannot be saved: too many files have its name")

    def _real_root(self) -> str:
        if self._root is None:
            raise ArgumentProblem((), f"files by path need the setting `{self._setting}`, a folder that holds them")
        root = os.path.realpath(os.path.expanduser(self._root))
        if not os.path.isdir(root):
            raise ArgumentProblem((), f"the folder that `{self._setting}` names does not exist")
        return root

    def _read_path(self, path: str) -> bytes:
        try:
            root = self._real_root()
        except ArgumentProblem as problem:
            raise ArgumentProblem(("path",), f"{problem.message}; or give the content as base64 in `data`") from None
        try:
            return self._read_below(root, path)
        except ArgumentProblem as problem:
            raise problem.below("path") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a path"
            raise ArgumentProblem(("path",), f"the file cannot be read: {reason}") from None

    def _read_below(self, root: str, path: str) -> bytes:
        if "\0" in path:
            raise ValueError("NUL in a path")
        real = os.path.realpath(os.path.join(root, path))
        inside = root if root.endswith(os.sep) else root + os.sep
        if not real.startswith(inside):
            raise ArgumentProblem((), f"the path leads out of the folder that `{self._setting}` names")
        descriptor = _open_below(root, real[len(inside) :])
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise ArgumentProblem((), "the path is not a regular file")
            data = file.read(self._max_bytes + 1) if status.st_size <= self._max_bytes else None
        if data is None or len(data) > self._max_bytes:
            raise ArgumentProblem((), f"the file is larger than {self._max_bytes} bytes")
        return data


def clean_name(name: str) -> str:
    """Return a file name that is one, on every system: no folders, quotes, control or format characters, bounded."""
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    kept = "".join("_" if c in _UNSAFE_IN_NAMES else c for c in last if c.isprintable()).strip(". ")
    cut = kept.encode("utf-8", "ignore")
    if len(cut) > MAX_FILENAME_BYTES:
        stem, dot, extension = kept.rpartition(".")
        ending = f"{dot}{extension}" if stem and len(extension.encode()) < MAX_FILENAME_BYTES // 4 else ""
        cut = cut[: MAX_FILENAME_BYTES - len(ending.encode())] + ending.encode()
    text = cut.decode("utf-8", "ignore").rstrip(". ")
    return f"_{text}" if text.partition(".")[0].lower() in _RESERVED_NAMES else text or "file"


def _from_base64(text: str, path: tuple[str, ...]) -> FileContent:
    """Decode base64, in either alphabet, with line breaks or without padding, or as a `data:` URL (RFC 2397)."""
    media_type = None
    if text.startswith("data:"):
        head, comma, text = text[5:].partition(",")
        if not comma or not head.endswith(";base64"):
            raise ArgumentProblem(path, "the data URL does not hold base64")
        media_type = _checked_type(head[: -len(";base64")]) if head != ";base64" else None
    try:
        return FileContent(_decoded(text), None, media_type)
    except ValueError:  # also binascii's own, and a text outside ASCII
        raise ArgumentProblem(path, NOT_BASE64 + (SHOWN_BASE64 if path else "")) from None


def _decoded(text: str) -> bytes:
    """Return the bytes of base64; raises ValueError for what is none."""
    encoded = text.encode("ascii").translate(_ALTERNATIVE, b" \t\r\n")
    missing = -len(encoded) % 4 if len(encoded) == len(text.strip()) else 0
    data = b64decode(encoded + b"=" * missing, validate=True)
    if missing and b64encode(data).rstrip(b"=") != encoded:  # no encoder's text: a word, most probably
        raise ValueError(NOT_BASE64)
    return data


def _checked_type(media_type: str) -> str:
    kind, slash, subtype = media_type.partition(";")[0].strip().partition("/")
    if not (kind and slash and subtype) or not media_type.isascii() or not media_type.isprintable():
        raise ArgumentProblem(("mimeType",), "the media type is not like `image/png`")
    return media_type


def _open_below(root: str, relative: str) -> int:
    """Open a file for reading by its folders, one after the other, without following a link."""
    flags = os.O_RDONLY | _NO_LINKS | getattr(os, "O_NONBLOCK", 0)
    if not _WALKS:
        return os.open(os.path.join(root, relative), flags)
    *folders, last = relative.split(os.sep)
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | _NO_LINKS)
    try:
        for name in folders:
            inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | _NO_LINKS, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(last, flags, dir_fd=folder)
    finally:
        os.close(folder)


def _write(descriptor: int, path: str, data: bytes) -> None:
    """Write a whole file, or leave none."""
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except OSError as error:
        os.unlink(path)
        raise ArgumentProblem((), f"the file cannot be saved: {error.strerror}") from None
