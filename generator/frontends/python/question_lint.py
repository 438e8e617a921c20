"""Questions to the client that do not stand repetition.

A client of 2026-07-28 has a function run again with its answers. Two mistakes can be seen in the source. What evidently
changes something in front of a question changes it again with every answer (MG151), and a question that reads
differently each time is never answered. A key that stands for two questions mixes their answers up (MG152). Only what
is plain is reported: paths are followed statement by statement, a branch that leaves the function takes what it did
along, and calls of the user's own functions are not looked into.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .call_names import bound_names, qualified
from .import_statements import imports_of
from .write_calls import uses_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from .program import Module

HINTS = {
    "effect-before-question": "Move it behind the last question, or compute it from the arguments.",
    "repeated-question-key": 'Give each question a key of its own, such as `ctx.elicit("confirm-2", ...)`.',
}

QUESTIONS = frozenset({"ask", "elicit", "elicit_url", "roots", "sample"})
"""Methods of a context that wait for the client's answer."""

EFFECTS = frozenset(
    {"os.kill", "os.popen", "os.system", "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell"}
    | {f"subprocess.{name}" for name in ("Popen", "call", "check_call", "check_output", "run")}
    | {f"{library}.{verb}" for library in ("requests", "httpx") for verb in ("delete", "patch", "post", "put")}
)
METHODS = frozenset({"commit", "delete", "post", "send_message", "sendmail"})
"""Methods that change something outside, whoever offers them."""

HARMLESS_METHODS = frozenset({"touch"})
STATEMENTS = ("insert", "update", "delete", "drop", "alter", "create")
"""How SQL that changes something begins."""

NEW_EACH_TIME = frozenset(
    {"datetime.datetime.now", "datetime.datetime.utcnow", "datetime.date.today", "os.urandom", "time.monotonic"}
    | {"time.perf_counter", "time.time", "time.time_ns", "uuid.uuid1", "uuid.uuid4"}
    | {f"random.{name}" for name in ("choice", "getrandbits", "randint", "random", "randrange", "sample", "uniform")}
    | {f"secrets.{name}" for name in ("choice", "randbelow", "token_bytes", "token_hex", "token_urlsafe")}
)


