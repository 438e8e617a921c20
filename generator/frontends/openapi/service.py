"""What all operations of an API share when the server runs: addresses, credentials, limits (`operations.json`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .security import BASE_URL, FILES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .security import Credentials
    from .settings import OpenApiRequest

LIMITS: Mapping[str, Any] = {
    # Seconds for a request with all of its retries: hosts give a tool call about a minute.
    "timeout": 30,
    # Further attempts at an idempotent request; more only make an overload worse.
    "retries": 2,
    # Bytes read of an answer, unpacked: 10 MiB.
    "max_answer_bytes": 10 << 20,
    # Bytes of a result that reach the model, about 25,000 tokens.
    "max_result_bytes": 100_000,
    # After so many failures in a row the API is left alone for so many seconds.
    "breaker": {"failures": 5, "reset": 30},
}
"""What a request may take unless [tool.mcpgen.openapi.limits] says otherwise."""


def service_of(
    request: OpenApiRequest, servers: Sequence[str], pinned: str | None, credentials: Credentials
) -> dict[str, Any]:
    """Return the part of `operations.json` that is not a single operation's."""
    return {
        "servers": [{"url": url} for url in servers],
        "base_url": BASE_URL,
        "files": FILES,
        **({"pinned": pinned} if pinned else {}),
        "allow_private_hosts": request.allow_private_hosts,
        "schemes": dict(credentials.schemes),
        "limits": {**LIMITS, **request.limits},
        "hooks": request.hooks,
    }
