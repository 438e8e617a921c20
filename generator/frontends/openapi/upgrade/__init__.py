"""Upgrade API descriptions of every version to one internal form (decision 26)."""

from .read import read_api

__all__ = ["read_api"]
