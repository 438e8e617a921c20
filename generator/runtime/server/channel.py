"""The server's end of a context: log and progress messages of one call, and its facts."""

from __future__ import annotations

from ..authoring.channel import Client, Configuration
from ..wire.dialects import META_CAPABILITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..authoring.content import File
    from ..authoring.contexts import Context, SyncContext
    from .call import Call
    from .settings import Settings


class CallChannel:
    """Connects a context to a call that a client waits for."""

    __slots__ = ("_call", "_settings", "client", "invocation", "request_id", "request_meta")

    def __init__(self, call: Call, settings: Settings) -> None:
        self._call = call
        self._settings = settings
        self.invocation = "mcp"
        self.request_id = call.request_id
        self.request_meta: Mapping[str, object] = dict(call.meta)
        self.client = client_of(call)

    def ended(self) -> bool:
        """Say whether the call was cancelled, timed out or answered."""
        return self._call.cancelled or self._call.finished

    def configuration(self) -> Configuration:
        """Return the application's configuration values."""
        return Configuration(self._settings.values())

    def ask(self, questions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return the client's results to questions, each by its key; blocks."""
        from .asking import interaction_of

        return interaction_of(self._call).ask(questions)

    async def ask_async(self, questions: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return the client's results to questions, each by its key."""
        from .asking import interaction_of

        return await interaction_of(self._call).ask_async(questions)

    def given(self, questions: Mapping[str, object]) -> None:
        """Return no answers: a client is there to ask."""

    def read_resource(self, uri: str) -> list[File]:
        """Return the contents of a resource; raises ToolError."""
        from .reading import read

        return read(self._call, uri)

    async def read_resource_async(self, uri: str) -> list[File]:
        """Return the contents of a resource; raises ToolError."""
        from .reading import read_async

        return await read_async(self._call, uri)

    def require(self, capabilities: dict[str, Any]) -> None:
        """Raise MissingRequiredClientCapability unless the client declared these capabilities."""
        from .asking_capabilities import require

        require(self._call, [capabilities])

    def start_task(self) -> None:
        """Let the call go on as a task, where its tool and its client know tasks."""
        if self._call.tool.task is not None:
            from .task_start import detach

            detach(self._call)

    def log(self, level: str, data: dict[str, object] | str) -> None:
        """Send a log message; what is not JSON in `data` is named by its type."""
        self._call.log(level, self._masked(data if type(data) is str else _as_json(data)), self._call.tool.name)

    def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Send a progress notification."""
        self._call.progress(progress, total, self._masked(message))

    def _masked(self, told: Any) -> Any:
        """Return what a client is told beside its answer, without configured secrets: hosts write it to their logs."""
        secrets = self._settings.secrets()
        if not secrets:
            return told
        from .masking import mask_json

        return mask_json(told, secrets)

    def changed(self, kind: str, key: str = "") -> None:
        """Tell every client that listens of a change, also when the call has ended."""
        self._call.changed(kind, key)

    def close_stream(self) -> None:
        """Let the client come back for the answer, where it can."""
        if not self.ended():
            self._call.send(b"")


def context_class(handler: Any, name: str, kind: str) -> type[Context | SyncContext]:
    """Return the class of context a parameter gets: the plain one of its kind, or the author's own subclass of it."""
    from ..authoring.contexts import Context, SyncContext

    plain = Context if kind == "async" else SyncContext
    try:
        for wanted in _classes(handler.__annotations__[name], handler.__globals__):
            if isinstance(wanted, type) and issubclass(wanted, plain):
                return wanted
    except Exception:  # noqa: BLE001 # no annotation, or one that cannot be read: the catalog knows the kind
        return plain
    return plain


def _classes(annotation: Any, names: dict[str, Any]) -> list[Any]:
    """Return what an annotation names: a class, one in quotes, or the arms of a union."""
    if isinstance(annotation, str):
        arms = annotation.strip("\"'").removeprefix("Optional[").removesuffix("]").split("|")
        return [names.get(arm.strip(" \"'")) for arm in arms]
    return [annotation, *getattr(annotation, "__args__", ())]


def client_of(call: Call) -> Client:
    """Return who called."""
    told: dict[str, Any] = call.client
    capabilities = call.meta.get(META_CAPABILITIES) or told.get("capabilities")
    return Client(
        str(told.get("name", "")),
        str(told.get("version", "")),
        capabilities if isinstance(capabilities, dict) else {},
    )


def _as_json(data: Any) -> object:
    from ..schema.results import ResultProblem, to_json

    sendable = {}
    for name, value in data.items():
        try:
            sendable[name] = to_json(value)
        except ResultProblem:
            sendable[name] = f"<{type(value).__name__}>"
    return sendable
