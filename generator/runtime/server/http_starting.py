"""What a server is told by its options and settings, made into what guards and limits it. Raises StartError."""

from __future__ import annotations

from . import system
from .http_problem import StartError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .catalog import Catalog
    from .http_activity import Activity
    from .http_metadata import Metadata
    from .http_rates import Rates, ToolRates
    from .http_tokens import Tokens
    from .http_verify import Verifier
    from .http_views import Views
    from .options import Options

IS_ASYNC = 0x0080 | 0x0020 | 0x0200
"""Bits of a code object whose call gives a coroutine or a generator, as in `inspect`."""


def tokens_of(options: Options) -> Tokens | None:
    """Return the known tokens, None without any."""
    listed = options.serve.get("tokens")
    if options.tokens is None and options.token_env is None and not listed:
        return None
    from .http_tokens import TokensError, environment_token, listed_tokens, read_tokens

    try:
        if options.tokens is not None:
            return read_tokens(options.tokens)
        if listed:
            return listed_tokens(listed)
        name = options.token_env or ""
        return environment_token(name, system.environ.get(name.encode(), b"").decode("utf-8", "replace"))
    except TokensError as error:
        raise StartError(str(error)) from None


def verifier_of(
    catalog: Catalog, options: Options, post: Callable[..., None], tokens: Tokens | None
) -> Verifier | None:
    """Return what asks the author's check of tokens; its module is imported now, so that a wrong name ends here."""
    target = options.serve.get("verify")
    if target is None:
        return None
    from ..schema.imports import ImportProblem
    from .http_verify import Verifier
    from .surroundings import surroundings_of

    surroundings = surroundings_of(catalog)
    surroundings.lay()
    try:
        judge: Any = surroundings.load(target)
    except ImportProblem as problem:
        raise StartError(f"the setting `verify` cannot be used: {problem.message}") from None
    code = getattr(judge, "__code__", None)
    if not callable(judge) or (code is not None and code.co_flags & IS_ASYNC):
        raise StartError(f"the setting `verify` names {target}, which is no plain function")
    taken = tokens.names if tokens is not None else frozenset()
    return Verifier(judge, post, audience=options.serve.get("resource"), taken=taken)


def metadata_of(catalog: Catalog, options: Options) -> Metadata | None:
    """Return what the server says of how it is protected, None without authorization servers."""
    servers = options.serve.get("authorization_servers")
    if not servers:
        return None
    from .http_metadata import Metadata

    server = catalog.header["server"]
    return Metadata(
        options.path,
        resource=options.serve.get("resource"),
        servers=servers,
        scopes=lambda: catalog.data.get("scopes") or [],
        name=server.get("title") or server["name"],
    )


def activity_of(catalog: Catalog, options: Options, post: Callable[..., None]) -> Activity | None:
    """Return what shows the calls as they come, None where it is not asked for."""
    if not options.activity or catalog.events is None:
        return None
    from .http_activity import Activity

    activity = Activity(post)
    catalog.events.add(activity.take)
    return activity


def rates_of(options: Options) -> Rates | None:
    """Return how often a token may ask."""
    limit = options.serve.get("rate_limit")
    if limit is None:
        return None
    from .http_rates import Rates

    return Rates(limit)


def tool_rates_of(options: Options) -> ToolRates | None:
    """Return how often tools may be called."""
    limits = options.serve.get("tool_rate_limits")
    if not limits:
        return None
    from .http_rates import ToolRates

    return ToolRates(limits)


def views_of(catalog: Catalog, options: Options) -> Views | None:
    """Return what lists show to whom, None where they show everything."""
    if not options.serve.get("filter_lists"):
        return None
    from .http_views import Views

    return Views(catalog)
