"""What a document says of its tools in extensions: `x-mcp` and its relatives, on operations, paths and the document.

`false` hides, `true` shows; an object may have `name`, `title`, `description`, `hidden` (or `disabled`, `enabled`),
`scopes`, `timeout` and annotations, in the spellings that are about. What is near wins over what is around it. Nothing
else of an extension has any effect: a document cannot name code, files or views.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from ...config.openapi import OperationRule
from ...ir.model import Annotations
from ...ir.names import TOOL_NAME

if TYPE_CHECKING:
    from .findings import Findings
    from .model import Extensions
    from .place import Place

SPELLINGS = ("x-mcp", "x-mcpgen", "x-speakeasy-mcp", "x-mcp-integration", "x-klaridian", "x-frontmcp")
"""The extensions that are read; of several that say the same thing the first wins."""

OWN = ("x-mcp", "x-mcpgen")
"""The spellings in which an unknown member is a mistake: what the others hold besides is for other tools."""

MAX_UNKNOWN = 10
"""Members of one extension without an effect that are told: their nearest known names are looked for."""

MAX_TIMEOUT = 3600.0
"""Seconds a document may ask for; what takes longer than an hour is no tool call."""

MAX_SCOPES = 1_000
"""Scopes, or characters of scopes in one text, that are read: those of a path are read for each of its operations."""

NOTHING = OperationRule()
"""What is said of almost every operation."""

_HIDING = {
    "hidden": True,
    "hide": True,
    "disabled": True,
    "exclude": True,
    "skip": True,
    "enabled": False,
    "include": False,
}
_ANNOTATIONS = {
    "readOnly": "read_only",
    "destructive": "destructive",
    "idempotent": "idempotent",
    "openWorld": "open_world",
}
_HINTS = frozenset(each for key, name in _ANNOTATIONS.items() for each in (key, f"{key}Hint", name))
_MEMBERS = frozenset({"name", "title", "description", "scopes", "timeout", "annotations", *_HIDING, *_HINTS})


def stated(extensions: Extensions, place: Place, findings: Findings, unit: str | None = None) -> OperationRule:
    """Return what the extensions of one object say; what is not understood is reported and has no effect."""
    found = NOTHING
    for spelling in SPELLINGS if extensions else ():
        if spelling in extensions:
            reader = _Reader(spelling, place.at(spelling), findings, unit)
            found = merged(found, reader.read(extensions[spelling]))
    return found


def inherited(rule: OperationRule) -> OperationRule:
    """Return what of a path's or the document's extension holds for each operation: not what names a single tool."""
    return rule if rule is NOTHING else replace(rule, name=None, title=None, description=None)


def merged(strong: OperationRule, weak: OperationRule) -> OperationRule:
    """Return two rules as one; what the first says wins."""
    if strong is NOTHING or weak is NOTHING:
        return weak if strong is NOTHING else strong
    return OperationRule(
        name=strong.name or weak.name,
        title=strong.title or weak.title,
        description=strong.description or weak.description,
        hide=weak.hide if strong.hide is None else strong.hide,
        annotations=merged_annotations(strong.annotations, weak.annotations),
        defaults={**weak.defaults, **strong.defaults},
        timeout=weak.timeout if strong.timeout is None else strong.timeout,
        scopes=strong.scopes or weak.scopes,
    )


def merged_annotations(strong: Annotations, weak: Annotations) -> Annotations:
    """Return two sets of annotations as one; what the first says wins."""
    return Annotations(
        read_only=weak.read_only if strong.read_only is None else strong.read_only,
        destructive=weak.destructive if strong.destructive is None else strong.destructive,
        idempotent=weak.idempotent if strong.idempotent is None else strong.idempotent,
        open_world=weak.open_world if strong.open_world is None else strong.open_world,
    )


class _Reader:
    """Reads one extension of one object."""

    __slots__ = ("_findings", "_place", "_spelling", "_unit")

    def __init__(self, spelling: str, place: Place, findings: Findings, unit: str | None) -> None:
        self._spelling = spelling
        self._place = place
        self._findings = findings
        self._unit = unit

    def read(self, value: object) -> OperationRule:
        if isinstance(value, bool):
            return OperationRule(hide=not value)
        if not isinstance(value, Mapping):
            self._refuse((), "must be a boolean or an object")
            return OperationRule()
        if self._spelling in OWN:
            self._look_for_strangers(value)
        return OperationRule(
            name=self._name(value),
            title=self._text(value, "title"),
            description=self._text(value, "description"),
            hide=self._hide(value),
            annotations=self._annotations(value),
            timeout=self._timeout(value),
            scopes=self._scopes(value),
        )

    def _refuse(self, path: tuple[str, ...], why: str) -> None:
        shown = ".".join((self._spelling, *path))[:60]
        place = self._place.at(*path)
        self._findings.group("refused-extension", f"`{shown}` {why}", kind=shown, place=place, unit=self._unit)

    def _look_for_strangers(self, value: Mapping[Any, Any]) -> None:
        """Report members that nobody reads, with the name that was meant; `x-` is for whoever put it there."""
        inner = value.get("annotations")
        unknown: list[tuple[tuple[Any, ...], frozenset[str]]]
        unknown = [((key,), _MEMBERS) for key in value if key not in _MEMBERS]
        if isinstance(inner, Mapping):
            unknown += [(("annotations", key), _HINTS) for key in inner if key not in _HINTS]
        for path, known in unknown[:MAX_UNKNOWN]:
            name = path[-1]
            if isinstance(name, str) and not name.startswith("x-"):
                near = get_close_matches(name[:40], sorted(known), n=1)
                meant = f"; did you mean `{near[0]}`?" if near else ""
                self._refuse(path, f"has no effect in a description{meant}")

    def _text(self, value: Mapping[Any, Any], key: str) -> str | None:
        text = value.get(key)
        if text is None or (isinstance(text, str) and text.strip()):
            return text
        self._refuse((key,), "must be a text")
        return None

    def _name(self, value: Mapping[Any, Any]) -> str | None:
        name = self._text(value, "name")
        if name is None or TOOL_NAME.fullmatch(name):
            return name
        self._refuse(("name",), f"is no name for a tool: clients accept {TOOL_NAME.pattern} only")
        return None

    def _hide(self, value: Mapping[Any, Any]) -> bool | None:
        for key, hides in _HIDING.items():
            said = value.get(key)
            if isinstance(said, bool):
                return said is hides
            if said is not None:
                self._refuse((key,), "must be a boolean")
        return None

    def _annotations(self, value: Mapping[Any, Any]) -> Annotations:
        inner = value.get("annotations")
        if inner is not None and not isinstance(inner, Mapping):
            self._refuse(("annotations",), "must be an object")
        found: dict[str, bool] = {}
        for source in (value, inner if isinstance(inner, Mapping) else {}):
            for spelling, name in _ANNOTATIONS.items():
                for key in (spelling, f"{spelling}Hint", name):
                    said = source.get(key)
                    if isinstance(said, bool):
                        found[name] = said
                    elif said is not None:
                        self._refuse((key,), "must be a boolean")
        return Annotations(**found)

    def _timeout(self, value: Mapping[Any, Any]) -> float | None:
        seconds = value.get("timeout")
        if seconds is None:
            return None
        number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if number and math.isfinite(seconds) and 0 < seconds <= MAX_TIMEOUT:
            return float(seconds)
        self._refuse(("timeout",), f"must be a number of seconds up to {MAX_TIMEOUT:.0f}")
        return None

    def _scopes(self, value: Mapping[Any, Any]) -> tuple[str, ...]:
        scopes = value.get("scopes")
        if isinstance(scopes, str | list | tuple) and len(scopes) > MAX_SCOPES:
            self._refuse(("scopes",), f"is longer than {MAX_SCOPES:,}")
            return ()
        if isinstance(scopes, str):
            return tuple(scopes.split())
        if scopes is None:
            return ()
        if isinstance(scopes, list | tuple) and all(isinstance(each, str) and each for each in scopes):
            return tuple(scopes)
        self._refuse(("scopes",), "must be an array of texts")
        return ()
