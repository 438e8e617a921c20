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
from .errors import CallCancelled, ClientError, MissingRequiredClientCapability, ProtocolError, ToolError
from .markers import Param, tool
from .messages import Message
from .offer_markers import completer, prompt, resource, ui_resource
from .questions import Elicit, Roots, Sample
from .refusals import Cancelled, Declined
from .replies import Reply, Root
from .tool_call import ToolCall

__all__ = [
    "Audio",
    "CallCancelled",
    "Cancelled",
    "Client",
    "ClientError",
    "Configuration",
    "Context",
    "Declined",
    "Elicit",
    "File",
    "Image",
    "Link",
    "Message",
    "MissingRequiredClientCapability",
    "Param",
    "ProtocolError",
    "Reply",
    "Root",
    "Roots",
    "Sample",
    "SyncContext",
    "Text",
    "ToolCall",
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
