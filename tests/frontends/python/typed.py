"""A module written into a folder and its types: what the tests about types share."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path
from typing import Any

from generator.frontends.python.branches import Target
from generator.frontends.python.forms import Form
from generator.frontends.python.locate import Locator
from generator.frontends.python.program import Module, Program
from generator.frontends.python.search_paths import search_paths
from generator.frontends.python.source import parse_source
from generator.frontends.python.type_reader import Types


class Typed:
    """The types of a module's text; other modules are found below `folder`."""

    def __init__(self, text: str, folder: Path | None = None, *, name: str = "m", target: Target | None = None) -> None:
        root = folder or Path(__file__).parent / "nowhere"
        self.program = Program(locator=Locator(search_paths([root])), target=target or Target())
        source = parse_source(textwrap.dedent(text).encode(), path=root / f"{name}.py", shown=f"{name}.py", module=name)
        self.module: Module = self.program.add(source)
        self.types = Types(self.program)

    def form(self, annotation: str) -> Form:
        return self.types.form(ast.parse(annotation, mode="eval").body, self.module)

    def parameter(self, function: str, *, index: int = 0) -> Form:
        node = self.function(function)
        return self.types.form(node.args.args[index].annotation, self.module, scope=self.types.scope(self.module, node))

    def function(self, name: str) -> ast.FunctionDef:
        return next(
            one for one in self.module.source.tree.body if isinstance(one, ast.FunctionDef) and one.name == name
        )

    def schema(self, annotation: str, direction: Any = "input") -> Any:
        """The complete schema of an annotation, `$defs` included."""
        writer = self.types.schemas(direction)
        schema = writer.schema(self.form(annotation))
        return {**schema, "$defs": writer.definitions} if writer.definitions else schema

    def conversion(self, annotation: str) -> tuple[Any, dict[str, Any]]:
        writer = self.types.conversions(self.types.schemas("input"), lambda module, name: f"{module}:{name}")
        return writer.conversion(self.form(annotation)), writer.definitions()

    def findings(self, annotation: str, direction: Any = "input") -> list[tuple[str, str]]:
        found = self.types.findings(self.form(annotation), direction)
        return [(one.rule.name, str(one.level)) for one in found]

    def default(self, expression: str) -> Any:
        node = ast.parse(expression, mode="eval").body
        for part in ast.walk(node):
            if hasattr(part, "lineno"):
                part.lineno = 10_000  # after everything the module binds
        return self.types.default(node, self.module)


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
