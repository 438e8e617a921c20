"""Put right what clients of language models send in the wrong type: `"3"` for 3, `"[1, 2]"` for [1, 2].

Order: the value was validated and refused; only the nodes that refuse it are touched, depth first; the whole is
validated again. A string is left alone wherever the schema accepts text. Under `anyOf` and `oneOf` a coercion
counts only if exactly one coerced value is accepted. Nothing is guessed: true is no 1, 1 is no true, numbers are no
dates. `scalar_text` has the grammars. The caller's value is never changed in place.
"""

from __future__ import annotations

from .enum_names import listed_names
from .equality import canonical
from .json_text import whole_json
from .kinds import PREDICATES, kind
from .scalar_text import match_listed, read_scalar
from .type_sets import takes_string, takes_text, types_taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .compiler import Node
    from .enum_names import Names
    from .problems import Path
    from .validator import Validator

DEEPEST = 64
"""Levels of values and of references on one value that are followed; what is deeper stays as it is."""
MOST_ARMS = 32
"""Arms of one union that are tried."""
BUDGET = 10_000
"""Nodes one coercion may visit: the arms of nested unions multiply, and what is not reached stays as it is."""


class Options:
    """The rules that are a matter of choice; all but `whole_text` are off.

    `loose_booleans`: yes, no, on, off, 1, 0 as booleans. `empty_is_null`: "" for null. `bare_item`: 3 for [3].
    `unwrap`: `{"arguments": {...}}` for its content. `whole_text`: all arguments as one JSON string. `names` are no
    choice: the names of listed values, see `enum_names`.
    """

    __slots__ = ("bare_item", "empty_is_null", "loose_booleans", "names", "unwrap", "whole_text")

    def __init__(
        self,
        *,
        loose_booleans: bool = False,
        empty_is_null: bool = False,
        bare_item: bool = False,
        unwrap: bool = False,
        whole_text: bool = True,
        names: Names | None = None,
    ) -> None:
        self.names = names
        self.loose_booleans = loose_booleans
        self.empty_is_null = empty_is_null
        self.bare_item = bare_item
        self.unwrap = unwrap
        self.whole_text = whole_text


DEFAULT = Options()


def coerce(value: Any, schema: Any, validator: Validator, options: Options = DEFAULT) -> tuple[Any, list[str]]:
    """Return the value with wrong types put right, and a note for each; notes only if the result is valid.

    When it is still invalid, the parts that could be put right are, so that a report names only what is left.
    """
    if validator.accepts(value):
        return value, []
    run = _Run(options)
    try:
        coerced = run.node(validator.node, _unwrapped(value, schema, run, options), (), 0)
    except RecursionError:
        return value, []
    if not validator.accepts(coerced):
        return coerced, []
    return coerced, run.notes


def _unwrapped(value: Any, schema: Any, run: _Run, options: Options) -> Any:
    """Apply rule 13: arguments that came as one JSON text, or inside a member `arguments`."""
    if options.whole_text and type(value) is str and not takes_string(schema, None):
        parsed = whole_json(value)
        if type(parsed) is dict:
            run.note((), "JSON text", "object")
            value = parsed
    if options.unwrap and type(value) is dict and list(value) == ["arguments"] and type(value["arguments"]) is dict:
        declared = schema.get("properties", {}) if isinstance(schema, dict) else {}
        if "arguments" not in declared:
            run.note((), "member `arguments`", "arguments")
            value = value["arguments"]
    return value


