"""Symbols with a fixed meaning: their modules are never opened.

Canonical names are those of the place where a symbol is documented today: `typing.List` is `builtins.list`,
`typing_extensions.Annotated` is `typing.Annotated`, `attr.define` is `attrs.define`, `pydantic.fields.Field` is
`pydantic.Field`.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_STANDARD = frozenset(
    [
        "abc",
        "builtins",
        "collections",
        "collections.abc",
        "contextlib",
        "dataclasses",
        "datetime",
        "decimal",
        "enum",
        "fractions",
        "functools",
        "ipaddress",
        "math",
        "numbers",
        "os",
        "pathlib",
        "re",
        "types",
        "typing",
        "uuid",
        "warnings",
        "zoneinfo",
    ]
)
_FOLDED: Mapping[str, str] = {
    "typing_extensions": "typing",
    "attr": "attrs",
    "annotated_doc": "typing",
    "pydantic.fields": "pydantic",
    "pydantic.types": "pydantic",
    "pydantic.networks": "pydantic",
    "pydantic.main": "pydantic",
    "pydantic.root_model": "pydantic",
    "pydantic.config": "pydantic",
    "pydantic.functional_validators": "pydantic",
    "pydantic.functional_serializers": "pydantic",
    "pydantic.json_schema": "pydantic",
    "attr.validators": "attrs.validators",
    "pathlib._local": "pathlib",
    "re._compiler": "re",
}
_THIRD_PARTY = frozenset(
    {"annotated_types", "attrs", "attrs.validators", "pydantic", "pydantic.dataclasses", "mcpgen", "msgspec"}
)

_CONTAINERS = "list dict set frozenset tuple type"
_COLLECTIONS = {"Deque": "deque", "DefaultDict": "defaultdict"} | {n: n for n in ("OrderedDict", "Counter", "ChainMap")}
_ABSTRACT = (
    "Iterable Iterator Generator AsyncIterable AsyncIterator AsyncGenerator Awaitable Coroutine Collection Container "
    "Sequence MutableSequence Mapping MutableMapping MutableSet Callable Hashable Sized Reversible KeysView ValuesView "
    "ItemsView MappingView ByteString Buffer"
)
_ALIASES: Mapping[str, str] = {
    **{f"typing.{name.capitalize()}": f"builtins.{name}" for name in _CONTAINERS.split()},
    **{f"typing.{name}": f"collections.{target}" for name, target in _COLLECTIONS.items()},
    **{f"typing.{name}": f"collections.abc.{name}" for name in _ABSTRACT.split()},
    "typing.FrozenSet": "builtins.frozenset",
    "typing.AbstractSet": "collections.abc.Set",
    "typing.Text": "builtins.str",
    "typing.Pattern": "re.Pattern",
    "typing.Match": "re.Match",
    "types.NoneType": "builtins.None",
    "attrs.s": "attrs.define",
    "attrs.attrs": "attrs.define",
    "attrs.dataclass": "attrs.define",
    "attrs.mutable": "attrs.define",
    "attrs.ib": "attrs.field",
    "attrs.attrib": "attrs.field",
    "pydantic.Base64UrlStr": "pydantic.Base64UrlStr",
    "builtins.EnvironmentError": "builtins.OSError",
}

_CONTEXT_MODULES = frozenset(
    {
        "mcp.server.fastmcp",
        "mcp.server.fastmcp.server",
        "mcp.server.mcpserver",
        "mcp.server.mcpserver.context",
        "mcp.server.mcpserver.server",
        "fastmcp",
        "fastmcp.server",
        "fastmcp.server.context",
    }
)
"""Modules of other SDKs whose `Context` is injected; nothing else of theirs is known."""

STARRED: Mapping[str, frozenset[str]] = {
    "annotated_types": frozenset(
        {"Ge", "Gt", "Interval", "Le", "Len", "Lt", "MaxLen", "MinLen", "MultipleOf", "Predicate", "Timezone", "Unit"}
        | {"IsAscii", "IsDigits", "IsFinite", "IsInfinite", "IsNan", "IsNotFinite", "IsNotInfinite", "IsNotNan"}
        | {"LowerCase", "UpperCase", "doc"}
    ),
    "attrs": frozenset({"define", "field", "frozen", "mutable", "Factory"}),
    "mcpgen": frozenset(
        {"Audio", "Context", "File", "Image", "Link", "Message", "Param", "SyncContext", "Text"}
        | {"completer", "prompt", "resource", "tool"}
    ),
    "pydantic": frozenset({"BaseModel", "ConfigDict", "Field", "RootModel", "StringConstraints", "computed_field"}),
    "typing_extensions": frozenset({"Annotated", "Doc", "Literal", "NotRequired", "Required", "TypedDict", "Unpack"}),
}
"""What a star import brings from a third-party module whose files are not there to be asked."""

CONTEXTS: Mapping[str, str] = {
    "mcpgen.Context": "async",
    "mcpgen.SyncContext": "sync",
    "mcpgen.contexts.Context": "async",
    "mcpgen.contexts.SyncContext": "sync",
    **{f"{module}.Context": "foreign" for module in _CONTEXT_MODULES},
}
"""Context classes by canonical name, and which kind each is."""

CONTENT_TYPES: Mapping[str, str] = {f"mcpgen.{name}": name for name in ("Text", "Image", "Audio", "File", "Link")}
"""Content types a tool may return, by canonical name."""


def is_known_module(name: str) -> bool:
    """Whether symbols of this module are taken from the table."""
    return name in _STANDARD or name in _FOLDED or name in _THIRD_PARTY or name in _CONTEXT_MODULES or _is_ours(name)


def standard_exports(module: str) -> tuple[str, ...] | None:
    """Return what a star import of a standard module brings if this process has it loaded; None otherwise.

    Nothing is imported for the answer: a user's file of the same name could stand before the standard library.
    """
    loaded = sys.modules.get(module) if module in _STANDARD else None
    if loaded is None:
        return None
    names = getattr(loaded, "__all__", None) or [name for name in vars(loaded) if not name.startswith("_")]
    return tuple(names)


def assumed_present(name: str) -> bool:
    """Whether an import of this module inside `try` counts as found without looking."""
    return name in _STANDARD or name in _CONTEXT_MODULES or _is_ours(name) or name in sys.builtin_module_names


def canonical(module: str, name: str) -> str | None:
    """Return the canonical name of a symbol of a known module; None when the module is not known for it."""
    if module in _CONTEXT_MODULES:
        return f"{module}.{name}" if name == "Context" else None
    if not is_known_module(module):
        return None
    if _is_ours(module):
        return f"mcpgen.{name}"  # one flat name for what any module of ours exports
    if module == "annotated_doc" and name != "Doc":
        return None
    folded = _FOLDED.get(module, "mcpgen" if module.startswith("mcpgen.") else module)
    if is_known_module(f"{folded}.{name}"):
        return None  # a submodule
    full = f"{folded}.{name}"
    return _ALIASES.get(full, full)


def _is_ours(name: str) -> bool:
    return name == "mcpgen" or name.startswith("mcpgen.")
