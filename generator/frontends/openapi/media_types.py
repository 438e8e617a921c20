"""What a media type is, as far as sending and receiving a body goes."""

from __future__ import annotations

from typing import Literal

from ...runtime.client.media import FORM, JSON_LINES, JSON_SEQUENCES, OCTET_STREAM, YAML, essence, is_json, is_yaml

BodyKind = Literal["json", "form", "multipart", "text", "xml", "binary"]

MERGE_PATCH = "application/merge-patch+json"

_XML = frozenset({"application/xml", "text/xml", "application/x-xml"})
_TEXT = frozenset(
    {
        "application/ecmascript",
        "application/graphql",
        "application/javascript",
        "application/sql",
        "application/toml",
        *JSON_LINES,
        *JSON_SEQUENCES,
        *YAML,
    }
)
"""Types outside `text/` whose bodies are text all the same; sequences of JSON values are written line by line."""

_TEXT_SUFFIXES = ("+yaml", "+json-seq", "+csv")
_BINARY = frozenset(
    {OCTET_STREAM, "application/gzip", "application/pdf", "application/x-tar", "application/zip", "application/binary"}
)
_BINARY_MAIN = ("image", "audio", "video", "font", "model")
_CONCRETE = {"*/*": "application/json", "application/*": "application/json", "text/*": "text/plain"}
"""What is sent where a description leaves the type open."""


def is_wildcard(media_type: str) -> bool:
    """Return whether a type stands for several."""
    return "*" in media_type


def sent_as(media_type: str, kind: BodyKind) -> str:
    """Return the type a body is sent as: the one that was declared, unless that stands for several."""
    if not is_wildcard(media_type) or kind == "binary":
        return media_type  # of a file the type is known when it is sent
    return _CONCRETE.get(essence(media_type), OCTET_STREAM) if kind in ("json", "text") else OCTET_STREAM


def body_kind(media_type: str, schema_kind: str) -> BodyKind:
    """Return how a body is written; `schema_kind` (`object`, `binary`, …) decides where the type alone does not."""
    name = essence(media_type)
    main = name.partition("/")[0]
    structured = schema_kind in ("object", "array")
    open_text = name == "text/*" and (structured or schema_kind == "binary")
    if is_json(name) or (structured and is_yaml(name)):  # JSON is YAML, and is sent as that
        return "json"
    if name == FORM:
        return "form" if schema_kind in ("object", "any") else "text"
    if main == "multipart":
        return "multipart"
    if name in _XML or name.endswith("+xml"):
        return "xml" if structured else "text"
    if name in _TEXT or (main == "text" and not open_text) or name.endswith(_TEXT_SUFFIXES):
        return "text"
    if name in _BINARY or main in _BINARY_MAIN or schema_kind == "binary":
        return "binary"
    if structured or is_wildcard(name):
        return "json"
    return "text" if schema_kind in ("string", "number", "integer", "boolean") else "binary"


def preference(media_type: str, kind: BodyKind) -> int:
    """Return where a type stands when one of several has to be chosen; the least is taken."""
    if essence(media_type) == "application/json":
        return 0
    if is_yaml(media_type):
        kind = "text"
    return {"json": 1, "form": 2, "multipart": 3, "text": 4, "xml": 5, "binary": 6}[kind]
