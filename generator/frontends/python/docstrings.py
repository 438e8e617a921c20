"""What a docstring says: description, parameters, result, errors, examples.

One pass over the lines knows all four styles at once (Google, NumPy, Sphinx, epydoc), since real docstrings mix them:
a line that opens a section or a field ends what stood before, and what stands in no section is the description, kept as
the author wrote it. Lines inside a code fence open nothing.
"""

from __future__ import annotations

import ast
import inspect
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...ir.visible import clean
from .docstring_entries import Entry, flow, google_entries, google_result, numpy_entries, numpy_result
from .docstring_fields import Field, field_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SECTIONS: Mapping[str, str] = {
    **dict.fromkeys(("args", "arguments", "parameters", "params", "parameter"), "parameters"),
    **dict.fromkeys(("keyword args", "keyword arguments", "keywords", "kwargs"), "parameters"),
    **dict.fromkeys(("other parameters", "other args", "other arguments", "other params"), "parameters"),
    **dict.fromkeys(("returns", "return"), "returns"),
    **dict.fromkeys(("yields", "yield"), "yields"),
    **dict.fromkeys(("raises", "raise", "exceptions", "except"), "raises"),
    **dict.fromkeys(("example", "examples"), "examples"),
    **dict.fromkeys(("attributes", "attribute"), "attributes"),
    "deprecated": "deprecated",
}
"""Headings that open a section in either style, lower case, and what they hold."""

NUMPY_SECTIONS: Mapping[str, str] = {
    **SECTIONS,
    **dict.fromkeys(("notes", "note", "warnings", "warning", "warns", "receives", "methods"), "ignored"),
    **dict.fromkeys(("see also", "related", "references"), "ignored"),
}
"""Underlined headings; the ignored ones are for people who read the library's manual."""

_GOOGLE_HEADING = re.compile(r"^(\w+(?: \w+)?):[ \t]*$")
_UNDERLINE = re.compile(r"^[-=]{3,}[ \t]*$")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_DEPRECATED = re.compile(r"^\.\.[ \t]+deprecated::[ \t]*(.*)$")
_INDENTED = re.compile(r"^[ \t]+\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Docstring:
    """A docstring taken apart; every text is clean, and `hidden` names the characters that were taken out."""

    description: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    returns: str | None = None
    raises: tuple[tuple[str, str], ...] = ()
    examples: tuple[str, ...] = ()
    deprecated: str | None = None
    hidden: tuple[str, ...] = ()


@dataclass(slots=True)
class _Reading:
    """What one pass has collected so far."""

    description: list[str] = field(default_factory=list)
    parameters: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    returns: list[str] = field(default_factory=list)
    yields: list[str] = field(default_factory=list)
    raises: list[tuple[str, str]] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    deprecated: str | None = None


def raw_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module) -> str | None:
    """Return a definition's docstring as it is written; an f-string or a bytes literal is none."""
    return ast.get_docstring(node, clean=False)


def parse_docstring(text: str | None) -> Docstring:
    """Take a docstring apart; None is an empty one."""
    if not text:
        return Docstring()
    visible, hidden = clean(text)
    lines = inspect.cleandoc(visible).split("\n")
    reading = _Reading()
    position = 0
    while position < len(lines):
        position = _step(lines, position, reading)
    return Docstring(
        description=_description(reading.description),
        parameters=reading.parameters,
        attributes=reading.attributes,
        returns="\n".join(reading.returns or reading.yields) or None,
        raises=tuple(reading.raises),
        examples=tuple(reading.examples),
        deprecated=reading.deprecated,
        hidden=hidden,
    )


def _step(lines: Sequence[str], position: int, reading: _Reading) -> int:
    """Take what begins at a line and return the position after it."""
    line = lines[position]
    fence = _FENCE.match(line)
    if fence:
        end = _fence_end(lines, position, fence[1])
        reading.description.extend(lines[position:end])
        return end
    found = field_at(lines, position)
    if found is not None:
        _take_field(found, reading)
        return found.end
    deprecated = _DEPRECATED.match(line)
    if deprecated:
        end = _indented_end(lines, position + 1)
        reading.deprecated = _deprecation(deprecated[1], lines[position + 1 : end])
        return end
    section = _numpy_section(lines, position)
    if section is not None:
        end = _numpy_end(lines, position + 2)
        _take_numpy(section, lines[position + 2 : end], reading)
        return end
    section = _google_section(lines, position)
    if section is not None:
        end = _indented_end(lines, position + 1)
        _take_google(section, lines[position + 1 : end], reading)
        return end
    reading.description.append(line)
    return position + 1


