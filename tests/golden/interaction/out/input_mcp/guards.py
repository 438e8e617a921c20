"""Middleware."""

from mcpgen import ToolCall


def repair(call: ToolCall) -> None:
    """Take another name of an argument."""
    if "value" in call.arguments:
        call.arguments["number"] = call.arguments.pop("value")
