"""Where the registry of a user is."""

from __future__ import annotations

import os
import sys

from .problems import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

OVERRIDE = "MCPGEN_REGISTRY"
"""Environment name of another file."""

FILE = "registry.json"


def registry_path(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """Return the absolute path of the registry file, which need not exist; raises RegistryError without a home.

    MCPGEN_REGISTRY wins. Windows has it below LOCALAPPDATA; elsewhere it is below XDG_CONFIG_HOME where that is set to
    an absolute path, and else in `~/.mcpgen`.
    """
    values = os.environ if environ is None else environ
    named = values.get(OVERRIDE)
    if named:
        return os.path.abspath(os.path.expanduser(named))
    if platform == "win32":
        local = values.get("LOCALAPPDATA") or os.path.join(_home(values), "AppData", "Local")
        return os.path.join(local, "mcpgen", FILE)
    settings = values.get("XDG_CONFIG_HOME", "")
    if os.path.isabs(settings):
        return os.path.join(settings, "mcpgen", FILE)
    return os.path.join(_home(values), ".mcpgen", FILE)


def milo_path(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> str:
    """Return where Milo has its registry."""
    values = os.environ if environ is None else environ
    if platform == "win32" and values.get("LOCALAPPDATA"):
        return os.path.join(values["LOCALAPPDATA"], "milo", FILE)
    return os.path.join(_home(values), ".milo", FILE)


def _home(values: Mapping[str, str]) -> str:
    home = values.get("HOME") or os.path.expanduser("~")
    if not os.path.isabs(home):
        raise failure(
            "unwritable-registry",
            "there is no home folder to keep a registry in",
            f"Set HOME, or name a file in {OVERRIDE}.",
        )
    return home
