"""Read `security`: the alternatives an operation accepts, with references to security schemes resolved.

A scheme that is not declared, or of no known kind, only takes its alternative away: the operation is still served, and
the API answers for itself. A refused scheme (one whose credentials would break the request) takes the operation away
unless another alternative remains.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..load_problem import ReferenceProblem
from ..model import Requirement
from .findings import Unreadable
from .schemes import read_scheme
from .sources import wrong_type
from .values import shown, texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..model import Scheme
    from ..place import Place
    from .sources import Reading

    SchemeReader = Callable[[Reading, str, object, Place], Scheme | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Security:
    """The declared schemes; `refused` says why a scheme's credentials are never sent, `unusable` are left out."""

    reading: Reading
    schemes: dict[str, Scheme] = field(default_factory=dict)
    refused: dict[str, Unreadable | ReferenceProblem] = field(default_factory=dict)
    unusable: set[str] = field(default_factory=set)

    def declare(self, written: object, where: Place, read: SchemeReader) -> None:
        """Read the declared schemes; what is refused is reported."""
        value, place = self.reading.optional_mapping(written, where, where.pointer[-1])
        for name in value:
            if not str(name).startswith("x-") or isinstance(value[name], dict):
                self._declare_one(str(name), value[name], place.at(name), read)

    def _declare_one(self, name: str, written: object, place: Place, read: SchemeReader) -> None:
        try:
            scheme = read(self.reading, name, written, place)
        except (Unreadable, ReferenceProblem) as problem:
            self.refused[name] = problem
            self.reading.findings.error(problem)
        else:
            if scheme is None:
                self.unusable.add(name)
            else:
                self.schemes[name] = scheme

    def alternatives(self, written: object, where: Place) -> tuple[Requirement, ...]:
        """Return the usable alternatives; raises Unreadable when there are only refused ones."""
        items, place = self.reading.items(written, where, "security")
        found: dict[tuple[tuple[str, tuple[str, ...]], ...], Requirement] = {}
        refused: list[Unreadable | ReferenceProblem] = []
        for index, item in enumerate(items):
            requirement = self._requirement(item, place.at(index), refused)
            if requirement is not None:
                found.setdefault(tuple(sorted(requirement.schemes.items())), requirement)
        if refused and not found:
            raise refused[0]
        return tuple(found.values())

    def _requirement(
        self, written: object, place: Place, refused: list[Unreadable | ReferenceProblem]
    ) -> Requirement | None:
        if written is None:
            return Requirement(schemes={})
        if not isinstance(written, dict):
            raise wrong_type("security requirement", "an object", written, place)
        usable = True
        needed = {}
        for key in written:
            name = self._known_as(str(key), place)
            if name in self.schemes:
                needed[name] = texts(written[key])
                continue
            usable = False
            if name in self.refused:
                refused.append(self.refused[name])
            elif name not in self.unusable:
                message = f"security scheme `{shown(name)}` is not declared; operations are served without it"
                self.reading.findings.warn("unusable-security", message, place.at(key))
        return Requirement(schemes=needed) if usable else None

    def _known_as(self, name: str, place: Place) -> str:
        """Return the declared name; since 3.2 a requirement may name a scheme by its address."""
        known = name in self.schemes or name in self.refused or name in self.unusable
        if known or self.reading.minor < 2 or not ("#" in name or "/" in name):
            return name
        try:
            value, at = self.reading.documents.resolve(name, place)
        except ReferenceProblem:
            return name
        short = at.pointer[-1] if at.pointer else name
        if short not in self.schemes and short not in self.refused:
            self._declare_one(short, value, at, read_scheme)
        return short
