"""The text of a requirement (PEP 508): its name normalised, the rest as its author wrote it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_REQUIREMENT = 500
"""Characters of one requirement; the longest markers in use have about 200."""

_REQUIREMENT = re.compile(
    r"[ \t]*(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
    r"[ \t]*(?P<extras>\[[A-Za-z0-9._, \t-]*\])?"
    r"[ \t]*(?P<version>\(?[A-Za-z0-9.*+!<>=~, \t_-]*\)?)"
    r"(?P<marker>;[\x20-\x7e\t]*)?"
)


def normalised(name: str) -> str:
    """Return a distribution's name in the form that indexes compare (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement_name(text: str) -> str | None:
    """Return the normalised name in a requirement, also in a direct reference; None when it is no requirement."""
    found = re.match(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:[\[(@;<>=!~]|$)", text[:MAX_REQUIREMENT])
    return normalised(found[1]) if found else None


def requirement(text: str) -> str | None:
    """Return a requirement with its name normalised; None for what is none or a direct reference (`name @ URL`)."""
    found = _REQUIREMENT.fullmatch(text) if len(text) <= MAX_REQUIREMENT else None
    if found is None:
        return None
    extras = re.sub(r"[ \t]", "", found["extras"] or "")
    version = re.sub(r"[ \t]", "", found["version"].strip("() "))
    if version and version[0] not in "<>=!~":
        return None
    marker = f"; {found['marker'][1:].strip()}" if found["marker"] else ""
    return f"{normalised(found['name'])}{'' if extras == '[]' else extras}{version}{marker}"


def sorted_requirements(texts: Iterable[str]) -> tuple[str, ...]:
    """Return requirements without repetition in the order of their names."""
    return tuple(sorted(set(texts), key=lambda text: (requirement_name(text) or "", text)))
