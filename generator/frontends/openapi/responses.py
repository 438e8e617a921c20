"""What a tool gives back: the schema of the API's good answer, relaxed and cut, and the media types to ask for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...jsonschema.subschemas import MAPPINGS
from ...runtime.client.media import essence, is_json
from .media_types import is_wildcard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .model import MediaType, Operation, Response
    from .schemas import Schemas

JSON = "application/json"
ANY = "*/*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How an operation answers: whether as JSON (then with a schema, if there is one), and the declared media types.

    A declared redirect (`302`, `3XX`) is there without any, since one that nobody declared means failure.
    `projectable` tells that fields can be picked from it: it is an object or an array.
    """

    json: bool
    schema: Any = None
    projectable: bool = False
    accept: str = ANY
    declared: Mapping[str, list[str]] = field(default_factory=dict)


def answer_of(operation: Operation, schemas: Schemas, limit: int) -> Answer:
    """Return how an operation answers, with a schema of at most `limit` bytes.

    What is wrong with the schemas is reported and costs only the schema.
    """
    told = [each for each in operation.responses if each.content or each.status.startswith("3")]
    declared = {each.status: _types(each) for each in told}
    found = next(_json_answers(operation), None)
    if found is None:
        types = [kind for each in successes(operation) for kind in _types(each)]
        return Answer(json=False, accept=_listed(types) or ANY, declared=declared)
    schema = None if found.schema is None else schemas.assembly("output").answer(found.schema, size=limit) or None
    return Answer(
        json=True,
        schema=schema,
        projectable=schema is None or _structured(schema),
        accept=_listed([JSON if is_wildcard(found.type) else found.type, *_file_types(operation)]),
        declared=declared,
    )


def successes(operation: Operation) -> tuple[Response, ...]:
    """Return the answers that mean success, the most usual first: 200, 201 …, `2XX`, or else `default`."""
    numbered = [each for each in operation.responses if each.status.startswith("2")]
    if numbered:
        return tuple(sorted(numbered, key=lambda each: (not each.status.isdigit(), each.status)))
    return tuple(each for each in operation.responses if each.status == "default")


def is_file(media: MediaType) -> bool:
    """Whether Swagger 2.0 calls the answer a file: `produces` then says types of the whole API, JSON among them."""
    value = None if media.schema is None else media.schema.value
    return isinstance(value, MAPPINGS) and value.get("type") == "file"


def _json_answers(operation: Operation) -> Iterator[MediaType]:
    for response in successes(operation):
        values = [media for media in response.content if not is_file(media)]
        exact = [media for media in values if is_json(media.type) and media.item_schema is None]
        yield from sorted(exact, key=lambda media: essence(media.type) != JSON)
        yield from (media for media in values if media.type.startswith("*/*") and media.schema is not None)


def _types(response: Response) -> list[str]:
    """Return the media types of an answer; a file that is only said to be JSON, as everything there, is of any."""
    types = [media.type for media in response.content]
    if not any(map(is_file, response.content)):
        return types
    types.sort(key=is_json)
    return [ANY] if not types or is_json(types[0]) else types


def _file_types(operation: Operation) -> list[str]:
    """Return the media types of files that an operation answers beside JSON, under other statuses."""
    return [kind for each in successes(operation) if any(map(is_file, each.content)) for kind in _types(each)]


def _listed(types: list[str]) -> str:
    return ", ".join(dict.fromkeys(types))


def _structured(schema: Any) -> bool:
    """Whether an answer can be an object or an array, as far as its schema tells."""
    if not isinstance(schema, MAPPINGS):
        return True
    kinds = schema.get("type")
    if kinds is None:
        return True
    return not {"object", "array"}.isdisjoint(kinds if isinstance(kinds, list | tuple) else (kinds,))
