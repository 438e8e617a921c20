"""What calls over HTTP cost: on 64 connections beside other servers, and how soon the server takes the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import HERE, PEERS, versus
from http_load import PORT, WARMING, Load, Served
from measure import Command, Spread, in_turns, ratios, run_time
from rows import Goal, Row

if TYPE_CHECKING:
    from bench import Bench

CONNECTIONS = 64
SECONDS = 1.5
YARDSTICK = "http.server"


def calls(bench: Bench) -> list[Row]:
    """Compare calls a second on 64 connections with other servers and with Python's own."""
    stub = _over_http(bench.stub())
    others = [_on_port(peer) for peer in bench.peers()]
    script = str(HERE / "yardsticks" / "http_server.py")
    yardstick = Command(name=YARDSTICK, words=(bench.environments.clean, script, PORT))
    found = in_turns((stub, *others, yardstick), _loaded, rounds=bench.rounds(7), warm_up=0)
    ours, rows = found[stub.name], []
    for name in (*PEERS, YARDSTICK):
        theirs = found[name]
        speed = ratios((each.per_second for each in ours), (each.per_second for each in theirs))
        least = Goal(target=3, stretch=4, most=False)
        goal = least if name == YARDSTICK else versus(name, sdk=(25, 40), fastmcp=(50, 80))
        note = f"{Spread.of(each.per_second for each in theirs).median:.0f} a second"
        rows.append(Row(what=f"HTTP tools/call, times as many as {name}", measured=speed, goal=goal, note=note))
        effort = ratios((each.processor_us for each in theirs), (each.processor_us for each in ours))
        rows.append(Row(what="by processor time", measured=effort))
    rows.append(Row(what="HTTP calls a second of ours", measured=Spread.of(each.per_second for each in ours), unit=""))
    slowest = Spread.of(each.p99_ms for each in ours)
    rows.append(
        Row(what="slowest hundredth of HTTP calls", measured=slowest, goal=Goal(target=5, stretch=3), unit=" ms")
    )
    return rows


def ready(bench: Bench) -> list[Row]:
    """Compare the time to the first connection taken with a Python that does nothing."""
    bare, stub = bench.script("bare", "-I", "-S"), _over_http(bench.stub())

    def measure(command: Command) -> float:
        if command is bare:
            return run_time(command)
        with Served(command) as server:
            return server.ready()

    found = in_turns((bare, stub), measure, rounds=bench.rounds(15))
    note = f"{Spread.of(found[stub.name]).median * 1000:.0f} ms"
    spread = ratios(found[stub.name], found[bare.name])
    return [Row(what="start to HTTP ready, of bare Python", measured=spread, goal=Goal(target=8, stretch=5), note=note)]


def _loaded(command: Command) -> Load:
    with Served(command) as server:
        server.ready()
        server.load(*WARMING)
        return server.load(CONNECTIONS, SECONDS)


def _over_http(stub: Command) -> Command:
    return Command(name=stub.name, words=(*stub.words, "--http", "--port", PORT), folder=stub.folder)


def _on_port(peer: Command) -> Command:
    return Command(name=peer.name, words=(*peer.words, PORT))
