"""Serve over HTTP under an ASGI server: uvicorn gateway.asgi:app."""

from gateway import __path__ as folders
from gateway._runtime.server.asgi import Application

app = application = Application("gateway", folders[0])
