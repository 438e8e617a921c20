"""The entry point of a gateway: a server like any other, with words of its own about what is behind it."""

from __future__ import annotations

from ..server.main import serve

__all__ = ["serve"]
