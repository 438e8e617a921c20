"""What users of `mypy --strict` see of the authoring API."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest

MODULE = """
from typing import Annotated, Literal

from mcpgen import Context, Image, Link, Param, SyncContext, Text, ToolError, tool


@tool(title="Forecast", read_only=True, timeout=10, scopes=["weather:read"], annotations={"x": 1})
async def forecast(city: Annotated[str, Param(examples=["Oslo"])], days: int = 3, *, ctx: Context) -> list[int]:
    await ctx.info("asking", city=city)
    await ctx.progress(0, days, "asking the model")
    if city == "":
        raise ToolError("no city", hint="give one", retryable=True)
    return [days]


@tool
def picture(ctx: SyncContext) -> list[Text | Image | Link]:
    token: str = ctx.config["token"]
    ctx.sleep(0.1)
    return [Text(token), Image(b"", mime_type="image/png"), Link("https://x.example")]


async def use(ctx: Context) -> None:
    reveal_type(await forecast("Oslo", ctx=ctx))
    reveal_type(await ctx.elicit("sure", "Go on?", schema=bool))
    reveal_type(await ctx.elicit("sure", "Go on?"))
    reveal_type(await ctx.sample("word", "Say a word"))
    await ctx.elicit("which", "Which?", schema=Literal["a", "b"])
    ctx.require("sampling")
    reveal_type(picture)
    picture(1)
    tool(titel="x")
    await ctx.log("warn", "x")
"""


NO_ANSWER = "mcpgen.refusals.Declined | mcpgen.refusals.Cancelled"
CONTENT = "mcpgen.content.Text | mcpgen.content.Image | mcpgen.content.Link"


@pytest.mark.skipif(find_spec("mypy") is None, reason="needs mypy")
def test_mypy_strict_keeps_signatures_and_finds_mistakes(tmp_path, root):
    authoring = root / "generator" / "runtime" / "authoring"
    shutil.copytree(authoring, tmp_path / "mcpgen", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "weather.py").write_text(MODULE, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "weather.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=110, check=False)
    lines = [line.partition(": ")[2] for line in done.stdout.splitlines()]
    assert [line for line in lines if "Revealed" in line] == [
        'note: Revealed type is "list[int]"',
        f'note: Revealed type is "bool | {NO_ANSWER}"',
        f'note: Revealed type is "Literal[True] | {NO_ANSWER}"',
        'note: Revealed type is "mcpgen.replies.Reply"',
        f'note: Revealed type is "def (ctx: mcpgen.contexts.SyncContext) -> list[{CONTENT}]"',
    ]
    errors = [line for line in lines if line.startswith("error")]
    assert len(errors) == 3, done.stdout
    assert 'incompatible type "int"; expected "SyncContext"' in errors[0]
    assert "titel" in errors[1]
    assert "Literal['warn']" in errors[2]
