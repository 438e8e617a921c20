"""Start the server: as a module, as a console script, or as a file by its path."""

import sys

if tuple(sys.version_info) < (3, 11):
    # Any Python 3 reads this far; what follows would fail in unclear words.
    sys.exit(
        "hub needs Python 3.11 or newer; this is "
        + sys.version.split()[0]
        + ": name another python in the host's settings"
    )

if not __package__:
    # Run by its path: the folder that holds the package comes first.
    sys.path.insert(0, __file__[: -len("hub/__main__.py")])

from hub import __path__ as folders
from hub._runtime.gateway.main import serve


def main() -> None:
    """Serve a client on standard input and output until it leaves."""
    serve("hub", folders[0])


if __name__ == "__main__":
    main()
