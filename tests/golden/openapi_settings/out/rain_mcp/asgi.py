"""Serve over HTTP under an ASGI server: uvicorn rain_mcp.asgi:app."""

from rain_mcp import __path__ as folders
from rain_mcp._runtime.server.asgi import Application

app = application = Application("rain_mcp", folders[0])
