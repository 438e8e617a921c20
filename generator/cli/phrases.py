"""Schemas and tools in a few words, for the tables that people read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..ir.model import PythonCall
from ..ir.pointer import escaped

if TYPE_CHECKING:
    from ..ir.model import Annotations, Tool

FURTHER = "**"
"""What keys beyond the named ones are called: a function takes them by `**kwargs`."""

MAX_ARMS = 4
"""Alternatives and enum values that are named; of more than these the first ones are, and `…` stands for the others."""

MAX_ENUM = 40
"""Columns that the values of an enumeration may take together."""

MAX_LITERAL = 20
"""Characters of a literal that are shown."""

_BOUNDS = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))
_EXCLUSIVE = (("exclusiveMinimum", ">"), ("exclusiveMaximum", "<"))


class Part(NamedTuple):
    """A schema inside a tool's, the JSON pointer of its place, and what the source calls the types in it."""

    schema: Any
    pointer: str
    names: Mapping[str, str]

    def at(self, *keys: str | int) -> Part:
        """Return the part at these keys; `{}` where there is none."""
        found, pointer = self.schema, self.pointer
        for key in keys:
            found = found[key] if isinstance(key, int) else found.get(key, {})
            pointer = f"{pointer}/{escaped(str(key))}"
        return Part(found, pointer, self.names)

    def arms(self, keyword: str) -> list[Part]:
        """Return the parts a keyword lists."""
        return [self.at(keyword, index) for index in range(len(self.schema[keyword]))]


class Parameter(NamedTuple):
    """One parameter of a tool: its name, whether it must be given, its schema."""

    name: str
    required: bool
    part: Part


def parameters(tool: Tool) -> list[Parameter]:
    """Return a tool's parameters in their order; further keys that it takes come last, called `**`."""
    schema = tool.input_schema
    properties, required = schema.get("properties"), schema.get("required") or ()
    if not isinstance(properties, Mapping) or not isinstance(required, tuple | list):
        return []
    whole = Part(schema, "/inputSchema", tool.type_names)
    named = [Parameter(name, name in required, whole.at("properties", name)) for name in properties]
    takes_more = isinstance(tool.call, PythonCall) and tool.call.star_star
    return [
        *named,
        *([Parameter(FURTHER, required=False, part=whole.at("additionalProperties"))] if takes_more else []),
    ]


def arguments(tool: Tool) -> list[str]:
    """Return a tool's parameters in words: `city: string`, `days?: integer 1..14`."""
    return [f"{name}{_mark(name, required)}: {phrase(part)}" for name, required, part in parameters(tool)]


def _mark(name: str, required: bool) -> str:  # noqa: FBT001 - a parameter's own fact
    return "" if required or name == FURTHER else "?"


def result(tool: Tool) -> str:
    """Return what a tool gives: `-> integer`, `-> Forecast`, `-> content`, or nothing."""
    if tool.result == "content":
        return "-> content"
    if tool.result == "none" or tool.result_schema is None:
        return ""
    return f"-> {phrase(Part(tool.result_schema, '/resultSchema', tool.type_names))}"


def flags(annotations: Annotations) -> str:
    """Return the annotations that are stated, as words."""
    words = {
        "read-only": annotations.read_only,
        "destructive": annotations.destructive,
        "idempotent": annotations.idempotent,
        "open-world": annotations.open_world,
    }
    return " ".join(word for word, stated in words.items() if stated)


def marks(tool: Tool) -> str:
    """Return what a client's person should know of a tool at a glance: its annotations, and whether they are asked."""
    asking = ["confirm"] if tool.confirm else []
    asking += ["asks"] if isinstance(tool.call, PythonCall) and tool.call.asks else []
    return " ".join(filter(None, (flags(tool.annotations), *asking)))


def stated(annotations: Annotations) -> dict[str, bool]:
    """Return the annotations that are stated, by the words of MCP without `Hint`."""
    values = {
        "readOnly": annotations.read_only,
        "destructive": annotations.destructive,
        "idempotent": annotations.idempotent,
        "openWorld": annotations.open_world,
    }
    return {name: value for name, value in values.items() if value is not None}


