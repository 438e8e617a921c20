"""Whether the files of a child that mcpgen made are what they were when the gateway was built (B22).

A command that stays the same while what it runs changes is how trusted servers become others; definitions that stay the
same say nothing of what runs behind them.
"""

from __future__ import annotations

import os

from ..registry.making import Package
from ..registry.problems import RegistryError
from .spawning import Unavailable, filled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .links import Ground

STARTS = "/__main__.py"
"""How the word of a command ends that starts a package of ours."""


def files_changed(row: Mapping[str, Any], ground: Ground) -> bool:
    """Say whether a child's files changed; False where the table holds no digest of them, or they are not there."""
    told = row.get("files")
    started = [word for word in row.get("command") or () if word.endswith(STARTS)]
    if not told or not started:
        return False
    try:
        folder = os.path.dirname(filled(started[0], ground.environment, ground.base))
        return os.path.isdir(folder) and Package(folder).files() != told
    except (OSError, Unavailable):
        return False  # its start will say what is wrong
    except RegistryError:
        return True
