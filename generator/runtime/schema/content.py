"""Assert `contentEncoding`, `contentMediaType` and `contentSchema` (JSON Schema 2020-12 validation, 8).

Only what tools publish is asserted: base64 and its relatives, and JSON text. Another encoding or media type is an
annotation.
"""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64

from .kinds import always

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .compiler import Site
    from .kinds import Check

URL_SAFE = str.maketrans("-_", "+/")
STANDARD = str.maketrans("+/", "-_")


def decode_base64(text: str) -> bytes | None:
    """Return the bytes of strict base64 (RFC 4648, 4): no spaces, right padding; None for anything else."""
    try:
        return a2b_base64(text.encode("ascii"), strict_mode=True)
    except (Error, UnicodeError):
        return None


def decode_base64url(text: str) -> bytes | None:
    """Return the bytes of base64url (RFC 4648, 5), padded or not; None for anything else."""
    if "+" in text or "/" in text:
        return None
    padded = text if text.endswith("=") else text + "=" * (-len(text) % 4)
    return decode_base64(padded.translate(URL_SAFE))


def respelled(text: str, encoding: object) -> str | None:
    """Return base64 of the other alphabet, or without its padding, as `base64` or `base64url` has it; None for neither.

    Nothing but an encoder's own text counts without padding (no bits are left over): most words are refused by that.
    """
    wanted = encoding.lower() if isinstance(encoding, str) else ""
    padded = standard(text)
    if wanted == "base64":
        return padded
    return text.translate(STANDARD) if wanted == "base64url" and padded is not None else None


def standard(text: str) -> str | None:
    """Return base64 of either alphabet, padded or not, in the standard one with padding; None for anything else."""
    if text.isascii() and ("-" in text or "_" in text) and ("+" in text or "/" in text):
        return None
    found = text.translate(URL_SAFE)
    if text.endswith("="):
        return found if decode_base64(found) is not None else None
    found += "=" * (-len(text) % 4)
    data = decode_base64(found)
    return found if data is not None and b2a_base64(data, newline=False).decode("ascii") == found else None


def decode_base16(text: str) -> bytes | None:
    """Return the bytes of base16 (RFC 4648, 8); None for anything else."""
    try:
        return bytes.fromhex(text) if text.isalnum() or not text else None
    except ValueError:
        return None


DECODERS: dict[str, Callable[[str], bytes | None]] = {
    "base64": decode_base64,
    "base64url": decode_base64url,
    "base16": decode_base16,
}


def content_test(schema: dict[str, Any], site: Site) -> Check:
    """Compile the content keywords of one schema, for values known to be strings."""
    encoding, media_type = schema.get("contentEncoding"), schema.get("contentMediaType")
    decode = DECODERS.get(encoding.lower()) if isinstance(encoding, str) else None
    if encoding is not None and decode is None and str(encoding).lower() not in ("7bit", "8bit", "binary"):
        return always  # an encoding we do not know hides what is inside
    is_json = isinstance(media_type, str) and media_type.partition(";")[0].strip().lower() == "application/json"
    inner = site.check(schema["contentSchema"]) if is_json and "contentSchema" in schema else always
    if decode is None and not is_json:
        return always

    def content(value: Any) -> bool:
        text = value if decode is None else decode(value)
        if text is None:
            return False
        return not is_json or _is_json(text, inner)

    return content


def _is_json(text: str | bytes, inner: Check) -> bool:
    from json import loads  # costs 7 ms; few tools publish JSON inside strings

    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        value = loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return inner(value)


def _refuse(name: str) -> None:
    raise ValueError(name)
