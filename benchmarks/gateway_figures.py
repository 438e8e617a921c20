"""What a gateway costs: starts with many servers behind it, calls through it, and calls beside a bad server."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench import FEW, HERE
from call_figures import ADD, OUR_CALLS, PEER_CALLS, WARMING_CALLS, WINDOW
from measure import Command, Server, ServerFailed, Spread, call_request, in_turns, ratios
from rows import Goal, Row
from start_figures import cold_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench import Bench

MANY_SERVERS = 50
ALONE_CALLS, PEER_ALONE_CALLS = 3_000, 150
"""Calls one after the other in a round."""

SLEEPERS = 8

ATTACKS = HERE.parent / "tests" / "cases" / "attacks" / "gateway"
NEIGHBOURS = (
    "child_dies_on_start", "child_garbage", "child_huge_line", "child_list_changed_storm", "child_silent",
    "child_stderr_flood", "child_stdout_flood",
)  # fmt: skip
"""Bad servers that do something to the machine, or to the gateway; the others only end or sleep."""

NEIGHBOUR_CALLS = 2_000
"""Good calls beside a bad server; their slowest hundredth are twenty."""

BAD_EVERY = 200
"""Good calls between two calls of the bad server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Calls of one server: the median seconds of single ones, and how many a second with a window unanswered."""

    alone: float
    per_second: float
    processor_us: float


def gateway(bench: Bench, servers: int) -> Command:
    """Return a gateway over one server under as many names; under the first one its tools keep theirs."""
    made = bench.folder / f"gateway{servers}"
    if not made.exists():
        sources = [f"s{number}={bench.project(FEW)}" for number in range(servers)]
        words = (*bench.environments.mcpgen, "gateway", *sources, "--prefix", "s0=", "-o", str(made))
        done = subprocess.run(words, check=False, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8")
        if done.returncode:
            raise ServerFailed(f"mcpgen gateway fails: {done.stderr[-500:]}")
    words = (bench.environments.clean, "-I", "-S", str(made / "server.py"))
    return Command(name=f"gateway of {servers}", words=words)


def fastmcp_proxy(bench: Bench, servers: int) -> Command:
    """Return fastmcp's proxy of one server, or of the same one under as many names."""
    script = str(HERE / "peers" / "fastmcp_proxy.py")
    words = (bench.environments.peers, script, str(servers), *bench.stub().words)
    return Command(name=f"fastmcp proxy of {servers}", words=words)


def start(bench: Bench) -> list[Row]:
    """Compare the start of a gateway over many servers with that of one over one, and with that server's own."""
    many, one, alone = gateway(bench, MANY_SERVERS), gateway(bench, 1), bench.stub()
    found = in_turns((many, one, alone), cold_start, rounds=bench.rounds(30))
    times = {name: [each.list_ms for each in starts] for name, starts in found.items()}
    memory = {name: [each.peak_kib for each in starts] for name, starts in found.items()}
    return [
        Row(
            what=f"gateway, start to tools/list, {MANY_SERVERS} servers, of one",
            measured=ratios(times[many.name], times[one.name]),
            goal=Goal(target=1.2),
            note=f"{Spread.of(times[many.name]).median:.1f} ms",
        ),
        Row(
            what=f"gateway, peak memory after tools/list, {MANY_SERVERS} servers, of a single server",
            measured=ratios(memory[many.name], memory[alone.name]),
            goal=Goal(target=1.5),
            note=f"{Spread.of(memory[many.name]).median / 1024:.1f} MiB",
        ),
    ]


def calls(bench: Bench) -> list[Row]:
    """Compare calls through a gateway with calls of the server itself, and with fastmcp's proxy in front of it."""
    direct, through, proxy = bench.stub(), gateway(bench, 1), fastmcp_proxy(bench, 1)

    def measure(command: Command) -> Reached:
        count, alone = (PEER_CALLS, PEER_ALONE_CALLS) if command is proxy else (OUR_CALLS, ALONE_CALLS)
        with Server(command) as server:
            server.shake_hands()
            server.call("add", ADD)
            server.calls("add", ADD, count=WARMING_CALLS, window=1)
            seconds = server.single_calls("add", ADD, count=alone)
            server.calls("add", ADD, count=WARMING_CALLS, window=WINDOW)
            before = server.processor_seconds()
            rate = count / server.calls("add", ADD, count=count, window=WINDOW)
            used = server.processor_seconds() - before
        return Reached(alone=seconds, per_second=rate, processor_us=used / count * 1e6)

    found = in_turns((direct, through, proxy), measure, rounds=bench.rounds(7), warm_up=0)
    alone = {name: [each.alone for each in values] for name, values in found.items()}
    rates = {name: [each.per_second for each in values] for name, values in found.items()}
    efforts = {name: [each.processor_us for each in values] for name, values in found.items()}
    added = {
        name: [each - bare for each, bare in zip(alone[name], alone[direct.name], strict=True)]
        for name in (through.name, proxy.name)
    }
    return [
        Row(
            what="gateway, median of single calls, of direct ones",
            measured=ratios(alone[through.name], alone[direct.name]),
            goal=Goal(target=3.5),
            note=f"{Spread.of(alone[through.name]).median * 1e6:.0f} µs",
        ),
        Row(
            what="the same, times quicker than fastmcp's proxy",
            measured=ratios(alone[proxy.name], alone[through.name]),
        ),
        Row(
            what="direct calls, with no gateway at all, times quicker than fastmcp's proxy",
            measured=ratios(alone[proxy.name], alone[direct.name]),
            note=f"{Spread.of(alone[direct.name]).median * 1e6:.0f} µs: the bound of the row above",
        ),
        Row(
            what="what the gateway adds to a single call, times less than what fastmcp's proxy adds",
            measured=ratios(added[proxy.name], added[through.name]),
            note=f"{Spread.of(added[through.name]).median * 1e6:.0f} µs",
        ),
        Row(
            what="gateway, pipelined calls a second, of direct ones",
            measured=ratios(rates[through.name], rates[direct.name]),
            goal=Goal(target=0.35, stretch=0.5, most=False),
            note=f"{Spread.of(rates[through.name]).median:.0f} a second",
        ),
        Row(
            what="the same, times as many as through fastmcp's proxy",
            measured=ratios(rates[through.name], rates[proxy.name]),
            goal=Goal(target=20, most=False),
        ),
        Row(
            what="fastmcp's proxy's own processor time a call, of the gateway's",
            measured=ratios(efforts[proxy.name], efforts[through.name]),
        ),
        Row(
            what="the gateway's own processor time a call, of the direct server's",
            measured=ratios(efforts[through.name], efforts[direct.name]),
            note=f"{Spread.of(efforts[through.name]).median:.0f} µs",
        ),
    ]


