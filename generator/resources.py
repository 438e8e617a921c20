"""Where the templates and schemas are: beside this package in a checkout, inside it in a wheel.

The checkout comes first: an editable install leaves stale copies inside the package (architecture, packaging traps).
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def templates() -> Path:
    """Return the folder of the Jinja templates."""
    return _folder("templates", marker="server")


def schemas() -> Path:
    """Return the folder of the JSON Schemas of our own data files."""
    return _folder("schemas", marker="catalog.schema.json")


def runtime() -> Path:
    """Return the folder of the runtime that emitted packages carry."""
    return _PACKAGE / "runtime"


def _folder(name: str, *, marker: str) -> Path:
    """Return the checkout's folder when it is ours, else the wheel's; `marker` is what only ours holds."""
    checkout = _PACKAGE.parent / name
    return checkout if (checkout / marker).exists() else _PACKAGE / f"_{name}"
