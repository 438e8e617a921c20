"""The runtime of generated servers: standard library only, copied byte for byte into every emitted package."""

VERSION = "0.1.0"
"""Version of the runtime; `catalog.json` names the one it was made for and any other is refused."""
