"""What a context can ask: a form or a web page for a person, a message of the client's model, the client's roots.

Each question makes an MCP request and reads its result. `ctx.elicit`, `ctx.sample` and `ctx.roots` ask one, and
`ctx.ask(first=Elicit(...), second=Sample(...))` asks several at once.
"""

from __future__ import annotations

from .refusals import Cancelled, Declined
from .replies import Reply, Root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from .forms import Form

    Question: TypeAlias = "Elicit | Sample | Roots"

DEFAULT_MAX_TOKENS = 1024
"""What a model may say unless the author wants more; MCP has no default."""

URL_SCHEMES = ("https://", "http://")


class Elicit:
    """A question to the person: a form of `schema`, or a page at `url` where the person does something.

    `schema` is bool, int, float, str, a Literal, an Enum, a list of those two for several choices, a flat dataclass or
    TypedDict, or a JSON Schema as MCP restricts it; without one the person just goes on or does not. Raises ValueError,
    TypeError for what no form can have. Never ask for secrets in a form.
    """

    __slots__ = ("message", "schema", "url")

    def __init__(self, message: str, schema: object = None, *, url: str | None = None) -> None:
        if url is not None and (schema is not None or not url.startswith(URL_SCHEMES)):
            complaint = "url= is a web address, and a page has no schema="
            raise ValueError(complaint)
        self.message = message
        self.schema = schema
        self.url = url

    def request(self, key: str) -> dict[str, Any]:
        """Return the MCP request; a plain value is the form's one field, called as the key."""
        if self.url is not None:
            params: dict[str, Any] = {"mode": "url", "message": self.message, "url": self.url}
            return {"method": "elicitation/create", "params": params}
        params = {"mode": "form", "message": self.message, "requestedSchema": self._form(key).schema}
        return {"method": "elicitation/create", "params": params}

    def read(self, key: str, result: Mapping[str, Any]) -> Any:
        """Return the value of a result, `Declined` or `Cancelled`; True where there is no value."""
        action = result["action"]
        if action != "accept":
            return Declined() if action == "decline" else Cancelled()
        return True if self.url is not None else self._form(key).read(result.get("content") or {})

    def _form(self, key: str) -> Form:
        from .forms import Form  # imports typing and dataclasses

        return Form(self.schema, key)


class Sample:
    """A request to the client's model; `messages` is a text of the user, a Message, or a list of these.

    `tools` and `tool_choice` are as in MCP and need a client that declares `sampling.tools`.
    """

    __slots__ = ("messages", "params")

    def __init__(
        self,
        messages: object,
        *,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        system: str | None = None,
        temperature: float | None = None,
        stop: Sequence[str] | None = None,
        models: Mapping[str, object] | None = None,
        include_context: str | None = None,
        metadata: Mapping[str, object] | None = None,
        tools: Sequence[Mapping[str, object]] | None = None,
        tool_choice: Mapping[str, object] | None = None,
    ) -> None:
        several = isinstance(messages, list | tuple)
        self.messages = [_message(each) for each in (messages if several else (messages,))]  # type: ignore[attr-defined] # a list or tuple
        optional = {
            "systemPrompt": system,
            "temperature": temperature,
            "stopSequences": None if stop is None else list(stop),
            "modelPreferences": models,
            "includeContext": include_context,
            "metadata": metadata,
            "tools": None if tools is None else list(tools),
            "toolChoice": tool_choice,
        }
        self.params = {"maxTokens": max_tokens} | {name: each for name, each in optional.items() if each is not None}

    def request(self, key: str) -> dict[str, Any]:  # noqa: ARG002 # as every question's
        """Return the MCP request."""
        return {"method": "sampling/createMessage", "params": {"messages": self.messages, **self.params}}

    def read(self, key: str, result: Mapping[str, Any]) -> Reply:  # noqa: ARG002 # as every question's
        """Return what the model said."""
        return Reply(
            result["content"], role=result["role"], model=result.get("model", ""), stop=result.get("stopReason")
        )


class Roots:
    """A request for the folders and files that the client lets servers work on."""

    __slots__ = ()

    def request(self, key: str) -> dict[str, Any]:  # noqa: ARG002 # as every question's
        """Return the MCP request."""
        return {"method": "roots/list"}

    def read(self, key: str, result: Mapping[str, Any]) -> list[Root]:  # noqa: ARG002 # as every question's
        """Return the roots."""
        return [Root(each["uri"], name=each.get("name")) for each in result["roots"]]


def _message(said: Any) -> dict[str, Any]:
    """Return one MCP SamplingMessage; what is no message is said by the user."""
    role, content = "user", said
    if getattr(type(said), "__mcp_message__", False):
        role, content = said.role, said.content
    elif isinstance(said, dict) and "role" in said:
        role, content = said["role"], said.get("content")
    several = isinstance(content, list | tuple)
    blocks = [_block(part) for part in (content if several else (content,))]
    return {"role": role, "content": blocks if several else blocks[0]}


def _block(part: Any) -> dict[str, Any]:
    """Return one content block; raises TypeError for what has none."""
    if isinstance(part, str):
        return {"type": "text", "text": part}
    if getattr(type(part), "__mcp_content__", False):
        block: dict[str, Any] = part.to_block()
        return block
    if isinstance(part, dict) and isinstance(part.get("type"), str):
        return part
    message = f"a model is told a text, a content object or a content block, not {type(part).__name__}"
    raise TypeError(message)
