"""What children are told of a caller, made once for a caller that calls often, and written once too."""

from __future__ import annotations

from ..wire import jsonrpc
from ..wire.dialects import LATEST_MODERN, META_CAPABILITIES, META_CLIENT, META_LOG_LEVEL, META_VERSION
from ..wire.jsonrpc import Refusal
from .translate_requests import capabilities_for, client_of, passed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.call import Call
    from ..wire.dialects import Dialect

LEGACY_END = b"}}\n"
"""How a request ends that says nothing of its caller."""


class Caller:
    """One caller: `meta` is what goes on, `end` how a request to a modern child ends, `plain` how one to a legacy.

    `level` is the one of the log that it wants to hear of. Raises Refusal for what cannot be written, as 1e400.
    """

    __slots__ = (
        "_answerable", "_dialect", "_meta", "_meta_text", "_told", "_told_text", "capabilities", "client", "end",
        "level", "meta", "plain",
    )  # fmt: skip

    def __init__(self, call: Call, ours: dict[str, Any]) -> None:
        self._told = call.client
        self._meta = call.meta
        self.level = call.log_level
        self._dialect: Dialect = call.dialect
        self._answerable = call.answerable
        self.meta = passed_on(call.meta)
        self.client = client_of(call)
        self.capabilities = capabilities_for(call)
        told: dict[str, Any] = {
            **self.meta,
            META_VERSION: LATEST_MODERN.version,
            META_CLIENT: self.client or ours,
            META_CAPABILITIES: self.capabilities,
        }
        if call.log_level is not None:
            told[META_LOG_LEVEL] = call.log_level
        try:
            self.end = b',"_meta":' + jsonrpc.encode(told) + LEGACY_END
            self.plain = b',"_meta":' + jsonrpc.encode(self.meta) + LEGACY_END if self.meta else LEGACY_END
            self._meta_text, self._told_text = _text(self._meta), _text(self._told)
        except (ValueError, RecursionError):
            what = "Invalid params: _meta, or what the client said of itself, holds what no JSON can say"
            raise Refusal(jsonrpc.INVALID_PARAMS, what) from None

    def is_of(self, call: Call) -> bool:
        """Say whether a call comes from the same caller, who said the same of itself."""
        return (
            (self._meta is call.meta or (self._meta == call.meta and _is_text(self._meta_text, call.meta)))
            and (self._told is call.client or (self._told == call.client and _is_text(self._told_text, call.client)))
            and self.level == call.log_level
            and self._dialect is call.dialect
            and self._answerable == call.answerable
        )


class Callers:
    """The caller that called last: mostly the same one calls again."""

    __slots__ = ("_last", "_ours")

    def __init__(self, ours: dict[str, Any]) -> None:
        self._ours = ours
        self._last: Caller | None = None

    def of(self, call: Call) -> Caller:
        """Return the caller of a call."""
        last = self._last
        if last is None or not last.is_of(call):
            self._last = last = Caller(call, self._ours)
        return last


def _text(said: dict[str, Any]) -> str | None:
    """Return the text by which what is said is told from what Python takes for equal; None where there is no such."""
    return jsonrpc.text(said) if _has_numbers(said) else None


def _is_text(known: str | None, said: dict[str, Any]) -> bool:
    """Say whether what is said has the text that is known, if that had to be kept."""
    return known is None or known == jsonrpc.text(said)


def _has_numbers(value: Any) -> bool:
    """Say whether a value holds a number or a truth value: 1, 1.0 and true are equal in Python, and not in JSON."""
    if type(value) is dict:
        return any(map(_has_numbers, value.values()))
    if type(value) is list:
        return any(map(_has_numbers, value))
    return type(value) is not str and value is not None
