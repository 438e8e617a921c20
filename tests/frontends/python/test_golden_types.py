"""The types of the golden probes: the schema of every parameter and result, read without importing the probes."""

from __future__ import annotations

import ast
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.frontends.python.constraints import read_descriptor
from generator.frontends.python.forms import (
    MISSING,
    ArrayForm,
    Form,
    NamedForm,
    NoneForm,
    UnsuppliableForm,
    constrained,
    union,
)
from generator.frontends.python.locate import Locator
from generator.frontends.python.program import Module, Program
from generator.frontends.python.resolve import Defined, Known
from generator.frontends.python.search_paths import search_paths
from generator.frontends.python.source import read_source
from generator.frontends.python.type_reader import Types

from .canonical import canonical

HERE = Path(__file__).parent
PROBES = Path(os.environ.get("MCPGEN_PROBES", HERE.parents[1] / "cases" / "python"))
FILES = sorted(PROBES.glob("p*.json"))
SIGNATURES_ELSEWHERE = {"p14_decorators", "p15_classes", "p17_docstrings", "p19_stub"}
"""Probes whose point is not types; selection, decorators and docstrings have tests of their own."""


def cases() -> list[Any]:
    found = []
    for file in FILES:
        golden = json.loads(file.read_text(encoding="utf-8"))
        if file.stem in SIGNATURES_ELSEWHERE:
            continue
        found += [pytest.param(file, name, id=f"{file.stem}-{name}") for name in golden["tools"]]
        found += [pytest.param(file, name, id=f"{file.stem}-{name}-refused") for name in golden.get("refused", {})]
    return found


class Reader:
    """A probe's module and a walk over signatures that is just enough for its functions."""

    def __init__(self, file: Path) -> None:
        golden = json.loads(file.read_text(encoding="utf-8"))
        path = PROBES / golden["module"]
        environment = Path(sys.prefix)
        program = Program(locator=Locator(search_paths([PROBES], environment)))
        name = golden["module"].removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        self.module = program.add(read_source(path, shown=golden["module"], module=name))
        self.types = Types(program)

    def functions(self, name: str) -> tuple[Module, list[ast.FunctionDef]]:
        found = self.types.reading.resolver.name(name, self.module)
        assert isinstance(found, Defined), found
        history = found.module.index.history[found.binding.name]
        nodes = [one.node for one in history if isinstance(one.node, ast.FunctionDef | ast.AsyncFunctionDef)]
        return found.module, nodes[:-1] or nodes[-1:]

    def forms(self, module: Module, nodes: list[ast.FunctionDef], pick: Any) -> Form:
        return union(tuple(self.types.form(pick(node), module, scope=self.types.scope(module, node)) for node in nodes))

    def input_schema(self, name: str) -> tuple[dict[str, Any], list[Any]]:
        module, nodes = self.functions(name)
        node = nodes[-1]
        schemas = self.types.schemas("input")
        properties: dict[str, Any] = {}
        required: list[str] = []
        problems: list[Any] = []
        extra: Any = False
        arguments = [*node.args.posonlyargs, *node.args.args]
        defaults = dict(zip([one.arg for one in reversed(arguments)], reversed(node.args.defaults), strict=False))
        defaults |= {
            one.arg: value for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value
        }
        for one in [*arguments, *node.args.kwonlyargs]:
            picked = one.arg
            form = self.forms(module, nodes, lambda each, wanted=picked: _annotation(each, wanted))
            default = defaults.get(one.arg)
            if self._dropped(form, default):
                continue
            wire, schema, is_required = self._parameter(one.arg, form, default, module, schemas, problems)
            properties[wire] = schema
            if is_required:
                required.append(wire)
        if node.args.vararg:
            form = ArrayForm(kind="list", item=self.types.form(node.args.vararg.annotation, module))
            properties[node.args.vararg.arg] = schemas.schema(form)
        if node.args.kwarg:
            form = self.types.form(node.args.kwarg.annotation, module)
            schema = schemas.schema(form)
            if isinstance(form, NamedForm):
                merged = schemas.definitions[schemas.name(form.key)]
                properties.update(merged["properties"])
                required.extend(merged["required"])
            else:
                extra = schema or True
        result = {"type": "object", "properties": properties, "required": required, "additionalProperties": extra}
        return {**result, "$defs": schemas.definitions}, problems

    def _dropped(self, form: Form, default: ast.expr | None) -> bool:
        arms = getattr(form, "arms", (form,))
        kinds = [type(arm).__name__ for arm in arms if not isinstance(arm, NoneForm)]
        unsuppliable = default is not None and all(isinstance(arm, UnsuppliableForm | NoneForm) for arm in arms)
        return kinds == ["ContextForm"] or unsuppliable

    def _parameter(
        self, name: str, form: Form, default: ast.expr | None, module: Module, schemas: Any, problems: list[Any]
    ) -> tuple[str, dict[str, Any], bool]:
        value: Any = MISSING
        required = default is None
        if isinstance(default, ast.Call):
            made = self.types.reading.resolver.expression(default.func, module)
            if isinstance(made, Known) and made.name == "pydantic.Field":
                described = read_descriptor(default, self.types.scope(module), self.types.reading, made.name)
                form, value, required = constrained(form, described), described.default, not described.has_default
                default = None
        problems.extend(self.types.findings(form, "input"))
        schema = schemas.schema(form)
        if default is not None:
            value = self.types.default(default, module)
        if value is not MISSING:
            schema["default"] = value
        wire = getattr(getattr(form, "constraints", None), "alias", None) or name
        return wire, schema, required

    def result_schema(self, name: str) -> tuple[Any, list[Any]]:
        module, nodes = self.functions(name)
        form = self.forms(module, nodes, lambda node: node.returns)
        problems = list(self.types.findings(form, "result"))
        return self.types.schemas("result").complete(form), problems


def _annotation(node: ast.FunctionDef, name: str) -> ast.expr | None:
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return next(one.annotation for one in every if one.arg == name)


@pytest.mark.skipif(sys.version_info < (3, 13), reason="the probes use syntax of Python 3.13")
@pytest.mark.skipif(sys.version_info < (3, 13), reason="the probes use syntax of Python 3.13")
@pytest.mark.parametrize(("file", "name"), cases())
def test_a_probe_has_its_golden_types(file: Path, name: str) -> None:
    golden = json.loads(file.read_text(encoding="utf-8"))
    reader = Reader(file)
    schema, problems = reader.input_schema(name)
    result, result_problems = reader.result_schema(name)
    errors = [one for one in [*problems, *result_problems] if one.level == "error"]
    if name in golden.get("refused", {}):
        assert errors
        assert all(one.span is not None for one in errors)
        return
    expected = golden["tools"][name]
    assert errors == []
    assert canonical(schema) == canonical(expected["inputSchema"])
    assert canonical(result) == canonical(expected["resultSchema"])
    slugs = {text.split(":")[0] for text in expected.get("diagnostics", ())}
    ours = {"runtime-only-constraint", "uncommon-type", "opaque-enum-values"}
    assert {one.rule.name for one in [*problems, *result_problems]} & ours == slugs & ours
