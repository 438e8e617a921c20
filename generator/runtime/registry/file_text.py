"""Bytes of a registry file to a document and back: strict, bounded, and refusing whatever could be read in two ways."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = 1
"""Version of the file's form; the same number and the same member `clis` as in Milo's registry."""

SUPPORTED = (1,)
MEMBERS = ("clis", "servers")
"""Members that hold entries by their names: `clis` is written, `servers` is read as well."""

MAX_BYTES = 4 << 20
"""An entry has about a kilobyte: thousands of them fit."""

MOST_ENTRIES = 1000


class BrokenTextError(ValueError):
    """The bytes are no registry; the message says why."""


class UnknownVersionError(ValueError):
    """The file is of a version that is not known here; the message is the version as it stands there."""


def empty() -> dict[str, Any]:
    """Return the document of a registry without entries."""
    return {"version": VERSION, MEMBERS[0]: {}}


def parse(data: bytes) -> dict[str, Any]:
    """Return the document; raises BrokenTextError or UnknownVersionError."""
    if len(data) > MAX_BYTES:
        raise BrokenTextError(f"it is larger than {MAX_BYTES >> 20} MiB")
    try:
        document = json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_constant=_constant,
            parse_float=_number,
        )
    except UnicodeDecodeError as failure:
        raise BrokenTextError(f"it is not UTF-8 (byte {failure.start})") from None
    except json.JSONDecodeError as failure:
        raise BrokenTextError(f"it is not JSON (line {failure.lineno}, column {failure.colno})") from None
    except RecursionError:
        raise BrokenTextError("it is nested too deeply") from None
    except BrokenTextError:
        raise
    except ValueError:
        raise BrokenTextError("a number in it has too many digits") from None
    return _checked(document)


def encode(document: dict[str, Any]) -> bytes:
    """Return the bytes of a document: ASCII, so that whatever was read can be written again."""
    return json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"


def _checked(document: object) -> dict[str, Any]:
    if not isinstance(document, dict):
        raise BrokenTextError("it is no object")
    version = document.get("version")
    if version is None:
        raise BrokenTextError("it has no `version`")
    if isinstance(version, bool) or version not in SUPPORTED:
        raise UnknownVersionError(json.dumps(version)[:40])
    for member in MEMBERS:
        entries = document.get(member, {})
        if not isinstance(entries, dict):
            raise BrokenTextError(f"`{member}` is no object")
        if len(entries) > MOST_ENTRIES:
            raise BrokenTextError(f"`{member}` has more than {MOST_ENTRIES} entries")
    return document


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; two members of one name would be read differently by different programs."""
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise BrokenTextError(f"a key stands twice in one object ({json.dumps(twice)[:60]})")
    return made


def _constant(text: str) -> float:
    raise BrokenTextError(f"{text} is no number in JSON")


def _number(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise BrokenTextError("a number in it is too large")
    return value
