"""A command line whose pipeline gives what a test says, so that each exit code is shown alone."""

from __future__ import annotations

import dataclasses
import io
import sys
import types

import pytest

from generator.cli.app import main
from generator.diagnostics.model import Diagnostic
from generator.ir import model

SERVER = model.Server(
    id="weather",
    package="weather_mcp",
    command="weather-mcp",
    source=model.Source(kind="python", name="weather.py"),
    tools=(
        model.Tool(
            name="forecast",
            description="Forecast for a city.\nMore.",
            input_schema={
                "type": "object",
                "properties": {
                    "city": {"type": "string"},
                    "days": {"type": "integer", "minimum": 1, "maximum": 14},
                },
                "required": ["city"],
            },
            result_schema={"$ref": "#/$defs/Forecast"},
            annotations=model.Annotations(read_only=True),
            call=model.PythonCall(target=".weather:forecast", lazy_imports=("httpx",)),
        ),
    ),
)
TREE = {
    "server.py": b"pass\n",
    "weather_mcp/__init__.py": b"",
    "weather_mcp/__main__.py": b"",
    "weather_mcp/catalog.cache.jsonl": b'{}\n[{"name":"forecast"}]\n',
    "weather_mcp/catalog.json": b'{"tools": [{"definition": {"name": "forecast"}}]}',
}


@dataclasses.dataclass
class Pipeline:
    """What the pipeline gives; a test changes it."""

    server: model.Server | None = SERVER
    tree: dict[str, bytes] = dataclasses.field(default_factory=lambda: dict(TREE))
    diagnostics: tuple[Diagnostic, ...] = ()
    left_out: tuple[str, ...] = ()
    failure: BaseException | None = None
    requests: list[object] = dataclasses.field(default_factory=list)

    def build(self, request):
        self.requests.append(request)
        if self.failure is not None:
            raise self.failure
        return types.SimpleNamespace(
            server=self.server,
            tree=self.tree,
            diagnostics=self.diagnostics,
            owners={},
            executable=frozenset(),
            begun=frozenset(),
            left_out=self.left_out,
        )

    def refined(self, request):
        self.requests.append(request)
        return types.SimpleNamespace(server=self.server, diagnostics=self.diagnostics, left_out=self.left_out)


@pytest.fixture
def pipeline(monkeypatch):
    fake = Pipeline()
    module = types.ModuleType("generator.pipeline")
    module.BuildRequest = types.SimpleNamespace
    module.build, module.refined = fake.build, fake.refined
    monkeypatch.setitem(sys.modules, "generator.pipeline", module)
    return fake


@dataclasses.dataclass(frozen=True)
class Ended:
    """How a run ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Run the command in an empty folder that holds weather.py."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "weather.py").write_text("def forecast(city: str): ...\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def call(*words: str) -> Ended:
        out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
        with monkeypatch.context() as patched:
            patched.setattr(sys, "argv", ["mcpgen", *words])
            patched.setattr(sys, "stdout", out)
            patched.setattr(sys, "stderr", err)
            with pytest.raises(SystemExit) as ended:
                main()
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode("utf-8"))
        return Ended(int(ended.value.code or 0), *texts)

    return call