def _fence_end(lines: Sequence[str], start: int, mark: str) -> int:
    """Return the position after a code fence; an open one goes to the end."""
    for position in range(start + 1, len(lines)):
        if lines[position].strip().startswith(mark[:3]):
            return position + 1
    return len(lines)


def _numpy_section(lines: Sequence[str], position: int) -> str | None:
    if position + 1 >= len(lines) or not _UNDERLINE.match(lines[position + 1]):
        return None
    return NUMPY_SECTIONS.get(lines[position].strip().rstrip(":").lower())


def _numpy_end(lines: Sequence[str], start: int) -> int:
    """Return where the next heading of either style, or the text, ends an underlined section."""
    position = start
    while position < len(lines):
        fence = _FENCE.match(lines[position])
        if fence:
            position = _fence_end(lines, position, fence[1])
            continue
        underlined = (
            position + 1 < len(lines) and bool(lines[position].strip()) and _UNDERLINE.match(lines[position + 1])
        )
        if underlined or _DEPRECATED.match(lines[position]) or field_at(lines, position) is not None:
            return position
        position += 1
    return position


def _google_section(lines: Sequence[str], position: int) -> str | None:
    """Return the kind of section a `Title:` line opens: what follows must be indented."""
    found = _GOOGLE_HEADING.match(lines[position])
    kind = SECTIONS.get(found[1].lower()) if found else None
    if kind is None:
        return None
    following = next((line for line in lines[position + 1 :] if line.strip()), "")
    return kind if _INDENTED.match(following) else None


def _indented_end(lines: Sequence[str], start: int) -> int:
    """Return where the indented block that starts here ends, blank lines at its end not counted."""
    end = start
    for position in range(start, len(lines)):
        if not lines[position].strip():
            continue
        if not _INDENTED.match(lines[position]):
            break
        end = position + 1
    return end


def _take_google(section: str, block: Sequence[str], reading: _Reading) -> None:
    if section in ("returns", "yields"):
        _result(section, google_result(block), reading)
    else:
        _take_block(section, block, google_entries, reading)


def _take_numpy(section: str, block: Sequence[str], reading: _Reading) -> None:
    if section in ("returns", "yields"):
        _result(section, numpy_result(block), reading)
    else:
        _take_block(section, block, numpy_entries, reading)


def _take_block(
    section: str, block: Sequence[str], entries: Callable[[Sequence[str]], tuple[Entry, ...]], reading: _Reading
) -> None:
    """Take a section whose content does not depend on what a result looks like."""
    if section == "parameters":
        reading.parameters.update({entry.name: entry.text for entry in entries(block)})
    elif section == "attributes":
        reading.attributes.update({entry.name: entry.text for entry in entries(block)})
    elif section == "raises":
        reading.raises.extend((entry.name, entry.text) for entry in entries(block))
    elif section == "examples":
        text = inspect.cleandoc("\n".join(["", *block])).strip("\n")
        reading.examples.extend([text] if text else [])
    elif section == "deprecated":
        reading.deprecated = flow(block)


def _result(section: str, text: str, reading: _Reading) -> None:
    if text:
        (reading.returns if section == "returns" else reading.yields).append(text)


def _take_field(found: Field, reading: _Reading) -> None:
    """Take a Sphinx or epydoc field."""
    if found.kind == "parameters" and found.name:
        reading.parameters[found.name] = found.text
    elif found.kind == "attributes" and found.name:
        reading.attributes[found.name] = found.text
    elif found.kind in ("returns", "yields"):
        _result(found.kind, found.text, reading)
    elif found.kind == "raises" and found.name:
        reading.raises.extend((name.strip(), found.text) for name in found.name.split(","))
    elif found.kind == "deprecated":
        reading.deprecated = found.text or "This tool is deprecated."
    elif found.kind == "examples" and found.text:
        reading.examples.append(found.text)


def _deprecation(version: str, block: Sequence[str]) -> str:
    """Return what a `.. deprecated::` directive says."""
    text = flow(block)
    if text:
        return text
    return f"since version {version.strip()}" if version.strip() else "This tool is deprecated."


def _description(lines: Sequence[str]) -> str:
    """Return the description: paragraphs as written, one blank line where sections stood between them."""
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines))
    return text.strip("\n").strip()
