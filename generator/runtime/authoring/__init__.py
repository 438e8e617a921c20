"""What a user's module imports as `mcpgen`: markers, contexts, content and errors.

This one package is two things: the typed top-level `mcpgen` of the wheel, and a part of every emitted server
(`_runtime/authoring`), which answers `import mcpgen` there. Rules: the standard library only, quick to import, no
import from outside this folder; whatever two copies could disagree about is recognised by an attribute, never by
class (`__mcp_content__`, `__mcp_tool_error__`).
"""

from __future__ import annotations

from .channel import Client, Configuration
from .content import Audio, File, Image, Link, Text
from .contexts import Context, SyncContext
from .errors import CallCancelled, ToolError
from .markers import Param, tool
from .messages import Message
from .offer_markers import completer, prompt, resource, ui_resource

__all__ = [
    "Audio",
    "CallCancelled",
    "Client",
    "Configuration",
    "Context",
    "File",
    "Image",
    "Link",
    "Message",
    "Param",
    "SyncContext",
    "Text",
    "ToolError",
    "completer",
    "prompt",
    "resource",
    "tool",
    "ui_resource",
]


def main() -> object:
    """Run the `mcpgen` command: the wheel's console script points here."""
    from .launcher import main as launch

    return launch()
