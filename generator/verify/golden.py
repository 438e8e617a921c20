"""Golden calls: calls with what they have to answer, from the settings of the source or from a file `verify.json`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..config.verify import call_problem
from .subject import NoServerError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE = "verify.json"
MAX_BYTES = 16 << 20
"""Bytes of a file of calls; a person writes some KiB."""

FORM = 'Write it as {"calls": [{"tool": "NAME", "arguments": {}, "structured": {}}]}; docs/verify.md has all members.'

UNSET = object()
"""Stands for a result that is not stated: null is one that is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenCall:
    """One call: what it is given, and what its result must be, as far as that is stated.

    `text` must all be found in the result's texts; `structured` equals its structuredContent; `error` is its isError.
    One that is `put_together` from what a schema says of each parameter was stated by nobody as a whole.
    """

    tool: str
    arguments: dict[str, Any]
    error: bool = False
    text: tuple[str, ...] = ()
    structured: Any = UNSET
    origin: str = ""
    put_together: bool = False


def read_file(path: Path) -> tuple[GoldenCall, ...]:
    """Read calls from a file; raises NoServerError with what is wrong."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        document = json.loads(data)
    except OSError as failure:
        raise NoServerError(f"`{path}` cannot be read: {failure.strerror}", "Look at the name of the file.") from None
    except (ValueError, RecursionError) as failure:
        raise NoServerError(f"`{path}` is not JSON: {str(failure)[:100]}", FORM) from None
    calls = document.get("calls") if isinstance(document, dict) else None
    if not isinstance(calls, list) or len(document) != 1:
        raise NoServerError(f"`{path}` is no object with `calls` alone, a list", FORM)
    return golden_calls(calls, path.name)


def golden_calls(entries: Iterable[Any], origin: str) -> tuple[GoldenCall, ...]:
    """Return the calls of a list of objects; raises NoServerError for what is none."""
    calls = []
    for number, entry in enumerate(entries, 1):
        problem = call_problem(entry)
        if problem is not None:
            raise NoServerError(f"call {number} in {origin} {problem}", FORM)
        text = entry.get("text", ())
        calls.append(
            GoldenCall(
                tool=entry["tool"],
                arguments=entry.get("arguments", {}),
                error=entry.get("error", False),
                text=(text,) if isinstance(text, str) else tuple(text),
                structured=entry.get("structured", UNSET),
                origin=f"call {number} in {origin}",
            )
        )
    return tuple(calls)
