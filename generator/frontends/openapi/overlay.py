"""OpenAPI Overlays (1.0 and 1.1): changes to a description, kept in a file of their own.

Actions are applied in order, each to the result of the one before. An action that cannot be applied is reported with
its place in the overlay and left out; the others still hold.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...collector import uncollected
from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .json_text import nested_deeper
from .limits import MAX_DEPTH
from .load_problem import LoadProblem, cut
from .overlay_merge import Budget, Incompatible, check, merge
from .overlay_target import Match, TargetProblem, select
from .place import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .documents import Documents

_VERSION = re.compile(r"1\.[01]\.\d+")


class _Left(Exception):
    """An action is left out; the text says why, `at` names the member of the action it is about."""

    def __init__(self, reason: str, at: str) -> None:
        super().__init__(reason)
        self.at = at


def apply_overlays(documents: Documents, paths: Sequence[str], report: Callable[[Diagnostic], None]) -> None:
    """Apply overlay files in order and replace the description's value; problems are reported, not raised."""
    if not paths:
        return
    with uncollected():
        try:
            root = Budget().copy(documents.root)  # what YAML aliases share must not change together
        except Incompatible as problem:
            report(Diagnostic(rule=rule("invalid-overlay"), message=str(problem), span=documents.entry.span))
            return
        for path in paths:
            try:
                file = documents.read_beside(path)
            except LoadProblem as problem:
                for diagnostic in problem.diagnostics:
                    report(diagnostic)
                continue
            try:
                root = _Overlay(Place(file), file.value, report).apply(root)
            except _TooDeep:
                return
        documents.replace_root(root)


class _TooDeep(Exception):
    """The result is nested too deep to be read; it has been reported."""


class _Overlay:
    """One overlay file."""

    def __init__(self, place: Place, content: object, report: Callable[[Diagnostic], None]) -> None:
        self._place = place
        self._content = content
        self._report = report
        self._strict = False
        self._budget = Budget()

    def apply(self, root: object) -> object:
        """Return the description with this overlay's actions applied."""
        for place, action in self._actions():
            try:
                root = self._action(root, place, action)
            except _Left as left:
                self._refuse(str(left), place.at(left.at) if left.at in action else place)
            if nested_deeper(root, MAX_DEPTH):
                self._refuse(f"the result is nested deeper than {MAX_DEPTH} levels", place)
                raise _TooDeep
        return root

    def _actions(self) -> list[tuple[Place, dict[str, Any]]]:
        content = self._content
        if not isinstance(content, dict) or "overlay" not in content:
            self._refuse("the file is no overlay: it has no `overlay` version", self._place)
            return []
        version = content["overlay"]
        if not isinstance(version, str) or not _VERSION.fullmatch(version):
            self._refuse(f"overlays of version `{cut(str(version))}` are not known", self._place.at("overlay"))
            return []
        self._strict = not version.startswith("1.0.")
        actions = content.get("actions")
        if not isinstance(actions, list) or not actions:
            self._refuse("the overlay has no list of actions", self._place.at("actions"))
            return []
        found: list[tuple[Place, dict[str, Any]]] = []
        for index, action in enumerate(actions):
            place = self._place.at("actions", index)
            if isinstance(action, dict):
                found.append((place, action))
            else:
                self._refuse("an action must be an object", place)
        return found

    def _action(self, root: object, place: Place, action: dict[str, Any]) -> object:
        matches = self._select(root, action, "target")
        if not matches:
            self._warn_unmatched(action["target"], place.at("target"))
            return root
        if action.get("remove") is True:
            return _removed(root, matches)
        if "update" in action:
            source = action["update"]
        elif "copy" in action:
            found = self._select(root, action, "copy")
            if len(found) != 1:
                raise _Left(f"`copy` must select one value, not {len(found)}", "copy")
            source = found[0].value
        else:
            raise _Left("an action needs `update`, `copy` or `remove: true`", "target")
        return self._update(root, matches, source, "update" if "update" in action else "copy")

    def _select(self, root: object, action: dict[str, Any], member: str) -> list[Match]:
        query = action.get(member)
        if not isinstance(query, str):
            raise _Left(f"`{member}` must be a JSONPath", member)
        try:
            return select(query, root)
        except TargetProblem as problem:
            raise _Left(f"`{cut(query)}` is no usable JSONPath: {problem}", member) from None

    def _update(self, root: object, matches: list[Match], source: object, member: str) -> object:
        """Merge a value into each match; nothing is changed when it does not fit one of them."""
        try:
            source = self._budget.copy(source)  # it may be a part of what is changed
            for match in matches:
                check(match.value, source, strict=self._strict)
            for match in matches:
                result = merge(match.value, source, self._budget)
                if not match.location:
                    root = result
                else:
                    match.parent[match.key] = result
        except Incompatible as problem:
            raise _Left(str(problem), member) from None
        return root

    def _refuse(self, message: str, place: Place) -> None:
        self._report(Diagnostic(rule=rule("invalid-overlay"), message=message, span=place.span, pointer=place.text))

    def _warn_unmatched(self, target: str, place: Place) -> None:
        message = f"the target `{cut(target)}` selects nothing"
        self._report(
            Diagnostic(rule=rule("unmatched-overlay-target"), message=message, span=place.span, pointer=place.text)
        )


def _removed(root: object, matches: list[Match]) -> object:
    """Take the matches out of what holds them: the last first, so that positions in arrays stay right."""
    if any(not match.location for match in matches):
        raise _Left("the whole description cannot be removed", "target")
    for match in sorted(matches, key=lambda each: [str(part).zfill(12) for part in each.location], reverse=True):
        if isinstance(match.parent, list):
            del match.parent[int(match.key)]
        else:
            match.parent.pop(match.key, None)
    return root
