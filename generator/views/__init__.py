"""Views of tools (MCP Apps, `io.modelcontextprotocol/ui` of 2026-01-26): what is stated of them, checked and read."""
