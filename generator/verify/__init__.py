"""Checks of a built server, or of any command that serves MCP, each with an id."""
