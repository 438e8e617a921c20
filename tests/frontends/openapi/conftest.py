"""A reader of descriptions written on the spot, and the given cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from .described import Reader

CASES = Path(__file__).resolve().parents[2] / "cases"


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    """Read a document given as Python values."""
    return Reader(tmp_path)


@pytest.fixture
def complaints() -> Path:
    """The folder of the complaint cases."""
    return CASES / "openapi"


@pytest.fixture
def attacks() -> Path:
    """The folder of hostile descriptions."""
    return CASES / "attacks" / "openapi"
