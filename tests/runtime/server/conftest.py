"""Run a function as a tool, without a shell: what the tests of the invoking half share."""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from generator.runtime.server import logs
from generator.runtime.server.call import Call
from generator.runtime.server.invoke import run
from generator.runtime.server.tool import Tool
from generator.runtime.wire.dialects import DIALECTS
from tests.runtime.server.behaviour import emitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


class FakeCatalog:
    """A catalog by hand; compared by identity like the real one."""

    def __init__(self, data: dict[str, Any], settings: dict[str, Any]) -> None:
        self.package = "unused"
        self.folder = "."
        self.data = {"id": "weather", **data}
        self.settings = settings


class Bench:
    """Makes tools of functions and calls them; `sent` holds the notifications of all calls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.sent: list[dict[str, Any]] = []

    def tool(
        self,
        function: Callable[..., Any] | str,
        *,
        properties: dict[str, Any] | None = None,
        returns: Any = None,
        wrap: bool = False,
        kind: str = "json",
        settings: dict[str, Any] | None = None,
        data: dict[str, Any] | None = None,
        annotations: dict[str, bool] | None = None,
        call: dict[str, Any] | None = None,
        **entry: Any,
    ) -> Tool:
        target = function if isinstance(function, str) else self._target(function)
        schema: dict[str, Any] = {"type": "object"}
        if properties is not None:
            schema |= {"properties": properties, "additionalProperties": False}
        definition = {"name": "forecast", "inputSchema": schema}
        if annotations:
            definition["annotations"] = annotations
        result: dict[str, Any] = {"kind": kind, "wrap": wrap}
        if returns is not None:
            result["schema"] = returns
        whole = {"definition": definition, "call": {"target": target, **(call or {})}, "result": result, **entry}
        return Tool(whole, FakeCatalog(data or {}, settings or {}))  # type: ignore[arg-type] # all a tool asks of one

    def call(self, tool: Tool, arguments: Any = None, *, meta: dict[str, Any] | None = None, **more: Any) -> Call:
        raw = json.dumps({"params": {"arguments": arguments}}).encode()
        call = Call(
            tool,
            more.get("request_id", 7),
            {} if arguments is None else arguments,
            raw=more.get("raw", raw),
            meta=meta or {},
            dialect=DIALECTS[more.get("revision", "2025-11-25")],
            log_level=more.get("log_level"),
            client=more.get("client", {}),
        )
        call.send = lambda line: self.sent.append(json.loads(line))
        return call

    def run(self, function: Callable[..., Any] | str, arguments: Any = None, **options: Any) -> dict[str, Any]:
        return run(self.call(self.tool(function, **options), arguments))

    def _target(self, function: Callable[..., Any]) -> str:
        module = ModuleType(f"tools_of_{id(function)}")
        module.tool = function  # type: ignore[attr-defined] # a module takes any name
        self._monkeypatch.setitem(sys.modules, module.__name__, module)
        return f"{module.__name__}:tool"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(monkeypatch)


@pytest.fixture
def log(tmp_path) -> Iterator[Callable[..., list[str]]]:
    """Send the log to a file; call it with options first, then without to read the lines so far."""
    path = tmp_path / "server.log"

    def use(**options: Any) -> list[str]:
        if options or not path.exists():
            logs.configure(log_file=str(path), **options)
        return path.read_text(encoding="utf-8").splitlines()

    use(enabled=True)
    yield use
    logs.configure()


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An emitted server whose tools behave in every way that matters to the shell."""
    return emitted(tmp_path_factory.mktemp("behaviour-mcp"))


@pytest.fixture
def argv(project: Path) -> list[str]:
    """The words that start it."""
    return [sys.executable, "-I", "-S", str(project / "server.py")]
