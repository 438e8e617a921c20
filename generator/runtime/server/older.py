"""Results for clients of older revisions.

Content kinds and members their schemas do not know become text or are left out.
"""

from __future__ import annotations

from ..wire import jsonrpc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect


def downgrade(result: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """Return the result in the form this revision knows."""
    changed = dict(result)
    changed["content"] = [block_for(block, dialect) for block in result.get("content", ())]
    if not dialect.structured:
        changed.pop("structuredContent", None)
    return changed


def block_for(block: dict[str, Any], dialect: Dialect) -> dict[str, Any]:
    """Return one content block, or a text in place of a kind this revision does not know."""
    kind = block.get("type")
    if kind in dialect.content:
        return block
    if kind == "resource_link":
        name = block.get("title") or block.get("name") or "resource"
        return {"type": "text", "text": f"{name}: {block.get('uri')}"}
    if kind == "audio":
        return {"type": "text", "text": f"[{block.get('mimeType', 'audio')}: this client's protocol has no audio]"}
    return {"type": "text", "text": jsonrpc.text(block)}
