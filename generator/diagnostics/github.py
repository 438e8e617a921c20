"""Diagnostics as GitHub workflow commands: annotations on the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .collect import told
from .model import Severity
from .plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Diagnostic

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one `::error file=…` line for each diagnostic."""
    return "".join(_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, str | int] = {}
    if (span := diagnostic.span) is not None:
        properties |= {"file": span.path, "line": span.line, "endLine": span.end_line, "col": span.column}
        if span.end_line == span.line and span.end_column > span.column:
            properties["endColumn"] = span.end_column - 1  # GitHub's last column is inclusive
    properties["title"] = f"{diagnostic.rule.code} {diagnostic.rule.name}"
    stated = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    message = "\n".join(told(diagnostic))
    return f"::{_COMMANDS[diagnostic.level]} {stated}::{_data(message)}"


def _data(text: str) -> str:
    """Escape a message as the runner unescapes it; other control characters are made visible first."""
    harmless = plain(text, keep="\r\n")
    return harmless.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
