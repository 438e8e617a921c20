"""How real clients begin, as data: seen on the wire, or reported in their issues.

A step is a method with the revision it is sent in; `any_answer` is for what clients ask whether or not it is offered,
and read an error as a no. What they cannot bear is silence.
"""

from __future__ import annotations

from dataclasses import dataclass

from .eras import LEGACY, MODERN


@dataclass(frozen=True, slots=True)
class Step:
    """One request of an opening."""

    method: str
    version: str = LEGACY
    any_answer: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """How one client begins; `falls_back` says that it shakes hands when its probe is refused.

    `odd` is an opening against the specification: a server of somebody else need not bear it.
    """

    client: str
    steps: tuple[Step, ...]
    falls_back: bool = False
    odd: bool = False


_LIST = Step("tools/list", any_answer=True)
_PROBE = Step("server/discover", MODERN)
_OFFERS = (Step("resources/list", any_answer=True), Step("prompts/list", any_answer=True))

OPENINGS = (
    Opening("TypeScript SDK 1.32", (Step("initialize"), _LIST)),
    Opening("TypeScript client 2.4 (auto)", (_PROBE, _LIST), falls_back=True),
    Opening("Python SDK 2.3 (auto)", (_PROBE, _LIST), falls_back=True),
    Opening("Inspector 2.12", (Step("initialize"), Step("logging/setLevel", any_answer=True), _LIST)),
    Opening("Gemini CLI 0.61", (Step("initialize", "2025-06-18"), Step("ping"))),
    Opening(
        "Claude Code 2.1 (probing)",
        (Step("server/discover", MODERN, any_answer=True), Step("initialize"), _LIST),
        odd=True,  # anthropics/claude-code#96183
    ),
    Opening("Claude Desktop", (Step("initialize"), _LIST, *_OFFERS)),
    Opening("a client of 2024-11-05", (Step("initialize", "2024-11-05"), _LIST)),
)
