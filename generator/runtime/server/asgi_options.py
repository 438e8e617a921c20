"""What an ASGI application is told by its environment, and the endpoint made of it.

MCPGEN_TOKENS names a file of tokens, MCPGEN_TOKEN is the operator's one token; MCPGEN_PATH says where the endpoint is,
MCPGEN_ALLOW_HOSTS and MCPGEN_ALLOW_ORIGINS are lists with commas. They mean what the options of the command line do,
and win over the settings of the package (`settings.serve`), of which all hold here that are not about sockets.
"""

from __future__ import annotations

from . import logs, system
from .asgi_runner import AsgiRunner, AsgiServer
from .catalog import Catalog
from .http_main import connect, endpoint_of
from .http_problem import StartError
from .http_runner import Books
from .http_starting import tokens_of
from .options import UsageError, read
from .serve_settings import SettingsError, apply_limits, settle
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
NOT_OURS = ("transport", "host", "port", "workers")
"""Settings that are the ASGI server's business here."""


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
    if options.events is not None or options.activity:
        _tell_calls(catalog, options)
    tokens = tokens_of(options)
    closed = tokens is not None or options.serve.get("verify") is not None
    books = Books()
    runner = AsgiRunner(books)
    server = AsgiServer(books)
    books.server = server  # type: ignore[assignment] # all that is asked of a server
    server.runner = runner
    server.endpoint = endpoint_of(catalog, options, runner, tokens, reachable=closed)
    connect(catalog, runner, server.post)
    server.begin()
    return Served(server, options.path, message_limit(), local_only=not closed)


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
    serve = catalog.settings.get("serve") or {}
    try:
        options = read(words, server["name"], server["version"])
        settle(options, {key: value for key, value in serve.items() if key not in NOT_OURS}, system.environ)
    except (UsageError, SettingsError) as error:
        raise StartError(str(error)) from None
    apply_limits(options.serve.get("limits") or {}, http=True)
    return options


def _tell_calls(catalog: Catalog, options: Options) -> None:
    from .telling import TellingError, tell_calls

    try:
        tell_calls(catalog, options)
    except TellingError as error:
        raise StartError(str(error)) from None
