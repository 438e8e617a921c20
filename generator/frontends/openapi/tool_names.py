"""Names of tools: the operationId made legal, else method and path; what clashes is told apart by a stable hash.

Names depend on the operations alone, never on their order or on which of them are served. In this order names are
given: those that somebody stated, those of earlier runs, operationIds that are legal as they are, names made of paths,
changed operationIds. Within one step all who want the same name get the hash, so that none depends on another's place.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ir.names import DIGEST_CHARACTERS, TOOL_NAME
from .findings import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .findings import Findings
    from .model import Operation

MAX_TOOL_NAME = 64
"""Characters of a tool's name (decision 20)."""

_ILLEGAL = re.compile(r"[^A-Za-z0-9_-]+")
_BRACES = re.compile(r"\{([^{}]*)\}")
_STATED, _KNOWN, _EXACT, _PATH, _CHANGED = range(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """The name an operation would like, and in which step it is asked for."""

    operation: Operation
    name: str
    step: int


def tool_names(
    operations: Iterable[Operation], stated: Mapping[str, str], known: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the tool name of every operation by its key.

    `stated` are names that somebody asked for, `known` those of earlier runs; both by operation key.
    """
    wishes = [_wish(operation, stated, known) for operation in operations]
    names: dict[str, str] = {}
    taken: set[str] = set()
    for step in range(_CHANGED + 1):
        asking = [wish for wish in wishes if wish.step == step]
        wanted = Counter(wish.name for wish in asking)
        free = [wish for wish in asking if wanted[wish.name] == 1 and wish.name not in taken]
        names |= {wish.operation.key: wish.name for wish in free}
        taken |= {wish.name for wish in free}
        for wish in sorted(asking, key=lambda each: each.operation.key):
            if wish.operation.key not in names:
                names[wish.operation.key] = name = _distinct(wish, taken)
                taken.add(name)
    return names


def clashing(
    names: Mapping[str, str], operations: Iterable[Operation], stated: Mapping[str, str], known: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the keys of operations whose stated name is not theirs alone, each with the other that has or wants it.

    `names` are the names that were given.
    """
    wanted = {each.key: _wish(each, {}, known).name for each in operations if each.key not in stated}
    askers: dict[str, list[str]] = {}
    for other, name in (*stated.items(), *wanted.items()):
        if other in stated or names[other] != name:
            askers.setdefault(name, []).append(other)
    for key, name in stated.items():
        rival = next((other for other in askers[name] if other != key), None)
        if rival is not None:
            yield key, rival


def report_renamed(operation: Operation, name: str, findings: Findings, *, known: bool) -> None:
    """Tell that a tool is not called as the document calls its operation, and why; `known` is one of an earlier run."""
    wanted = operation.operation_id
    if wanted == name:
        return
    if not wanted and name == path_name(operation)[0]:
        return
    message = f"the operation `{shown(wanted or operation.key)}` is called `{name}`{_why(operation, known=known)}"
    hint = f'Name it yourself with `name = "…"` in `[openapi.operations."{shown(operation.key)}"]` of the settings.'
    findings.group("renamed-tool", message, place=operation.place, unit=operation.key, hint=hint)


def _why(operation: Operation, *, known: bool) -> str:
    wanted = operation.operation_id or path_name(operation)[0]
    if known:
        return " as in the last build"
    if len(wanted) > MAX_TOOL_NAME:
        return f" because a name has at most {MAX_TOOL_NAME} characters"
    if not TOOL_NAME.fullmatch(wanted):
        return " because a name has only letters, digits, `_` and `-`"
    return " because another operation wants its name"


def legal_name(text: str) -> tuple[str, bool]:
    """Return a text with legal characters only, and whether something that tells names apart was lost.

    Letters lose their accents and widths; what else is illegal becomes `_` between words and nothing at the ends.
    """
    plain = text if text.isascii() else _unaccented(text)
    lost = not plain.isascii()
    # `_` at the ends counts only where the author wrote it.
    name = _ILLEGAL.sub("\0", plain).strip("\0").replace("\0", "_")
    return name, lost


def _unaccented(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(each for each in decomposed if unicodedata.category(each) not in ("Mn", "Cf"))


def path_name(operation: Operation) -> tuple[str, bool]:
    """Return the name made of method and path (`get_users_by_id_posts`), and whether letters of the path are lost."""
    words, lost = [legal_name(operation.method.lower())[0] or "call"], False
    for segment in operation.path.split("/"):
        word, less = legal_name(_BRACES.sub(lambda match: f" by {match[1]} ", segment).strip())
        lost = lost or less
        if word:
            words.append(re.sub(r"_+", "_", word))
    return "_".join(words if len(words) > 1 or lost else [*words, "root"]), lost


def digest(key: str) -> str:
    """Return the hash that tells an operation apart by its key, an argument or a scheme by its name."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_CHARACTERS]


def _wish(operation: Operation, stated: Mapping[str, str], known: Mapping[str, str]) -> _Wish:
    key, identity = operation.key, operation.operation_id
    for step, names in ((_STATED, stated), (_KNOWN, known)):
        if key in names and TOOL_NAME.fullmatch(names[key]):
            return _Wish(operation=operation, name=names[key], step=step)
    if identity is not None and TOOL_NAME.fullmatch(identity):
        return _Wish(operation=operation, name=identity, step=_EXACT)
    name, lost = legal_name(identity or "")
    if not any(each.isalnum() for each in name):
        name, lost = path_name(operation)
    # What is too long is cut, and what lost letters may be somebody else's name: both are told apart by the hash.
    name = _marked(name, key) if lost or len(name) > MAX_TOOL_NAME else name
    exact = identity is None and name == path_name(operation)[0] and not operation.path.endswith("/")
    return _Wish(operation=operation, name=name, step=_PATH if exact else _CHANGED)


def _marked(name: str, key: str) -> str:
    """Return a name with the operation's hash, within the limit."""
    return f"{name[: MAX_TOOL_NAME - DIGEST_CHARACTERS - 1]}_{digest(key)}"


def _distinct(wish: _Wish, taken: set[str]) -> str:
    """Return a free name for an operation whose own is not to be had."""
    key, name = wish.operation.key, _marked(wish.name, wish.operation.key)
    while name in taken:  # two hashes of equal beginning, or somebody who chose a hash as a name
        key = f"{key}#"
        name = _marked(wish.name, key)
    return name
