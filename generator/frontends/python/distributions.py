"""Which installed distribution an import comes from, read from the environment's metadata; nothing is imported."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from .requirement_text import normalised

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_METADATA_BYTES = 16 << 20
"""Bytes of one RECORD that are searched; the largest wheels in use have about 8 MB."""


_FIRST_PART = re.compile(r"(?m)^\"?([^/,\"\n]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """One distribution: normalised name, version, text of its RECORD, its top-level names, its editable folder."""

    name: str
    version: str
    record: str
    tops: frozenset[str]
    editable: Path | None = None

    def provides(self, parts: Sequence[str]) -> bool:
        """Return whether the module of these parts is one of the distribution's files."""
        if self.editable is not None and any(
            base.joinpath(*parts).is_dir() or base.joinpath(*parts[:-1], f"{parts[-1]}.py").is_file()
            for base in (self.editable, self.editable / "src")
        ):
            return True
        if parts[0] not in self.tops:
            return False
        path = re.escape("/".join(parts))
        return (
            len(parts) == 1 or re.search(rf"(?m)^\"?{path}(?:/|\.[^/,\n]*(?:py|so|pyd)[,\"])", self.record) is not None
        )


class Distributions:
    """The distributions found in some folders, read at the first question."""

    def __init__(self, search: Sequence[Path]) -> None:
        self._search = [str(folder) for folder in search]
        self._installed: tuple[Installed, ...] | None = None

    def of(self, module: str) -> Installed | None:
        """Return the distribution that provides a module (`google.cloud.storage`), by the part that only one has."""
        parts = module.split(".")
        candidates = [one for one in self._all() if one.provides(parts[:1])]
        for length in range(2, len(parts) + 1):
            if len(candidates) <= 1:
                break
            candidates = [one for one in candidates if one.provides(parts[:length])] or candidates
        # Several may share the last part (a namespace, or an overwritten package): the one called like it is meant.
        named = [one for one in candidates if one.name == normalised(parts[0])]
        return next(iter((*named, *sorted(candidates, key=lambda one: one.name))), None)

    def named(self, name: str) -> Installed | None:
        """Return the distribution of this name."""
        return next((one for one in self._all() if one.name == normalised(name)), None)

    def _all(self) -> tuple[Installed, ...]:
        if self._installed is None:
            found: dict[str, Installed] = {}
            for one in distributions(path=self._search):
                installed = _installed(one)
                if installed is not None:
                    found.setdefault(installed.name, installed)
            self._installed = tuple(found.values())
        return self._installed


def _installed(one: Distribution) -> Installed | None:
    """Return what is needed of a distribution; None for metadata that cannot be read."""
    try:
        metadata = one.metadata
        name, version = metadata["Name"], metadata["Version"]
        record = (one.read_text("RECORD") or one.read_text("installed-files.txt") or "").replace("\\", "/")
        tops = frozenset((one.read_text("top_level.txt") or "").split()) | _tops(record)
        direct = one.read_text("direct_url.json")
    except (OSError, ValueError, KeyError):
        return None
    if not isinstance(name, str) or len(record) > MAX_METADATA_BYTES:
        return None
    editable = _editable_folder(direct) if direct else None
    return Installed(name=normalised(name), version=str(version or ""), record=record, tops=tops, editable=editable)


def _tops(record: str) -> frozenset[str]:
    """Return the names at the top of a RECORD: folders as they are, modules without what follows their name."""
    return frozenset(first.partition(".")[0] for first in _FIRST_PART.findall(record)) - {""}


def _editable_folder(direct: str) -> Path | None:
    """Return the folder of an editable installation (PEP 610)."""
    try:
        data = json.loads(direct)
        if data.get("dir_info", {}).get("editable") is not True:
            return None
        url = urlsplit(str(data.get("url", "")))
    except (ValueError, AttributeError, RecursionError):
        return None
    return Path(unquote(url.path)) if url.scheme == "file" else None
