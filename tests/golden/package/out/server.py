"""Start the server without installing it: python -I -S server.py."""

import sys

sys.path.insert(0, __file__[: -len("server.py")])

from shop_mcp.__main__ import main

main()
