"""Read and write transcripts: a conversation as text, with what each side says in turn.

    Prose: what this shows.

    -- catalog --
    tools.py
    -- settings --              (left out where there are none)
    page_size = 2
    -- client --
    {"jsonrpc": "2.0", ...}     one line, one message, sent as it is; lines that start with # are remarks
    -- server --
    {"jsonrpc": "2.0", ...}     what comes back before the client goes on

`catalog` names the module that the server is built from, `settings` are its settings (TOML). A server section may be
empty: then the client goes on at once.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
SECTION = re.compile(r"^-- (catalog|settings|client|server) --\n", re.MULTILINE)


@dataclass(frozen=True)
class Exchange:
    """What the client sends, and what the server answers until it is silent."""

    sent: tuple[bytes, ...]
    answered: tuple[dict, ...]


@dataclass(frozen=True)
class Transcript:
    """One file."""

    path: Path
    prose: str
    catalog: str
    settings: str
    exchanges: tuple[Exchange, ...]
    sections: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.stem


def transcripts() -> list[Transcript]:
    """Return all transcripts of this folder."""
    return [parse(path) for path in sorted(FOLDER.glob("*.txt"))]


def parse(path: Path) -> Transcript:
    """Read one file."""
    prose, *parts = SECTION.split(path.read_text(encoding="utf-8"))
    kinds, bodies = parts[::2], parts[1::2]
    assert prose.strip(), f"{path.name} says nothing about what it shows"
    assert kinds[0] == "catalog", path.name
    settings = bodies[1] if kinds[1] == "settings" else ""
    turns = list(zip(kinds, bodies, strict=True))[2 if settings else 1 :]
    assert [kind for kind, _ in turns] == ["client", "server"] * (len(turns) // 2), path.name
    exchanges = [
        Exchange(
            tuple(line.encode() for line in lines(sent)),
            tuple(json.loads(line) for line in lines(answered)),
        )
        for (_, sent), (_, answered) in zip(turns[::2], turns[1::2], strict=True)
    ]
    return Transcript(path, prose.strip(), bodies[0].strip(), settings, tuple(exchanges), tuple(bodies))


def lines(body: str) -> list[str]:
    return [line for line in body.splitlines() if line.strip() and not line.startswith("#")]


def record(transcript: Transcript, answered: list[list[dict]]) -> None:
    """Write a transcript again with other answers."""
    text = transcript.path.read_text(encoding="utf-8")
    pieces = SECTION.split(text)
    found = iter(answered)
    written = [pieces[0]]
    for kind, body in zip(pieces[1::2], pieces[2::2], strict=True):
        if kind == "server":
            remarks = [line for line in body.splitlines() if line.startswith("#")]
            messages = [json.dumps(message, ensure_ascii=False) for message in next(found)]
            body = "".join(f"{line}\n" for line in [*remarks, *messages])  # noqa: PLW2901 # the same section, anew
        written.append(f"-- {kind} --\n{body}")
    transcript.path.write_text("".join(written), encoding="utf-8", newline="\n")
