"""Serve over HTTP under an ASGI server: uvicorn sums_mcp.asgi:app."""

from sums_mcp import __path__ as folders
from sums_mcp._runtime.server.asgi import Application

app = application = Application("sums_mcp", folders[0])
