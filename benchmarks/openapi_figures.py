"""What an API description costs: generating from it, starting the server made from it, and calls through to an API.

The documents are those of the corpus (`MCPGEN_SHARED`, or `shared` beside the checkout); without it there are no rows.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench import HERE
from environments import ROOT
from measure import Command, Server, ServerFailed, Spread, environment, in_turns, ratios, request, result
from rows import Goal, Row
from start_figures import cold_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench import Bench

GENERATOR = "openapi-mcp-generator@4.0.1"
"""The quickest peer that writes a server; installed by npm."""

BASE = "http://127.0.0.1:9"
MEGABYTE = 1_000_000
CALLS, WINDOW = 1_500, 16
"""Proxied calls in one round, and how many of them wait for an answer at a time."""

TIMED = """\
import pathlib, sys, time
{imports}
text = pathlib.Path(sys.argv[1]).read_bytes()
begun = time.process_time()
{load}
print(time.process_time() - begun)
"""
"""Prints the processor seconds of one call."""

PET = {
    "openapi": "3.0.3",
    "info": {"title": "Pets", "version": "1"},
    "paths": {
        "/pets/{id}": {
            "get": {
                "operationId": "get_pet",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {
                    "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}
                },
            }
        }
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Processor seconds and peak bytes of one run."""

    processor: float
    memory: int


def corpus() -> Path | None:
    """Return the folder of real documents, if there is one."""
    named = os.environ.get("MCPGEN_SHARED")
    folder = (Path(named) if named else ROOT.parent / "shared") / "corpus" / "openapi" / "real"
    return folder if folder.is_dir() else None


def cost(command: Command) -> Cost:
    """Run a command to its end and return what it and its children used; raises ServerFailed."""
    process = subprocess.Popen(
        command.words,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        cwd=command.folder, env=environment(),
    )  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ServerFailed(f"{command.name}: exit code {process.returncode}")
    return Cost(processor=usage.ru_utime + usage.ru_stime, memory=usage.ru_maxrss * 1024)


def generation(bench: Bench) -> list[Row]:
    """Compare the processor time of generating from GitHub's document with the quickest peer's."""
    real = corpus()
    if real is None:
        return []
    document = real / "github-rest.json"
    peer = _generator(bench)
    words = _from_openapi(bench, document, "github")
    ours = Command(name="mcpgen from-openapi", words=words)
    theirs = Command(
        name="openapi-mcp-generator",
        words=(*peer, "--input", str(document), "--output", str(bench.folder / "omg"), "--force"),
    )
    found = in_turns((theirs, ours), cost, rounds=bench.rounds(5))
    speed = ratios((one.processor for one in found[ours.name]), (one.processor for one in found[theirs.name]))
    used = Spread.of(one.memory / MEGABYTE for one in found[ours.name])
    seconds = Spread.of(one.processor for one in found[ours.name]).median
    return [
        Row(what="generate GitHub (1,223 operations), processor time of openapi-mcp-generator", measured=speed,
            goal=Goal(target=1.5, stretch=1.0), note=f"{seconds:.2f} s"),
        Row(what="peak memory of it", measured=used, goal=Goal(target=250, stretch=200), unit=" MB"),
        _yaml(bench, real),
    ]  # fmt: skip


def serving(bench: Bench) -> list[Row]:
    """Measure the start of the server made from GitHub's document, and the sizes of lists."""
    real = corpus()
    if real is None:
        return []
    script = bench.script("import_json")
    server = _server(bench, _made(bench, real / "github-rest.json", "github"), "github")
    found = in_turns((script, server), cold_start, rounds=bench.rounds(15))
    lists = {name: [each.list_ms for each in starts] for name, starts in found.items()}
    peak = Spread.of(each.peak_kib * 1024 / MEGABYTE for each in found[server.name])
    sizes = [
        ("GitHub, as it comes", _made(bench, real / "github-rest.json", "github"), "github", 2.0),
        ("GitHub, short", _made(bench, real / "github-rest.json", "shorter", "--budget", "400k"), "shorter", 1.5),
        ("GitHub, discovery", _made(bench, real / "github-rest.json", "finder", "--discovery"), "finder", 0.01),
        ("Stripe (452 operations)", _made(bench, real / "apig-stripe.json", "stripe"), "stripe", 1.5),
    ]
    rows = [
        Row(what="start to tools/list, GitHub, of an `import json` script",
            measured=ratios(lists[server.name], lists[script.name]), goal=Goal(target=3.0, stretch=2.0),
            note=f"{Spread.of(lists[server.name]).median:.0f} ms"),
        Row(what="peak memory of it", measured=peak, goal=Goal(target=60, stretch=40), unit=" MB"),
    ]  # fmt: skip
    for what, project, name, most in sizes:
        size = _listing(_server(bench, project, name)) / MEGABYTE
        rows.append(Row(what=f"tools/list, {what}", measured=Spread.of([size]), goal=Goal(target=most), unit=" MB"))
    return rows


