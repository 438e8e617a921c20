"""What a context is connected to: the facts of one call and the way back to its client.

A server implements `Channel`; a context made by hand gets an `Unconnected` one, whose messages go nowhere.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Protocol

    from .content import File

    class Channel(Protocol):
        """What a server gives a context."""

        request_id: str | int
        invocation: str
        client: Client
        request_meta: Mapping[str, object]

        def ask(self, questions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
            """Return the client's results to requests, each by its key; blocks."""

        async def ask_async(self, questions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
            """Return the client's results to requests, each by its key."""

        def given(self, questions: Mapping[str, object]) -> dict[str, Any] | None:
            """Return the answers where there is no client to ask; None where there is one."""

        def require(self, capabilities: dict[str, Any]) -> None:
            """Raise MissingRequiredClientCapability unless the client declared these."""

        def read_resource(self, uri: str) -> list[File]:
            """Return the contents of a resource of this server; blocks."""

        async def read_resource_async(self, uri: str) -> list[File]:
            """Return the contents of a resource of this server."""

        def start_task(self) -> None:
            """Let the call go on as a task, where its tool and its client know tasks."""

        def ended(self) -> bool:
            """Say whether nobody waits for the answer any more."""

        def configuration(self) -> Configuration:
            """Return the application's configuration values."""

        def log(self, level: str, data: dict[str, object] | str) -> None:
            """Send a log message if the client wants that level."""

        def progress(self, progress: float, total: float | None, message: str | None) -> None:
            """Send a progress notification if the client asked for progress."""

        def changed(self, kind: str, key: str = "") -> None:
            """Tell every client that listens of a change: of a list, or of the thing with this key."""

        def close_stream(self) -> None:
            """Let the client come back for the answer, where it can."""

else:
    from _collections_abc import Mapping  # loaded with every interpreter, unlike `collections`


class Client:
    """Who called: name and version as the client states them (both may be empty), and its capabilities."""

    __slots__ = ("capabilities", "name", "version")

    def __init__(self, name: str = "", version: str = "", capabilities: Mapping[str, object] | None = None) -> None:
        self.name = name
        self.version = version
        self.capabilities: Mapping[str, object] = capabilities if capabilities is not None else {}

    def __repr__(self) -> str:
        return f"Client(name={self.name!r}, version={self.version!r})"


class Configuration(Mapping[str, str]):
    """The application's configuration values by name: `config["token"]`, `config.token`, `config.get("token")`.

    An optional value nobody set is absent. The text form shows names only, because values may be secrets.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = dict(values or {})

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __getattr__(self, name: str) -> str:
        if not name.startswith("_") and name in self._values:
            return self._values[name]
        message = f"configuration value {name!r} is not set"
        raise AttributeError(message)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Configuration({', '.join(sorted(self._values))})"


class Unconnected:
    """The channel of a context that was made by hand: what it says goes nowhere, `answers` are its client's."""

    __slots__ = ("answers", "client", "invocation", "request_id", "request_meta", "values")

    def __init__(self, values: Mapping[str, str] | None, answers: Mapping[str, object] | None = None) -> None:
        self.values = values
        self.answers = answers or {}
        self.client = Client()
        self.invocation = "test"
        self.request_id: str | int = 0
        self.request_meta: Mapping[str, object] = {}

    def given(self, questions: Mapping[str, object]) -> dict[str, Any]:
        """Return the answers the context was made with; raises LookupError for a key without one."""
        return {key: self._answer(key) for key in questions}

    def ask(self, questions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return the answers the context was made with."""
        return self.given(questions)

    async def ask_async(self, questions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return the answers the context was made with."""
        return self.given(questions)

    def require(self, capabilities: dict[str, Any]) -> None:
        """Require nothing: there is no client that could lack it."""

    def read_resource(self, uri: str) -> list[File]:
        """Return the answer the context was made with for this URI."""
        found: list[File] = self._answer(uri)
        return found

    async def read_resource_async(self, uri: str) -> list[File]:
        """Return the answer the context was made with for this URI."""
        return self.read_resource(uri)

    def _answer(self, key: str) -> Any:
        if key not in self.answers:
            message = f"nobody is there to ask: make the context with answers={{{key!r}: ...}}"
            raise LookupError(message)
        return self.answers[key]

    def start_task(self) -> None:
        """Do nothing: nobody waits for an answer."""

    def ended(self) -> bool:
        """Say no: there is no call to end."""
        return False

    def configuration(self) -> Configuration:
        """Return the values the context was made with."""
        return Configuration(self.values)

    def log(self, level: str, data: dict[str, object] | str) -> None:
        """Drop the message."""

    def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Drop the notification."""

    def changed(self, kind: str, key: str = "") -> None:
        """Tell nobody."""

    def close_stream(self) -> None:
        """Do nothing: there is no stream."""


def capability(name: str) -> dict[str, Any]:
    """Return a capability as a ClientCapabilities object: "elicitation.url" is `{"elicitation": {"url": {}}}`."""
    first, _, rest = name.partition(".")
    return {first: capability(rest) if rest else {}}
