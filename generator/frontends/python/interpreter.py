"""Asking another interpreter for its search path: one bounded child process, isolated, that runs one fixed line."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ...on_disk import is_folder

TIMEOUT_SECONDS = 15
"""A cold interpreter on a slow disk needs a few seconds; longer means it hangs."""

MAX_ANSWER_BYTES = 1_000_000
"""A search path is a few kilobytes."""

_QUESTION = "import json, sys; print(json.dumps([sys.path, list(sys.version_info[:3]), sys.platform]))"
_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "HOME")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What an interpreter says of itself."""

    paths: tuple[Path, ...]
    version: tuple[int, int, int]
    platform: str


class InterpreterProblem(Exception):
    """The file is no interpreter, or did not answer."""


def ask(executable: Path) -> Answer:
    """Return an interpreter's search path, version and platform; raise InterpreterProblem."""
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    try:
        done = subprocess.run(  # noqa: S603 - the user named this interpreter; the arguments are fixed
            [str(executable.absolute()), "-I", "-c", _QUESTION],  # a bare name would be looked for in PATH
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            env=environment,
            check=True,
        )
        paths, version, platform = json.loads(done.stdout[:MAX_ANSWER_BYTES])
        return Answer(
            paths=tuple(path for path in map(Path, paths) if path.is_dir()),
            version=(int(version[0]), int(version[1]), int(version[2])),
            platform=str(platform),
        )
    except (OSError, subprocess.SubprocessError) as error:
        reason = "there is none in that folder" if is_folder(executable) else type(error).__name__
        message = f"{executable} cannot be run as a Python interpreter ({reason})"
        raise InterpreterProblem(message) from None
    except (ValueError, TypeError, IndexError):
        message = f"{executable} did not answer like a Python interpreter"
        raise InterpreterProblem(message) from None
