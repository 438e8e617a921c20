r"""Take secrets out of what an API answers, because some APIs repeat what they were sent.

A value is looked for as it is and percent-encoded, in the bytes of the answer before anything is made of them, and once
more in texts that were decoded and in JSON that was read: `\/` and `\u0041` are other bytes than `/` and `A`.
"""

from __future__ import annotations

from urllib.parse import quote

from ..wire.secret_signs import MASK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from .message import Response

SHORTEST_MASKED = 8
"""Characters from which a secret is looked for in what an API answers: a shorter one may be a word of the data."""


def forms(secrets: Iterable[str]) -> tuple[str, ...]:
    """Return secrets with their percent-encoded forms, the longest first."""
    found = {form for secret in secrets for form in (secret, quote(secret, safe="", errors="replace"), _path(secret))}
    return tuple(sorted((form for form in found if len(form) >= SHORTEST_MASKED), key=len, reverse=True))


def conceal(response: Response, secrets: Iterable[str]) -> None:
    """Replace secrets in the body, the headers and the reason of an answer; `secrets` are their forms."""
    for secret in secrets:
        response.body = response.body.replace(secret.encode("utf-8", "replace"), MASK.encode("ascii"))
        response.headers = [(name, value.replace(secret, MASK)) for name, value in response.headers]
        response.reason = response.reason.replace(secret, MASK)


def concealed(value: Any, secrets: tuple[str, ...]) -> Any:
    """Return a JSON value, or a text, with its texts and names free of secrets; shared where there is nothing to do."""
    kind = type(value)
    if kind is str:
        for secret in secrets:
            value = value.replace(secret, MASK)
        return value
    if kind is dict:
        return {concealed(name, secrets): concealed(item, secrets) for name, item in value.items()}
    return [concealed(item, secrets) for item in value] if kind is list else value


def _path(secret: str) -> str:
    return quote(secret, errors="replace")
