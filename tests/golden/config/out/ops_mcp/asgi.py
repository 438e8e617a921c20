"""Serve over HTTP under an ASGI server: uvicorn ops_mcp.asgi:app."""

from ops_mcp import __path__ as folders
from ops_mcp._runtime.server.asgi import Application

app = application = Application("ops_mcp", folders[0])
