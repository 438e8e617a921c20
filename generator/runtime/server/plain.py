"""What is plainly a good call of a tool: nothing in its message needs a second look.

Pure, and one-sided: what is refused here is not wrong, it is left to those who say what is wrong (`session`).
"""

from __future__ import annotations

from ..wire.dialects import META_CAPABILITIES, META_LOG_LEVEL, META_VERSION, MODERN_VERSIONS
from .call import LEVELS, REPEAT_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CALL = "tools/call"

NOTHING: dict[str, Any] = {}
"""The `_meta` or the arguments of a call without any."""


def plain_params(message: Any) -> dict[str, Any] | None:
    """Return the parameters of a message that is plainly a call: a name, arguments, perhaps `_meta`, and no more.

    With more it may be a retry, or want to become a task.
    """
    try:
        if message["method"] != CALL or message["jsonrpc"] != "2.0":
            return None
        kind, params = type(message["id"]), message["params"]
        if type(params["name"]) is not str or type(params["arguments"]) is not dict:
            return None
    except (KeyError, TypeError):
        return None
    if (kind is not int and kind is not str) or (
        len(params) != 2 and (len(params) != 3 or type(params.get("_meta")) is not dict)
    ):
        return None
    found: dict[str, Any] = params
    return found


def is_plain(meta: dict[str, Any]) -> bool:
    """Say whether a call's `_meta` asks for nothing out of the ordinary, in either era."""
    if not meta:
        return True
    if REPEAT_KEY in meta:
        return False
    version = meta.get(META_VERSION)
    if version is None:
        return META_VERSION not in meta
    return (
        type(version) is str
        and version in MODERN_VERSIONS
        and type(meta.get(META_CAPABILITIES)) is dict
        and has_level(meta)
    )


def has_level(meta: dict[str, Any]) -> bool:
    """Say whether a modern call's `_meta` names a level of the log that exists, or none."""
    level = meta.get(META_LOG_LEVEL)
    return level is None or (type(level) is str and level in LEVELS)
