"""The intermediate representation every front end writes and every back end reads.

Rules of this module: values only (frozen, slotted, keyword-only), no behaviour, nothing that knows a source language
or an output format. JSON inside a value (a schema, an example) is of type `Json` and is frozen by the codec: objects
become read-only mappings, arrays tuples. `schemas/ir.schema.json` says the same as these classes; a test keeps them
equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..diagnostics.model import Span

FORMAT = 1
"""Version of the IR's JSON form; a reader refuses any other."""

Json = None | bool | int | float | str | tuple["Json", ...] | Mapping[str, "Json"]
JsonObject = Mapping[str, Json]


Change = Literal["tools", "prompts", "resources", "resource"]
"""What clients are told of: that one of the lists has changed, or that a single resource has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Icon:
    """An icon as MCP spells it (2025-11-25, `Icon`)."""

    src: str
    mime_type: str | None = None
    sizes: tuple[str, ...] = ()
    theme: Literal["light", "dark"] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotations:
    """Tool annotations (MCP `ToolAnnotations`); None means not stated."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one tool may use: seconds for a call, calls at once, bytes of its result; None is the server's default."""

    timeout: float | None = None
    max_concurrent: int | None = None
    max_result_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UiLink:
    """A tool's link to a view (MCP Apps `_meta.ui`); a tool without one may still be for views only."""

    resource_uri: str | None = None
    visibility: tuple[Literal["model", "app"], ...] = ("model", "app")


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonCall:
    """How a Python callable is called with converted arguments.

    `target` is `module:qualname`; a leading dot in the module means inside the emitted package. `names` maps a wire
    name to a parameter's name where they differ. `positional` lists the parameters that go by position, in order;
    `star` and `star_star` name the wire property that fills `*args` and whether further keys fill `**kwargs`.
    `inject` maps parameters to the context they get. `conversions` holds, by wire name, only what differs from the
    JSON value (docs/conversions.md); `definitions` the recursive ones. `prepare` lists text clean-ups made before
    validation. `field_defaults` are parameters whose Python default is a descriptor (a pydantic FieldInfo) to be
    asked for the value. `asks` are the methods by which its own body asks the client: `elicit`, `sample` and the like.
    """

    target: str
    is_async: bool = False
    positional: tuple[str, ...] = ()
    star: str | None = None
    star_star: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    inject: Mapping[str, Literal["async", "sync"]] = field(default_factory=dict)
    conversions: JsonObject = field(default_factory=dict)
    definitions: JsonObject = field(default_factory=dict)
    prepare: JsonObject = field(default_factory=dict)
    field_defaults: tuple[str, ...] = ()
    exact_numbers: bool = False
    lazy_imports: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpCall:
    """How an HTTP operation is requested (filled by the OpenAPI front end).

    `named` tells that the tool's name was asked for by somebody: the next build follows whoever asks then.
    """

    operation: str
    request: JsonObject
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: what clients see (name to annotations), how it is run (call), and what surrounds it.

    `input_schema` and `result_schema` are separate; the result is kept unwrapped and `wrap` says whether servers send
    it as `{"result": …}` (decision 14). `result` is how the Python value is sent: as JSON, as nothing (`-> None`), or
    as content blocks the function built itself. `verbatim` marks an author's own schema, which no pass may touch.
    `type_names` tells what the source calls a type, by the JSON pointer of its schema (`/inputSchema/properties/at`,
    `/resultSchema/items`): names for people, which slim schemas no longer have. A call that may be a task becomes one
    at once, or later when the function says so (`task_starts`).
    """

    name: str
    title: str | None = None
    description: str = ""
    input_schema: JsonObject
    result_schema: Json = None
    wrap: bool = False
    result: Literal["json", "none", "content"] = "json"
    result_description: str | None = None
    type_names: Mapping[str, str] = field(default_factory=dict)
    verbatim: bool = False
    annotations: Annotations = field(default_factory=Annotations)
    call: PythonCall | HttpCall
    limits: Limits = field(default_factory=Limits)
    scopes: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    ui: UiLink | None = None
    icons: tuple[Icon, ...] = ()
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    meta: JsonObject = field(default_factory=dict)
    capture_output: bool = False
    coerce: bool | None = None
    confirm: bool = False
    task: Literal["forbidden", "optional", "required"] = "forbidden"
    task_starts: Literal["call", "later"] = "call"
    deprecated: str | None = None
    raises: tuple[tuple[str, str], ...] = ()
    examples: tuple[str, ...] = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptArgument:
    """One argument of a prompt, or one variable of a resource template.

    `completer` is the call that completes it: its `positional` has the parameter for what was typed and, if there is
    one, that for the arguments chosen so far. `choices` are its only values, when those are known.
    """

    name: str
    description: str = ""
    required: bool = False
    completer: PythonCall | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentAnnotations:
    """What a resource is for (MCP `Annotations`): who should see it, how much it matters (0 to 1), when it changed."""

    audience: tuple[Literal["user", "assistant"], ...] = ()
    priority: float | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A resource or, with `variables` in `uri`, a resource template; `kind` ui is an MCP Apps view.

    `input_schema` says what the variables hold; their values come as texts and are read as the types it names. What is
    read of a static one is its `text`; without one it describes the server itself. `file` is the path in the package
    of a view that is read without a call.
    """

    uri: str
    kind: Literal["static", "computed", "template", "ui"]
    name: str
    title: str | None = None
    description: str = ""
    mime_type: str | None = None
    variables: tuple[PromptArgument, ...] = ()
    input_schema: JsonObject = field(default_factory=dict)
    annotations: ContentAnnotations = field(default_factory=ContentAnnotations)
    icons: tuple[Icon, ...] = ()
    call: PythonCall | None = None
    text: str | None = None
    file: str | None = None
    limits: Limits = field(default_factory=Limits)
    scopes: tuple[str, ...] = ()
    meta: JsonObject = field(default_factory=dict)
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One prompt and the call that renders it; `input_schema` says what its arguments hold, which come as texts."""

    name: str
    title: str | None = None
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()
    input_schema: JsonObject = field(default_factory=dict)
    icons: tuple[Icon, ...] = ()
    call: PythonCall
    limits: Limits = field(default_factory=Limits)
    scopes: tuple[str, ...] = ()
    meta: JsonObject = field(default_factory=dict)
    span: Span | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigEntry:
    """One value the application needs from outside: its environment name, whether it is a secret, who needs it."""

    name: str
    env: str
    description: str = ""
    sensitive: bool = False
    required: bool = True
    default: str | None = None
    required_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file the emitted package carries: its path inside the package and its content.

    `written` files are changed by the code: what is carried is their beginning.
    """

    path: str
    content: bytes
    executable: bool = False
    written: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where the server comes from: the input's kind and its name as the user gave it.

    `inputs` are digests of what was read, `environment` what it was read with; a `linked` source is not copied, any
    other is in `files`.
    """

    kind: Literal["python", "openapi", "servers"]
    name: str
    linked: bool = False
    inputs: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    files: tuple[SourceFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A whole server: identity, then what it offers, then what it is made from.

    `id` is the short key (`weather`), `package` the import name (`weather_mcp`), `command` the distribution and console
    script (`weather-mcp`). `http` is what the operations of an API share: servers, credentials, limits.
    `exposure` is what lists show: every tool, every tool in few words, or three tools that find and call the others.
    `changes` are what it tells its clients of; `documentation` is what the source says of itself at length (Markdown).
    """

    id: str
    package: str
    command: str
    version: str = "0.1.0"
    title: str | None = None
    description: str = ""
    instructions: str | None = None
    website: str | None = None
    icons: tuple[Icon, ...] = ()
    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    config: tuple[ConfigEntry, ...] = ()
    scopes: tuple[str, ...] = ()
    settings: JsonObject = field(default_factory=dict)
    http: JsonObject | None = None
    exposure: Literal["full", "short", "discovery"] = "full"
    changes: tuple[Change, ...] = ()
    documentation: str = ""
    requires_python: str = ">=3.11"
    dependencies: tuple[str, ...] = ()
    source: Source
