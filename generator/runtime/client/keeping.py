"""What of an answer does not go into the result: saved as a file where the operator named a folder, else kept."""

from __future__ import annotations

from pathlib import Path

from ..server import logs
from .media import EXTENSIONS
from .values import ArgumentProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .call_context import CallContext


def kept(context: CallContext, body: bytes, *, mime_type: str, name: str | None, is_text: bool) -> dict[str, Any]:
    """Keep a body and return the `resource_link` to it."""
    called = name or _name(context.tool, mime_type)
    link = saved(context, body, mime_type=mime_type, name=called) if context.files.configured else None
    if link is not None:
        return link
    answer = context.store.keep(body, mime_type=mime_type, name=called, is_text=is_text)
    return _link(answer.uri, called, mime_type, len(body), f"The whole answer of {context.tool}")


def saved(context: CallContext, body: bytes, *, mime_type: str, name: str | None) -> dict[str, Any] | None:
    """Save a body below the operator's folder and return the link, None when there is no folder to write to."""
    try:
        path = context.files.save(name or _name(context.tool, mime_type), body)
    except ArgumentProblem as problem:
        logs.warning(f"{context.tool}: {problem.message}")
        return None
    return _link(
        Path(path).as_uri(), Path(path).name, mime_type, len(body), f"The answer of {context.tool}, saved as a file"
    )


def size_text(size: int) -> str:
    """Return a number of bytes as people read it."""
    for unit, factor in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def _link(uri: str, name: str, mime_type: str, size: int, description: str) -> dict[str, Any]:
    link = {"type": "resource_link", "uri": uri, "name": name, "description": description}
    return {**link, "mimeType": mime_type, "size": size}


def _name(tool: str, mime_type: str) -> str:
    extension = EXTENSIONS.get(mime_type) or ("json" if mime_type.endswith("+json") else "bin")
    return f"{tool}.{extension}"
