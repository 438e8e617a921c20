"""What clients answer to sampling and roots."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Reply:
    """What the client's model said: `text` is all of its text, `content` its blocks as they came.

    `model` names it as the client does; `stop` says why it ended ("endTurn", "maxTokens", "toolUse" or another).
    """

    __slots__ = ("content", "model", "role", "stop")

    def __init__(self, content: Any, *, role: str = "assistant", model: str = "", stop: str | None = None) -> None:
        self.content: list[dict[str, Any]] = _blocks(content)
        self.role = role
        self.model = model
        self.stop = stop

    @property
    def text(self) -> str:
        """All text blocks, one after the other."""
        return "".join(str(block.get("text", "")) for block in self.content if block.get("type") == "text")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Reply({self.text!r}, model={self.model!r})"


class Root:
    """One folder or file that the client lets servers work on: a `file://` URI and a name for people."""

    __slots__ = ("name", "uri")

    def __init__(self, uri: str, *, name: str | None = None) -> None:
        self.uri = uri
        self.name = name

    @property
    def path(self) -> str:
        """The path of a `file://` URI; raises ValueError for another one."""
        from urllib.parse import urlsplit
        from urllib.request import url2pathname

        parts = urlsplit(self.uri)
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            message = f"{self.uri} is no file of this machine"
            raise ValueError(message)
        return url2pathname(parts.path)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Root) and (self.uri, self.name) == (other.uri, other.name)

    def __hash__(self) -> int:
        return hash(self.uri)

    def __repr__(self) -> str:
        return f"Root({self.uri!r}, name={self.name!r})"


def _blocks(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content) if isinstance(content, list | tuple) else [content]
