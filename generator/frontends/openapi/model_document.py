"""The document that types are made from: closed, resolved, and without a single word of the description.

Only shapes are in it. Property names and enumerated texts are replaced by numbered words, which are put back when the
result has been parsed (`model_text`); names of types are made here; nested objects become definitions of their own;
`allOf` becomes one object. So whatever makes the types, no text of a description passes through it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_NAME = 60
"""Characters of a type's name."""

MAX_VALUES = 100
"""Values of an enumeration that a type lists; a longer one is a text."""

MAX_DEPTH = 40
"""Levels of nesting inside one definition; what is deeper may be anything."""

MAX_MERGED = 20
"""References followed while an `allOf` becomes one object."""

TAKEN = frozenset({"Any", "Literal", "NotRequired", "TypeAlias", "TypedDict", "None", "True", "False"})
"""Names the written file has already."""

Schema = Any


@dataclass(slots=True)
class ModelDocument:
    """A document and what its words stand for: `names` are types by definition, `fields` and `values` the texts."""

    names: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, Schema] = field(default_factory=dict)
    fields: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)


def model_document(definitions: Mapping[str, Schema]) -> ModelDocument:
    """Return the document of some definitions (JSON Schema 2020-12, references to `#/$defs/NAME` among them only)."""
    made = ModelDocument()
    taken = {name.lower() for name in TAKEN}
    for name in sorted(definitions):
        made.names[name] = _type_name(name, taken)
    shaper = _Shaper(definitions, made, taken)
    for name in sorted(definitions):
        made.definitions[made.names[name]] = shaper.shape(definitions[name], made.names[name], 0, top=True)
    _open_rings(made.definitions)
    return made


def _open_rings(definitions: dict[str, Schema]) -> None:
    """Make every definition none of its own arms, directly or through others: no type can be that."""
    users: dict[str, set[str]] = {name: set() for name in definitions}
    for name, schema in definitions.items():
        for target in _arms(schema):
            users[target].add(name)
    for name in sorted(definitions):
        before = _arms(definitions[name])
        definitions[name] = _without(definitions[name], _reaching(name, users) if before else set())
        for target in before - _arms(definitions[name]):
            users[target].discard(name)


def _without(schema: Schema, leading: set[str]) -> Schema:
    """Return a definition without the arms that lead back to it."""
    if "$ref" in schema:
        return schema if leading.isdisjoint(_arms(schema)) else {}
    if "anyOf" not in schema:
        return schema
    return {"anyOf": [arm if leading.isdisjoint(_arms(arm)) else {} for arm in schema["anyOf"]]}


