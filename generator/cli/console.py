"""What a verb says: the result on standard output, diagnostics on standard error, in the form the user chose."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics.collect import arranged
from ..diagnostics.model import Severity
from .options import Colour, Format

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

    from ..diagnostics.model import Diagnostic

MAX_FRAME_BYTES = 4 << 20
"""A source larger than this is not read again just to show a line of it: as text it takes several times as much."""


class Console:
    """One run's output; nothing else in the command line prints."""

    __slots__ = ("_colour", "_folders", "_format", "_quiet", "_sarif_is_result", "_shown", "_verbose")

    def __init__(
        self,
        form: str = Format.HUMAN,
        colour: str = Colour.AUTO,
        *,
        quiet: bool = False,
        verbose: bool = False,
        sarif_is_result: bool = False,
    ) -> None:
        """Remember what the user chose; `sarif_is_result`: a SARIF document replaces the result for people."""
        self._format = Format(form)
        self._quiet = quiet
        self._verbose = verbose
        self._sarif_is_result = sarif_is_result and self._format is Format.SARIF
        self._colour = _wants_colour(Colour(colour), sys.stderr)
        self._folders: tuple[Path, ...] = (Path(),)
        self._shown: dict[str, str | None] = {}

    @property
    def wants_json(self) -> bool:
        """Whether the result is for machines."""
        return self._format is Format.JSON

    @property
    def quiet(self) -> bool:
        """Whether nothing is to be told but errors, and results that were asked for."""
        return self._quiet

    @property
    def verbose(self) -> bool:
        """Whether everything is to be told, however much it is."""
        return self._verbose

    def look_in(self, folders: Sequence[Path], *, first: bool) -> None:
        """Find the sources of frames in these folders as well, before (`first`) or after the working folder.

        A place in an installed module is told by its path below the folder it is installed in.
        """
        self._folders = (*folders, Path()) if first else (Path(), *folders)
        self._shown.clear()

    def result(self, text: str, *, always: bool = False) -> None:
        """Print a result; `always` when it is what the user asked for, whatever --quiet says."""
        if self._sarif_is_result:
            return
        if text and (always or not self._quiet):
            _write(sys.stdout, text if text.endswith("\n") else text + "\n")

    def report(self, diagnostics: Iterable[Diagnostic], closing: str = "", *, warnings: bool = False) -> None:
        """Print diagnostics in their order, without repetitions; people also read what the run came to.

        With `warnings` they are printed whatever --quiet says: they are why the run failed.
        """
        shown = arranged(diagnostics)
        if self._quiet and not warnings:
            shown = tuple(diagnostic for diagnostic in shown if diagnostic.level is Severity.ERROR)
        stream = sys.stdout if self._sarif_is_result else sys.stderr
        _write(stream, self._rendered(shown, closing))

    def _rendered(self, shown: tuple[Diagnostic, ...], closing: str) -> str:
        """Render with the one renderer that is needed; the others are not imported."""
        if self._format is Format.SARIF:
            from .. import __version__
            from ..diagnostics import sarif

            return sarif.render(shown, version=__version__)
        if not shown:
            return ""
        if self._format is Format.JSON:
            from ..diagnostics import json_form

            return json_form.render(shown)
        if self._format is Format.GITHUB:
            from ..diagnostics import github

            return github.render(shown)
        from ..diagnostics import human

        return human.render(shown, self._source, colour=self._colour, every=self._verbose, closing=closing)

    def _source(self, path: str) -> str | None:
        """Return the text of the first file of this path."""
        if path not in self._shown:
            texts = (source_text(folder / path) for folder in self._folders)
            self._shown[path] = next((text for text in texts if text is not None), None)
        return self._shown[path]


def source_text(file: Path) -> str | None:
    """Return a source's text for a frame; None when it cannot be read. Undecodable bytes are shown as U+FFFD."""
    import tokenize

    try:
        if not file.is_file() or file.stat().st_size > MAX_FRAME_BYTES:
            return None
        with file.open("rb") as stream:
            encoding, _ = tokenize.detect_encoding(stream.readline)
        return file.read_text(encoding=encoding, errors="replace")
    except (OSError, SyntaxError, LookupError, ValueError):
        return None


def _wants_colour(colour: Colour, stream: TextIO) -> bool:
    if colour is not Colour.AUTO:
        return colour is Colour.ALWAYS
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def _write(stream: TextIO, text: str) -> None:
    """Write text as UTF-8 whatever the locale; a closed pipe ends the run quietly."""
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
        return
    stream.flush()
    buffer.write(text.encode("utf-8", "backslashreplace"))
    buffer.flush()
