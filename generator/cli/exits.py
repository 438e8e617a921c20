"""Exit codes of the command (decision 8); scripts may rely on them."""

from __future__ import annotations

OK = 0
CHECK_FAILED = 1
INPUT = 2
REFUSED = 3
DRIFT = 4
BREAKING = 5
LINT = 6
OUR_FAULT = 70
INTERRUPTED = 130
