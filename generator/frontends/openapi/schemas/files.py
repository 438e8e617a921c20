"""The schema of a file as an argument: its bytes in base64, or what names a file (decision 29)."""

from __future__ import annotations

from typing import Any

FILE_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "string", "description": "The content in base64", "examples": ["aGVsbG8="]},
        {
            "type": "object",
            "properties": {
                "data": {"type": "string", "description": "The content in base64"},
                "path": {"type": "string", "description": "Instead of data: a file in the server's files folder"},
                "filename": {"type": "string", "description": "The name to send"},
                "mimeType": {"type": "string", "description": "Like image/png"},
            },
            "additionalProperties": False,
        },
    ]
}
"""What a client may send for a file; exactly one of `data` and `path` is looked at by the server."""


def file_schema(description: str = "") -> dict[str, Any]:
    """Return the schema of a file argument."""
    return {"description": description, **FILE_SCHEMA} if description else dict(FILE_SCHEMA)
