"""Which calls write files, and which of their parts is the place that is written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_METHODS = frozenset({"hardlink_to", "rmdir", "symlink_to", "touch", "unlink", "write_bytes", "write_text"})
_MOVES = frozenset({"rename", "replace"})
_SAVES = frozenset({"save", "savefig", "write_csv", "write_json", "write_parquet"})
_FOLDER_METHOD = "mkdir"
_FOLDER_CALLS = frozenset({"os.makedirs", "os.mkdir"})
_FIRST = frozenset(
    {"logging.FileHandler", "logging.handlers.RotatingFileHandler", "logging.handlers.TimedRotatingFileHandler"}
    | {"numpy.save", "numpy.savetxt", "numpy.savez", "os.remove", "os.rmdir", "os.truncate", "os.unlink"}
    | {"shutil.rmtree"}
)
_SECOND = frozenset({"joblib.dump", "shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "torch.save"})
_TWO = frozenset({"os.rename", "os.replace", "shutil.move"})
_STORES = frozenset(
    {"aiosqlite.connect", "shelve.open", "sqlalchemy.create_engine", "sqlite3.connect", "tinydb.TinyDB"}
    | {"sqlalchemy.ext.asyncio.create_async_engine", "sqlmodel.create_engine"}
)
"""Calls that open a file for reading and writing and make it when it is not there."""

_OPENERS = frozenset(
    {"aiofiles.open", "bz2.open", "codecs.open", "gzip.open", "io.open", "lzma.open", "open", "tarfile.open"}
    | {"zipfile.ZipFile"}
)

_TESTS = frozenset({"exists", "is_dir", "is_file", "os.path.exists", "os.path.isdir", "os.path.isfile"})
"""Calls that only ask whether a file is there."""


class Use(NamedTuple):
    """A call's use of a place: `reads` too, only `tests` for it, makes it a `folder`."""

    place: ast.expr
    writes: bool = True
    reads: bool = False
    folder: bool = False


def uses_of(call: ast.Call, qualify: Callable[[ast.expr], str]) -> list[Use]:
    """Return the places a call writes or tests for; reading is what every other use is."""
    name, arguments = qualify(call.func), call.args
    if name in _OPENERS:
        return _opened(arguments[0], _mode(call, 1)) if arguments else []
    if name in _FIRST | _FOLDER_CALLS | _STORES:
        reads, folder = name in _STORES, name in _FOLDER_CALLS
        return [Use(each, reads=reads, folder=folder) for each in arguments[:1] or _keyword(call, "database")]
    if name in _SECOND:
        return [Use(each) for each in arguments[1:2]]
    if name in _TWO:
        return [*(Use(each, reads=True) for each in arguments[:1]), *(Use(each) for each in arguments[1:2])]
    if name in _TESTS:
        return [Use(each, writes=False) for each in arguments[:1]]
    return _by_method(call, call.func) if isinstance(call.func, ast.Attribute) else []


def _by_method(call: ast.Call, function: ast.Attribute) -> list[Use]:
    method, place = function.attr, function.value
    if method == "open":
        return _opened(place, _mode(call, 0))
    if method in _METHODS or method == _FOLDER_METHOD:
        return [Use(place, folder=method == _FOLDER_METHOD)]
    if method in _MOVES and len(call.args) == 1:  # a text's `replace` takes two
        return [Use(place, reads=True), Use(call.args[0])]
    if method in _TESTS:
        return [Use(place, writes=False)]
    saves = method in _SAVES or method.startswith("to_")  # the tables of pandas and its like: `to_csv`
    return [Use(each) for each in call.args[:1]] if saves else []


def _opened(place: ast.expr, mode: str) -> list[Use]:
    """Return the use of a file that is opened in a mode; one that is read is not told of."""
    if mode[:1] in {"w", "x"}:
        return [Use(place)]
    if mode[:1] == "a":
        return [Use(place, reads="+" in mode)]
    return [Use(place, reads=True)] if "+" in mode else []


def _mode(call: ast.Call, position: int) -> str:
    stated = [*_keyword(call, "mode"), *call.args[position : position + 1]]
    return next((str(mode.value) for mode in stated if isinstance(mode, ast.Constant)), "")


def _keyword(call: ast.Call, name: str) -> list[ast.expr]:
    return [keyword.value for keyword in call.keywords if keyword.arg == name]