def proxied(bench: Bench) -> list[Row]:
    """Compare calls a second through to a local API with fastmcp's server of the same document."""
    document = bench.folder / "pets.json"
    document.write_text(json.dumps(PET), encoding="utf-8")
    with _api(bench) as base:
        project = _made(bench, document, "pets")
        words = (bench.environments.clean, "-I", "-S", str(project / "server.py"))
        ours = Command(name="ours", words=("/usr/bin/env", f"PETS_BASE_URL={base}", *words))
        script = str(HERE / "peers" / "fastmcp_openapi.py")
        theirs = Command(name="fastmcp", words=(bench.environments.peers, script, str(document), base))

        def measure(command: Command) -> float:
            with Server(command) as server:
                server.shake_hands()
                server.call("get_pet", {"id": 1})
                server.calls("get_pet", {"id": 1}, count=200, window=WINDOW)
                return CALLS / server.calls("get_pet", {"id": 1}, count=CALLS, window=WINDOW)

        found = in_turns((theirs, ours), measure, rounds=bench.rounds(7), warm_up=0)
    note = f"{Spread.of(found[ours.name]).median:.0f} a second"
    speed = ratios(found[ours.name], found[theirs.name])
    goal = Goal(target=3.0, stretch=5.0, most=False)
    return [Row(what="calls through to a local API, times as many as fastmcp", measured=speed, goal=goal, note=note)]


def _yaml(bench: Bench, real: Path) -> Row:
    """Compare loading YAML with PyYAML's C loader as it comes; imports are not counted."""
    plain = TIMED.format(imports="import yaml", load="yaml.load(text, yaml.CSafeLoader)")
    ours = TIMED.format(
        imports="import yaml; from generator.frontends.openapi.documents import LoadOptions, open_description",
        load="open_description(sys.argv[1], options=LoadOptions())",
    )
    document = str(real / "asana.yaml")
    python = bench.environments.beside_mcpgen
    commands = [
        Command(name="plain", words=(python, "-c", plain, document)),
        Command(name="ours", words=(python, "-c", ours, document)),
    ]
    found = in_turns(commands, _said, rounds=bench.rounds(5))
    speed = ratios(found["ours"], found["plain"])
    return Row(what="load YAML (3 MB), of PyYAML's C loader", measured=speed, goal=Goal(target=0.35))


def _said(command: Command) -> float:
    """Return the number that a command prints."""
    done = subprocess.run(
        command.words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment()
    )
    return float(done.stdout)


def _generator(bench: Bench) -> tuple[str, ...]:
    """Install the peer by npm, once, and return the words that start it."""
    folder = Path(bench.environments.clean).parents[2] / "openapi-mcp-generator"
    program = folder / "node_modules" / ".bin" / "openapi-mcp-generator"
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        print("installing openapi-mcp-generator …", file=sys.stderr)
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), GENERATOR]
        subprocess.run(words, check=True, stdin=subprocess.DEVNULL)
    return (str(program),)


def _from_openapi(bench: Bench, document: Path, name: str, *options: str) -> tuple[str, ...]:
    target = ("-o", str(bench.folder / f"{name}-mcp"), "--name", name, "--base-url", BASE, "--models", "none")
    return (*bench.environments.mcpgen, "from-openapi", str(document), *target, *options)


def _made(bench: Bench, document: Path, name: str, *options: str) -> Path:
    project = bench.folder / f"{name}-mcp"
    if not project.exists():
        cost(Command(name=f"mcpgen from-openapi {name}", words=_from_openapi(bench, document, name, *options)))
    return project


def _server(bench: Bench, project: Path, name: str) -> Command:
    return Command(name=f"{name} server", words=(bench.environments.clean, "-I", "-S", str(project / "server.py")))


def _listing(command: Command) -> int:
    """Return the bytes of the answer to tools/list."""
    with Server(command) as server:
        server.shake_hands()
        server.send(request("list", "tools/list"))
        line = server.line()
        result(line, "list")
        return len(line)


@contextlib.contextmanager
def _api(bench: Bench) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = (bench.environments.clean, str(HERE / "yardsticks" / "echo_api.py"), str(port))
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, env=environment())
    try:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.02)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()