def overlap(bench: Bench) -> list[Row]:
    """Compare eight sleeping calls of one server at once with one."""

    def measure(command: Command) -> float:
        sleeping = {"seconds": 0.1}
        with Server(command) as server:
            server.shake_hands()
            server.call("sleep", sleeping)
            one = server.call("sleep", sleeping)
            return server.calls("sleep", sleeping, count=SLEEPERS, window=SLEEPERS) / one

    through = gateway(bench, 1)
    found = in_turns((through,), measure, rounds=bench.rounds(9))
    what = f"gateway, {SLEEPERS} overlapping sleep(0.1) of one server, of one"
    return [Row(what=what, measured=Spread.of(found[through.name]), goal=Goal(target=1.5))]


def neighbours(bench: Bench) -> list[Row]:
    """Compare the slowest hundredth of calls to a good server with and without a bad one behind the same gateway."""
    rows = []
    for name in NEIGHBOURS:
        alone, beside = (_with_neighbour(bench, name, bad=bad) for bad in (False, True))

        def measure(command: Command) -> float:
            return _slowest_hundredth(command, bad=command.name.endswith("beside"))

        found = in_turns((alone, beside), measure, rounds=bench.rounds(7))
        slow = found[beside.name]
        rows.append(
            Row(
                what=f"gateway, p99 of good calls beside {name.removeprefix('child_')}, of those without it",
                measured=ratios(slow, found[alone.name]),
                goal=Goal(target=2.0),
                note=f"{Spread.of(slow).median * 1000:.2f} ms",
            )
        )
    return rows


def _with_neighbour(bench: Bench, name: str, *, bad: bool) -> Command:
    """Return a gateway over a good server and one that is to be called never or every now and then.

    The bad server cannot be asked for its lists, so the table is that of a gateway over two good ones, and the second
    one's command is put in its place.
    """
    made = bench.folder / f"neighbour-{name}"
    if not made.exists():
        words = ("gateway", f"s0={bench.project(FEW)}", f"bad={bench.project(FEW)}", "--prefix", "s0=", "-o", str(made))
        subprocess.run((*bench.environments.mcpgen, *words), check=True, stdin=subprocess.DEVNULL, capture_output=True)
        catalog = made / "gateway" / "catalog.json"
        if not catalog.exists():
            raise ServerFailed("the gateway has no catalog where it is looked for")
        content = json.loads(catalog.read_bytes())
        limits = {"start_timeout": 2, "timeout": 2}
        row = content["gateway"]["servers"]["bad"]
        row |= {"command": ["${python}", "-I", str(ATTACKS / f"{name}.py")], "limits": limits}
        for tool in content["tools"]:
            if tool["call"]["server"] == "bad":
                tool["limits"] = {"timeout": 2}
        catalog.write_text(json.dumps(content), encoding="utf-8")
        (made / "gateway" / "catalog.cache.jsonl").unlink()
    words = (bench.environments.clean, "-I", "-S", str(made / "server.py"))
    return Command(name=f"{name}, {'beside' if bad else 'alone'}", words=words)


def _slowest_hundredth(command: Command, *, bad: bool) -> float:
    """Return the 99th percentile of calls one after the other, with calls of the bad server in between."""
    with Server(command) as server:
        server.shake_hands()
        server.call("add", ADD)
        server.calls("add", ADD, count=WARMING_CALLS, window=1)
        times = sorted(_good_times(server, bad=bad))
    return times[len(times) * 99 // 100]


def _good_times(server: Server, *, bad: bool) -> Iterator[float]:
    for number in range(NEIGHBOUR_CALLS):
        if bad and number % BAD_EVERY == 0:
            server.send(call_request(f"bad{number}", "bad__add", ADD))
        line = call_request(number, "add", ADD)
        own = b'"id":%d,' % number
        begun = time.perf_counter()
        server.send(line)
        while own not in server.line():  # the bad one's answers come in between
            pass
        yield time.perf_counter() - begun
