"""The server that the official example messages are sent to: what they ask for is here."""

from __future__ import annotations

from mcpgen import SyncContext, completer, prompt, resource


def get_weather(location: str, ctx: SyncContext) -> str:
    """Tell the weather, and that things have changed.

    Args:
        location: Where.
    """
    ctx.tools_changed()
    ctx.resource_updated("file:///project/config.json")
    return f"Sunny in {location}"


@prompt
def code_review(code: str, language: str = "python") -> str:
    """Ask for a review.

    Args:
        code: What is reviewed.
        language: What it is written in.
    """
    return f"Review this {language}:\n{code}"


@completer(code_review, "language")
def languages(typed: str) -> list[str]:
    """Propose languages."""
    return [name for name in ("python", "pytorch", "rust") if name.startswith(typed)]


@resource("file:///project/src/main.rs", mime_type="text/x-rust")
def main_rs() -> str:
    """Return a program."""
    return "fn main() {}\n"


@resource("file:///project/config.json", mime_type="application/json")
def config_json() -> dict[str, bool]:
    """Return settings."""
    return {"debug": False}
