"""Serve over HTTP under an ASGI server: uvicorn shop_mcp.asgi:app."""

from shop_mcp import __path__ as folders
from shop_mcp._runtime.server.asgi import Application

app = application = Application("shop_mcp", folders[0])
