"""How diagnostics are worded: hints are sentences that tell what to do, messages are what comes after `error: `.

Every literal hint and message in the generator's source is found, however it travels to its diagnostic: as an argument
called `hint` or `message`, as a variable of that name, or as what a function whose name ends so returns.
"""

import ast
import re
from pathlib import Path

import pytest

from generator.diagnostics.explanations import EXPLANATIONS
from generator.diagnostics.rules import RULES

ROOT = Path(__file__).resolve().parents[2] / "generator"
FILES = sorted(
    path
    for path in ROOT.rglob("*.py")
    if "runtime" not in path.relative_to(ROOT).parts or "registry" in path.relative_to(ROOT).parts
)
"""Of the runtime only the registry makes diagnostics, by the names of their rules."""

HOLE = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for what an f-string fills in."""

NAMES_OF_THINGS = ("JSON", "Python", "UTF-8", "Windows", HOLE)
"""What a message may begin with although it is no lower-case word."""

ABSENT_OPTIONS = ("--probe",)
"""Options of later versions, which no text may recommend yet."""


def literals(node: ast.AST | None) -> list[str]:
    """Return the texts an expression may be, with a hole for what is filled in."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(part.value if isinstance(part, ast.Constant) else HOLE for part in parts)]
        case ast.IfExp(body=one, orelse=other):
            return [*literals(one), *literals(other)]
        case ast.BoolOp(values=values):
            return [text for value in values for text in literals(value)]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [first + last for first in literals(left) or [HOLE] for last in literals(right) or [HOLE]]
        case ast.Dict(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
            return [text for value in values for text in literals(value)]
    return []


def named(name: str, word: str) -> bool:
    return name.lower().rstrip("s").endswith(word)


def positions(word: str, tree: ast.AST) -> dict[str, int]:
    """Return where a positional parameter of this name stands in calls of the functions of a file."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args) if each.arg != "self"]
            if word in names:
                found[node.name] = names.index(word)
    return found


def collected(word: str, trees: dict[str, ast.AST]) -> list[tuple[str, str]]:
    """Return every literal that becomes a hint or a message, with its place."""
    found = []
    shared = {name: at for tree in trees.values() for name, at in positions(word, tree).items() if name[0] != "_"}
    for path, tree in trees.items():
        by_position = shared | positions(word, tree)
        for node in ast.walk(tree):
            values: list[ast.AST | None] = []
            match node:
                case ast.Call(func=function):
                    values += [each.value for each in node.keywords if each.arg is not None and named(each.arg, word)]
                    called = getattr(function, "attr", getattr(function, "id", ""))
                    index = by_position.get(called)
                    if index is not None and index < len(node.args):
                        values.append(node.args[index])
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=sources)):
                    values += [s for t, s in zip(targets, sources, strict=True) if named(getattr(t, "id", ""), word)]
                case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                    if named(getattr(target, "id", ""), word):
                        values.append(node.value)
                case ast.FunctionDef(name=name):
                    if named(name, word):
                        values += [each.value for each in ast.walk(node) if isinstance(each, ast.Return)]
            found += [(f"{path}:{node.lineno}", text) for value in values for text in literals(value) if text]
    return list(dict.fromkeys(found))


def worded() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return all hints and all messages; the trees of so many files would else stay in every worker."""
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
    return collected("hint", trees), collected("message", trees)


HINTS, MESSAGES = worded()


def test_the_walk_finds_them():
    assert len(HINTS) > 80
    assert len(MESSAGES) > 120


@pytest.mark.parametrize(("place", "text"), HINTS)
def test_a_hint_is_a_sentence_that_tells_what_to_do(place, text):
    assert re.match(r"[A-Z]", text), f"{place}: {text}"
    assert text.endswith((".", "?")), f"{place}: {text}"
    assert text.startswith("Did you mean ") or not text.endswith("?"), f"{place}: {text}"


@pytest.mark.parametrize(("place", "text"), MESSAGES)
def test_a_message_begins_small_and_has_no_full_stop(place, text):
    assert re.match(r"[a-z0-9`(-]", text) or text.startswith(NAMES_OF_THINGS), f"{place}: {text}"
    assert not text.endswith((".", "!", "?")), f"{place}: {text}"


@pytest.mark.parametrize("name", ABSENT_OPTIONS)
def test_no_text_recommends_what_does_not_exist(name):
    texts = [text for _, text in (*HINTS, *MESSAGES)] + list(EXPLANATIONS.values())
    texts += [f"{rule.summary} {rule.explanation}" for rule in RULES]
    assert [text for text in texts if name in text] == []
