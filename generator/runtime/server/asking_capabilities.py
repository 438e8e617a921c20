"""Which capabilities questions need, and whether the client that called has them.

A client is never asked for what it did not declare. `elicitation: {}` means forms only (2025-11-25); revisions before
that have no other mode, and before 2025-06-18 there is no elicitation at all.
"""

from __future__ import annotations

from ..authoring.errors import MissingRequiredClientCapability

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ..wire.dialects import Dialect
    from .call import Call


def check(call: Call, questions: dict[str, dict[str, Any]]) -> None:
    """Raise MissingRequiredClientCapability unless the client can be asked all of these questions."""
    require(call, (needed(question) for question in questions.values()))


def require(call: Call, wanted: Iterable[dict[str, Any]]) -> None:
    """Raise MissingRequiredClientCapability with those of the wanted capabilities that the client lacks."""
    declared = declared_by(call)
    lacking: dict[str, Any] = {}
    for each in wanted:
        if not _has(declared, each):
            _add(lacking, each)
    if lacking:
        raise MissingRequiredClientCapability(lacking)


def needed(question: dict[str, Any]) -> dict[str, Any]:
    """Return the capabilities one question needs, as a ClientCapabilities object; raises ValueError."""
    method, params = question["method"], question.get("params") or {}
    if method == "elicitation/create":
        return {"elicitation": {"url": {}} if params.get("mode") == "url" else {"form": {}}}
    if method == "sampling/createMessage":
        inner: dict[str, Any] = {"tools": {}} if "tools" in params or "toolChoice" in params else {}
        if params.get("includeContext", "none") != "none":
            inner["context"] = {}
        return {"sampling": inner}
    if method == "roots/list":
        return {"roots": {}}
    message = f"clients cannot be asked {method!r}"
    raise ValueError(message)


def declared_by(call: Call) -> dict[str, Any]:
    """Return the capabilities the client declared, as far as its revision has them; `form` is spelled out."""
    if call.session is None:
        return {}
    declared = dict(call.session.client_capabilities(call.meta, call.dialect))
    modes = declared.get("elicitation")
    if type(modes) is dict:
        declared["elicitation"] = _modes(modes, call.dialect)
        if not call.dialect.elicits:
            del declared["elicitation"]
    if not call.dialect.modes and type(declared.get("sampling")) is dict:
        declared["sampling"] = {}
    return declared


def _modes(modes: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    if not dialect.modes or not ("form" in modes or "url" in modes):
        return {"form": {}}
    return modes


def _has(declared: Any, wanted: dict[str, Any]) -> bool:
    """Say whether an object of capabilities holds all members of another, at every depth."""
    return all(
        type(declared) is dict and type(declared.get(name)) is dict and _has(declared[name], inner)
        for name, inner in wanted.items()
    )


def _add(lacking: dict[str, Any], wanted: dict[str, Any]) -> None:
    for name, inner in wanted.items():
        _add(lacking.setdefault(name, {}), inner)
