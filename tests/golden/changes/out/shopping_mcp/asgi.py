"""Serve over HTTP under an ASGI server: uvicorn shopping_mcp.asgi:app."""

from shopping_mcp import __path__ as folders
from shopping_mcp._runtime.server.asgi import Application

app = application = Application("shopping_mcp", folders[0])