def question_findings(node: ast.AST, contexts: Collection[str], module: Module, unit: str) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the questions a function asks by the contexts among its parameters."""
    if not contexts or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return ()
    if not questions_of(node, contexts):
        return ()
    bound = bound_names(imports_of(module.source.tree))
    lint = _Lint(contexts=contexts, bound=bound, module=module, unit=unit)
    lint.run(node.body, _Path())
    return tuple(dict.fromkeys(lint.found))


def questions_of(node: ast.AST, contexts: Collection[str]) -> tuple[str, ...]:
    """Return the methods by which a function asks the client through the contexts among its parameters, sorted."""
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call) and _is_question(each, contexts))
    return tuple(sorted({each.func.attr for each in calls if isinstance(each.func, ast.Attribute)}))


def _is_question(call: ast.Call, contexts: Collection[str]) -> bool:
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr in QUESTIONS
        and isinstance(function.value, ast.Name)
        and function.value.id in contexts
    )


@dataclass(slots=True, kw_only=True)
class _Path:
    """What happened on the way to a statement: calls with effects, and the question behind each key."""

    effects: list[ast.Call] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)

    def copy(self) -> _Path:
        return _Path(effects=[*self.effects], keys={**self.keys})

    def join(self, other: _Path) -> None:
        self.effects += [each for each in other.effects if each not in self.effects]
        self.keys = {**other.keys, **self.keys}


@dataclass(slots=True, kw_only=True)
class _Lint:
    """Follows the paths of one function; what is wrong is in `found`."""

    contexts: Collection[str]
    bound: dict[str, str]
    module: Module
    unit: str
    found: list[Diagnostic] = field(default_factory=list)

    def run(self, statements: Sequence[ast.stmt], path: _Path) -> bool:
        """Follow statements; False when they leave the function or its loop, so that nothing comes after them."""
        for statement in statements:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            self._expressions(statement, path)
            if isinstance(statement, ast.Return | ast.Raise | ast.Break | ast.Continue):
                return False
            if not self._blocks(statement, path):
                return False
        return True

    def _blocks(self, statement: ast.stmt, path: _Path) -> bool:
        """Follow the blocks of a compound statement; choices each from where they part."""
        if isinstance(statement, ast.If | ast.Match):
            choices = (
                [statement.body, statement.orelse]
                if isinstance(statement, ast.If)
                else [*(case.body for case in statement.cases), []]
            )
            return self._choices(choices, path)
        if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
            self._choices([statement.body, []], path)
            return self.run(statement.orelse, path)
        if isinstance(statement, ast.With | ast.AsyncWith):
            return self.run(statement.body, path)
        if isinstance(statement, ast.Try | ast.TryStar):
            handlers = [handler.body for handler in statement.handlers]
            goes_on = self._choices([[*statement.body, *statement.orelse], *handlers], path)
            return self.run(statement.finalbody, path) and goes_on
        return True

    def _choices(self, choices: Sequence[Sequence[ast.stmt]], path: _Path) -> bool:
        ways = [path.copy() for _ in choices]
        left = [way for way, choice in zip(ways, choices, strict=True) if self.run(choice, way)]
        for way in left:
            path.join(way)
        return bool(left)

    def _expressions(self, statement: ast.stmt, path: _Path) -> None:
        calls = sorted(_own_calls(statement), key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))
        for call in calls:
            if _is_question(call, self.contexts):
                self._question(call, path)
            elif self._has_effect(call):
                path.effects.append(call)

    def _question(self, call: ast.Call, path: _Path) -> None:
        for effect in path.effects:
            what = _shown(effect.func)
            again = f"runs again when the client answers the question in line {call.lineno}"
            message = f"`{what}` in `{self.unit}` {again}"
            self._tell("effect-before-question", message, effect)
        path.effects.clear()
        for inner in ast.walk(call):
            if isinstance(inner, ast.Call) and qualified(inner.func, self.bound) in NEW_EACH_TIME:
                what = f"`{_shown(inner.func)}` in `{self.unit}`"
                message = f"{what} makes another question each time, which no answer fits"
                self._tell("effect-before-question", message, inner)
        for key, question in _keyed(call):
            if path.keys.setdefault(key, question) != question:
                self._tell(
                    "repeated-question-key", f"the key `{key[:60]}` stands for two questions of `{self.unit}`", call
                )

    def _has_effect(self, call: ast.Call) -> bool:
        name = qualified(call.func, self.bound)
        if name in EFFECTS:
            return True
        if isinstance(call.func, ast.Attribute):
            if call.func.attr in METHODS:
                return True
            if call.func.attr in HARMLESS_METHODS:
                return False
            if call.func.attr in ("execute", "executemany", "executescript"):
                return _text(call.args[:1]).lstrip().lower().startswith(STATEMENTS)
        uses = uses_of(call, lambda function: qualified(function, self.bound))
        return any(use.writes and not use.reads and not use.folder for use in uses)

    def _tell(self, name: str, message: str, node: ast.AST) -> None:
        span = self.module.span(node)
        self.found.append(Diagnostic(rule=rule(name), message=message, span=span, hint=HINTS[name], unit=self.unit))


def _own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls in a statement's own expressions, those of its blocks and of functions inside it not."""
    pending: list[ast.AST] = [
        child
        for name, value in ast.iter_fields(statement)
        if name not in ("body", "orelse", "handlers", "finalbody", "cases")
        for child in (value if isinstance(value, list) else [value])
        if isinstance(child, ast.AST)
    ]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))


def _keyed(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield the keys a question states, each with what tells it from another question."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method == "ask":
        for keyword in call.keywords:
            if keyword.arg is not None:
                yield keyword.arg, ast.dump(keyword.value)
        return
    stated = [keyword.value for keyword in call.keywords if keyword.arg == "key"]
    key = _text([*stated, *call.args[:1]])
    if method == "roots":
        yield key or "roots", method
    elif key:
        yield key, ast.dump(call)


def _text(expressions: Sequence[ast.expr]) -> str:
    first = expressions[0] if expressions else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _shown(function: ast.expr) -> str:
    return ast.unparse(function)[:60]
