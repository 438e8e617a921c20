"""The one internal form every version of an API description is upgraded to (decision 26).

Values only. Objects of the specification that decide how a request is made are classes here, references resolved;
schemas stay as they are written (`SchemaNode`) and are brought to JSON Schema 2020-12 when a tool's schema is made.
Every value knows its place, so that a diagnostic can name file, line and JSON pointer. Terms are OpenAPI 3.2's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .place import Place

Location = Literal["path", "query", "querystring", "header", "cookie"]
Dialect = Literal["2.0", "3.0", "3.1"]
"""How a schema is to be read: as Swagger 2.0, OpenAPI 3.0, or JSON Schema 2020-12 (OpenAPI 3.1 and later)."""

Extensions = Mapping[str, object]
"""The `x-…` members of an object, as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaNode:
    """A schema as written: `value` is a mapping or a boolean, read in the given dialect."""

    value: object
    place: Place
    dialect: Dialect


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerVariable:
    """A server variable; `enum` is empty when every value is allowed."""

    default: str
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiServer:
    """A server: `url` is the template as written, perhaps relative."""

    url: str
    variables: Mapping[str, ServerVariable] = field(default_factory=dict)
    description: str = ""
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter, or a header of a part: style and explode are filled in, `content_type` is set for `content`.

    Swagger 2.0's `collectionFormat` is a style here: csv is `form` (query) or `simple` without explode, multi `form`
    with it, ssv `spaceDelimited`, pipes `pipeDelimited`, tsv the style `tabDelimited`; its formData becomes a body.
    """

    name: str
    location: Location
    required: bool = False
    deprecated: bool = False
    description: str = ""
    style: str = "form"
    explode: bool = True
    allow_reserved: bool = False
    allow_empty_value: bool = False
    nested: tuple[str, ...] = ()
    schema: SchemaNode | None = None
    content_type: str | None = None
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    examples: tuple[object, ...] = ()
    extensions: Extensions = field(default_factory=dict)
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How one property of a form or multipart body is sent; None means not stated."""

    content_type: str | None = None
    style: str | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    nested: tuple[str, ...] = ()
    headers: tuple[Parameter, ...] = ()
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaType:
    """One entry of `content`: `type` as written; `item_schema` is 3.2's schema of each item of a stream."""

    type: str
    schema: SchemaNode | None = None
    item_schema: SchemaNode | None = None
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    examples: tuple[object, ...] = ()
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """A request body; `name` is Swagger 2.0's name of the body parameter."""

    required: bool = False
    description: str = ""
    content: tuple[MediaType, ...] = ()
    name: str | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of an answer to another operation, as written, apart from its name."""

    name: str
    operation_id: str | None = None
    operation_ref: str | None = None
    description: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """One answer; `status` is `200`, `2XX` or `default`."""

    status: str
    description: str = ""
    content: tuple[MediaType, ...] = ()
    links: tuple[Link, ...] = ()
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """Schemes that are needed together, each with its scopes; none at all means that no credential is needed."""

    schemes: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """One OAuth flow; scopes come with their descriptions.

    `kind` is `clientCredentials`, `authorizationCode`, `implicit`, `password` or `deviceAuthorization`.
    """

    kind: str
    token_url: str | None = None
    authorization_url: str | None = None
    refresh_url: str | None = None
    device_authorization_url: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict)
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """A security scheme. `parameter` and `location` belong to `apiKey`, `http_scheme` (lower case) to `http`."""

    name: str
    type: Literal["apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"]
    description: str = ""
    parameter: str | None = None
    location: Literal["query", "header", "cookie"] | None = None
    http_scheme: str | None = None
    flows: tuple[Flow, ...] = ()
    openid_url: str | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation with everything that holds for it: the path's and the document's parts are merged in.

    `method` is as it is sent; `security` are the alternatives (empty: none needed); `servers` is empty when the
    document's hold. `callbacks` are operations the API calls itself, by name; they are reported, not served. `path` is
    the template as it is sent, perhaps with a fixed query (`/responses?beta=true`); `fragment` only tells operations of
    one path apart (`/{Bucket}#uploads`) and is never sent.
    """

    method: str
    path: str
    fragment: str = ""
    operation_id: str | None = None
    summary: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    deprecated: bool = False
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    responses: tuple[Response, ...] = ()
    security: tuple[Requirement, ...] = ()
    servers: tuple[ApiServer, ...] = ()
    callbacks: tuple[str, ...] = ()
    external_docs: str | None = None
    extensions: Extensions = field(default_factory=dict)
    place: Place

    @property
    def key(self) -> str:
        """The operation as messages, the lock and settings name it: `GET /pets/{id}`."""
        return operation_key(self.method, self.path, self.fragment)


def operation_key(method: str, path: str, fragment: str = "") -> str:
    """Return how messages, the lock and settings name an operation."""
    return f"{method} {path}#{fragment}" if fragment else f"{method} {path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A tag and what it stands for."""

    name: str
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """A whole description. `version` is the document's (`3.0.3`), `api_version` the API's own.

    `operations` are those that can be read, in document order; `unreadable` the keys of those that cannot, each of
    which has a diagnostic. `webhooks` are reported, not served.
    """

    version: str
    title: str = ""
    api_version: str = ""
    summary: str = ""
    description: str = ""
    servers: tuple[ApiServer, ...] = ()
    schemes: Mapping[str, Scheme] = field(default_factory=dict)
    tags: tuple[Tag, ...] = ()
    operations: tuple[Operation, ...] = ()
    unreadable: tuple[str, ...] = ()
    webhooks: tuple[str, ...] = ()
    external_docs: str | None = None
    extensions: Extensions = field(default_factory=dict)
    place: Place
