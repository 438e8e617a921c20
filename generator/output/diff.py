"""How a folder differs from a tree: a unified diff for people and patches, and what it means for clients."""

from __future__ import annotations

import difflib
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from .plan import Plan, Step
    from .tree import Tree

MAX_DIFF_BYTES = 1 << 20
"""A file larger than this is said to differ; its lines are not compared."""

MAX_LINE = 2000
"""A file with a longer line is said to differ; its lines are not shown."""

NAMED_ONLY = re.compile(r"(?:^|/)(?:_runtime/|catalog\.cache\.jsonl$)")
"""Files that are named and not shown: the copied runtime is the release's own, the cache says what the catalog says."""

_TOOL_PARTS = {
    "title": "title",
    "description": "description",
    "inputSchema": "arguments",
    "outputSchema": "result",
    "annotations": "annotations",
}


def unified(plan: Plan, content: Tree) -> str:
    """Return the unified diff of everything that would change or was kept although it differs."""
    steps = plan.of("create", "update", "delete", "edited", "foreign")
    return "".join(_file(step, None if step.action == "delete" else content[step.path]) for step in steps)


def lock_difference(current: bytes | None, expected: bytes, name: str) -> str:
    """Return the diff of the lock itself."""
    return "" if current == expected else "".join(_lines(name, current, expected))


def _file(step: Step, new: bytes | None) -> str:
    if NAMED_ONLY.search(step.path):
        return f"# {step.path}: {step.action}\n"
    return "".join(_lines(step.path, step.current, new))


def _lines(path: str, old: bytes | None, new: bytes | None) -> Iterable[str]:
    before, after = _text(old), _text(new)
    if before is None or after is None:
        yield f"# {path}: {len(old or b'')} bytes -> {len(new or b'')} bytes\n"
        return
    names = ("/dev/null" if old is None else f"a/{path}", "/dev/null" if new is None else f"b/{path}")
    for line in difflib.unified_diff(before, after, *names):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _text(content: bytes | None) -> list[str] | None:
    """Return a content's lines with their ends, or None when it is not fit to be shown."""
    if content is None:
        return []
    if len(content) > MAX_DIFF_BYTES or b"\0" in content:
        return None
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    pieces = text.split("\n")
    lines = [f"{piece}\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])
    return None if any(len(line) > MAX_LINE for line in lines) else lines


def semantic(old_catalog: bytes | None, new_catalog: bytes | None) -> list[str]:
    """Return what changes for clients: `+ tool a`, `- tool b`, `~ tool c: arguments, description`."""
    before, after = _tools(old_catalog), _tools(new_catalog)
    lines = [f"+ tool {name}" for name in after if name not in before]
    lines += [f"- tool {name}" for name in before if name not in after]
    for name in after:
        if name in before:
            parts = [label for key, label in _TOOL_PARTS.items() if before[name].get(key) != after[name].get(key)]
            lines += [f"~ tool {name}: {', '.join(parts)}"] if parts else []
    return lines


def _tools(catalog: bytes | None) -> dict[str, Mapping[str, Any]]:
    """Return the definitions of a catalog by name; a catalog that cannot be read has none."""
    try:
        entries = json.loads(catalog or b"{}").get("tools", [])
        return {str(entry["definition"]["name"]): entry["definition"] for entry in entries}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return {}
