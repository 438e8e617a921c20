"""models.py as text: written from the parsed result of whatever made the types, never copied from it.

What is parsed is checked: one class or alias for each definition, annotations of names, subscripts, unions and plain
literals only. Then the words are replaced by what they stand for, and everything is written as `ruff format` would.
"""

from __future__ import annotations

import ast
import functools
import keyword
from typing import TYPE_CHECKING

from .model_layout import INDENT, TYPING, Rendered, annotation, literal, mentioned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .model_document import ModelDocument

HEAD = '''"""Types of the API's schemas, made by mcpgen; answers may have members that are not described."""

from __future__ import annotations
'''

_NODES = (ast.Name, ast.Subscript, ast.BinOp, ast.BitOr, ast.Tuple, ast.Constant, ast.Load)


class ModelsProblem(Exception):
    """Types that could not be made; the message says why."""


def written(source: str, document: ModelDocument) -> bytes:
    """Return models.py for what was made of a document; raises ModelsProblem for anything that was not expected."""
    classes, aliases = _parsed(source, frozenset(document.definitions))
    blocks: list[str] = []
    functional: dict[str, dict[str, ast.expr]] = {}
    for name in sorted(classes):
        fields = {document.fields[word]: value for word, value in classes[name].items()}
        if all(_is_field(field) for field in fields):
            blocks.append(_class(name, fields, document.values))
        else:
            functional[name] = fields
    defined = set(classes) - set(functional)
    late: dict[str, ast.expr | dict[str, ast.expr]] = {**functional, **aliases}
    for name in _ordered(late):
        value = late[name]
        rendered = Rendered(document.values, frozenset(defined), eager=True)
        if isinstance(value, dict):
            blocks.append(_made(name, value, rendered))
            defined.add(name)
            continue
        shown = rendered.tree(value)
        blocks.append(annotation(f"{name}: TypeAlias = ", shown, 0) + "\n")
        if not isinstance(shown, ast.Constant):
            defined.add(name)  # what is a text itself can only be named in another text
    body = "\n".join(blocks)
    used = [name for name in ("Any", "Literal", "NotRequired", "TypeAlias", "TypedDict") if _uses(body, name)]
    head = HEAD + (f"\nfrom typing import {', '.join(used)}\n" if used else "")
    return (head + _separated(blocks)).encode("ascii")


def _separated(blocks: list[str]) -> str:
    """Return statements with a blank line between them, two beside a class."""
    pieces = []
    beside = False
    for block in blocks:
        is_class = block.startswith("class ")
        pieces.append(f"\n\n{block}" if is_class or beside else f"\n{block}")
        beside = is_class
    return "".join(pieces)


def _uses(body: str, name: str) -> bool:
    tree = ast.parse(body)
    plain = any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(tree))
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return plain or any(name in mentioned(text) for text in texts)