def phrase(part: Part) -> str:
    """Return a schema in a few words; `any` for one that says nothing."""
    schema = part.schema
    if not isinstance(schema, Mapping):
        return "any"
    if "enum" in schema or "const" in schema:
        return _values(schema.get("enum", (schema.get("const"),)))
    if (name := _name(part)) is not None:
        return name
    for keyword in ("anyOf", "oneOf"):
        if isinstance(schema.get(keyword), tuple | list):
            return _arms([phrase(arm) for arm in part.arms(keyword)])
    kind = schema.get("type")
    if isinstance(kind, tuple | list):
        return _arms([str(each) for each in kind])
    if kind == "array":
        return " ".join([_array(part), *_bounds(schema)])
    if kind == "object":
        return _object(part)
    return " ".join([_scalar(schema), *_bounds(schema)])


def _scalar(schema: Mapping[str, Any]) -> str:
    """Return a type without parts; a text of a known form goes by the form: `date-time`, `base64`."""
    form = schema.get("format") or schema.get("contentEncoding")
    return str(form or schema.get("type") or "any")


def _name(part: Part) -> str | None:
    """Return what the source calls a type, or the author's own schema an object."""
    reference = part.schema.get("$ref")
    if isinstance(reference, str):
        return reference.rpartition("/")[2]
    structured = part.schema.get("type") in ("object", "array") or "anyOf" in part.schema
    if structured and part.pointer in part.names:
        return part.names[part.pointer]
    title = part.schema.get("title")
    return title if part.schema.get("type") == "object" and isinstance(title, str) else None


def _array(part: Part) -> str:
    if isinstance(part.schema.get("prefixItems"), tuple | list):
        items = [phrase(each) for each in part.arms("prefixItems")]
        open_end = "maxItems" not in part.schema or len(items) > MAX_ARMS
        return f"[{', '.join([*items[:MAX_ARMS], *(['…'] if open_end else [])])}]"
    items_phrase = phrase(part.at("items"))
    return f"({items_phrase})[]" if " " in items_phrase else f"{items_phrase}[]"


def _object(part: Part) -> str:
    """Return a mapping as `{string: number}`; any other object without a name is only that."""
    values = part.schema.get("additionalProperties")
    if isinstance(values, Mapping) and values and "properties" not in part.schema:
        return f"{{string: {phrase(part.at('additionalProperties'))}}}"
    return "object"


def _bounds(schema: Mapping[str, Any]) -> list[str]:
    if isinstance(schema.get("prefixItems"), tuple | list):
        return []  # the items themselves show how many there are
    exclusive = [f"{sign}{schema[keyword]}" for keyword, sign in _EXCLUSIVE if keyword in schema]
    return exclusive + [
        f"{schema.get(low, '')}..{schema.get(high, '')}" for low, high in _BOUNDS if low in schema or high in schema
    ]


def _values(values: tuple[Any, ...]) -> str:
    """Return the values of an enumeration, as many as there is room for."""
    literals = list(dict.fromkeys(map(literal, values)))
    shown = literals[:1]
    for text in literals[1:MAX_ARMS]:
        if len("|".join([*shown, text])) > MAX_ENUM:
            break
        shown.append(text)
    return "|".join([*shown, *(["…"] if len(shown) < len(literals) else [])])


def literal(value: Any) -> str:
    """Return a JSON value, cut when it is long."""
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return text if len(text) <= MAX_LITERAL else text[: MAX_LITERAL - 1] + "…"


def _plain(value: Any) -> Any:
    """Return a frozen object as one that `json` writes."""
    return dict(value)


def _arms(words: list[str]) -> str:
    distinct = list(dict.fromkeys(words))
    return " or ".join([*distinct[:MAX_ARMS], *(["…"] if len(distinct) > MAX_ARMS else [])])
