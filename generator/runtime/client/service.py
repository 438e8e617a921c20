"""The API behind a server: operations.json, read at the first call, and what its operations share.

That is the transport with its connections, the credentials with their tokens, the answers that were kept, and the
user's hooks. There is one service for each catalog of a process.
"""

from __future__ import annotations

from _thread import allocate_lock

from ..server.catalog import CatalogError
from ..server.surroundings import surroundings_of
from ..wire import jsonrpc
from .credentials import Credentials
from .files import Files
from .hooks import load_hooks
from .origin import split_url
from .store import AnswerStore
from .transport import Transport

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..server.catalog import Catalog
    from .origin import Origin
    from .url import Base

FILE = "operations.json"
FORMAT = 1

DEFAULT_TIMEOUT = 30.0
"""Seconds for one request when neither the operation nor the service says."""

_lock = allocate_lock()
_known: dict[Catalog, Service] = {}


def service_of(catalog: Catalog) -> Service:
    """Return the service of a catalog: one object for each. Raises CatalogError and ImportProblem."""
    found = _known.get(catalog)
    if found is None:
        with _lock:
            found = _known.get(catalog)
            if found is None:
                found = _known[catalog] = Service(catalog)
    return found


class Service:
    """What operations.json says, and what lives as long as the process."""

    __slots__ = ("_client", "_lock", "data", "hooks", "limits", "settings", "store")

    def __init__(self, catalog: Catalog) -> None:
        surroundings = surroundings_of(catalog)
        self.data = _read(f"{catalog.folder}/{FILE}")
        self.limits: Mapping[str, Any] = self.data.get("limits") or {}
        self.settings = surroundings.settings
        known = self.data.get("operations") or {}
        self.hooks = load_hooks(self.data.get("hooks"), surroundings.load, catalog.folder, known)
        self.store = AnswerStore(catalog.data["id"])
        self._client: Client | None = None
        self._lock = allocate_lock()
        catalog.answers = self.store

    def request(self, key: str) -> Mapping[str, Any]:
        """Return how an operation is requested; raises CatalogError when the file does not have it."""
        found = self.data.get("operations", {}).get(key)
        if found is None:
            raise CatalogError(f"{FILE} has no operation {key[:120]}; build the server again")
        request: Mapping[str, Any] = found
        return request

    def timeout(self, request: Mapping[str, Any]) -> float:
        """Return the seconds that one request of an operation may take."""
        return float(request.get("timeout") or self.limits.get("timeout") or DEFAULT_TIMEOUT)

    def files(self) -> Files:
        """Return access to the operator's folder, which may be none."""
        entry = self.data.get("files", "files")
        return Files(self.settings.values().get(entry), setting=self.settings.variable(entry))

    def client(self, base: Base) -> Client:
        """Return transport and credentials; new ones when the operator has chosen another API since."""
        operator = base.origin if base.operator else None
        with self._lock:
            if self._client is None or self._client.operator_origin != operator:
                self._client = Client(self, operator)
            return self._client

    def origins(self) -> set[Origin]:
        """Return the origins that the API's description names."""
        urls = [server.get("url") for server in self.data.get("servers") or ()]
        urls += [request.get("server") for request in self.data.get("operations", {}).values()]
        found = set()
        for url in dict.fromkeys(urls):
            try:
                found.add(split_url(url)[0] if url else None)
            except ValueError:  # a server nobody can call
                continue
        return {origin for origin in found if origin is not None}

    def variables(self) -> dict[str, str]:
        """Return the environment variables of all credentials by their entries."""
        schemes = (self.data.get("schemes") or {}).values()
        entries = [entry for scheme in schemes for entry in scheme.get("credentials", {}).values()]
        return {entry: self.settings.variable(entry) for entry in entries}


class Client:
    """The door to an API: a transport, and credentials for where they may go."""

    __slots__ = ("_service", "credentials", "operator_origin", "transport")

    def __init__(self, service: Service, operator_origin: Origin | None) -> None:
        self._service = service
        self.operator_origin = operator_origin
        self.transport = Transport(
            service.limits,
            allow_private=bool(service.data.get("allow_private_hosts")),
            operator_origin=operator_origin,
        )
        self.credentials = self.credentials_by(self.transport)

    def credentials_by(self, transport: Transport) -> Credentials:
        """Return credentials whose tokens are fetched by this transport."""
        origins = self._service.origins()
        if self.operator_origin is not None:
            origins.add(self.operator_origin)
        return Credentials(
            self._service.data.get("schemes") or {},
            self._service.settings.values,
            transport,
            origins,
            variables=self._service.variables(),
            operator_origin=self.operator_origin,
        )


def _read(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            data = jsonrpc.parse(file.read())
    except (OSError, jsonrpc.ParseFailure) as error:
        raise CatalogError(f"{FILE} cannot be read ({error}); build the server again") from None
    if type(data) is not dict or data.get("format") != FORMAT:
        raise CatalogError(f"{FILE} is not for this runtime; build the server again with one mcpgen")
    return data
