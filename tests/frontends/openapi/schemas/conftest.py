"""Schemas of a description that was never a file: `written(...)` converts one of them, with others as components."""

from dataclasses import dataclass

import pytest

from generator.diagnostics.model import Diagnostic, Span
from generator.diagnostics.rules import rule
from generator.frontends.openapi.load_problem import ReferenceProblem
from generator.frontends.openapi.model import SchemaNode
from generator.frontends.openapi.place import Place
from generator.frontends.openapi.schemas import Schemas
from generator.jsonschema.meta import first_error
from generator.runtime.schema.validator import compile_validator

VERSIONS = {"2.0": "2.0", "3.0": "3.0", "3.1": "3.1"}


@dataclass(frozen=True)
class MemoryFile:
    shown: str = "api.json"

    def span(self, pointer):
        return Span(path=self.shown, line=len(pointer) + 1, column=1, end_line=len(pointer) + 1, end_column=2)


class MemoryDocuments:
    """One document; references are pointers into it, `#name` is the schema with that `$anchor`."""

    def __init__(self, root):
        self.root = root
        self.entry = Place(MemoryFile())

    def resolve(self, reference, base):
        if reference.startswith("http"):
            raise self._problem("refused-reference", reference, base)
        value, tokens = self.root, []
        if reference.startswith("#") and not reference.startswith("#/"):
            reference = self._anchored(reference[1:], base)
        for token in reference[1:].split("/")[1:]:
            tokens.append(token.replace("~1", "/").replace("~0", "~"))
            try:
                value = value[int(tokens[-1])] if isinstance(value, list) else value[tokens[-1]]
            except (KeyError, IndexError, ValueError, TypeError):
                raise self._problem("unresolved-reference", reference, base) from None
        return value, Place(self.entry.file, tuple(tokens))

    def _anchored(self, name, base):
        for key, schema in self.root["components"]["schemas"].items():
            if isinstance(schema, dict) and name in (schema.get("$anchor"), schema.get("$dynamicAnchor")):
                return f"#/components/schemas/{key}"
        raise self._problem("unresolved-reference", name, base)

    def _problem(self, name, reference, base):
        message = f"the reference leads nowhere ({reference!a})"
        return ReferenceProblem(Diagnostic(rule=rule(name), message=message, pointer=base.text))


class Written:
    """Schemas as somebody wrote them: `schema` is the one asked for, the others are components."""

    def __init__(self, schema, components=None, version="3.0"):
        group = {"definitions": components or {}} if version == "2.0" else {"components": {"schemas": components or {}}}
        self.documents = MemoryDocuments({**group, "asked": schema})
        self.found = []
        self.schemas = Schemas(self.documents, self.found.append)
        self.node = SchemaNode(value=schema, place=self.documents.entry.at("asked"), dialect=VERSIONS[version])

    def node_of(self, name):
        value, place = self.documents.resolve(f"#/components/schemas/{name}", self.documents.entry)
        return SchemaNode(value=value, place=place, dialect=self.node.dialect)

    @property
    def arguments(self):
        """The schema as arguments, its definitions under `$defs`."""
        assembly = self.schemas.assembly("input")
        schema = assembly.schema(self.node)
        definitions = assembly.definitions()
        return {**schema, "$defs": definitions} if definitions else schema

    @property
    def answer(self):
        return self.schemas.assembly("output").answer(self.node)

    @property
    def shape(self):
        return self.schemas.assembly("input").shape(self.node)

    @property
    def rules(self):
        """The names of the rules of everything reported, arguments and answer converted."""
        self.schemas.finish()
        return [each.rule.name for each in self.found]

    def accepts(self, value):
        assert first_error(self.arguments) is None
        return compile_validator(self.arguments).accepts(value)


@pytest.fixture
def written():
    return Written


@pytest.fixture
def memory_file():
    return MemoryFile
