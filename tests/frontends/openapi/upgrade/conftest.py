"""A description that was never a file: what `read_api` needs of loaded documents, in memory."""

from dataclasses import dataclass

import pytest

from generator.diagnostics.model import Diagnostic, Span
from generator.diagnostics.rules import rule
from generator.frontends.openapi.load_problem import ReferenceProblem
from generator.frontends.openapi.place import Place
from generator.frontends.openapi.upgrade import read_api

LONGEST_CHAIN = 50


@dataclass(frozen=True)
class MemoryFile:
    shown: str = "api.json"

    def span(self, pointer):
        return Span(path=self.shown, line=len(pointer) + 1, column=1, end_line=len(pointer) + 1, end_column=2)


class MemoryDocuments:
    def __init__(self, root):
        self.root = root
        self.entry = Place(MemoryFile())
        self._known = {}

    def resolve(self, reference, base):
        """Return the same value and the same place for the same reference, as loaded documents do."""
        if reference not in self._known:
            self._known[reference] = self._resolved(reference, base)
        return self._known[reference]

    def _resolved(self, reference, base):
        if not reference.startswith("#"):
            raise self._problem(reference, base)
        value, tokens = self.root, []
        for token in reference[1:].split("/")[1:]:
            tokens.append(token.replace("~1", "/").replace("~0", "~"))
            try:
                value = value[int(tokens[-1])] if isinstance(value, list) else value[tokens[-1]]
            except (KeyError, IndexError, ValueError, TypeError):
                raise self._problem(reference, base) from None
        return value, Place(self.entry.file, tuple(tokens))

    def node(self, value, place):
        for _ in range(LONGEST_CHAIN):
            if not (isinstance(value, dict) and isinstance(value.get("$ref"), str)):
                return value, place
            value, place = self.resolve(value["$ref"], place)
        raise self._problem("in a circle", place)

    def _problem(self, reference, base):
        message = f"the reference leads nowhere ({reference!a})"
        return ReferenceProblem(Diagnostic(rule=rule("wrong-type"), message=message, pointer=base.text))


class Upgraded:
    """The outcome of reading a document: `api` and the diagnostics."""

    def __init__(self, document):
        self.diagnostics = []
        self.api = read_api(MemoryDocuments(document), self.diagnostics.append)

    @property
    def rules(self):
        return [each.rule.name for each in self.diagnostics]

    @property
    def errors(self):
        return [each for each in self.diagnostics if each.level == "error"]

    def operation(self, key):
        return next(each for each in self.api.operations if each.key == key)

    @property
    def only(self):
        assert len(self.api.operations) == 1, [each.message for each in self.diagnostics]
        return self.api.operations[0]


@pytest.fixture
def upgrade():
    return Upgraded


@pytest.fixture
def upgrade_operation():
    """Read one operation, `GET /x` unless told otherwise, of a document in the given version."""

    def read(operation, *, version="3.1.0", path="/x", method="get", **document):
        head = {"swagger": "2.0"} if version == "2.0" else {"openapi": version}
        info = {"title": "t", "version": "1"}
        return Upgraded({**head, "info": info, "paths": {path: {method: operation}}, **document})

    return read


@pytest.fixture(scope="session")
def upgrade_class():
    """The same as `upgrade`, once for all: hypothesis wants no fixture that is made anew for every test."""
    return Upgraded