class _Run:
    """One coercion: its options and the notes so far."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.notes: list[str] = []
        self.budget = BUDGET

    def note(self, path: Path, found: str, taken: str) -> None:
        """Note one change, without the value."""
        from .repair import pointer

        self.notes.append(f"{pointer(path) or '/'}: {found} taken as {taken}")

    def node(self, node: Node, value: Any, path: Path, depth: int) -> Any:
        """Return the value with what this node refuses put right."""
        self.budget -= 1
        if self.budget < 0 or depth > DEEPEST or node.accepts(value) or type(node.schema) is not dict:
            return value
        value = self._own_type(node, value, path, depth)
        if not node.accepts(value):
            value = self._beside(node, value, path, depth)
        if not node.accepts(value):
            value = self._parts(node, value, path, depth)
        return value

    def _own_type(self, node: Node, value: Any, path: Path, depth: int) -> Any:
        """Change the value itself if its type is not one the node takes, or it is nearly a listed value."""
        schema = node.schema
        if type(value) is str and "enum" in schema:
            named = listed_names(self.options.names, path[0] if path else None, schema["enum"])
            meant = match_listed(value, schema, named)
            if meant is not None:
                self.note(path, "string", "listed value")
                return meant[0]
        names = types_taken(node)
        if names is None and ("anyOf" in schema or "oneOf" in schema):
            return value  # the arms decide
        if names is None or any(PREDICATES[name](value) for name in names):
            return self._respelled(node, value, path)
        found: dict[str, tuple[Any, str]] = {}
        for name in names:
            candidate = self._as(name, node, value, path, depth)
            if candidate is not None:
                found.setdefault(canonical(candidate[0]), (candidate[0], name))
        if len(found) > 1:
            found = {text: pair for text, pair in found.items() if node.accepts(pair[0])}
        if len(found) != 1:
            return value
        taken, name = next(iter(found.values()))
        self.note(path, kind(value), name)
        return taken

    def _as(self, name: str, node: Node, value: Any, path: Path, depth: int) -> tuple[Any] | None:
        """Return the value as a type, in a tuple of one; None when it cannot be read so."""
        if type(value) is str:
            if name not in ("array", "object"):
                return read_scalar(name, value, self.options)
            parsed = whole_json(value)
            if PREDICATES[name](parsed):
                return (parsed,)
        if name == "array" and self.options.bare_item and type(value) is not list:
            item = self.node(node.site.node(node.schema.get("items", True)), value, (*path, 0), depth + 1)
            return ([item],)
        return None

    def _respelled(self, node: Node, value: Any, path: Path) -> Any:
        """Write base64 of another alphabet, or without padding, as the schema has it; else take off quotes."""
        encoding = node.schema.get("contentEncoding")
        if type(value) is str and encoding is not None and not value.startswith('"'):
            from .content import respelled

            candidate = respelled(value, encoding)
            if candidate is not None and node.accepts(candidate):
                self.note(path, "base64 of another form", encoding)
                return candidate
            return value
        return self._unquoted(node, value, path)

    def _unquoted(self, node: Node, value: Any, path: Path) -> Any:
        """Apply rule 12: take off the quotes of a JSON string inside a string, where the plain string is refused."""
        if type(value) is not str or not value.startswith('"'):
            return value
        inner = whole_json(value)
        if type(inner) is str and node.accepts(inner):
            self.note(path, "quoted string", "string")
            return inner
        return value

    def _beside(self, node: Node, value: Any, path: Path, depth: int) -> Any:
        """Go through the schemas that apply to the same value."""
        schema, site = node.schema, node.site
        inner = site.targets(schema) + [site.node(arm) for arm in schema.get("allOf", ())]
        if "if" in schema:
            branch = "then" if site.node(schema["if"]).accepts(value) else "else"
            inner += [site.node(schema[branch])] if branch in schema else []
        for other in inner:
            value = self.node(other, value, path, depth + 1)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                value = self._union([site.node(arm) for arm in schema[keyword][:MOST_ARMS]], node, value, path, depth)
        return value

    def _union(self, arms: list[Node], node: Node, value: Any, path: Path, depth: int) -> Any:
        """Take the arms' coerced values; exactly one of them must be accepted by the union."""
        if type(value) is str:
            texts = [arm for arm in arms if takes_string(arm.schema, arm.site)]
            if any(takes_text(arm.schema, arm.site) for arm in texts):
                arms = texts  # where any text is taken, only letter case and quotes may be put right
        found: dict[str, tuple[Any, list[str]]] = {}
        kept = self.notes
        for arm in arms:
            self.notes = []
            candidate = self.node(arm, value, path, depth + 1)
            if candidate is not value and arm.accepts(candidate) and node.accepts(candidate):
                found.setdefault(canonical(candidate), (candidate, self.notes))
        self.notes = kept
        if len(found) != 1:
            return value
        candidate, notes = next(iter(found.values()))
        self.notes.extend(notes)
        return candidate

    def _parts(self, node: Node, value: Any, path: Path, depth: int) -> Any:
        """Go into the members or items that are refused; the first change makes a copy."""
        changed = value
        for key, part in _parts_of(node, value):
            old = value[key]
            new = self.node(part, old, (*path, key), depth + 1)
            if new is not old:
                if changed is value:
                    changed = value.copy()
                changed[key] = new
        return changed


def _parts_of(node: Node, value: Any) -> list[tuple[Any, Node]]:
    """Return the keys or indices of a value with the schema of each."""
    schema, site = node.schema, node.site
    if type(value) is list:
        prefix = schema.get("prefixItems", ())
        parts = [(index, site.node(item)) for index, item in enumerate(prefix[: len(value)])]
        if "items" in schema:
            rest = site.node(schema["items"])
            parts.extend((index, rest) for index in range(len(prefix), len(value)))
        return parts
    if type(value) is not dict:
        return []
    declared = schema.get("properties", {})
    parts = []
    for name in value:
        if name in declared:
            parts.append((name, site.node(declared[name])))
            continue
        matching = [
            inner
            for pattern, inner in schema.get("patternProperties", {}).items()
            if (search := site.search(pattern)) is not None and search(name)
        ]
        others = matching or ([schema["additionalProperties"]] if "additionalProperties" in schema else [])
        parts.extend((name, site.node(inner)) for inner in others[:1])
    return parts
