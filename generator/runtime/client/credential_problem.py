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
        super().__init__(self.wanted or "no credential is configured")

    @property
    def wanted(self) -> str:
        """The variables that would do, in words, "" when there are none: `A_USER and A_PASSWORD, or A_TOKEN`."""
        choices = [" and ".join(dict.fromkeys(variable for _, variable in each)) for each in self.alternatives if each]
        return ", or ".join(dict.fromkeys(choices))
