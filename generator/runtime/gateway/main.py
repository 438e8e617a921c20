"""The entry point of a gateway: a server like any other, with words of its own about what is behind it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

WORDS = ("--list", "--doctor", "--status")

HELP = """about the servers behind this gateway:
  --list                   print which servers and how many tools are behind it, without starting any
  --doctor                 start each server, compare it with what this gateway lists of it, and say what is wrong
  --status                 say how the servers of running processes of this gateway are
  --json                   with one of these: print JSON

"""


def serve(package: str, folder: str) -> NoReturn:
    """Serve the gateway of a catalog, or print what the command line asks about it; leaves the process."""
    _let_signals_end_it()
    words = sys.argv[1:]
    if words and (words[0] in WORDS or words[:1] == ["--json"]):
        from .reports import report

        sys.exit(report(package, folder, words))
    from ..server import main, system

    if "-h" in words or "--help" in words:
        system.write(1, _help(package, folder).encode())
        sys.exit(0)
    main.serve(package, folder)


REPORTS, REFUSED = "--list | --doctor", "  --workers "
"""What every server's usage says of its reports, and how the line begins of what a gateway has not."""


def _help(package: str, folder: str) -> str:
    from ..server.catalog import Catalog, CatalogError
    from ..server.options import usage

    try:
        name = Catalog(package, folder).header["server"]["name"]
    except CatalogError:
        name = package
    lines = usage(name, HELP).replace(REPORTS, f"{REPORTS} | --status").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(REFUSED))


def _let_signals_end_it() -> None:
    """Have Ctrl-C end the process while it is imported, when nothing is begun: KeyboardInterrupt may get lost there."""
    import _signal  # type: ignore[import-not-found]  # a private module, without a stub

    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
