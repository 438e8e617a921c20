"""What is plainly a good call of a tool: nothing in its message needs a second look.

Pure, and one-sided: what is refused here is not wrong, it is left to those who say what is wrong (`session`).
"""

from __future__ import annotations

from ..wire.dialects import META_CAPABILITIES, META_CLIENT, META_LOG_LEVEL, META_VERSION, MODERN_VERSIONS
from .call import LEVELS, PROGRESS_TOKEN, REPEAT_KEY

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
        and is_sound(meta)
    )


def is_sound(meta: dict[str, Any]) -> bool:
    """Say whether what a modern call's `_meta` may say besides is of its types (2026-07-28, request metadata)."""
    if META_LOG_LEVEL in meta:
        level = meta[META_LOG_LEVEL]
        if type(level) is not str or level not in LEVELS:
            return False
    token = type(meta.get(PROGRESS_TOKEN, ""))
    return (token is str or token is int) and type(meta.get(META_CLIENT, NOTHING)) is dict
