"""Media types as descriptions write them: what family one belongs to, and what to send for a range (RFC 9110 §8.3)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

OCTET_STREAM = "application/octet-stream"
FORM = "application/x-www-form-urlencoded"
EVENT_STREAM = "text/event-stream"

JSON = frozenset({"application/json", "application/x-json", "text/json", "text/x-json"})
"""Types of one JSON value, beside those that end with `+json` (RFC 6839)."""

JSON_LINES = frozenset(
    {
        "application/jsonl",
        "application/x-jsonl",
        "application/jsonlines",
        "application/x-jsonlines",
        "application/ndjson",
        "application/x-ndjson",
    }
)
"""Types of one JSON value a line."""

JSON_SEQUENCES = frozenset({"application/json-seq", "application/geo+json-seq"})
"""Types of JSON values after record separators (RFC 7464)."""

STREAMS = JSON_LINES | JSON_SEQUENCES | {EVENT_STREAM, "application/stream+json", "application/x-json-stream"}
"""Answers of many values, which may never end: when the time is over, what has come of them is the answer."""

YAML = frozenset(
    {"application/yaml", "application/x-yaml", "application/vnd.yaml", "text/yaml", "text/x-yaml", "text/vnd.yaml"}
)
"""Types of YAML, beside those that end with `+yaml` (RFC 9512)."""

EXTENSIONS = {
    "application/gzip": "gz",
    "application/json": "json",
    "application/pdf": "pdf",
    "application/xml": "xml",
    "application/zip": "zip",
    "audio/mpeg": "mp3",
    "audio/wav": "wav",
    "image/gif": "gif",
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/svg+xml": "svg",
    "image/webp": "webp",
    "text/csv": "csv",
    "text/html": "html",
    "text/plain": "txt",
    "video/mp4": "mp4",
}
"""Extensions of well-known types. The system's own table is not used: it differs from machine to machine."""

_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
)
"""What files begin with; only looked at where no media type is stated."""

TYPES = {extension: media_type for media_type, extension in EXTENSIONS.items()} | {"jpeg": "image/jpeg"}


def essence(media_type: str) -> str:
    """Return the type without parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def parameter(media_type: str, name: str) -> str | None:
    """Return a parameter's value without quotes, None when the type has none of that name."""
    for part in media_type.split(";")[1:]:
        key, _, value = part.partition("=")
        if key.strip().lower() == name:
            return value.strip().strip('"')
    return None


def is_json(media_type: str) -> bool:
    """Tell JSON and the `+json` types."""
    kind = essence(media_type)
    return kind in JSON or kind.endswith("+json")


def is_yaml(media_type: str) -> bool:
    """Tell YAML and the `+yaml` types."""
    kind = essence(media_type)
    return kind in YAML or kind.endswith("+yaml")


def is_form(media_type: str) -> bool:
    """Tell `application/x-www-form-urlencoded`."""
    return essence(media_type) == FORM


def is_range(media_type: str) -> bool:
    """Tell `*/*` and `image/*`, which cannot be sent as they are."""
    return "*" in essence(media_type)


def covers(wanted: str, media_type: str) -> bool:
    """Say whether a type or range covers a type."""
    wanted = essence(wanted)
    return wanted in ("*/*", "*", essence(media_type)) or (
        wanted.endswith("/*") and essence(media_type).startswith(wanted[:-1])
    )


def by_filename(filename: str) -> str | None:
    """Return the well-known type of a file name's extension."""
    return TYPES.get(filename.rpartition(".")[2].lower()) if "." in filename else None


def by_beginning(data: bytes) -> str | None:
    """Return the well-known type of what begins like this."""
    return next((media_type for beginning, media_type in _BEGINNINGS if data.startswith(beginning)), None)


def of_file(given: str | None, filename: str | None, declared: Sequence[str], data: bytes = b"") -> str:
    """Choose the type of a file's content: the caller's, else what the name says, else the first concrete declared one.

    A given type wins even where the description declares another: the caller knows the file. What a name says counts
    only where a declared type or range covers it, and so does what the content begins with where a choice is declared.
    """
    if given:
        return given
    named = by_filename(filename) if filename else None
    if named and (not declared or any(covers(wanted, named) for wanted in declared)):
        return named
    is_choice = len(declared) > 1 or any(map(is_range, declared))
    begun = by_beginning(data) if is_choice else None
    if begun and any(covers(wanted, begun) for wanted in declared):
        return begun
    return next((wanted for wanted in declared if wanted and not is_range(wanted)), OCTET_STREAM)
