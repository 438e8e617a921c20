"""Serve over HTTP under an ASGI server: uvicorn hub.asgi:app."""

from hub import __path__ as folders
from hub._runtime.server.asgi import Application

app = application = Application("hub", folders[0])