def _parsed(source: str, wanted: frozenset[str]) -> tuple[dict[str, dict[str, ast.expr]], dict[str, ast.expr]]:
    """Return the fields of the classes and the aliases of a source, checked; raises ModelsProblem."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise ModelsProblem(f"what was made does not parse ({type(error).__name__})") from None
    classes: dict[str, dict[str, ast.expr]] = {}
    aliases: dict[str, ast.expr] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            classes[node.name] = _fields(node)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            if node.target.id != "Model" or "Model" in wanted:  # an alias for the document itself
                aliases[node.target.id] = _Joined().visit(node.value)
        elif not isinstance(node, ast.ImportFrom | ast.Import):
            raise ModelsProblem(f"what was made has an unexpected {type(node).__name__}")
    if {*classes, *aliases} != wanted:
        raise ModelsProblem("what was made are other types than the schemas")
    for value in (*aliases.values(), *(value for fields in classes.values() for value in fields.values())):
        _check(value, wanted)
    return classes, aliases


def _fields(node: ast.ClassDef) -> dict[str, ast.expr]:
    if [ast.unparse(each) for each in node.bases] != ["TypedDict"] or node.keywords or node.decorator_list:
        raise ModelsProblem("a class that was made is no plain TypedDict")
    found: dict[str, ast.expr] = {}
    for item in node.body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value is None:
            found[item.target.id] = _Joined().visit(item.annotation)
        elif not isinstance(item, ast.Pass):
            raise ModelsProblem("a class that was made has more than fields")
    return found


class _Joined(ast.NodeTransformer):
    """Writes `Union[A, B]` as `A | B`, `Optional[A]` as `A | None`, quoted names as names, `list` as `list[Any]`."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        if name == "Literal":
            return ast.Subscript(node.value, _Signed().visit(node.slice), ast.Load())
        inner = self.visit(node.slice)
        if name not in ("Union", "Optional"):
            return ast.Subscript(node.value, inner, ast.Load())
        arms = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
        arms += [ast.Constant(None)] if name == "Optional" else []
        return functools.reduce(lambda left, right: ast.BinOp(left, ast.BitOr(), right), arms)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in ("list", "dict"):
            return node
        any_value = ast.Name("Any", ast.Load())
        inner = any_value if node.id == "list" else ast.Tuple([ast.Name("str", ast.Load()), any_value], ast.Load())
        return ast.Subscript(node, inner, ast.Load())

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        return ast.Name(node.value, ast.Load()) if isinstance(node.value, str) else node


class _Signed(ast.NodeTransformer):
    """Writes a minus and a number as the constant they are together."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))):
                return ast.Constant(-number)
        return node


def _check(value: ast.expr, wanted: frozenset[str]) -> None:
    for node in ast.walk(value):
        if not isinstance(node, _NODES):
            raise ModelsProblem(f"a type that was made has an unexpected {type(node).__name__}")
        if isinstance(node, ast.Name) and node.id not in TYPING | wanted:
            raise ModelsProblem(f"a type that was made has the unexpected name `{node.id}`")
        if isinstance(node, ast.Constant) and not (node.value is None or isinstance(node.value, str | int)):
            raise ModelsProblem("a type that was made has an unexpected constant")


def _is_field(name: str) -> bool:
    # Two underscores would be mangled inside a class.
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__")


def _class(name: str, fields: Mapping[str, ast.expr], values: Mapping[str, str]) -> str:
    rendered = Rendered(values, frozenset(), eager=False)
    lines = [f"class {name}(TypedDict):"]
    lines += [f"{INDENT}{annotation(f'{field}: ', rendered.tree(value), 1)}" for field, value in fields.items()]
    return "\n".join(lines if fields else [*lines, f"{INDENT}pass"]) + "\n"


def _made(name: str, fields: Mapping[str, ast.expr], rendered: Rendered) -> str:
    """Return a TypedDict whose fields are no Python names, in the form that takes any text."""
    lines = [f"{name} = TypedDict(", f'{INDENT}"{name}",', f"{INDENT}{{"]
    lines += [
        f"{INDENT * 2}{annotation(f'{literal(field)}: ', rendered.tree(value), 2)}," for field, value in fields.items()
    ]
    return "\n".join([*lines, f"{INDENT}}},", ")"]) + "\n"


def _ordered(late: Mapping[str, ast.expr | dict[str, ast.expr]]) -> list[str]:
    """Return names so that what a definition mentions comes before it, as far as that is possible."""
    done: dict[str, None] = {}
    waiting = [(name, iter(_mentions(late[name]))) for name in sorted(late, reverse=True)]
    entered: set[str] = set()
    while waiting:
        name, needs = waiting[-1]
        entered.add(name)
        inner = next((each for each in needs if each in late and each not in entered), None)
        if inner is not None:
            waiting.append((inner, iter(_mentions(late[inner]))))
        else:
            done.setdefault(name)
            waiting.pop()
    return list(done)


def _mentions(value: ast.expr | dict[str, ast.expr]) -> list[str]:
    parts = list(value.values()) if isinstance(value, dict) else [value]
    found = {text for part in parts for node in ast.walk(part) for text in _names(node)}
    return sorted(found)


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name):
        return [node.id]
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []
