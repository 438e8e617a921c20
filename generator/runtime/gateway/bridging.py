"""Questions to a legacy client on behalf of a child: requests of ours on the stream of the call they belong to."""

from __future__ import annotations

from ..server.asking_legacy import Legacy, Waiting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..server.call import Call


class Bridge:
    """The questions of one round to a legacy client; `told` is called with itself once there is no more to wait for."""

    __slots__ = ("_told", "_waiting")

    def __init__(self, call: Call, questions: dict[str, dict[str, Any]], told: Callable[[Bridge], None]) -> None:
        self._told = told
        self._waiting = Waiting(call, questions, self._tell)

    @property
    def id(self) -> str:
        """The id of the first question, which is that of an elicitation by URL, too."""
        return self._waiting.ids()[0]

    def send(self) -> None:
        """Send the questions; raises ValueError for one that the client's revision has no form for."""
        self._waiting.send()

    def results(self) -> dict[str, dict[str, Any]]:
        """Return the answers by key; raises ClientError if one of them is an error."""
        return self._waiting.results()

    def said(self) -> dict[str, dict[str, Any]]:
        """Return the responses by key as they came."""
        return self._waiting.said()

    def close(self) -> None:
        """Expect nothing any more; the client is told which of its answers nobody waits for."""
        self._waiting.close()

    def _tell(self) -> None:
        self._waiting.close()
        self._told(self)


def check(call: Call, questions: dict[str, dict[str, Any]]) -> None:
    """Raise ClientError or MissingRequiredClientCapability unless a legacy client can be asked all of these."""
    Legacy(call).check(questions)
