"""What a person sees who starts the server in a terminal: what it is, and how to try it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHOWN_NAMES = 20
"""Tool names listed by name; more are counted."""


def banner(header: dict[str, Any], names: list[str], versions: list[str]) -> str:
    """Return the text for standard error."""
    server = header["server"]
    shown = ", ".join(names[:SHOWN_NAMES]) + (
        f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    )
    return f"""MCP server ready: {server.get("title") or server["name"]} {server["version"]}
  Protocol:  {", ".join(versions)}
  Tools:     {len(names)} ({shown})
  Transport: stdio, one JSON-RPC message a line
Try it by pasting:
  {{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{}}}}
  {{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
  {{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{{"name":"{names[0] if names else ""}","arguments":{{}}}}}}
or pipe a file of such lines into this command. Ctrl+C ends the server.
"""
