"""Multipart bodies (RFC 7578, RFC 2046): text, JSON and file parts, each with the type its encoding object names."""

from __future__ import annotations

import secrets

from . import media, styles
from .form import is_styled
from .header_names import NO_ARGUMENTS, TOKEN_CHARACTERS
from .request_parameters import check_header_value, header_text
from .values import ArgumentProblem, in_charset, is_flat, items_of, json_text, text_of, utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from .files import Files

    Encoding = Mapping[str, Any]

BOUNDARY_BYTES = 16
"""Random bytes in a boundary: no content can guess it, and it is still looked for in the content."""

OTHERS = "*"
"""The key of what is said of items and members that are not named."""

_QUOTING = str.maketrans({'"': "%22", "\r": "%0D", "\n": "%0A", "\0": "%00"})
"""How names and file names are quoted (HTML Living Standard, multipart/form-data encoding algorithm)."""


class Part:
    """One part: `name` None where parts have none, `filename` for files only, `media_type` None for plain text."""

    __slots__ = ("data", "filename", "headers", "media_type", "name")

    def __init__(
        self, name: str | None, data: bytes, media_type: str | None = None, filename: str | None = None
    ) -> None:
        self.name = name
        self.data = data
        self.media_type = media_type
        self.filename = filename
        self.headers: list[tuple[str, str]] = []


def multipart_bytes(
    media_type: str, value: Any, content: Mapping[str, Any], arguments: Mapping[str, Any], files: Files
) -> tuple[str, bytes]:
    """Encode an object's members, or an array's items as parts without names; returns the Content-Type too.

    Null members are left out: a part has no way to say null. Raises ArgumentProblem for a root that has no parts.
    """
    if isinstance(value, dict):
        parts = [part for name, member in value.items() for part in _field(name, member, content, arguments, files)]
    elif isinstance(value, list):
        parts = [_item(index, item, content, files) for index, item in enumerate(value)]
    else:
        raise ArgumentProblem((), "a multipart body must be an object")
    boundary = secrets.token_hex(BOUNDARY_BYTES)
    while any(boundary.encode() in part.data for part in parts):
        boundary = secrets.token_hex(BOUNDARY_BYTES)
    chunks = [chunk for part in parts for chunk in _chunks(part, boundary)]
    return f"{_without_boundary(media_type)}; boundary={boundary}", b"".join(
        [*chunks, b"--%s--\r\n" % boundary.encode()]
    )


def _item(index: int, value: Any, content: Mapping[str, Any], files: Files) -> Part:
    """Return the part of an array's item, by what is said of its position, else of every item (OAS 3.2 §4.15)."""
    encodings, kinds = content.get("encoding", {}), content.get("kinds", {})
    encoding = encodings.get(str(index)) or encodings.get(OTHERS) or {}
    try:
        own = str(index) in encodings or str(index) in kinds
        if kinds.get(str(index) if own else OTHERS) == "binary":
            part = _file("part", value, encoding, files)
            part.name = None
            return part
        return Part(None, *_payload(value, encoding))
    except ArgumentProblem as problem:
        raise problem.below(index) from None


def _field(
    name: str, value: Any, content: Mapping[str, Any], arguments: Mapping[str, Any], files: Files
) -> Iterator[Part]:
    """Yield a member's parts: one for each item of an array (RFC 7578 §4.3)."""
    if value is None:
        return
    encoding = content.get("encoding", {}).get(name) or {}
    kinds, items = content.get("kinds", {}), content.get("items", {})
    named = name if name in kinds or name in items else OTHERS
    kind, items_kind = kinds.get(named), items.get(named)
    try:
        headers = _headers(encoding, arguments)
        for part in _parts(name, value, "binary" in (kind, items_kind), encoding, files):
            part.headers = headers
            yield part
    except ArgumentProblem as problem:
        raise problem.below(name) from None


def _parts(name: str, value: Any, binary: bool, encoding: Encoding, files: Files) -> Iterator[Part]:  # noqa: FBT001 # inner
    if binary:
        for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
            try:
                yield _file(name, item, encoding, files)
            except ArgumentProblem as problem:
                raise (problem if index is None else problem.below(index)) from None
    elif is_styled(encoding) and not is_flat(value):
        for key, text in _styled(name, value, encoding):
            yield Part(key, utf8(text))
    else:
        for item in value if isinstance(value, list) else [value]:
            if item is not None:
                data, media_type = _payload(item, encoding)
                yield Part(name, data, media_type)


