"""One schema while it is converted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..place import Place


class Node:
    """What is known of a schema so far; `out` is what it becomes.

    `here`: it is about the same value as the root of the conversion. `inner`: the schema it will be laid over, which
    says the type.
    """

    __slots__ = (
        "called",
        "depth",
        "examples",
        "exclusive",
        "here",
        "hidden",
        "inner",
        "nullable",
        "out",
        "place",
        "said_type",
        "types",
        "unions",
        "value",
    )

    def __init__(
        self,
        value: Mapping[str, Any],
        place: Place,
        depth: int,
        called: str,
        *,
        here: bool,
        inner: Any = None,
    ) -> None:
        self.value = value
        self.place = place
        self.depth = depth
        self.called = called
        self.here = here
        self.inner = inner
        self.out: dict[str, Any] = {}
        self.types: list[str] = []
        self.said_type = False
        self.nullable = False
        self.exclusive: list[str] = []
        self.examples: list[object] = []
        self.hidden: set[str] = set()
        self.unions: dict[str, list[Any]] = {}

    def without(self, keyword: str) -> Node:
        """Return the node as if a keyword had not been written."""
        rest = {key: item for key, item in self.value.items() if key != keyword}
        return Node(rest, self.place, self.depth, self.called, here=self.here)
