"""Bring a schema of any version to JSON Schema 2020-12, as the arguments of a tool.

A schema is read keyword by keyword. What cannot be is left out and noted; keywords that say nothing to a client (`xml`,
`x-…`, identifiers, definitions) are left out silently. Every reference becomes one to `#/$defs/NAME`, and what it names
is converted on its own, later: nothing here follows a chain of schemas into depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .combining import combined, folded_in
from .finishing import finish
from .follow import DeadReference, asserts, is_alias
from .keywords import PLAIN, Malformed
from .node import Node
from .pieces import Search, allows_null, is_closed, members, pieces
from .raw import Raw, key_of
from .structure import SPECIAL
from .wording import folded

if TYPE_CHECKING:
    from ....diagnostics.model import Diagnostic
    from ..model import Dialect
    from ..place import Place
    from .context import Context

MAX_NESTING = 24
"""Schemas inside one another without a reference between them; the deepest real ones have 15."""

Schema = Any
"""A schema as plain JSON values: a mapping or a boolean."""

_WHOLE = frozenset({"default", "deprecated", "description", "example", "examples", "title", "nullable", "x-nullable"})
"""Keywords that hold for an object as a whole, whatever it is made of."""

_REFERRING = ("$ref", "$dynamicRef")


class Conversion:
    """Converts one schema; `refs` are the definitions it refers to, `problems` the references that lead nowhere."""

    __slots__ = ("_context", "_findings", "_home", "dialect", "problems", "references", "refs")

    hiding = "readOnly"
    """The keyword of members that are left out."""

    def __init__(
        self,
        context: Context,
        dialect: Dialect,
        home: Place,
    ) -> None:
        self.references = context.references
        self.dialect = dialect
        self._context = context
        self._findings = context.findings
        self._home = home
        self.refs: dict[str, int] = {}
        self.problems: list[Diagnostic] = []

    def schema(self, raw: Raw, depth: int = 0, called: str = "", *, here: bool = True) -> Schema:
        """Convert a schema; `called` is the member's name, `here` says that it is about the same value as the root."""
        value, place = raw
        self._context.room.take()
        if not isinstance(value, dict):
            if not isinstance(value, bool):
                self._findings.add("malformed-keyword", "a schema must be an object, true or false", place)
            return {"not": {}} if value is False else {}
        if depth > MAX_NESTING:
            self._findings.add("deep-schema", f"schemas are nested more than {MAX_NESTING} levels deep", place)
            return {}
        node = Node(value, place, depth, called, here=here)
        reference = value.get("$ref", value.get("$dynamicRef"))
        try:
            if isinstance(reference, str):
                return self._reference(reference, node)
            if "allOf" in value:
                return self._all_of(node)
        except DeadReference as problem:
            self.problems.append(problem.diagnostic)
            return {}
        return self._plain(node)

    def closes_cycle(self, raw: Raw) -> bool:
        """Tell whether something that holds in place is a reference that is left out, because it leads back here."""
        if not is_alias(raw.value, self.dialect):
            return False
        try:
            target = self.references.end(raw, self.dialect)
        except DeadReference:
            return False  # reported when it is converted
        return self._context.cycles.closes(target, self._home, self.dialect)

    def hides(self, raw: Raw) -> bool:
        """Tell whether a member is not for this direction: it says so itself, or what it refers to does."""
        value = raw.value
        if not isinstance(value, dict):
            return False
        if value.get(self.hiding) is True:
            return True
        branches = value.get("allOf")
        if isinstance(branches, list | tuple) and len(branches) == 1:
            return self.hides(Raw(branches[0], raw.place.at("allOf", 0)))
        if not isinstance(value.get("$ref"), str):
            return False
        try:
            target = self.references.settle(value["$ref"], raw.place, self.dialect).value
        except DeadReference:
            return False  # reported when the member is converted
        return isinstance(target, dict) and target.get(self.hiding) is True

    def merged(self, found: list[Raw], node: Node) -> tuple[dict[str, Schema], list[str]]:
        """Return the members of an object's pieces and the names of those that are required; notes the hidden."""
        properties = {}
        for name, raws in members(found).items():
            if any(map(self.hides, raws)):
                node.hidden.add(name)
            else:
                properties[name] = combined([self.schema(raw, node.depth + 1, name, here=False) for raw in raws])
        required: dict[str, None] = {}
        for value, place in found:
            if isinstance(value, dict) and "required" in value:
                try:
                    required.update(dict.fromkeys(PLAIN["required"](value["required"])))
                except Malformed as problem:
                    self._malformed("required", str(problem), place)
        return properties, [name for name in required if name not in node.hidden]

    def _reference(self, reference: str, node: Node) -> Schema:
        target = self.references.settle(reference, node.place, self.dialect)
        if not isinstance(target.value, dict):
            return self.schema(target, node.depth)
        if node.here and self._context.cycles.closes(target, self._home, self.dialect):
            self._findings.add("contradictory-schema", "a schema is defined by itself; that says nothing", node.place)
            return {}
        name = self._context.names.name(target, self.dialect)
        self.refs[name] = min(node.depth, self.refs.get(name, node.depth))
        referring = {"$ref": f"#/$defs/{name}"}
        if self.dialect != "3.1":
            description = folded(node.value.get("description"))
            return {**referring, "description": description} if description else referring
        beside = {key: item for key, item in node.value.items() if key not in _REFERRING}
        if not beside:
            return referring
        around = Node(beside, node.place, node.depth, node.called, here=node.here, inner=referring)
        return {**referring, **self._plain(around)}

    def _all_of(self, node: Node) -> Schema:
        branches = node.value["allOf"]
        if not isinstance(branches, list | tuple) or not branches:
            self._malformed("allOf", "must be a list of schemas", node.place)
            return self._plain(node.without("allOf"))
        raws = [Raw(branch, node.place.at("allOf", index)) for index, branch in enumerate(branches)]
        saying = [raw for raw in raws if _says_something(raw.value)]
        own = node.without("allOf")
        if len(saying) == 1 and not _says_something(own.value) and not self._leads_back(saying[0], node):
            return self._one_branch(saying[0], raws, node)
        home = key_of(self._home) if node.here else None
        found = pieces(Search(self.references, self.dialect, home), Raw(node.value, node.place))
        if found is not None:
            return self._object(found, node)
        kept = [self.schema(raw, node.depth + 1, here=node.here) for raw in saying]
        return folded_in(self._plain(own), [schema for schema in kept if schema != {}], "allOf")

    def _leads_back(self, raw: Raw, node: Node) -> bool:
        if not node.here or not is_alias(raw.value, self.dialect):
            return False
        return self.references.loops(self.references.end(raw, self.dialect), key_of(self._home))

    def _one_branch(self, branch: Raw, raws: list[Raw], node: Node) -> Schema:
        """Convert `allOf` of one schema and annotations, which is how 3.0 writes them beside a reference."""
        inner = self.schema(branch, node.depth + 1, node.called, here=node.here)
        notes: dict[str, Any] = {}
        for raw in raws:
            if raw is not branch and isinstance(raw.value, dict):
                notes.update(raw.value)
        notes.update(node.without("allOf").value)
        outer = Node(notes, node.place, node.depth, node.called, here=node.here, inner=inner)
        laid = folded_in(self._plain(outer), [inner], "allOf")
        return _or_null(laid) if outer.nullable else laid

    def _object(self, found: list[Raw], node: Node) -> Schema:
        """Convert an object that is made of several pieces into one."""
        whole = {key: item for key, item in node.value.items() if key in _WHOLE}
        inner = Node(whole, node.place, node.depth, node.called, here=node.here)
        inner.types = ["object"]
        inner.nullable = all(allows_null(raw.value) for raw in found)
        properties, required = self.merged(found, inner)
        if properties:
            inner.out["properties"] = properties
        if required:
            inner.out["required"] = required
        if is_closed(found):
            inner.out["additionalProperties"] = False
        return self._plain(inner)

    def _plain(self, node: Node) -> Schema:
        for keyword, content in node.value.items():
            try:
                reader = PLAIN.get(keyword)
                if reader is not None:
                    node.out[keyword] = reader(content)
                elif keyword in SPECIAL:
                    SPECIAL[keyword](self, node, keyword, content)
            except Malformed as problem:
                self._malformed(keyword, str(problem), node.place)
        return finish(node, self._findings)

    def _malformed(self, keyword: str, what: str, place: Place) -> None:
        self._findings.add("malformed-keyword", f"`{keyword}` {what}; it is ignored", place.at(keyword))


def _says_something(value: object) -> bool:
    if not isinstance(value, dict):
        return value is not True
    told = {key: item for key, item in value.items() if key not in ("nullable", "x-nullable")}
    return "$ref" in value or asserts(told)


def _or_null(schema: Schema) -> Schema:
    """Return a schema that accepts null as well; texts stay at its root."""
    if not isinstance(schema, dict):
        return {}
    named = schema.get("type")
    if named is not None and "$ref" not in schema and "const" not in schema:
        types = [named] if isinstance(named, str) else named
        listed = {"enum": [*schema["enum"], None]} if None not in schema.get("enum", (None,)) else {}
        return {**schema, "type": types if "null" in types else [*types, "null"], **listed}
    notes = {key: item for key, item in schema.items() if key in ("title", "description", "default", "deprecated")}
    bare = {key: item for key, item in schema.items() if key not in notes}
    return {**notes, "anyOf": [bare, {"type": "null"}]}
