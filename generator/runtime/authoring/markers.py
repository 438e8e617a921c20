"""Markers: what a module says about its tools beyond annotations and docstrings.

The generator reads them as source, by name, without importing the module; at run time they do nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal, TypeVar, overload

    Function = TypeVar("Function", bound=Callable[..., Any])


class Param:
    """What `Annotated[T, Param(...)]` adds to one parameter: words for the model and bounds for its value.

    `header` names the HTTP header that mirrors the argument (`x-mcp-header`); `schema` is merged into the parameter's
    JSON Schema last. Everything else carries the name and meaning it has in JSON Schema.
    """

    __slots__ = (
        "deprecated",
        "description",
        "examples",
        "format",
        "ge",
        "gt",
        "header",
        "le",
        "lt",
        "max_length",
        "min_length",
        "multiple_of",
        "pattern",
        "schema",
        "title",
        "unique_items",
    )

    def __init__(
        self,
        *,
        description: str | None = None,
        title: str | None = None,
        examples: Sequence[object] | None = None,
        ge: float | None = None,
        gt: float | None = None,
        le: float | None = None,
        lt: float | None = None,
        multiple_of: float | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | None = None,
        format: str | None = None,  # noqa: A002 # the JSON Schema keyword
        unique_items: bool | None = None,
        header: str | None = None,
        deprecated: bool | str | None = None,
        schema: Mapping[str, object] | None = None,
    ) -> None:
        self.description = description
        self.title = title
        self.examples = examples
        self.ge = ge
        self.gt = gt
        self.le = le
        self.lt = lt
        self.multiple_of = multiple_of
        self.min_length = min_length
        self.max_length = max_length
        self.pattern = pattern
        self.format = format
        self.unique_items = unique_items
        self.header = header
        self.deprecated = deprecated
        self.schema = schema

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:  # typing caches annotations by hash; these fields are always hashable
        return hash((self.description, self.title, self.pattern, self.format, self.header))

    def __repr__(self) -> str:
        given = ((name, getattr(self, name)) for name in self.__slots__)
        return f"Param({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"


OPTIONS = frozenset(
    (
        "title",
        "name",
        "description",
        "read_only",
        "destructive",
        "idempotent",
        "open_world",
        "timeout",
        "max_concurrent",
        "max_result_bytes",
        "scopes",
        "ui",
        "visibility",
        "hidden",
        "aliases",
        "icons",
        "annotations",
        "meta",
        "tags",
        "input_schema",
        "output_schema",
        "capture_output",
        "config",
        "task",
        "confirm",
    )
)
"""The options `tool` takes; the signature that type checkers see below says what each may be."""


if TYPE_CHECKING:

    @overload
    def tool(function: Function, /) -> Function: ...

    @overload
    def tool(
        *,
        title: str | None = None,
        name: str | None = None,
        description: str | None = None,
        read_only: bool | None = None,
        destructive: bool | None = None,
        idempotent: bool | None = None,
        open_world: bool | None = None,
        timeout: float | None = None,
        max_concurrent: int | None = None,
        max_result_bytes: int | None = None,
        scopes: Sequence[str] = (),
        ui: str | None = None,
        visibility: Sequence[Literal["model", "app"]] = (),
        hidden: bool = False,
        aliases: Sequence[str] = (),
        icons: Sequence[str | Mapping[str, object]] = (),
        annotations: Mapping[str, object] | None = None,
        meta: Mapping[str, object] | None = None,
        tags: Sequence[str] = (),
        input_schema: Mapping[str, object] | None = None,
        output_schema: Mapping[str, object] | None = None,
        capture_output: bool = False,
        config: Sequence[str] = (),
        task: Literal["forbidden", "optional", "required"] = "forbidden",
        confirm: bool = False,
    ) -> Callable[[Function], Function]: ...

    def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
        """Mark a function as a tool, as `@tool` or `@tool(title=..., timeout=...)`; the function is returned unchanged.

        Options are read from the source when the server is built. `timeout` is in seconds, `max_result_bytes` in
        bytes of the result's text; `read_only`, `destructive`, `idempotent` and `open_world` are the MCP tool
        annotations. Raises TypeError for an option that does not exist.
        """

else:  # what runs: typing's overload would cost its import

    def tool(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
        """Return the function unchanged; raises TypeError for an option that does not exist."""
        for name in options:
            if name not in OPTIONS:
                message = f"tool() does not know the option {name!r}"
                raise TypeError(message)
        if function is None:
            return _unchanged
        if not callable(function):
            found = type(function).__name__
            message = f"@tool stands on a function, not on {found}; options go by name: @tool(title=...)"
            raise TypeError(message)
        return function


def _unchanged(function: Function) -> Function:
    return function
