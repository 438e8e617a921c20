"""Short ways to build requests in tests: a base URL, and operations with one parameter or one body."""

from __future__ import annotations

from typing import Any

from generator.runtime.client.files import Files
from generator.runtime.client.message import Request
from generator.runtime.client.request import build
from generator.runtime.client.url import Base

SERVICE = {"servers": [{"url": "https://api.example.com/v1"}]}
BASE = Base.of(SERVICE, {}, {})
NO_FILES = Files(None)


def sent(operation: dict[str, Any], arguments: dict[str, Any], files: Files = NO_FILES) -> Request:
    return build({"method": "GET", "path": "/x", **operation}, arguments, base=BASE, files=files)


def query_of(value: Any, **parameter: Any) -> str:
    """Return the query that a query parameter named `q` makes of a value."""
    described = {"argument": "q", "name": "q", "in": "query", **parameter}
    return sent({"parameters": [described]}, {"q": value}).target.partition("?")[2]


def path_of(value: Any, template: str = "/p/{q}/tail", **parameter: Any) -> str:
    """Return the path below the base that a path parameter named `q` makes of a value."""
    described = {"argument": "q", "name": "q", "in": "path", **parameter}
    return sent({"path": template, "parameters": [described]}, {"q": value}).target.removeprefix("/v1")


def header_of(value: Any, **parameter: Any) -> str | None:
    described = {"argument": "q", "name": "X-Q", "in": "header", **parameter}
    return sent({"parameters": [described]}, {"q": value}).header("X-Q")


def cookie_of(value: Any, **parameter: Any) -> str | None:
    described = {"argument": "q", "name": "q", "in": "cookie", **parameter}
    return sent({"parameters": [described]}, {"q": value}).header("Cookie")


def body_of(value: Any, files: Files = NO_FILES, **content: Any) -> tuple[str, bytes]:
    """Return Content-Type and body that a value makes as one media type."""
    request = sent({"method": "POST", "body": {"argument": "body", "content": [content]}}, {"body": value}, files)
    assert request.body is not None
    return request.header("Content-Type") or "", request.body