def _styled(name: str, value: Any, encoding: Encoding) -> list[tuple[str, str]]:
    """Return names and texts of a field with a style (OAS 3.1.1 §4.8.15.1.2); nothing is percent-encoded in a part."""
    value = styles.nested(value, encoding)
    style = encoding.get("style", "form")
    if style == "deepObject":
        return styles.deep_pairs(name, value)
    if encoding.get("explode", style == "form"):
        if isinstance(value, list):
            return [(name, text) for text in items_of(value)]
        return [(key, text_of(member)) for key, member in value.items() if member is not None]
    delimiter = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}.get(style, ",")
    items = value if isinstance(value, list) else [piece for pair in value.items() for piece in pair]
    return [(name, delimiter.join(items_of(items)))] if items else []


def _file(name: str, value: Any, encoding: Encoding, files: Files) -> Part:
    content = files.read(value)
    declared = [wanted.strip() for wanted in str(encoding.get("content_type") or "").split(",") if wanted.strip()]
    media_type = media.of_file(content.media_type, content.filename, declared, content.data)
    extension = media.EXTENSIONS.get(media.essence(media_type), "bin")
    return Part(name, content.data, media_type, content.filename or f"{_last_word(name)}.{extension}")


def _payload(value: Any, encoding: Encoding) -> tuple[bytes, str | None]:
    """Return the bytes and the type of a part that is no file: JSON for arrays and objects, plain text otherwise.

    Another type of an array or object is kept only where it is known how to write it.
    """
    declared = [wanted.strip() for wanted in str(encoding.get("content_type") or "").split(",")]
    concrete = next((wanted for wanted in declared if wanted and not media.is_range(wanted)), None)
    if concrete is not None and media.is_json(concrete):
        return utf8(json_text(value)), concrete
    if is_flat(value):
        return in_charset(text_of(value), concrete and media.parameter(concrete, "charset")), concrete
    if "xml" in encoding:
        from .xml_body import xml_bytes

        charset = concrete and media.parameter(concrete, "charset")
        return xml_bytes(value, encoding["xml"], encoding.get("xml_definitions", {}), charset), concrete
    return utf8(json_text(value)), "application/json"


def _headers(encoding: Encoding, arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the part's own headers that arguments give; Content-Type is described elsewhere and left out."""
    found = []
    for name, described in (encoding.get("headers") or {}).items():
        header = described if isinstance(described, dict) else {"argument": described}
        value = arguments.get(header["argument"]) if header["argument"] else None
        known = name.lower() in NO_ARGUMENTS or name.lower() in ("content-type", "content-disposition")
        if value is None or known or not TOKEN_CHARACTERS.issuperset(name):
            continue
        text = header_text(header, value)
        check_header_value(text)
        if text or is_flat(value):
            found.append((name, text))
    return found


def _chunks(part: Part, boundary: str) -> list[bytes]:
    lines = [f"--{boundary}"]
    if part.name is not None:  # members are told by this name whatever kind of multipart it is (OAS 3.1.1 §4.8.15)
        disposition = f'Content-Disposition: form-data; name="{quoted(part.name)}"'
        if part.filename is not None:
            disposition += f'; filename="{quoted(part.filename)}"'
        lines.append(disposition)
    if part.media_type is not None:
        check_header_value(part.media_type)
        lines.append(f"Content-Type: {part.media_type}")
    lines += [f"{name}: {value}" for name, value in part.headers]
    return [utf8("\r\n".join(lines) + "\r\n\r\n"), part.data, b"\r\n"]


def quoted(text: str) -> str:
    """Return a name as it stands between quotes in a Content-Disposition."""
    return text.translate(_QUOTING)


def _last_word(name: str) -> str:
    """Return a name for a file without one: the field's letters and digits."""
    return "".join(character for character in name if character.isalnum() or character in "_-") or "file"


def _without_boundary(media_type: str) -> str:
    parts = [part.strip() for part in media_type.split(";")]
    return "; ".join([parts[0], *(part for part in parts[1:] if part and not part.lower().startswith("boundary="))])
