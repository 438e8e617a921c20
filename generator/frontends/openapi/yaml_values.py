"""Composed YAML nodes to JSON values: one pass, aliases shared, merge keys applied, repeated keys refused.

Nodes come from the parser in `load` and are read by their attributes. Recursion stops at the depth limit. A
collection's node is given its value once built: an alias to it is the same object, and costs nothing. What aliases
would add for whoever walks the document is counted at the end of the pass, over the shared objects.
"""

from __future__ import annotations

from typing import Any

from .json_places import nested_too_deep, repeated_key
from .limits import MAX_ALIAS_NODES, MAX_DEPTH
from .load_problem import TextProblem, cut
from .yaml_events import Words
from .yaml_scalars import STRING, refused_tag, tagged_value

_BUILT = "built"
_BUILDING = "building"
_COLLECTION_TAGS = {"sequence": "tag:yaml.org,2002:seq", "mapping": "tag:yaml.org,2002:map"}
_MERGE = "<<"


class Values:
    """Builds the values of one document."""

    __slots__ = ("_aliased", "_merged", "_text", "_words")

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = Words()
        self._merged = 0
        self._aliased: int | None = None

    def build(self, root: Any) -> object:
        """Return the document's value; raises TextProblem with the place of what is refused."""
        value = self._value(root, 0)
        if self._aliased is not None and is_expanded(value):
            raise _expansion(self._aliased)
        return value

    def _value(self, node: Any, depth: int) -> Any:
        content = node.value
        if type(content) is not str:
            return self._collection(node, content, depth + 1)
        tag = node.tag
        if tag is STRING:
            return content
        try:
            return self._words[content] if tag is None else tagged_value(tag, content)
        except ValueError:
            message = f"`{cut(content)}` is not what its tag `{cut(tag)}` says"
            raise TextProblem("unsupported-yaml", message, _offset(node)) from None
        except TextProblem as problem:
            raise TextProblem(problem.rule, problem.message, _offset(node)) from None

    def _collection(self, node: Any, content: Any, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise nested_too_deep(_offset(node))
        tag = node.tag
        if tag is not None:
            if tag is _BUILT:
                if self._aliased is None:
                    self._aliased = _offset(node)
                return content
            if tag is _BUILDING:
                raise TextProblem("unsupported-yaml", "an alias stands inside of what it repeats", _offset(node))
            if tag != _COLLECTION_TAGS[node.id]:
                raise TextProblem("unsupported-yaml", refused_tag(tag), _offset(node))
        node.tag = _BUILDING
        built: Any
        if node.id == "mapping":
            built = self._mapping(content, depth)
        else:
            built = [self._value(item, depth) for item in content]
        node.value = built
        node.tag = _BUILT
        return built

    def _mapping(self, pairs: list[tuple[Any, Any]], depth: int) -> dict[str, Any]:
        """Return the members; what `_value` does for plain and quoted scalars is repeated here, where it is hot."""
        words = self._words
        members: dict[str, Any] = {}
        merges: list[Any] = []
        for key, item in pairs:
            name = key.value
            if key.tag is not STRING and (key.tag is not None or type(name) is not str or name == _MERGE):
                if self._is_merge(key):
                    merges.append(item)
                    continue
                name = self._key(key)
            content, tag = item.value, item.tag
            if type(content) is not str:
                members[name] = self._collection(item, content, depth + 1)
            elif tag is STRING:
                members[name] = content
            elif tag is None and (known := words.get(content)) is not None:
                members[name] = known
            else:
                members[name] = self._value(item, depth)
        if len(members) + len(merges) != len(pairs):
            raise self._repeated(pairs)
        return self._merge(members, merges, depth) if merges else members

    @staticmethod
    def _is_merge(key: Any) -> bool:
        return bool(key.value == _MERGE and not key.style)

    def _key(self, key: Any) -> str:
        if key.id != "scalar":
            hint = "Put a key that begins with `{` or `[` in quotes."
            raise TextProblem("unsupported-yaml", "a key must be text", _offset(key), hint)
        self._value(key, 0)  # refuses tags
        return str(key.value)

    def _repeated(self, pairs: list[tuple[Any, Any]]) -> TextProblem:
        seen: dict[str, Any] = {}
        for key, _ in pairs:
            if key.value != _MERGE or key.style:
                if key.value in seen:
                    return repeated_key(self._text, key.value, _offset(seen[key.value]), _offset(key))
                seen[key.value] = key
        return TextProblem("duplicate-key", "an object has a key twice")

    def _merge(self, members: dict[str, Any], merges: list[Any], depth: int) -> dict[str, Any]:
        """Add the members of what `<<` names: the mapping's own go first, then the earlier source's."""
        for node in merges:
            value = self._value(node, depth)
            for source in value if type(value) is list else [value]:
                if type(source) is not dict:
                    raise TextProblem("unsupported-yaml", "`<<` merges something that is no mapping", _offset(node))
                self._merged += len(source)
                if self._merged > MAX_ALIAS_NODES:
                    raise _expansion(_offset(node))
                for name, item in source.items():
                    members.setdefault(name, item)
        return members


def is_expanded(root: object) -> bool:
    """Tell whether a walk meets too many values beyond those that are written; a shared one is measured once."""
    sizes: dict[int, int] = {}
    total = _size(root, sizes)
    return total - sizes[_WRITTEN] > MAX_ALIAS_NODES


_WRITTEN = -1
"""Where the sizes hold how many values are written; no object has this id."""


def _size(collection: Any, sizes: dict[int, int]) -> int:
    """Return how many values a walk meets in a collection, by adding the sizes of its parts."""
    if (known := sizes.get(id(collection))) is not None:
        return known
    own = size = len(collection) + 1
    for item in collection.values() if type(collection) is dict else collection:
        if type(item) is dict or type(item) is list:
            own -= 1
            size += _size(item, sizes) - 1
    sizes[_WRITTEN] = sizes.get(_WRITTEN, 0) + own
    sizes[id(collection)] = size
    return size


def _expansion(offset: int) -> TextProblem:
    return TextProblem("loading-limit", f"alias expansion over {MAX_ALIAS_NODES} nodes", offset)


def _offset(node: Any) -> int:
    return int(node.start_mark.index)
