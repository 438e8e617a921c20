"""Names of definitions: those of the components, with a hash where two would be the same."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from .raw import Key, Raw, key_of

if TYPE_CHECKING:
    from ..model import Dialect
    from ..place import Place

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
MAX_NAME = 64
"""Characters of a definition's name; generated descriptions have some of several hundred."""

_HASH = 8


class Names:
    """One name for each schema, whichever tool asks; components of the description itself go first."""

    __slots__ = ("_by_key", "_components", "_folder", "_root", "_targets")

    def __init__(self, root: object, entry: Place) -> None:
        self._by_key: dict[Key, str] = {}
        self._targets: dict[str, tuple[Raw, Dialect]] = {}
        self._root = id(entry.file)
        self._folder = entry.file.shown.rpartition("/")[0]
        self._components = frozenset(safe(name) for name in _component_names(root))

    def name(self, raw: Raw, dialect: Dialect) -> str:
        """Return the name of a schema that something refers to."""
        key = key_of(raw.place)
        name = self._by_key.get(key)
        if name is None:
            name = self._by_key[key] = self._new(raw.place)
            self._targets[name] = (raw, dialect)
        return name

    def target(self, name: str) -> tuple[Raw, Dialect]:
        """Return the schema a name stands for."""
        return self._targets[name]

    def _new(self, place: Place) -> str:
        wanted = safe(place.pointer[-1] if place.pointer else place.file.shown.rpartition("/")[2].partition(".")[0])
        ours = id(place.file) == self._root and is_component(place.pointer)
        if wanted not in self._targets and (ours or wanted not in self._components):
            return wanted
        # Where the description lies on this machine must not show in what is made from it.
        file = "" if id(place.file) == self._root else place.file.shown.removeprefix(self._folder).lstrip("/")
        name = hashed(wanted, f"{file}#{place.json_pointer}")
        while name in self._targets:
            name = hashed(wanted, name)
        return name


def safe(text: str) -> str:
    """Return a text as a name that needs no escaping in a reference and is not too long."""
    name = _UNSAFE.sub("_", text).strip("_.") or "Schema"
    return name if len(name) <= MAX_NAME else hashed(name, text)


def hashed(name: str, text: str) -> str:
    """Return a name with a hash of a text at its end, the same in every run."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{name[: MAX_NAME - _HASH - 1]}_{digest}"


def is_component(pointer: tuple[str, ...]) -> bool:
    """Tell whether a pointer names a component: `/components/schemas/NAME`, or `/definitions/NAME` in Swagger 2.0."""
    return pointer[:-1] in (("components", "schemas"), ("definitions",))


def _component_names(root: object) -> list[str]:
    if not isinstance(root, dict):
        return []
    components = root.get("components")
    found = components.get("schemas") if isinstance(components, dict) else root.get("definitions")
    return [str(name) for name in found] if isinstance(found, dict) else []
