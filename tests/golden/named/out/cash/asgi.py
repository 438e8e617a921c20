"""Serve over HTTP under an ASGI server: uvicorn cash.asgi:app."""

from cash import __path__ as folders
from cash._runtime.server.asgi import Application

app = application = Application("cash", folders[0])
