"""Checked values: the only things a template may write.

Text of users never reaches a template as `str`. It passes one of these classes, each of which says for one output
language what is safe and either refuses (identifiers, versions) or encodes (TOML and Markdown text). The value that
comes out is final: templates write it and do nothing else with it.
"""

from __future__ import annotations

import ast
import json
import keyword
import re
import unicodedata

from ..ir.python_text import literal

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_VERSION = re.compile(r"[0-9][A-Za-z0-9.!+_-]{0,199}", re.ASCII)
_DISTRIBUTION = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", re.ASCII)
_CODE_SPAN = re.compile(r"[A-Za-z0-9_./:$~%{}\"'*|=<>?,\[\] +-]+", re.ASCII)
_MARKDOWN_ACTIVE = re.compile(r"[\\`*_\[\]{}#~$|!]")
_MARKDOWN_LINE_START = re.compile(r"^(\s*)([-+=:]|[0-9]+[.)])")
_MARKDOWN_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_REGISTRY_MARKER = re.compile(r"mcp-name", re.IGNORECASE)

MAX_SUMMARY = 200
"""Characters of a one-line summary; package indexes show about that much and refuse more than 512."""


class UncheckedValueError(TypeError):
    """A template was about to write a value that nobody checked: a fault of ours, never of the input."""


class Checked:
    """A value that may be written into one output language; `text` is its final form."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        """Take the value; each class checks or encodes it."""
        self.text = self.encode(text)

    @staticmethod
    def encode(value: str) -> str:
        """Return the final form; raises UncheckedValueError when there is none."""
        raise UncheckedValueError(value)


class Identifier(Checked):
    """A Python identifier: ASCII, no keyword."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the name; raises UncheckedValueError when it is not an identifier."""
        if not _IDENTIFIER.fullmatch(value) or keyword.iskeyword(value):
            raise UncheckedValueError(f"not an identifier: {value[:60]!r}")
        return value


class PythonText(Checked):
    """Any text as a Python string literal with double quotes, ASCII only."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the literal: what is no plain ASCII character is an escape, so no text can end it."""
        return literal(value)


class Annotation(Checked):
    """A type as Python source: names, attributes, subscripts and unions of them, nothing that could be run."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the annotation; raises UncheckedValueError when it is anything else."""
        try:
            tree = ast.parse(value, mode="eval")
        except (SyntaxError, ValueError, RecursionError):
            raise UncheckedValueError(f"not an annotation: {value[:60]!r}") from None
        if not value.isascii() or not all(_is_type(node) for node in ast.walk(tree.body)):
            raise UncheckedValueError(f"not an annotation: {value[:60]!r}")
        return ast.unparse(tree)


class BrokenAnnotation(Checked):
    """A union as Python source, an arm a line, in the parameters of a function."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the annotation; raises UncheckedValueError as `Annotation` does."""
        arms: list[str] = []
        tree: ast.expr = ast.parse(Annotation.encode(value), mode="eval").body
        while isinstance(tree, ast.BinOp):
            arms.insert(0, ast.unparse(tree.right))
            tree = tree.left
        return "\n    | ".join([ast.unparse(tree), *arms])


class VersionLiteral(Checked):
    """A version, written as a Python string literal."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the quoted version; raises UncheckedValueError when it has other characters than versions have."""
        if not _VERSION.fullmatch(value):
            raise UncheckedValueError(f"not a version: {value[:60]!r}")
        return f'"{value}"'


class CommandName(Checked):
    """A distribution or command name inside a Python string: it has no quote, no backslash and no line end."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the name; raises UncheckedValueError when it cannot be a distribution's name."""
        return TomlKey.encode(value)


class TomlText(Checked):
    """Any text as a TOML basic string with its quotes (TOML 1.0, "String")."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        r"""Return the quoted text; JSON's escapes are TOML's too, save DEL, surrogates and pairs beyond the BMP."""
        sound = value.encode("utf-8", "replace").decode("utf-8")
        return json.dumps(sound, ensure_ascii=False).replace("\x7f", "\\u007F")


class TomlKey(Checked):
    """A distribution or command name as a bare TOML key."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the key; raises UncheckedValueError when it cannot be a distribution's name."""
        if not _DISTRIBUTION.fullmatch(value) or "." in value:
            raise UncheckedValueError(f"not a distribution name: {value[:60]!r}")
        return value


class MarkdownText(Checked):
    """Prose on one line, with everything that Markdown or HTML would act on escaped."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the escaped prose: control and format characters gone, white space of every kind one space."""
        line = _MARKDOWN_ACTIVE.sub(lambda match: f"\\{match.group()}", _one_line(value))
        line = line.translate(_MARKDOWN_HTML)
        line = _MARKDOWN_LINE_START.sub(lambda match: f"{match.group(1)}{_escape_last(match.group(2))}", line)
        return _REGISTRY_MARKER.sub(lambda match: match.group().replace("-", "\\-"), line)


class MarkdownParagraphs(Checked):
    """Prose in paragraphs, each escaped as `MarkdownText` does."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the paragraphs, one blank line between them."""
        lines = value.replace("\r\n", "\n").split("\n\n")
        return "\n\n".join(filter(None, (MarkdownText.encode(line) for line in lines)))


class MarkdownCode(Checked):
    """A name or path as a Markdown code span."""

    __slots__ = ()

    @staticmethod
    def fits(value: str) -> bool:
        """Return whether a text can be a code span."""
        return _CODE_SPAN.fullmatch(value) is not None

    @staticmethod
    def encode(value: str) -> str:
        """Return the span; raises UncheckedValueError for characters that could end it or break a table."""
        if not _CODE_SPAN.fullmatch(value):
            raise UncheckedValueError(f"not fit for a code span: {value[:60]!r}")
        return f"`{value}`".replace("|", "\\|")


class MarkdownBlock(Checked):
    """The content of a fenced code block."""

    __slots__ = ()

    @staticmethod
    def encode(value: str) -> str:
        """Return the content; raises UncheckedValueError when it holds a fence or is not plain ASCII lines."""
        if "```" in value or not all(character == "\n" or " " <= character <= "~" for character in value):
            raise UncheckedValueError("not fit for a code block")
        return value


def summary(text: str) -> str:
    """Return the first line of a description, bounded: what package indexes and tables show."""
    lines = text.strip().splitlines()
    line = _one_line(lines[0] if lines else "")
    return line if len(line) <= MAX_SUMMARY else f"{line[: MAX_SUMMARY - 1].rstrip()}…"


def _is_type(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.BinOp | ast.BitOr | ast.Tuple | ast.Load)


def _one_line(text: str) -> str:
    """Return a text without control and format characters, white space of every kind one space."""
    plain = text if text.isprintable() else "".join(map(_plain, text))
    return " ".join(plain.split())


def _plain(character: str) -> str:
    """Return the character, a space for white space and line ends, nothing for control and format characters."""
    if character.isspace():
        return " "
    return "" if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"} else character


def _escape_last(marker: str) -> str:
    """Return a list, rule or heading marker with its deciding character escaped."""
    return f"{marker[:-1]}\\{marker[-1]}"
