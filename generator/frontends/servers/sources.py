"""What a gateway is put together from, before anything is read: where each server is, and how it is reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Way = Literal["folder", "registered", "command", "url"]
"""How a server is reached: by its project folder, its registry entry, words that start it, or its address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSource:
    """One server as it was asked for; `name` is None where it is the server's own.

    `folder` is the project's folder, absolute. `words` start a command in `cwd`, which is absolute, and so is a program
    that was named by its path; `beside` says that it was named from there, and goes where the project goes. `python` is
    the interpreter of a project that imports what is installed there. `values` are variables it gets besides the `env`
    that is passed on; `allow_env` names those that programs obey and that were allowed. `text` is what the user wrote.
    """

    text: str
    way: Way
    name: str | None = None
    folder: Path | None = None
    words: tuple[str, ...] = ()
    cwd: Path | None = None
    beside: bool = False
    url: str | None = None
    env: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)
    allow_env: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    start_timeout: float | None = None
    python: Path | None = None
