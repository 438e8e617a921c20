"""Start the server without installing it: python -I -S server.py."""

import sys

if tuple(sys.version_info) < (3, 11):
    # Any Python 3 reads this far; what follows would fail in unclear words.
    sys.exit(
        "gateway needs Python 3.11 or newer; this is "
        + sys.version.split()[0]
        + ": name another python in the host's settings"
    )

sys.path.insert(0, __file__[: -len("server.py")])

from gateway.__main__ import main

main()
