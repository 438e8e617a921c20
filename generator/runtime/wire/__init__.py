"""The wire: JSON-RPC framing, limits, and what differs between protocol revisions."""
