"""What a server costs before its first call: time to the answered tools/list, to the end, and memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench import MANY, PEERS, versus
from measure import Command, Server, Spread, in_turns, ratios, request, result, run_time
from rows import Goal, Row

if TYPE_CHECKING:
    from bench import Bench


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """One cold start: milliseconds to the list's last byte and from the end of input to the end, KiB at the list."""

    list_ms: float
    exit_ms: float
    peak_kib: int


def cold_start(command: Command) -> Started:
    """Start, initialize, list the tools, close the input."""
    with Server(command) as server:
        server.shake_hands()
        server.send(request("list", "tools/list"))
        line = server.line()
        listed = server.since_start()
        result(line, "list")
        peak = server.peak_kib()
        return Started(list_ms=listed * 1000, exit_ms=server.close() * 1000, peak_kib=peak)


def start(bench: Bench) -> list[Row]:
    """Compare the time to the answered tools/list with a script that imports json."""
    script, stub, module, many = bench.script("import_json"), bench.stub(), bench.as_module(), bench.stub(MANY)
    found = in_turns((script, stub, module, many), cold_start, rounds=bench.rounds(30))
    times = {name: [each.list_ms for each in starts] for name, starts in found.items()}

    def row(what: str, command: Command, goal: Goal) -> Row:
        note = f"{Spread.of(times[command.name]).median:.1f} ms"
        return Row(what=what, measured=ratios(times[command.name], times[script.name]), goal=goal, note=note)

    leaving = Spread.of(each.exit_ms for each in found[stub.name])
    return [
        row("start to tools/list, 10 tools, stub, of an `import json` script", stub, Goal(target=0.95, stretch=0.75)),
        row("the same with `python -m`", module, Goal(target=1.4, stretch=1.2)),
        row("the same, stub, 1,000 tools", many, Goal(target=2.0, stretch=1.5)),
        Row(what="end of input to exit, idle", measured=leaving, goal=Goal(target=20, stretch=10), unit=" ms"),
    ]


def peers(bench: Bench) -> list[Row]:
    """Compare the time to the answered tools/list with other servers."""
    stub = bench.stub()
    found = in_turns((stub, *bench.peers()), cold_start, rounds=bench.rounds(9))
    times = {name: [each.list_ms for each in starts] for name, starts in found.items()}
    return [
        Row(
            what=f"start to tools/list, stub, times quicker than {name}",
            measured=ratios(times[name], times[stub.name]),
            goal=versus(name, sdk=(35, 50), fastmcp=(60, 100)),
            note=f"{Spread.of(times[name]).median:.0f} ms",
        )
        for name in PEERS
    ]


def command_help(bench: Bench) -> list[Row]:
    """Compare `mcpgen --help` with a Python that does nothing, in mcpgen's environment."""
    ours = Command(name="mcpgen --help", words=(*bench.environments.mcpgen, "--help"))
    bare = Command(name="bare", words=(bench.environments.beside_mcpgen, "-c", "pass"))
    found = in_turns((bare, ours), run_time, rounds=bench.rounds(15), warm_up=2)
    spread = ratios(found[ours.name], found[bare.name])
    note = f"{Spread.of(found[ours.name]).median * 1000:.0f} ms"
    return [Row(what="`mcpgen --help`, of bare Python", measured=spread, goal=Goal(target=12), note=note)]
