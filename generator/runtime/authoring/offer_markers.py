"""Markers of what a module offers besides tools: resources, prompts, completers of their arguments, and views.

Like `tool` they return the function unchanged and are read as source when the server is built.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Literal, TypeVar, overload

    Function = TypeVar("Function", bound=Callable[..., Any])

_SHARED = frozenset(("name", "title", "description", "icons", "meta", "timeout", "max_concurrent", "max_result_bytes"))

PROMPT_OPTIONS = _SHARED | {"scopes"}
"""The options `prompt` takes; the signature that type checkers see below says what each may be."""

RESOURCE_OPTIONS = PROMPT_OPTIONS | {"mime_type", "annotations"}
"""The options `resource` takes besides its URI."""

UI_OPTIONS = _SHARED | {"csp", "permissions", "domain", "prefers_border", "file"}
"""The options `ui_resource` takes besides its URI."""


if TYPE_CHECKING:

    def resource(
        uri: str,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        icons: Sequence[str | Mapping[str, object]] = (),
        annotations: Mapping[str, object] | None = None,
        meta: Mapping[str, object] | None = None,
        scopes: Sequence[str] = (),
        timeout: float | None = None,
        max_concurrent: int | None = None,
        max_result_bytes: int | None = None,
    ) -> Callable[[Function], Function]:
        """Mark a function as what a URI is read from; `{name}` in the URI makes it a template with that parameter.

        The function returns a text, bytes, JSON or content, or None when there is no such resource. `annotations` are
        those of MCP: `audience`, `priority`, `lastModified`. Raises TypeError for an option that does not exist.
        """

    def ui_resource(
        uri: str,
        /,
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        file: str | None = None,
        csp: Mapping[str, Sequence[str]] | None = None,
        permissions: Sequence[Literal["camera", "microphone", "geolocation", "clipboard_write"]] = (),
        domain: str | None = None,
        prefers_border: bool | None = None,
        icons: Sequence[str | Mapping[str, object]] = (),
        meta: Mapping[str, object] | None = None,
        timeout: float | None = None,
        max_concurrent: int | None = None,
        max_result_bytes: int | None = None,
    ) -> Callable[[Function], Function]:
        """Mark a function as what makes a view of tools (MCP Apps): it returns a whole page of HTML, as text or bytes.

        `uri` begins with `ui://`; tools are linked to it by `@tool(ui=...)`. With `file`, relative to the module, the
        page is that file and the function is not called. `csp` lists the origins the page reaches: `connect_domains`,
        `resource_domains`, `frame_domains`, `base_uri_domains`. With `max_concurrent=1` pages are made one after
        another. Raises TypeError for an option that does not exist.
        """

    @overload
    def prompt(function: Function, /) -> Function: ...

    @overload
    def prompt(
        *,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        icons: Sequence[str | Mapping[str, object]] = (),
        meta: Mapping[str, object] | None = None,
        scopes: Sequence[str] = (),
        timeout: float | None = None,
        max_concurrent: int | None = None,
        max_result_bytes: int | None = None,
    ) -> Callable[[Function], Function]: ...

    def prompt(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
        """Mark a function as a prompt, as `@prompt` or `@prompt(title=...)`; its parameters are the arguments.

        The function returns a text, messages or content. Raises TypeError for an option that does not exist.
        """

else:  # what runs: typing's overload would cost its import

    def resource(uri: str, /, **options: Any) -> Callable[[Function], Function]:
        """Return a decorator that returns the function unchanged; raises TypeError for what is used wrongly."""
        if not isinstance(uri, str):
            message = "@resource needs the URI it is read by: @resource('weather://stations')"
            raise TypeError(message)
        _check("resource", options, RESOURCE_OPTIONS)
        return _unchanged

    def ui_resource(uri: str, /, **options: Any) -> Callable[[Function], Function]:
        """Return a decorator that returns the function unchanged; raises TypeError for what is used wrongly."""
        if not isinstance(uri, str):
            message = "@ui_resource needs the URI of the view: @ui_resource('ui://weather/forecast')"
            raise TypeError(message)
        _check("ui_resource", options, UI_OPTIONS)
        return _unchanged

    def prompt(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
        """Return the function unchanged; raises TypeError for what is used wrongly."""
        _check("prompt", options, PROMPT_OPTIONS)
        if function is None:
            return _unchanged
        if not callable(function):
            message = f"@prompt stands on a function, not on {type(function).__name__}; options go by name"
            raise TypeError(message)
        return function


def completer(function: Callable[..., Any], argument: str, /) -> Callable[[Function], Function]:
    """Mark a function as what proposes values for one argument of a prompt, or one variable of a resource's URI.

    It takes what was typed so far, and if it has a second parameter the arguments that are already chosen, by name;
    it returns a list of texts, of which clients get the first hundred. Raises TypeError for what is used wrongly.
    """
    if not callable(function) or not isinstance(argument, str):
        message = "@completer takes a prompt or a resource, and the name of an argument: @completer(briefing, 'city')"
        raise TypeError(message)
    return _unchanged


def _check(marker: str, options: dict[str, Any], known: frozenset[str]) -> None:
    for name in options:
        if name not in known:
            message = f"{marker}() does not know the option {name!r}"
            raise TypeError(message)


def _unchanged(function: Function) -> Function:
    return function
