"""Content types: what a tool returns when its answer is more than JSON.

Each has `to_block()`, which gives the MCP content block, and the class attribute `__mcp_content__`, by which servers
know it. Bytes become base64 here; a string given as `data` is taken as base64 already.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Literal

    Audience = Sequence[Literal["user", "assistant"]]

SIGNATURES: tuple[tuple[bytes, int, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF8", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"BM", 0, "image/bmp"),
    (b"<svg", 0, "image/svg+xml"),
    (b"WAVE", 8, "audio/wav"),
    (b"ID3", 0, "audio/mpeg"),
    (b"\xff\xfb", 0, "audio/mpeg"),
    (b"OggS", 0, "audio/ogg"),
    (b"fLaC", 0, "audio/flac"),
    (b"%PDF-", 0, "application/pdf"),
)
"""How well-known formats begin: bytes, where they stand, media type."""


class _Content:
    """What all content has: whom it is for, how much it matters, and a `_meta` of its own."""

    __slots__ = ("audience", "meta", "priority")

    __mcp_content__ = True

    def __init__(self, audience: Audience | None, priority: float | None, meta: Mapping[str, object] | None) -> None:
        if priority is not None and not 0 <= priority <= 1:
            message = f"priority is a number from 0 to 1, not {priority!r}"
            raise ValueError(message)
        self.audience = audience
        self.priority = priority
        self.meta = meta

    def _block(self, block: dict[str, object]) -> dict[str, object]:
        annotations: dict[str, object] = {}
        if self.audience is not None:
            annotations["audience"] = [self.audience] if isinstance(self.audience, str) else list(self.audience)
        if self.priority is not None:
            annotations["priority"] = self.priority
        if annotations:
            block["annotations"] = annotations
        if self.meta is not None:
            block["_meta"] = dict(self.meta)
        return block


class Text(_Content):
    """A text block (MCP `TextContent`)."""

    __slots__ = ("text",)

    def __init__(
        self,
        text: str,
        *,
        audience: Audience | None = None,
        priority: float | None = None,
        meta: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(audience, priority, meta)
        self.text = text

    def to_block(self) -> dict[str, object]:
        """Return the MCP content block."""
        return self._block({"type": "text", "text": self.text})


class _Media(_Content):
    """Binary content with a media type; the type is found from the first bytes when it is not given."""

    __slots__ = ("data", "mime_type")

    _kind = ""

    def __init__(
        self,
        data: bytes | str,
        *,
        mime_type: str | None = None,
        audience: Audience | None = None,
        priority: float | None = None,
        meta: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(audience, priority, meta)
        self.data = data
        found = mime_type if mime_type is not None else media_type_of(data)
        if found is None:
            message = f"the format of this {self._kind} is not known; give mime_type="
            raise ValueError(message)
        self.mime_type = found

    def to_block(self) -> dict[str, object]:
        """Return the MCP content block; raises ValueError if `data` is a string that is not base64."""
        return self._block({"type": self._kind, "data": _base64(self.data), "mimeType": self.mime_type})


class Image(_Media):
    """An image block (MCP `ImageContent`)."""

    __slots__ = ()

    _kind = "image"

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, mime_type: str | None = None) -> Image:
        """Read an image from a file; raises OSError."""
        return cls(_read(path), mime_type=mime_type or _type_of_name(path))


class Audio(_Media):
    """An audio block (MCP `AudioContent`, revisions from 2025-03-26 on; older clients get a text instead)."""

    __slots__ = ()

    _kind = "audio"

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, mime_type: str | None = None) -> Audio:
        """Read a sound from a file; raises OSError."""
        return cls(_read(path), mime_type=mime_type or _type_of_name(path))


class File(_Content):
    """An embedded resource (MCP `EmbeddedResource`): a file that travels inside the result, as `text` or as `data`."""

    __slots__ = ("data", "mime_type", "text", "uri")

    def __init__(
        self,
        uri: str,
        *,
        text: str | None = None,
        data: bytes | str | None = None,
        mime_type: str | None = None,
        audience: Audience | None = None,
        priority: float | None = None,
        meta: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(audience, priority, meta)
        if (text is None) == (data is None):
            message = "a File has either text= or data="
            raise ValueError(message)
        self.uri = uri
        self.text = text
        self.data = data
        self.mime_type = mime_type or _type_of_name(uri) or (data is not None and media_type_of(data)) or None

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, uri: str | None = None, mime_type: str | None = None) -> File:
        """Read a file: UTF-8 becomes text, anything else data. Without `uri` it is called `attachment:///<name>`."""
        from urllib.parse import quote

        content = _read(path)
        name = uri or "attachment:///" + quote(os.path.basename(os.fspath(path)))
        kind = mime_type or _type_of_name(path)
        try:
            return cls(name, text=content.decode("utf-8"), mime_type=kind or "text/plain")
        except UnicodeDecodeError:
            return cls(name, data=content, mime_type=kind or media_type_of(content) or "application/octet-stream")

    def to_block(self) -> dict[str, object]:
        """Return the MCP content block; raises ValueError if `data` is a string that is not base64."""
        resource: dict[str, object] = {"uri": self.uri}
        if self.mime_type is not None:
            resource["mimeType"] = self.mime_type
        if self.text is not None:
            resource["text"] = self.text
        elif self.data is not None:
            resource["blob"] = _base64(self.data)
        return self._block({"type": "resource", "resource": resource})


class Link(_Content):
    """A link to a resource (MCP `ResourceLink`, revisions from 2025-06-18 on; older clients get a text instead)."""

    __slots__ = ("description", "mime_type", "name", "size", "title", "uri")

    def __init__(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        size: int | None = None,
        audience: Audience | None = None,
        priority: float | None = None,
        meta: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(audience, priority, meta)
        self.uri = uri
        self.name = name if name is not None else uri.rstrip("/").rpartition("/")[2] or uri
        self.title = title
        self.description = description
        self.mime_type = mime_type
        self.size = size

    def to_block(self) -> dict[str, object]:
        """Return the MCP content block."""
        block: dict[str, object] = {"type": "resource_link", "uri": self.uri, "name": self.name}
        optional = {
            "title": self.title,
            "description": self.description,
            "mimeType": self.mime_type,
            "size": self.size,
        }
        block.update((key, value) for key, value in optional.items() if value is not None)
        return self._block(block)


def _base64(data: bytes | str) -> str:
    import binascii

    if isinstance(data, str):
        binascii.a2b_base64(data, strict_mode=True)
        return data
    return binascii.b2a_base64(data, newline=False).decode("ascii")


def media_type_of(data: bytes | str) -> str | None:
    """Return the media type that bytes, or a string of base64, begin like; None for an unknown beginning."""
    import binascii

    head = binascii.a2b_base64(data[:32]) if isinstance(data, str) else bytes(data[:24])
    for signature, offset, kind in SIGNATURES:
        if head[offset : offset + len(signature)] == signature:
            return kind
    return None


def _type_of_name(path: str | os.PathLike[str]) -> str | None:
    import mimetypes

    return mimetypes.guess_type(os.fspath(path))[0]


def _read(path: str | os.PathLike[str]) -> bytes:
    with open(path, "rb") as file:
        return file.read()
