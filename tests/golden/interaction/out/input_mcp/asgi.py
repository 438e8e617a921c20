"""Serve over HTTP under an ASGI server: uvicorn input_mcp.asgi:app."""

from input_mcp import __path__ as folders
from input_mcp._runtime.server.asgi import Application

app = application = Application("input_mcp", folders[0])
