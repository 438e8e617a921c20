"""What an ASGI application is told by its environment, and the endpoint made of it.

MCPGEN_TOKENS names a file of tokens, MCPGEN_TOKEN is the operator's one token; MCPGEN_PATH says where the endpoint is,
MCPGEN_ALLOW_HOSTS and MCPGEN_ALLOW_ORIGINS are lists with commas. They mean what the options of the command line do.
"""

from __future__ import annotations

from secrets import token_urlsafe

from . import http_main, logs, system
from .asgi_runner import AsgiRunner, AsgiServer
from .catalog import Catalog
from .http_endpoint import Endpoint
from .http_main import SESSION_BYTES, StartError
from .http_rules import Rules
from .http_runner import Books
from .http_sessions import Sessions
from .options import UsageError, read
from .streams import message_limit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .options import Options

TOKEN_VARIABLE = "MCPGEN_TOKEN"  # noqa: S105 # its name
VARIABLES = {
    "MCPGEN_TOKENS": "--tokens",
    "MCPGEN_PATH": "--path",
    "MCPGEN_ALLOW_HOSTS": "--allow-host",
    "MCPGEN_ALLOW_ORIGINS": "--allow-origin",
}
"""Variables and the options they stand for."""

LISTS = ("--allow-host", "--allow-origin")


class Served:
    """What serves on one event loop: the endpoint's path, the bound on bodies, whether other machines are refused."""

    __slots__ = ("limit", "local_only", "path", "server")

    def __init__(self, server: AsgiServer, path: str, limit: int, *, local_only: bool) -> None:
        self.server = server
        self.path = path
        self.limit = limit
        self.local_only = local_only


def served(package: str, folder: str) -> Served:
    """Make what serves a package on the running loop; raises CatalogError, StartError."""
    catalog = Catalog(package, folder)
    options = _options(catalog)
    logs.configure(
        log_format=catalog.settings.get("log_format") or "text",
        obscure_errors=bool(catalog.settings.get("obscure_errors")),
    )
    tokens = http_main.tokens_of(options)
    books = Books()
    runner = AsgiRunner(books)
    server = AsgiServer(books)
    limit = message_limit()
    rules = Rules(
        options.path,
        limit=limit,
        hosts=options.allow_host,
        origins=options.allow_origin,
        any_address=tokens is not None,
    )
    server.runner = runner
    server.endpoint = Endpoint(catalog, runner, rules, Sessions(lambda: token_urlsafe(SESSION_BYTES)), tokens)
    books.server = server  # type: ignore[assignment] # all that is asked of a server
    if catalog.header.get("changes"):
        from .hub import Hub

        catalog.hub = Hub(server.post)
    server.begin()
    return Served(server, options.path, limit, local_only=tokens is None)


def _options(catalog: Catalog) -> Options:
    """Return what the environment says, as a command line would; raises StartError."""
    words = ["--http"]
    for variable, option in VARIABLES.items():
        value = system.environ.get(variable.encode(), b"").decode("utf-8", "replace")
        values = [each.strip() for each in value.split(",")] if option in LISTS else [value]
        for each in filter(None, values):
            words += [f"{option}={each}"]
    if system.environ.get(TOKEN_VARIABLE.encode()):
        words += ["--token-env", TOKEN_VARIABLE]
    server = catalog.header["server"]
    try:
        return read(words, server["name"], server["version"])
    except UsageError as error:
        raise StartError(str(error)) from None
