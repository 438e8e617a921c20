"""Settings: found, checked against the table in `fields`, each problem with its place. The door of the package."""

from __future__ import annotations

from .load import load_config
from .settings import Config, ConfigSetting, LoadedConfig, ToolFacts, ToolSetting

__all__ = ["Config", "ConfigSetting", "LoadedConfig", "ToolFacts", "ToolSetting", "load_config"]
