"""What is wrong with credentials, told without them."""

from __future__ import annotations


class CredentialProblem(Exception):
    """Credentials are there but cannot be used: `message` and `suggestion` never hold one.

    `retryable` says whether the same call may work a little later.
    """

    def __init__(self, message: str, suggestion: str = "", *, retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.retryable = retryable


class MissingCredentials(Exception):
    """No alternative is fully configured.

    `alternatives` lists them in order: each is the list of what is missing for it, as (configuration entry, environment
    variable). Setting all of any one of them is enough.
    """

    def __init__(self, alternatives: list[list[tuple[str, str]]]) -> None:
        self.alternatives = alternatives
        super().__init__(
            "; or ".join(" and ".join(variable for _, variable in needed) for needed in alternatives)
            or "no credential is configured"
        )
