"""Make `python -m mcpgen` the same as the `mcpgen` command."""

from __future__ import annotations

import sys

from . import main

sys.exit(main())  # type: ignore[arg-type]  # an exit status or None, as the command line returns it
