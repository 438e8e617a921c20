"""Build an operation's HTTP request from the arguments of a call; pure but for files that arguments name.

`operation` is a REQUEST of operations.json: method, path, parameters, body, accept. Arguments were validated before;
what is checked here is what a schema cannot say: that a value stays in its place in the request.
"""

from __future__ import annotations

from . import request_parameters, url
from .message import Request
from .request_body import body_of
from .values import ArgumentProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .files import Files
    from .url import Base


def build(operation: Mapping[str, Any], arguments: Mapping[str, Any], *, base: Base, files: Files) -> Request:
    """Return the request of a call, without credentials and with the time-out of any request.

    Raises ArgumentProblem, whose path starts with the argument's name, for what cannot be sent.
    """
    given, arguments = arguments, _with_defaults(operation, arguments)
    path_values, names = request_parameters.path_values(operation, arguments)
    try:
        path, fixed_query = url.expand(operation["path"], path_values.get)
    except ArgumentProblem as problem:
        raise ArgumentProblem((names[str(problem.path[0])],), problem.message) from None
    queries = [fixed_query, *request_parameters.query_parts(operation, arguments)]
    headers = []
    if operation.get("accept"):
        headers.append(("Accept", str(operation["accept"])))
    headers += request_parameters.headers(operation, arguments)
    cookies = request_parameters.cookies(operation, arguments)
    if cookies:
        headers.append(("Cookie", "; ".join(cookies)))
    content_type, body = body_of(operation.get("body"), arguments, files, given)
    if content_type is not None:
        headers.append(("Content-Type", content_type))
    return Request(
        str(operation["method"]),
        base.origin,
        url.target_of(base, path, queries),
        headers,
        body,
        idempotent=bool(operation.get("idempotent")),
    )


def _with_defaults(operation: Mapping[str, Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments with the configured values of those that are absent, or null without a meaning."""
    defaults: Mapping[str, Any] = operation.get("defaults") or {}
    if not defaults:
        return arguments
    nullable = (operation.get("body") or {}).get("nullable_fields", ())
    given = {name: value for name, value in arguments.items() if value is not None or name in nullable}
    return {**arguments, **defaults, **given}
