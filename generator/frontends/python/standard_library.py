"""Which top-level modules are Python's own, on every version that emitted packages run on."""

from __future__ import annotations

import sys

REMOVED = frozenset(
    {
        "aifc", "asynchat", "asyncore", "audioop", "cgi", "cgitb", "chunk", "crypt", "distutils", "imghdr",
        "imp", "lib2to3", "mailcap", "msilib", "nis", "nntplib", "ossaudiodev", "pipes", "smtpd", "sndhdr",
        "spwd", "sunau", "telnetlib", "uu", "xdrlib",
    }
)  # fmt: skip
"""In Python 3.11, but not in every later one; distributions exist that bring some of them back."""

ADDED = frozenset({"annotationlib", "compression"})
"""In later versions than 3.11."""

PROVIDED = frozenset({"mcpgen", "__main__"})
"""Neither standard nor installed: the runtime of an emitted package provides `mcpgen`."""

STANDARD = frozenset(sys.stdlib_module_names) - REMOVED | ADDED
"""Modules that no distribution has to provide."""


def needs_installing(top: str) -> bool:
    """Return whether an import of this top-level name is served by an installed distribution."""
    return top not in STANDARD and top not in REMOVED and top not in PROVIDED
