"""Make the sample classes beside these tests importable by name, as user modules are."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
