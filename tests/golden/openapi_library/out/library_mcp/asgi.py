"""Serve over HTTP under an ASGI server: uvicorn library_mcp.asgi:app."""

from library_mcp import __path__ as folders
from library_mcp._runtime.server.asgi import Application

app = application = Application("library_mcp", folders[0])
