"""Reading a module written in a test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from generator.config import Config, load_config
from generator.diagnostics.model import Diagnostic, Severity
from generator.frontends.python.environment import own_environment
from generator.frontends.python.read import read
from generator.ir.model import Server, Tool


@dataclass(frozen=True)
class Front:
    """What came of a module: the server, the tools by name, the diagnostics."""

    server: Server | None
    tools: dict[str, Tool]
    diagnostics: tuple[Diagnostic, ...]

    def rules(self, unit: str | None = None) -> list[str]:
        """The rule names of a unit's diagnostics (of all for None), texts that are missing aside."""
        quiet = {"undocumented-tool", "undocumented-parameter"}
        found = [each for each in self.diagnostics if unit is None or each.unit == unit]
        return [each.rule.name for each in found if each.rule.name not in quiet]

    def errors(self) -> list[str]:
        return [each.rule.name for each in self.diagnostics if each.level is Severity.ERROR]

    def one(self, rule: str) -> Diagnostic:
        found = [each for each in self.diagnostics if each.rule.name == rule]
        assert len(found) == 1, [each.message for each in self.diagnostics]
        return found[0]


def front(
    text: str, *, toml: str = "", config: Config | None = None, link: bool = False, files: dict[str, str] | None = None
) -> Front:
    """Read `m.py` with this text; `toml` is an mcpgen.toml beside it, `files` are further files."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "m.py").write_text(dedent(text), encoding="utf-8")
        for path, content in (files or {}).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(dedent(content), encoding="utf-8")
        if toml:
            (folder / "mcpgen.toml").write_text(dedent(toml), encoding="utf-8")
            loaded = load_config(folder)
            assert not loaded.diagnostics, [each.message for each in loaded.diagnostics]
            config = loaded.config
        result = read(str(folder / "m.py"), config or Config(), own_environment(), link=link)
    tools = {tool.name: tool for tool in result.server.tools} if result.server is not None else {}
    return Front(server=result.server, tools=tools, diagnostics=result.diagnostics)
