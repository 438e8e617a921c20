"""YAML to values straight from the parser's events: quicker than by nodes, for the plain documents that most are.

Plain is what has no tags and merge keys, no key that is a collection or has an anchor, and nothing to refuse. All else
`yaml_values` builds from nodes, or says what is wrong and where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .limits import MAX_DEPTH
from .load_problem import TextProblem
from .yaml_scalars import plain_value

if TYPE_CHECKING:
    from collections.abc import Callable

_MERGE = "<<"


class NotPlain(Exception):
    """The document has more than plain collections and scalars, or something to refuse."""


class Words(dict[str, Any]):
    """What plain scalars stand for, resolved once each: a document has few different ones."""

    __slots__ = ()

    def __missing__(self, text: str) -> Any:
        value = self[text] = plain_value(text)
        return value


class PlainValues:
    """Builds the value of one document from what `get_event` returns; `kinds` is the module of the events' classes.

    `aliased` tells that a collection was repeated; what that adds has not been counted.
    """

    __slots__ = (
        "_alias", "_anchors", "_get", "_mapping_end", "_mapping_start", "_scalar", "_sequence_end", "_sequence_start",
        "_words", "aliased",
    )  # fmt: skip

    def __init__(self, get_event: Callable[[], Any], kinds: Any) -> None:
        self._get = get_event
        self._words = Words()
        self._anchors: dict[str, Any] = {}
        self.aliased = False
        self._alias, self._scalar = kinds.AliasEvent, kinds.ScalarEvent
        self._mapping_start, self._mapping_end = kinds.MappingStartEvent, kinds.MappingEndEvent
        self._sequence_start, self._sequence_end = kinds.SequenceStartEvent, kinds.SequenceEndEvent

    def build(self) -> object:
        """Return the value of a stream of one document; raises NotPlain, and what the parser raises."""
        self._get()  # the stream begins
        self._get()  # the document begins, if there is one
        first = self._get()
        if first.__class__ is self._scalar:
            raise NotPlain
        try:
            value = self._other(first, 1)
        except TextProblem:  # a scalar is refused, which has no place here
            raise NotPlain from None
        self._get()  # the document ends
        self._get()  # the stream ends, or another document begins
        if self._get() is not None:
            raise NotPlain
        return value

    def _other(self, event: Any, depth: int) -> Any:
        """Return a value that is more than a scalar: a collection, or something with an anchor, or an alias."""
        kind = event.__class__
        if kind is self._alias:
            return self._repeated(event.anchor)
        if kind not in (self._mapping_start, self._sequence_start, self._scalar) or event.tag is not None:
            raise NotPlain
        value: Any
        if kind is self._scalar:
            value = self._words[event.value] if event.implicit[0] else event.value
        elif depth > MAX_DEPTH:
            raise NotPlain
        else:
            value = self._mapping(depth + 1) if kind is self._mapping_start else self._sequence(depth + 1)
        if event.anchor is not None:
            if event.anchor in self._anchors:
                raise NotPlain
            self._anchors[event.anchor] = value
        return value

    def _repeated(self, anchor: str) -> Any:
        if anchor not in self._anchors:  # unknown, or the alias stands inside of what it repeats
            raise NotPlain
        value = self._anchors[anchor]
        self.aliased = self.aliased or isinstance(value, (dict, list))
        return value

    def _mapping(self, inner: int) -> dict[str, Any]:
        get, words, scalar = self._get, self._words, self._scalar
        members: dict[str, Any] = {}
        count = 0
        while (key := get()).__class__ is scalar:
            name = key.value
            if key.tag is not None or key.anchor is not None or (name == _MERGE and key.implicit[0]):
                raise NotPlain
            item = get()
            if item.__class__ is scalar and item.tag is None and item.anchor is None:
                text = item.value
                members[name] = words[text] if item.implicit[0] else text
            else:
                members[name] = self._other(item, inner)
            count += 1
        if key.__class__ is not self._mapping_end or len(members) != count:
            raise NotPlain
        return members

    def _sequence(self, inner: int) -> list[Any]:
        get, words, scalar = self._get, self._words, self._scalar
        items: list[Any] = []
        while (item := get()).__class__ is not self._sequence_end:
            if item.__class__ is scalar and item.tag is None and item.anchor is None:
                text = item.value
                items.append(words[text] if item.implicit[0] else text)
            else:
                items.append(self._other(item, inner))
        return items
