"""Call tools of a server made by hand, in this process and against a local API."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from generator.runtime.client import service
from generator.runtime.server.call import Call
from generator.runtime.server.catalog import Catalog
from generator.runtime.server.invoke import run
from generator.runtime.wire.dialects import DIALECTS

from .made import PACKAGE, Api, Tools

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


class Bench:
    """A server and its API; `call` runs a tool and returns its result."""

    def __init__(self, tools: Tools, api: Api, folder: Path, monkeypatch: pytest.MonkeyPatch, **options: Any) -> None:
        monkeypatch.setenv("PETSTORE_BASE_URL", api.url)
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "no-configuration"))
        forget()
        self.api = api
        self.catalog = Catalog(PACKAGE, str(tools.write(folder, **options)))

    def made(self, name: str, arguments: dict[str, Any] | None = None, **meta: Any) -> Call:
        given = arguments or {}
        message = {"method": "tools/call", "params": {"name": name, "arguments": given}}
        return Call(
            self.catalog.tools[name],
            1,
            given,
            raw=json.dumps(message).encode(),
            meta={key.replace("__", "/"): value for key, value in meta.items()},
            dialect=DIALECTS["2025-11-25"],
            log_level=None,
            client={},
        )

    def call(self, name: str, arguments: dict[str, Any] | None = None, **meta: Any) -> dict[str, Any]:
        result = run(self.made(name, arguments, **meta))
        json.dumps(result, allow_nan=False).encode("ascii")
        return result


def forget() -> None:
    """Take the package made before out of the imported modules, and close the connections to its API."""
    while service._known:
        _, known = service._known.popitem()
        if known._client is not None:
            known._client.transport.close()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def texts(result: dict[str, Any]) -> list[str]:
    return [block["text"] for block in result["content"] if block["type"] == "text"]


def error(result: dict[str, Any]) -> dict[str, Any]:
    assert result["isError"] is True
    found: dict[str, Any] = result["_meta"]["mcpgen/error"]
    return found