def _reaching(name: str, users: Mapping[str, set[str]]) -> set[str]:
    """Return the definitions that a definition is an arm of, and itself."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found.add(each)
            waiting.extend(users[each])
    return found


def _arms(schema: Schema) -> set[str]:
    """Return the definitions a schema names as what a value may be."""
    found: set[str] = set()
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        target = str(part.get("$ref", "")).removeprefix("#/$defs/")
        if target:
            found.add(target)
        waiting.extend(part.get("anyOf", ()))
    return found


def _type_name(name: str, taken: set[str]) -> str:
    """Return a class name for any text: its words, capitalised; a digest where that is no name or not the first."""
    words = re.findall(r"[A-Za-z0-9]+", name)
    plain = "".join(word[0].upper() + word[1:] for word in words)
    plain = plain if plain[:1].isalpha() else f"Model{plain}"
    if not name.isascii() or len(plain) > MAX_NAME:
        plain = f"{plain[:40]}{_digest(name)}"
    while plain.lower() in taken:
        plain = f"{plain[:40]}{_digest(name + plain)}"
    taken.add(plain.lower())
    return plain


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6].upper()


class _Shaper:
    """Reduces schemas to their shapes, adding definitions for nested objects."""

    __slots__ = ("_made", "_source", "_taken", "_words")

    def __init__(self, source: Mapping[str, Schema], made: ModelDocument, taken: set[str]) -> None:
        self._source = source
        self._made = made
        self._taken = taken
        self._words: dict[str, str] = {}

    def shape(self, schema: Schema, name: str, depth: int, *, top: bool = False) -> Schema:
        """Return what a schema says of the kind of a value; `name` is what an object in it is called after."""
        if not isinstance(schema, Mapping) or depth > MAX_DEPTH:
            return {}
        target = self._target(schema)
        if target is not None:
            return {"$ref": f"#/$defs/{self._made.names[target]}"}
        if isinstance(schema.get("const"), str):
            return {"type": "string"}  # like any text: what a document says in prose decides nothing about the file
        if "const" in schema or "enum" in schema:
            return self._values(schema)
        for keyword in ("anyOf", "oneOf"):
            arms = schema.get(keyword)
            if isinstance(arms, list | tuple) and arms and "properties" not in schema:
                return _joined([self.shape(arm, f"{name}Option{i}", depth + 1) for i, arm in enumerate(arms, 1)])
        if "allOf" in schema:
            merged = self._merged(schema, set())
            return {} if merged is None else self.shape(merged, name, depth + 1, top=top)
        return self._of_type(schema, name, depth, top=top)

    def _target(self, schema: Mapping[str, Schema]) -> str | None:
        reference = schema.get("$ref")
        name = reference.removeprefix("#/$defs/") if isinstance(reference, str) else None
        return name if name in self._source else None

    def _values(self, schema: Mapping[str, Schema]) -> Schema:
        values = [schema["const"]] if "const" in schema else list(schema["enum"] or ())
        fine = all(value is None or isinstance(value, str | int) for value in values)
        if not values or not fine or len(values) > MAX_VALUES:
            return {"type": "string"} if all(isinstance(value, str) for value in values) and values else {}
        return {"enum": [self._word(value) if isinstance(value, str) else value for value in values]}

    def _word(self, text: str) -> str:
        word = self._words.setdefault(text, f"v{len(self._words)}")
        self._made.values[word] = text
        return word

    def _merged(self, schema: Mapping[str, Schema], seen: set[str]) -> dict[str, Schema] | None:
        """Return the one object that an `allOf` of objects is, or None when it is anything else."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        own = {key: value for key, value in schema.items() if key != "allOf"}
        for part in (*(schema.get("allOf") or ()), own):
            resolved = self._resolved(part, seen)
            if resolved is None or any(key in resolved for key in ("anyOf", "oneOf", "enum", "const")):
                return None
            if "allOf" in resolved and (resolved := self._merged(resolved, seen)) is None:
                return None
            if resolved.get("type", "object") not in ("object", ["object", "null"]):
                return None
            properties |= resolved.get("properties") or {}
            required += [each for each in resolved.get("required") or () if isinstance(each, str)]
        return {"type": "object", "properties": properties, "required": required}

    def _resolved(self, part: Schema, seen: set[str]) -> Mapping[str, Schema] | None:
        while isinstance(part, Mapping) and (target := self._target(part)) is not None:
            if target in seen or len(seen) > MAX_MERGED:
                return None
            seen.add(target)
            part = self._source[target]
        return part if isinstance(part, Mapping) else None

    def _of_type(self, schema: Mapping[str, Schema], name: str, depth: int, *, top: bool) -> Schema:
        types = schema.get("type")
        listed = [each for each in (types if isinstance(types, list | tuple) else [types]) if isinstance(each, str)]
        if len(listed) > 1:
            alone = [{**schema, "type": each} for each in listed]
            return _joined([self._of_type(each, name, depth, top=False) for each in alone])
        kind = listed[0] if listed else "object" if schema.get("properties") else None
        if kind == "object":
            return self._object(schema, name, depth, top=top)
        if kind == "array":
            return {"type": "array", "items": self.shape(schema.get("items"), f"{name}Item", depth + 1)}
        return {"type": kind} if kind in ("string", "integer", "number", "boolean", "null") else {}

    def _object(self, schema: Mapping[str, Schema], name: str, depth: int, *, top: bool) -> Schema:
        properties = schema.get("properties")
        if not isinstance(properties, Mapping) or not properties:
            extra = schema.get("additionalProperties")
            inner = self.shape(extra, f"{name}Value", depth + 1) if isinstance(extra, Mapping) else {}
            return {"type": "object", "additionalProperties": inner}
        if not top:
            # An object inside another gets a name of its own.
            name = _type_name(name, self._taken)
            self._made.definitions[name] = self._fields(schema, properties, name, depth)
            return {"$ref": f"#/$defs/{name}"}
        return self._fields(schema, properties, name, depth)

    def _fields(self, schema: Mapping[str, Schema], properties: Mapping[str, Schema], name: str, depth: int) -> Schema:
        required = set(schema.get("required") or ())
        shaped: dict[str, Schema] = {}
        needed: list[str] = []
        for key, value in properties.items():
            word = f"p{len(self._made.fields)}"
            self._made.fields[word] = str(key)
            shaped[word] = self.shape(value, name + _capitalised(str(key)), depth + 1)
            if key in required:
                needed.append(word)
        return {"type": "object", "properties": shaped, **({"required": needed} if needed else {})}


def _joined(arms: list[Schema]) -> Schema:
    """Return a union in which all listed values are one arm."""
    values = {json.dumps(value): value for arm in arms for value in arm.get("enum", ())}
    others = [arm for arm in arms if "enum" not in arm]
    joined = [*([{"enum": list(values.values())}] if values else []), *others]
    return joined[0] if len(joined) == 1 else {"anyOf": joined}


def _capitalised(text: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"[A-Za-z0-9]+", text))
