"""Bytes to text: UTF-8, or UTF-16 and UTF-32 known by their mark or their zero bytes (YAML 1.2 section 5.2)."""

from __future__ import annotations

import codecs
import re

from .load_problem import TextProblem

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins the same
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def decode(data: bytes) -> str:
    """Return the text of a file without its byte order mark; raises TextProblem that names the byte offset."""
    encoding, start = _encoding(data)
    try:
        return data[start:].decode(encoding)
    except UnicodeDecodeError as problem:
        before = data[start : start + problem.start].decode(encoding)
        message = f"not {encoding.upper()}: byte {start + problem.start} cannot be decoded"
        raise TextProblem("unknown-encoding", message, len(before), "Save the file as UTF-8.", before) from None


def find_control(text: str) -> TextProblem | None:
    """Return what to say about a text that could not be parsed, when it has a control character."""
    control = _CONTROL.search(text)
    if control is None:
        return None
    message = f"a control character U+{ord(control[0]):04X} stands in the text; is this a text file"
    return TextProblem("unknown-encoding", message, control.start())


def _encoding(data: bytes) -> tuple[str, int]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, len(mark)
    zeros = tuple(byte == 0 for byte in data[:4])
    if len(zeros) == 4:  # the first character of a description is ASCII
        for pattern, encoding in (
            ((True, True, True, False), "utf-32-be"),
            ((False, True, True, True), "utf-32-le"),
            ((True, False, True, False), "utf-16-be"),
            ((False, True, False, True), "utf-16-le"),
        ):
            if zeros == pattern:
                return encoding, 0
    return "utf-8", 0
