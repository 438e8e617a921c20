"""Credentials that a description has as plain parameters: the model would have to know them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .findings import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .findings import Findings
    from .model import Api, Operation, Parameter
    from .selection import Candidate

SECRETS = frozenset(
    (
        "accesskey", "accesstoken", "apikey", "apisecret", "apitoken", "appsecret", "authkey", "authtoken",
        "authorization", "bearertoken", "ocpapimsubscriptionkey", "privatetoken", "secretkey",
        "securitytoken", "sessiontoken", "subscriptionkey", "xaccesstoken", "xamzsecuritytoken", "xapikey", "xapitoken",
        "xauthtoken", "xauthkey", "xiapikey",
    )
)  # fmt: skip
"""Names of credentials, in small letters without signs."""

PAIRED = frozenset(("key", "token"))
"""Names that mean a credential only where an operation has both, or in a cookie: pages have tokens, too."""

_LOCATIONS = ("query", "header", "cookie")


def report_exposed(api: Api, selected: Sequence[Candidate], findings: Findings) -> None:
    """Warn of credentials among the arguments of tools, and of those whose value the settings would publish."""
    declared = {(each.location, (each.parameter or "").lower()) for each in api.schemes.values()}
    for each in selected:
        for parameter in _credentials(each.operation):
            if (parameter.location, parameter.name.lower()) in declared:
                continue
            what = f"the {parameter.location} parameter `{shown(parameter.name)}` of `{shown(each.operation.key)}`"
            if parameter.name in each.rule.defaults:
                message = f"{what} looks like a credential, and its value in `defaults` is published with the server"
            else:
                message = f"{what} looks like a credential that the model would have to know"
            findings.group("exposed-credential", message, place=parameter.place, unit=each.operation.key, hint=ADVICE)


ADVICE = (
    "Declare it under `components.securitySchemes` and `security` with an overlay; then it comes from the environment "
    "and is no argument (docs/openapi.md)."
)
"""How a parameter becomes a credential."""


def _credentials(operation: Operation) -> Iterator[Parameter]:
    here = [each for each in operation.parameters if each.location in _LOCATIONS]
    pair = {_bare(each.name) for each in here} >= PAIRED
    for each in here:
        name = _bare(each.name)
        if name in SECRETS or (name in PAIRED and (pair or each.location == "cookie")):
            yield each


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name)).lower()
