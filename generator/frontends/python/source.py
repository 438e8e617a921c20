"""One Python source file: bytes -> text -> tree, with every way that can go wrong as a diagnostic.

Nothing here runs the file. Bytes are decoded as PEP 263 says, but only with the encodings of decision 34: a stateful or
escaping codec such as utf-7 would show a reviewer other code than the interpreter runs. Nesting is measured before the
parser sees the text (`nesting.py`), because libcst, which edits the same text later, ends the process on deep nesting.
"""

from __future__ import annotations

import ast
import codecs
import hashlib
import re
import stat
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Span
from ...diagnostics.rules import rule
from .nesting import excess
from .syntax import newer_feature

if TYPE_CHECKING:
    from pathlib import Path

MAXIMUM_BYTES = 5_000_000
"""Largest file that is read; real modules stay far below, and parsing takes about 100 bytes of memory for each byte."""

ACCEPTED_ENCODINGS = frozenset(
    codecs.lookup(name).name
    for name in ("utf-8", "ascii", "latin-1", "cp1252", "koi8-r", "shift_jis", "euc-jp", "gb18030", "big5")
)
"""Codecs in which ASCII bytes are always ASCII characters or clearly trail bytes (decision 34)."""

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A file that was read and parsed: `shown` is its path as messages print it, `module` its dotted name."""

    path: Path
    shown: str
    module: str
    text: str
    data: bytes
    encoding: str
    tree: ast.Module
    lines: tuple[str, ...] = field(repr=False)
    digest: str

    @property
    def is_package(self) -> bool:
        """Whether relative imports in this file start at its own module."""
        return self.path.stem == "__init__"

    @property
    def is_stub(self) -> bool:
        """Whether this is a `.pyi` file."""
        return self.path.suffix == ".pyi"


class SourceProblem(Exception):
    """A source that cannot be read; `diagnostic` says why and where."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


def read_source(path: Path, *, shown: str | None = None, module: str = "") -> SourceText:
    """Read and parse one file; raise SourceProblem (MG103, MG118, MG119, MG120 or MG121)."""
    name = shown if shown is not None else str(path)
    return parse_source(_read_bytes(path, name), path=path, shown=name, module=module)


def parse_source(data: bytes, *, path: Path, shown: str, module: str = "") -> SourceText:
    """Decode and parse the bytes of one file; raise SourceProblem."""
    encoding = _encoding(data, shown)
    text = _decode(data, encoding, shown)
    deep = excess(text)
    if deep is not None:
        raise SourceProblem(
            Diagnostic(rule=rule("source-too-deep"), message=deep.message, span=_point(shown, deep.line))
        )
    return SourceText(
        path=path,
        shown=shown,
        module=module,
        text=text,
        data=data,
        encoding=encoding,
        tree=_parse(text, shown),
        lines=tuple(_LINE_END.split(text)),
        digest=hashlib.sha256(data).hexdigest(),
    )


def _read_bytes(path: Path, shown: str) -> bytes:
    """Read a regular file of acceptable size."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _problem("source-unreadable", f"{shown} is not a file", shown=None)
        if status.st_size > MAXIMUM_BYTES:
            message = f"{shown} has {status.st_size:,} bytes; at most {MAXIMUM_BYTES:,} are read"
            raise _problem("source-unreadable", message, shown=None)
        with path.open("rb") as stream:
            return stream.read(MAXIMUM_BYTES)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise _problem("source-unreadable", f"{shown} cannot be read: {reason}", shown=None) from None


def _encoding(data: bytes, shown: str) -> str:
    """Return the codec's name for this file: its byte order mark, its PEP 263 cookie, or utf-8."""
    marked = data.startswith(codecs.BOM_UTF8)
    for number, line in enumerate(data.removeprefix(codecs.BOM_UTF8).splitlines()[:2], start=1):
        found = _COOKIE.match(line)
        if found:
            return _accepted(found[1].decode("latin-1"), marked=marked, shown=shown, line=number)
        if not _BLANK.match(line):
            break
    return "utf-8-sig" if marked else "utf-8"


def _accepted(name: str, *, marked: bool, shown: str, line: int) -> str:
    """Return the codec for a declared encoding; raise SourceProblem when it is not an accepted one."""
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        codec = ""
    if codec == "utf-8-sig":
        codec = "utf-8"
    if codec not in ACCEPTED_ENCODINGS:
        hint = "Save the file as UTF-8 and remove the coding comment."
        raise _problem(
            "source-encoding", f"the encoding `{name[:40]}` is not accepted", shown=shown, line=line, hint=hint
        )
    if marked and codec != "utf-8":
        message = f"the file starts with a UTF-8 byte order mark but declares `{name[:40]}`"
        raise _problem("source-encoding", message, shown=shown, line=line)
    return "utf-8-sig" if marked else codec


def _decode(data: bytes, encoding: str, shown: str) -> str:
    """Decode the file; a byte that does not fit, and a NUL, are problems with a line."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte 0x{error.object[error.start]:02x} is not {encoding.removesuffix('-sig')}"
        hint = "Save the file as UTF-8, or declare its encoding in the first line."
        raise _problem("source-encoding", message, shown=shown, line=line, hint=hint) from None
    nul = text.find("\0")
    if nul >= 0:
        raise _problem(
            "syntax-error", "the source contains a NUL character", shown=shown, line=text.count("\n", 0, nul) + 1
        )
    return text


def _parse(text: str, shown: str) -> ast.Module:
    """Parse the text with the running interpreter's grammar."""
    try:
        with warnings.catch_warnings():
            # Invalid escapes in the user's strings are the user's own linter's business.
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise SourceProblem(_syntax_error(error, text, shown)) from None
    except (RecursionError, MemoryError):
        raise _problem("source-too-deep", "the source is nested too deeply for the parser", shown=shown) from None
    except ValueError as error:
        raise _problem("syntax-error", str(error), shown=shown) from None


def _syntax_error(error: SyntaxError, text: str, shown: str) -> Diagnostic:
    """Return MG120 when the text needs a newer Python, else MG103 with the parser's words and place."""
    line = max(error.lineno or 1, 1)
    column = max(error.offset or 1, 1)
    end_line = error.end_lineno if error.end_lineno and error.end_lineno >= line else line
    end_column = error.end_offset if error.end_offset and error.end_offset > 0 else column + 1
    if end_line == line:
        end_column = max(end_column, column + 1)
    span = Span(path=shown, line=line, column=column, end_line=end_line, end_column=end_column)
    newer = newer_feature(text, line)
    if newer is not None:
        return Diagnostic(
            rule=rule("newer-syntax"),
            message=f"{newer.what} needs Python {newer.version[0]}.{newer.version[1]} to be read",
            span=span,
            hint=f"Run mcpgen with Python {newer.version[0]}.{newer.version[1]} or newer.",
        )
    if "too many nested parentheses" in (error.msg or ""):
        return Diagnostic(rule=rule("source-too-deep"), message=error.msg, span=span)
    return Diagnostic(rule=rule("syntax-error"), message=error.msg or "invalid syntax", span=span)


def _point(shown: str, line: int) -> Span:
    """Return the span of a line's first character."""
    return Span(path=shown, line=line, column=1, end_line=line, end_column=2)


def _problem(name: str, message: str, *, shown: str | None, line: int = 1, hint: str | None = None) -> SourceProblem:
    span = _point(shown, line) if shown is not None else None
    return SourceProblem(Diagnostic(rule=rule(name), message=message, span=span, hint=hint))
