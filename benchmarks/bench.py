"""What the experiments share: servers that the real pipeline built, and how each one is started."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Command, ServerFailed
from rows import Goal
from tools_source import tools_source

if TYPE_CHECKING:
    from environments import Environments

HERE = Path(__file__).resolve().parent

FEW, MANY = 10, 1000
"""Tools of the two servers."""

PEERS = {"SDK, low-level": "sdk_low_level", "SDK, MCPServer": "sdk_mcpserver", "fastmcp": "fastmcp_server"}
"""Name in the table to script."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What the experiments share; `scale` shortens them: 1 is the full number of rounds."""

    environments: Environments
    folder: Path
    scale: float

    def rounds(self, full: int) -> int:
        """Return how many rounds to run, at least three."""
        return max(3, round(full * self.scale))

    def module(self, tools: int) -> Path:
        """Return the module with this many tools."""
        return self.folder / f"bench{tools}.py"

    def project(self, tools: int) -> Path:
        """Return the project built from it."""
        return self.folder / f"bench{tools}-mcp"

    def build(self) -> None:
        """Write the modules and build both servers as a user would; raises ServerFailed."""
        for tools in (FEW, MANY):
            self.module(tools).write_text(tools_source(tools), encoding="utf-8")
            words = (*self.environments.mcpgen, "build", str(self.module(tools)), "-o", str(self.project(tools)))
            if subprocess.run(words, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode:
                raise ServerFailed(f"mcpgen cannot build {self.module(tools).name}")

    def stub(self, tools: int = FEW) -> Command:
        """Return the quickest form of the server."""
        words = (self.environments.clean, "-I", "-S", str(self.project(tools) / "server.py"))
        return Command(name=f"stub, {tools} tools", words=words)

    def as_module(self) -> Command:
        """Return the server as `python -m`, started in its project."""
        words = (self.environments.clean, "-m", f"bench{FEW}_mcp")
        return Command(name="module", words=words, folder=self.project(FEW))

    def script(self, name: str, *flags: str) -> Command:
        """Return a yardstick."""
        path = HERE / "yardsticks" / f"{name}.py"
        return Command(name=name, words=(self.environments.clean, *flags, str(path)))

    def peers(self) -> list[Command]:
        """Return the other servers, with as many tools as the small one of ours."""
        return [
            Command(
                name=name,
                words=(self.environments.peers, str(HERE / "peers" / f"{script}.py"), str(self.module(FEW))),
            )
            for name, script in PEERS.items()
        ]


def versus(peer: str, *, sdk: tuple[float, float], fastmcp: tuple[float, float]) -> Goal:
    """Return the goal against one peer: how many times better ours has to be, and could be."""
    target, stretch = fastmcp if peer == "fastmcp" else sdk
    return Goal(target=target, stretch=stretch, most=False)
