"""Which media types of a body can be chosen: those of the default's schema, and those of a few others."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...runtime.client.media import EVENT_STREAM, JSON_LINES, JSON_SEQUENCES, YAML, essence
from .media_types import MERGE_PATCH, BodyKind, body_kind, is_wildcard, preference, sent_as
from .schemas import SchemaProblem, kind_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .model import Body, MediaType, SchemaNode
    from .schemas import Schemas

STRUCTURED = ("json", "form", "multipart", "xml")
"""Kinds of bodies that are made from values as their schemas have them."""

MAX_UNLIKE = 4
"""Schemas beside the default's that one tool is offered with: each costs every reader of the list of tools its size."""

MAX_UNLIKE_BYTES = 20_000
"""Bytes of those schemas with the definitions that only they need, 5,000 tokens; what does not fit in is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A media type that can be sent, how its body is written, and the type that is sent in its name."""

    media: MediaType
    kind: BodyKind

    @property
    def type(self) -> str:
        """The value of Content-Type."""
        return sent_as(self.media.type, self.kind)

    @property
    def node(self) -> SchemaNode | None:
        """The schema of the whole, or of the items of a sequence; None where nothing is said."""
        return self.media.schema or self.media.item_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """The types that can be chosen: `alike` are made from one set of arguments, the default first.

    Each group of `others` has another schema, the same for all of the group; `left_out` cannot be chosen.
    """

    alike: tuple[Choice, ...]
    others: tuple[tuple[Choice, ...], ...]
    left_out: tuple[str, ...]


def offers(body: Body, schemas: Schemas) -> Offers | None:
    """Return the media types of a body that can be chosen, None where none is declared."""
    found = [
        Choice(media=media, kind=body_kind(media.type, schema_kind(media.schema or media.item_schema, schemas)))
        for media in body.content
    ]
    if not found:
        return None
    alike = _alike_to(min(found, key=_preference), found)
    met = {each.media.type for each in alike}
    met_as = met | {each.type for each in alike}
    # one that stands for several types is met by any of them
    concrete = [each.media.type for each in found if not is_wildcard(each.media.type)]
    mains = {_main(each) for each in (*concrete, *(each.type for each in alike))} | {"*"}
    offered = [each for each in found if not is_wildcard(each.media.type) or _main(each.media.type) not in mains]
    waiting = [each for each in offered if each.media.type not in met_as]
    unlike: list[tuple[Choice, ...]] = []
    while waiting and len(unlike) <= MAX_UNLIKE:
        group = _alike_to(min(waiting, key=_preference), waiting)
        taken = {each.media.type for each in group}
        waiting = [each for each in waiting if each.media.type not in taken]
        unlike.append(group)
    others = _affordable(alike[0], unlike, schemas) if 0 < len(unlike) <= MAX_UNLIKE else ()
    met |= {each.media.type for group in others for each in group}
    return Offers(
        alike=alike, others=others, left_out=tuple(each.media.type for each in offered if each.media.type not in met)
    )


def own_name(choice: Choice) -> str:
    """Return what the argument is called that is the whole body of a type: `body_multipart`, `body_merge_patch`.

    A sequence of values is text only on its way: it is called by its type, `body_jsonl`.
    """
    name = essence(choice.media.type)
    if name in JSON_LINES | JSON_SEQUENCES | {EVENT_STREAM}:
        return f"body_{_word(name.partition('/')[2].removeprefix('x-'))}"
    if choice.kind != "json" or name == "application/json":
        return f"body_{choice.kind}"
    if name in YAML:
        return "body_yaml"
    subtype = name.partition("/")[2].removesuffix("+json")
    return f"body_{_word(subtype) or 'json'}"


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text).strip("_")


def schema_kind(node: SchemaNode | None, schemas: Schemas) -> str:
    """Return what a schema's values are, `any` where nothing is said."""
    return "any" if node is None else kind_of(node, schemas.references)


def _main(media_type: str) -> str:
    return essence(media_type).partition("/")[0]


def _preference(choice: Choice) -> int:
    return preference(choice.media.type, choice.kind)


def _alike_to(first: Choice, found: list[Choice]) -> tuple[Choice, ...]:
    """Return a media type, then those that the same arguments can be sent as."""
    same = [each for each in found if each is not first and _alike(each, first)]
    distinct = {each.type: each for each in reversed([first, *same])}
    return (first, *(each for kind, each in reversed(distinct.items()) if kind != first.type))


def _alike(other: Choice, first: Choice) -> bool:
    """Whether the arguments of one media type serve for another: same schema, and both structured or both not."""
    if essence(other.media.type) == MERGE_PATCH or essence(first.media.type) == MERGE_PATCH:
        return False
    kinds_fit = other.kind == first.kind or (other.kind in STRUCTURED and first.kind in STRUCTURED)
    one, two = other.media.schema, first.media.schema
    if one is None or two is None:
        return kinds_fit and one is two
    return kinds_fit and one.place.file is two.place.file and one.value == two.value


def _affordable(
    first: Choice, unlike: Sequence[tuple[Choice, ...]], schemas: Schemas
) -> tuple[tuple[Choice, ...], ...]:
    """Return the groups whose schemas can be read and fit in; the operation does without the others."""
    left, found = MAX_UNLIKE_BYTES, []
    known = _definitions(first.node, schemas)
    for group in unlike:
        node = None if group[0].kind == "binary" else group[0].node  # bytes are a file, whatever their schema
        try:
            schema, definitions = _read(node, schemas)
        except SchemaProblem:
            continue
        # what the default needs as well is there already
        size = len(json.dumps([schema, {name: each for name, each in definitions.items() if name not in known}]))
        if size <= left:
            left -= size
            known |= definitions.keys()
            found.append(group)
    return tuple(found)


def _definitions(node: SchemaNode | None, schemas: Schemas) -> set[str]:
    """Return the names of the definitions that a schema needs; one that cannot be read needs none."""
    try:
        return set(_read(node, schemas)[1])
    except SchemaProblem:
        return set()


def _read(node: SchemaNode | None, schemas: Schemas) -> tuple[Any, dict[str, Any]]:
    """Return a schema and the definitions it needs; raises SchemaProblem."""
    if node is None:
        return True, {}
    assembly = schemas.assembly("input")
    return assembly.schema(node), assembly.definitions()
