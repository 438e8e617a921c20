"""How contexts ask: the same calls, awaited in a `Context` and blocking in a `SyncContext`.

Every question has a key, unique within the function. A client of 2026-07-28 sends the whole call again together with
its answers, so what stands before a question runs again: it must be repeatable.
"""

from __future__ import annotations

from .channel import capability
from .questions import DEFAULT_MAX_TOKENS, Elicit, Roots, Sample

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal, TypeVar, overload

    from .channel import Channel
    from .content import File
    from .questions import Question
    from .refusals import Cancelled, Declined
    from .replies import Reply, Root

    Value = TypeVar("Value")


class Requiring:
    """What needs no answer of the client."""

    __slots__ = ()

    if TYPE_CHECKING:
        _channel: Channel

    def require(self, *capabilities: str) -> None:
        """Raise MissingRequiredClientCapability unless the client declared them all: "sampling", "elicitation.url"."""
        for name in capabilities:
            self._channel.require(capability(name))


class AsyncAsking(Requiring):
    """Questions that are awaited."""

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        async def elicit(self, key: str, message: str) -> Literal[True] | Declined | Cancelled: ...
        @overload
        async def elicit(self, key: str, message: str, *, schema: type[Value]) -> Value | Declined | Cancelled: ...
        @overload
        async def elicit(
            self, key: str, message: str, *, schema: Mapping[str, object]
        ) -> dict[str, Any] | Declined | Cancelled: ...
        @overload
        async def elicit(self, key: str, message: str, *, schema: object) -> Any: ...

    async def elicit(self, key: str, message: str, *, schema: Any = None) -> Any:
        """Ask the person to fill in a form; return the value, or the falsy `Declined()` or `Cancelled()`.

        `schema` is as for `Elicit`. Raises MissingRequiredClientCapability, ClientError.
        """
        return (await self.ask(**{key: Elicit(message, schema)}))[key]

    async def elicit_url(self, key: str, message: str, url: str) -> Literal[True] | Declined | Cancelled:
        """Ask the person to go to a web page, for what must not pass through the client, such as a secret.

        True says that the person went there, not that they are done. For clients from 2025-11-25 on.
        """
        found: Literal[True] | Declined | Cancelled = (await self.ask(**{key: Elicit(message, url=url)}))[key]
        return found

    async def sample(self, key: str, messages: object, *, max_tokens: int = DEFAULT_MAX_TOKENS, **more: Any) -> Reply:
        """Have the client's model say something; `more` is as for `Sample`."""
        found: Reply = (await self.ask(**{key: Sample(messages, max_tokens=max_tokens, **more)}))[key]
        return found

    async def roots(self, *, key: str = "roots") -> list[Root]:
        """Return the folders and files that the client lets servers work on."""
        found: list[Root] = (await self.ask(**{key: Roots()}))[key]
        return found

    async def ask(self, /, **questions: Question) -> dict[str, Any]:
        """Ask several questions at once and return the answers by the same keys."""
        requests = {key: question.request(key) for key, question in questions.items()}
        given = self._channel.given(questions)
        if given is not None:
            return given
        results = await self._channel.ask_async(requests)
        return {key: question.read(key, results[key]) for key, question in questions.items()}

    async def read_resource(self, uri: str) -> list[File]:
        """Read a resource of this server; raises ToolError where there is none or it cannot be read."""
        return await self._channel.read_resource_async(uri)


class Asking(Requiring):
    """Questions that block."""

    __slots__ = ()

    if TYPE_CHECKING:

        @overload
        def elicit(self, key: str, message: str) -> Literal[True] | Declined | Cancelled: ...
        @overload
        def elicit(self, key: str, message: str, *, schema: type[Value]) -> Value | Declined | Cancelled: ...
        @overload
        def elicit(
            self, key: str, message: str, *, schema: Mapping[str, object]
        ) -> dict[str, Any] | Declined | Cancelled: ...
        @overload
        def elicit(self, key: str, message: str, *, schema: object) -> Any: ...

    def elicit(self, key: str, message: str, *, schema: Any = None) -> Any:
        """Ask the person to fill in a form; return the value, or the falsy `Declined()` or `Cancelled()`.

        `schema` is as for `Elicit`. Raises MissingRequiredClientCapability, ClientError.
        """
        return self.ask(**{key: Elicit(message, schema)})[key]

    def elicit_url(self, key: str, message: str, url: str) -> Literal[True] | Declined | Cancelled:
        """Ask the person to go to a web page, for what must not pass through the client, such as a secret.

        True says that the person went there, not that they are done. For clients from 2025-11-25 on.
        """
        found: Literal[True] | Declined | Cancelled = self.ask(**{key: Elicit(message, url=url)})[key]
        return found

    def sample(self, key: str, messages: object, *, max_tokens: int = DEFAULT_MAX_TOKENS, **more: Any) -> Reply:
        """Have the client's model say something; `more` is as for `Sample`."""
        found: Reply = self.ask(**{key: Sample(messages, max_tokens=max_tokens, **more)})[key]
        return found

    def roots(self, *, key: str = "roots") -> list[Root]:
        """Return the folders and files that the client lets servers work on."""
        found: list[Root] = self.ask(**{key: Roots()})[key]
        return found

    def ask(self, /, **questions: Question) -> dict[str, Any]:
        """Ask several questions at once and return the answers by the same keys."""
        requests = {key: question.request(key) for key, question in questions.items()}
        given = self._channel.given(questions)
        if given is not None:
            return given
        results = self._channel.ask(requests)
        return {key: question.read(key, results[key]) for key, question in questions.items()}

    def read_resource(self, uri: str) -> list[File]:
        """Read a resource of this server; raises ToolError where there is none or it cannot be read."""
        return self._channel.read_resource(uri)
