"""The entry point of a generated server: `serve` for the process, `invoke` for tests."""

from __future__ import annotations

import sys

from . import system
from .catalog import Catalog, CatalogError
from .session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .options import Options

USAGE_EXIT = 2
REFUSED_EXIT = 3
SINGLE = (
    "--status is for a gateway, which keeps other servers running; this is a single server. --list prints what it has, "
    "--doctor says whether it can run; a process that serves HTTP answers /health and /ready"
)


def serve(package: str, folder: str) -> NoReturn:
    """Serve the package's catalog, over stdio or as the command line says, until its end; leaves the process."""
    try:
        catalog = Catalog(package, folder)
    except CatalogError as error:
        _complain(f"{package}: {error}")
    arguments = sys.argv[1:]
    settings = catalog.settings
    told = settings.get("log_format") or settings.get("obscure_errors") or settings.get("serve")
    if told or arguments not in ([], ["--mcp"], ["mcp"]):
        options = _configure(arguments, catalog)
        if options.http:
            _serve_http(catalog, options)
    elif system.isatty(2):
        _announce(catalog)
    from .stdio import Stdio
    from .streams import take

    try:
        source, sink = take()
    except OSError as error:
        _complain(f"{package}: there is no standard output to serve on ({error.strerror})")
    Stdio(Session(catalog), source, sink).serve()


def invoke(package: str, folder: str, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run one tool in this process, as tools/call would, and return its CallToolResult; an event loop may be running.

    Raises LookupError for an unknown name.
    """
    from ..wire.dialects import LATEST_LEGACY
    from .call import Call

    tool = Catalog(package, folder).tools.get(name)
    if tool is None:
        raise LookupError(f"{package} has no tool named {name!r}")
    call = Call(
        tool,
        0,
        {} if arguments is None else arguments,
        raw=b"",
        meta={},
        dialect=LATEST_LEGACY,
        log_level=None,
        client={},
    )
    from .invoke import run, run_async

    call.run_coroutine = _complete
    return _complete(run_async(call)) if tool.is_async else run(call)


def _complete(coroutine: Any) -> Any:
    """Run a coroutine on a loop of its own; where one runs already, as in an async test, in a thread of its own."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    import contextvars
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(contextvars.copy_context().run, asyncio.run, coroutine).result()


def _serve_http(catalog: Catalog, options: Options) -> NoReturn:
    from .http_main import serve_http
    from .http_problem import StartError

    try:
        serve_http(catalog, options)
    except StartError as error:
        _complain(f"{catalog.header['server']['name']}: {error}")


def _configure(arguments: list[str], catalog: Catalog) -> Options:
    from . import logs
    from .options import UsageError, read

    server = catalog.header["server"]
    try:
        serve = catalog.settings.get("serve") or {}
        options = read(arguments, server["name"], server["version"], transport=serve.get("transport", "stdio"))
    except UsageError as error:
        _complain(f"{server['name']}: {error}")
    if options.show is not None:
        system.write(1, options.show.encode())
        sys.exit(0)
    if options.registers is not None:
        _register(catalog.folder, options, server["name"])
    if options.about is not None:
        _report(catalog, options, transport=serve.get("transport", "stdio"))
    if serve:
        _settle(options, serve, server["name"])
    try:
        logs.configure(
            log_format=options.log_format or catalog.settings.get("log_format") or "text",
            log_file=options.log_file,
            dev=options.dev,
            obscure_errors=options.obscure_errors or bool(catalog.settings.get("obscure_errors")),
        )
    except OSError as error:
        _complain(f"{server['name']}: --log-file cannot be opened: {error.strerror}: {options.log_file}")
    if options.events is not None or options.activity:
        from .telling import TellingError, tell_calls

        try:
            tell_calls(catalog, options)
        except TellingError as error:
            _complain(f"{server['name']}: {error}")
    if not options.http and (options.verbose or system.isatty(2)):
        _announce(catalog)
    return options


def _register(folder: str, options: Options, name: str) -> NoReturn:
    """Change the registry instead of serving, and leave the process."""
    from ..registry.installing import install, uninstall
    from ..registry.problems import RegistryError

    try:
        done = (install if options.registers == "--mcp-install" else uninstall)(folder, options.name)
    except RegistryError as error:
        _complain(f"{name}: {error.problem.told()}", REFUSED_EXIT if error.is_refusal else USAGE_EXIT)
    system.write(1, f"{done}\n".encode("utf-8", "replace"))
    sys.exit(0)


def _report(catalog: Catalog, options: Options, *, transport: str) -> NoReturn:
    """Print what is asked about the server, and leave the process."""
    if options.about == "--status":
        _complain(f"{catalog.header['server']['name']}: {SINGLE}")
    from .self_report import examine, list_all

    options.http = transport == "http"
    try:
        if options.about == "--list":
            code = list_all(catalog, as_json=options.json)
        else:
            code = examine(catalog, options, as_json=options.json)
    except CatalogError as error:
        _complain(f"{catalog.header['server']['name']}: {error}")
    except OSError:
        code = 0  # nobody reads it
    system.leave(code)  # threads that a module started wait for nobody


def _settle(options: Options, serve: dict[str, Any], name: str) -> None:
    from .serve_settings import SettingsError, apply_limits, settle

    try:
        settle(options, serve, system.environ)
    except SettingsError as error:
        _complain(f"{name}: {error}")
    apply_limits(options.serve.get("limits") or {}, http=options.http)


def _announce(catalog: Catalog) -> None:
    from ..wire.dialects import DIALECTS
    from .banner import banner

    text = banner(catalog.header, catalog.data["tools"], list(DIALECTS), catalog.data)
    try:
        system.write(2, text.encode("utf-8", "replace"))
    except OSError:
        pass  # nobody reads it


def _complain(message: str, code: int = USAGE_EXIT) -> NoReturn:
    try:
        system.write(2, f"{message}\n".encode("utf-8", "replace"))
    except OSError:
        pass
    sys.exit(code)
