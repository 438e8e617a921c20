"""Makes the imports of local modules relative to the emitted package; the only module that uses libcst.

Only the statements that change are replaced, at the places `ast` gives, and libcst sees nothing but them: comments and
spaces inside a statement are kept by libcst, everything outside because it is not touched. Every statement stays on its
line, so that a traceback's numbers are those of the author's file. `import a.b` binds `a` and loads `a.b`; its relative
form takes two statements, joined by a semicolon: `from . import a; from .a.b import __name__ as _a_b`. The second asks
for `__name__` because every module has it, where an attribute of `a` called `b` need not be the module.

A file without a local import is returned as the same bytes, without libcst being imported.
"""

from __future__ import annotations

import codecs
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .offsets import Offsets
from .source import SourceProblem, SourceText
from .spans import span_of

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Mapping, Sequence

    import libcst as cst

    from .import_statements import Import

Place = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """What to change in one module: `tops` are local top-level names with places, `package` the place of a dot.

    `names` are string literals that name a local package, each with the absolute name it has in the emitted one.
    `shadowed` are places of modules whose package may bind their name to something else: `import a.b as c` loads and
    binds the module all the same, `from .a import b as c` would take the other thing.
    """

    tops: Mapping[str, Place]
    package: Place = ()
    names: Sequence[tuple[ast.Constant, str]] = ()
    shadowed: frozenset[Place] = frozenset()

    def place(self, dotted: str) -> Place | None:
        """Return the place of an absolute module name, or None when it is not local."""
        # Python compares identifiers in this form, `ast` gives them in it, libcst as they are written.
        top, _, rest = unicodedata.normalize("NFKC", dotted).partition(".")
        if top not in self.tops:
            return None
        return (*self.tops[top], *(rest.split(".") if rest else ()))


def rewrite(source: SourceText, imports: tuple[Import, ...], rewriting: Rewriting) -> bytes:
    """Return the module's bytes with local imports made relative; raises SourceProblem when that is not safe."""
    statements = {id(one.node): one.node for one in imports if one.top in rewriting.tops}
    if not statements and not rewriting.names:
        return source.data
    text = source.text
    offsets = Offsets(text)
    edits: list[tuple[int, int, str]] = []
    for node in statements.values():
        start, end = offsets.of(node)
        edits.append((start, end, _statement(text[start:end], node, rewriting, source)))
    for literal, name in rewriting.names:
        start, end = offsets.of(literal)
        quote = next(character for character in text[start:end] if character in "'\"")
        edits.append((start, end, f"{quote}{name}{quote}"))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return _encoded(text, source)


def _encoded(text: str, source: SourceText) -> bytes:
    """Return the text in the encoding of its file, with the byte order mark that the file has."""
    marked = source.data.startswith(codecs.BOM_UTF8)
    data = text.removeprefix("\ufeff").encode("utf-8" if marked else source.encoding)
    return codecs.BOM_UTF8 + data if marked else data


def _statement(text: str, node: ast.stmt, rewriting: Rewriting, source: SourceText) -> str:
    """Return the new text of one import statement."""
    import libcst

    # A lone carriage return ends a line for Python but not for libcst.
    module = libcst.parse_module(text + "\n") if "\r" not in text.replace("\r\n", "") else None
    if module is None or module.code != text + "\n":
        message = "the layout of this import of a local module cannot be kept when it is made relative"
        hint = "Write it on one line, or install the module and use --link."
        found = Diagnostic(rule=rule("unsupported-feature"), message=message, span=span_of(node, source), hint=hint)
        raise SourceProblem(found)
    line = libcst.ensure_type(module.body[0], libcst.SimpleStatementLine)
    small = line.body[0]
    if isinstance(small, libcst.Import):
        line = line.with_changes(body=list(_relative_import(small, rewriting)))
    elif isinstance(small, libcst.ImportFrom) and small.module is not None:
        dots, rest = relative(rewriting.package, rewriting.place(_dotted(small.module)) or ())
        line = line.with_changes(body=[small.with_changes(relative=[libcst.Dot()] * dots, module=_module(rest))])
    return module.with_changes(body=[line]).code.removesuffix("\n")


def relative(package: Place, target: Place) -> tuple[int, Place]:
    """Return how a module in `package` names `target`: the number of dots, and the parts after them."""
    shared = 0
    while shared < min(len(package), len(target)) and package[shared] == target[shared]:
        shared += 1
    return len(package) - shared + 1, target[shared:]


