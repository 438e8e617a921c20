"""What the documents show: their fenced blocks, and a shell in which their commands run as they stand there.

A `console` block holds commands after `$ ` (continued after `> `) and below each what it prints, standard error
included. A line `...` stands for any lines, ` ...` at the end of a line for the rest of it. Python and TOML blocks
whose first line is a comment with a file's name become that file. Blocks run from top to bottom in one folder.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from generator.cli.launch import base_interpreter

SECONDS = 60
"""Longest run of one block."""

MARK = "@@status"
"""Stands in the shell's output behind the output of each command."""

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"# ([\w./-]+\.(?:py|toml))\n")


@dataclass(frozen=True)
class Block:
    """One fenced block and the line of its document where it starts."""

    language: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        """The file this block is, if it says so."""
        found = FILE.match(self.text)
        return found[1] if found else None

    def commands(self) -> list[tuple[str, str]]:
        """Return each command of a console block with what it should print."""
        found: list[tuple[str, str]] = []
        for line in self.text.splitlines(keepends=True):
            if line.startswith("$ "):
                found.append((line[2:], ""))
            elif line.startswith("> ") and not found[-1][1]:
                found[-1] = (found[-1][0] + line[2:], "")
            else:
                found[-1] = (found[-1][0], found[-1][1] + line)
        return found


def blocks(document: Path) -> list[Block]:
    """Return the fenced blocks of a document."""
    text = document.read_text(encoding="utf-8")
    return [Block(match[1], match[2], text.count("\n", 0, match.start()) + 1) for match in FENCE.finditer(text)]


class Shell:
    """A folder and an environment in which `mcpgen`, `python3` and `python` are those of the tests."""

    def __init__(self, root: Path, place: Path) -> None:
        self.folder = place / "work"
        self.folder.mkdir()
        self.root = root
        programs = place / "programs"
        programs.mkdir()
        python = shlex.quote(sys.executable)
        start = f"import sys; sys.path.insert(0, {str(root)!r}); from generator.cli.app import main; main()"
        _program(programs / "mcpgen", f'exec {python} -c {shlex.quote(start)} "$@"')
        for name in ("python", "python3"):
            _program(programs / name, f'exec {python} "$@"')
        self._environment = {
            "PATH": f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin",
            "HOME": str(place),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "100",
        }

    def run(self, block: Block) -> list[str]:
        """Run a console block and return what each of its commands printed, without what differs between machines."""
        script = "".join(
            f"{command}\nstatus=$?; printf '%s\\n' '{MARK}'; (exit $status)\n" for command, _ in block.commands()
        )
        return self.do(script).split(f"{MARK}\n")[:-1]

    def do(self, script: str) -> str:
        """Run a script and return what it printed, without what differs between machines."""
        ended = subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
        text = ended.stdout.decode("utf-8")
        for interpreter in (sys.executable, base_interpreter()):
            text = text.replace(f"{interpreter} ", "/path/to/python ")
        return steady(text.replace(str(self.folder), "/path/to"))

    def write(self, block: Block) -> Path:
        """Write a block that is a file."""
        path = self.folder / str(block.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        return path

    def copy(self, name: str) -> None:
        """Bring a folder of the checkout."""
        shutil.copytree(self.root / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def steady(text: str) -> str:
    """Return an output without its times."""
    return re.sub(r"\d+(?:\.\d+)?ms\b", "0ms", text)


def matches(expected: str, actual: str) -> bool:
    """Say whether an output is the one a document shows."""
    pattern = ""
    for line in steady(expected).splitlines():
        if line == "...":
            pattern += r"(?:.*\n)*?"
        elif line.endswith(" ..."):
            pattern += re.escape(line[:-4]) + r".*\n"
        else:
            pattern += re.escape(line) + r"\n"
    return re.fullmatch(pattern, actual if actual.endswith("\n") or not actual else f"{actual}\n") is not None


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP)
