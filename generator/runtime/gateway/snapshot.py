"""What a server lists, as one digest: by it who builds a gateway and who runs it see whether a server is the same.

The order of lists and of members does not count, and neither do icons or `_meta`, which some servers make anew for each
client. Only definitions do, as a model reads them.
"""

from __future__ import annotations

import hashlib
import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

LISTS = (("tools", "name"), ("resources", "uri"), ("templates", "uriTemplate"), ("prompts", "name"))
"""The lists, and by what their entries are told apart."""

PASSING = ("icons", "_meta")
"""Members that may differ from one answer to the next."""


def digest_of(lists: Mapping[str, Sequence[dict[str, Any]]]) -> str:
    """Return the digest of a server's lists, as they came; what is no object in them is left out."""
    told = []
    for kind, key in LISTS:
        entries = [_lasting(entry) for entry in lists.get(kind) or () if isinstance(entry, dict)]
        told.append([text for _, text in sorted((str(entry.get(key)), _text(entry)) for entry in entries)])
    return f"sha256:{hashlib.sha256(_text(told).encode('ascii')).hexdigest()}"


def _lasting(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name not in PASSING}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