def _relative_import(node: cst.Import, rewriting: Rewriting) -> Iterator[cst.BaseSmallStatement]:
    """Yield the statements for an `import` with a local name; neighbours that share a form stay together."""
    import libcst

    def key(alias: cst.ImportAlias) -> object:
        place = rewriting.place(_dotted(alias.name))
        if place is None:
            return None
        if place in rewriting.shadowed or (alias.asname is None and isinstance(alias.name, libcst.Attribute)):
            return (*place, alias)  # a statement of its own
        return place[:-1]

    groups = [(form, list(aliases)) for form, aliases in groupby(node.names, key)]
    for number, (_, aliases) in enumerate(groups):
        comma = aliases[-1].comma
        aliases[-1] = aliases[-1].with_changes(comma=libcst.MaybeSentinel.DEFAULT)
        semicolon: cst.Semicolon | cst.MaybeSentinel = node.semicolon
        if number < len(groups) - 1:
            # The space after the comma may hold a continued line, which has to stay.
            after = comma.whitespace_after if isinstance(comma, libcst.Comma) else libcst.SimpleWhitespace(" ")
            kept = after if isinstance(after, libcst.SimpleWhitespace) and after.value else libcst.SimpleWhitespace(" ")
            semicolon = libcst.Semicolon(whitespace_after=kept)
        yield from _group(node, aliases, rewriting, semicolon)


def _group(
    node: cst.Import,
    aliases: list[cst.ImportAlias],
    rewriting: Rewriting,
    semicolon: cst.Semicolon | cst.MaybeSentinel,
) -> Iterator[cst.BaseSmallStatement]:
    """Yield the statements for aliases of one form; the last of them ends with `semicolon`."""
    import libcst

    first = aliases[0]
    place = rewriting.place(_dotted(first.name))
    if place is None:
        yield node.with_changes(names=aliases, semicolon=semicolon)
        return
    between = libcst.Semicolon(whitespace_after=libcst.SimpleWhitespace(" "))
    if first.asname is not None or isinstance(first.name, libcst.Name):
        if place in rewriting.shadowed:
            yield _from(node, rewriting, place, [_loading(place)], between)
        short = [alias.with_changes(name=_last(alias.name)) for alias in aliases]
        yield _from(node, rewriting, place[:-1], short, semicolon)
        return
    top = rewriting.place(_dotted(first.name).partition(".")[0]) or place[:1]
    bound = libcst.ImportAlias(name=libcst.Name(top[-1]))
    yield _from(node, rewriting, top[:-1], [bound], between)
    yield _from(node, rewriting, place, [_loading(place)], semicolon)


def _loading(place: Place) -> cst.ImportAlias:
    """Return what is imported from a module merely to load it."""
    import libcst

    unused = libcst.AsName(name=libcst.Name("_" + "_".join(place)))
    return libcst.ImportAlias(name=libcst.Name("__name__"), asname=unused)


def _from(
    node: cst.Import,
    rewriting: Rewriting,
    place: Place,
    names: list[cst.ImportAlias],
    semicolon: cst.Semicolon | cst.MaybeSentinel,
) -> cst.ImportFrom:
    """Return `from <relative place> import names` with the spacing of the statement it replaces."""
    import libcst

    dots, rest = relative(rewriting.package, place)
    return libcst.ImportFrom(
        module=_module(rest),
        names=names,
        relative=[libcst.Dot()] * dots,
        whitespace_after_import=node.whitespace_after_import,
        semicolon=semicolon,
    )


def _dotted(node: cst.BaseExpression) -> str:
    """Return a chain of names as text; empty when it holds anything else."""
    import libcst

    parts: list[str] = []
    while isinstance(node, libcst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    return ".".join([node.value, *reversed(parts)]) if isinstance(node, libcst.Name) else ""


def _last(node: cst.BaseExpression) -> cst.BaseExpression:
    import libcst

    return node.attr if isinstance(node, libcst.Attribute) else node


def _module(parts: Place) -> cst.Name | cst.Attribute | None:
    """Return the parts as the module of a `from` statement, None for dots alone."""
    import libcst

    if not parts:
        return None
    node: cst.Name | cst.Attribute = libcst.Name(parts[0])
    for part in parts[1:]:
        node = libcst.Attribute(value=node, attr=libcst.Name(part))
    return node
