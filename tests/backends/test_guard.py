"""The last look at templated Python."""

from __future__ import annotations

import pytest

from generator.backends.guard import check
from generator.backends.identifiers import UncheckedValueError


@pytest.mark.parametrize("source", [b"import sys\n", b"from . import x\n", b"from weather_mcp.a import b\n", b""])
def test_what_we_meant_to_import_is_accepted(source):
    check("server.py", source, "weather_mcp")


@pytest.mark.parametrize(
    "source",
    [
        b"import os\n",
        b"from os import path\n",
        b"def f():\n    import subprocess\n",
        b"import weather_mcp2\n",
        b"def",
        b"\0",
    ],
)
def test_anything_else_is_refused(source):
    with pytest.raises(UncheckedValueError):
        check("server.py", source, "weather_mcp")
