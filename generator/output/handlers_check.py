"""What `from-openapi --check` says of the user's `handlers.py`: whether it does what it is to do.

It is imported as the server imports it, by the words that start the server, in a bounded child process that says what
it found. The package on disk is asked, not the tree of a build: the file is the user's, as are those it may import.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Diagnostic, Severity, Span
from ..diagnostics.plain import plain
from ..diagnostics.rules import rule
from ..on_disk import resolved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SECONDS = 30.0
"""Bound of the child process; a module of functions is imported in well below a second."""

MAX_REASON = 200
"""Characters of an exception's text that a message shows."""

MAX_KEY = 120
"""Characters of a key that a message shows."""

MAX_FINDINGS = 20
"""Findings that are shown; a file in which everything is wrong is wrong in one way."""

FILE = "handlers.py"

_PROBE = """
import sys
root, package, answer = sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, root)
import importlib, inspect, json, traceback
found = []
name = package + ".handlers"
try:
    importlib.import_module(package + "._runtime.server.authoring_alias").install()
    module = importlib.import_module(name)
except BaseException as problem:
    own = [each for each in traceback.extract_tb(problem.__traceback__) if each.filename.endswith("handlers.py")]
    line = own[-1].lineno if own else getattr(problem, "lineno", None)
    found.append(["import", type(problem).__name__ + ": " + str(problem), line])
    module = None
for hook in ("before_request", "after_response"):
    function = getattr(module, hook, None)
    if function is None:
        continue
    code = getattr(function, "__code__", None)
    line = getattr(code, "co_firstlineno", None)
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        found.append(["signature", hook, line])
    except ValueError:
        pass
    if inspect.iscoroutinefunction(function):
        found.append(["async", hook, line])
operations = getattr(module, "operations", None)
if operations is not None and not isinstance(operations, dict):
    found.append(["operations", type(operations).__name__, None])
for key, value in operations.items() if isinstance(operations, dict) else ():
    found.append(["key", str(key), None])
    if not callable(value):
        found.append(["value", str(key), None])
with open(answer, "w", encoding="utf-8", errors="backslashreplace") as file:
    json.dump(found, file)
"""

_WORDS = {
    "signature": "`{}` must take two arguments: the operation and the request or response",
    "async": "`{}` is called and not awaited: write it without `async`",
    "operations": "`operations` must be a dict of functions by operation, not {}",
    "value": "`operations` has something for `{}` that cannot be called",
}


def handlers_problems(folder: Path, package: str, interpreter: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the handlers of a built project; nothing where it has none.

    `interpreter` are the words that start the server, without its file: an import that fails there fails when it runs.
    """
    file = folder / package / FILE
    known = _operations(folder / package / "operations.json")
    if not file.is_file() or known is None:
        return ()
    shown = file.as_posix()
    with tempfile.TemporaryDirectory(prefix="mcpgen-check-") as scratch:
        answer = Path(scratch, "answer.json")
        command = [*interpreter, "-B", "-c", _PROBE, str(resolved(folder)), package, str(answer)]
        try:
            subprocess.run(  # noqa: S603 - our own program, arguments as a list, no shell
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, cwd=scratch, check=False
            )
            found = json.loads(answer.read_bytes())
        except subprocess.TimeoutExpired:
            return (_broken(shown, f"importing it did not end within {SECONDS:g} s", None),)
        except OSError as failure:
            return (_broken(shown, f"it cannot be imported: {failure.strerror or 'the process ended'}", None),)
    return tuple(_told(found, known, shown))[:MAX_FINDINGS]


def syntax_problem(path: str, source: bytes) -> Diagnostic | None:
    """Return what keeps a file of handlers from being compiled, as a warning: a build goes on; None for nothing."""
    try:
        compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as problem:
        line = getattr(problem, "lineno", None)
        reason = f"it cannot be imported: {type(problem).__name__}: {getattr(problem, 'msg', problem)}"
        return _broken(path, reason, line, Severity.WARNING)
    return None


def _told(found: list[Any], known: list[str], shown: str) -> Iterator[Diagnostic]:
    for kind, text, line in found:
        if kind == "import":
            yield _broken(shown, f"it cannot be imported: {text}", line)
        elif kind != "key":
            yield _broken(shown, _WORDS[kind].format(text[:MAX_KEY]), line)
        elif text not in known:
            close = get_close_matches(text, known, n=1)
            hint = f"Did you mean `{plain(close[0])[:MAX_KEY]}`?" if close else None
            yield _broken(shown, f"`{text[:MAX_KEY]}` in `operations` is no operation of this server", line, hint=hint)


def _broken(
    shown: str, reason: str, line: int | None, severity: Severity | None = None, hint: str | None = None
) -> Diagnostic:
    span = Span(path=shown, line=line, column=1, end_line=line, end_column=1) if isinstance(line, int) else None
    message = f"`{FILE}`: {plain(' '.join(reason.split()))[:MAX_REASON]}"
    return Diagnostic(
        rule=rule("broken-handlers"), message=message, span=span, unit=shown, severity=severity, hint=hint
    )


def _operations(file: Path) -> list[str] | None:
    """Return the operations of a built server, or None when there are none to compare with."""
    try:
        found = json.loads(file.read_bytes())["operations"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return list(found) if isinstance(found, dict) else None
