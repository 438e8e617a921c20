"""What calls cost: many at once, slow ones beside each other, the memory they take, and the validator alone."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench import HERE, PEERS, versus
from measure import Command, Server, ServerFailed, Spread, in_turns, ratios, request
from rows import Goal, Row

if TYPE_CHECKING:
    from bench import Bench

ADD = {"a": 1, "b": 2}
WINDOW = 64
"""Calls without an answer, in the pipelined experiment."""

OUR_CALLS, PEER_CALLS = 20_000, 1_000
"""Calls in one round: each server is busy for about half a second or more."""

WARMING_CALLS = 300
MEMORY_CALLS = 2_000
SLEEPERS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """Many calls: by the clock, and by the processor time of the server."""

    per_second: float
    processor_us: float


def pipelined(command: Command) -> Called:
    """Keep a window of calls unanswered."""
    count = PEER_CALLS if command.name in PEERS else OUR_CALLS
    with Server(command) as server:
        server.shake_hands()
        server.call("add", ADD)
        server.calls("add", ADD, count=WARMING_CALLS, window=WINDOW)
        before = server.processor_seconds()
        seconds = server.calls("add", ADD, count=count, window=WINDOW)
        used = server.processor_seconds() - before
    return Called(per_second=count / seconds, processor_us=used / count * 1e6)


def calls(bench: Bench) -> list[Row]:
    """Compare calls a second, and processor time a call, with other servers."""
    stub = bench.stub()
    found = in_turns((stub, *bench.peers()), pipelined, rounds=bench.rounds(7), warm_up=0)
    ours, rows = found[stub.name], []
    for name in PEERS:
        speed = ratios((each.per_second for each in ours), (each.per_second for each in found[name]))
        note = f"{Spread.of(each.per_second for each in found[name]).median:.0f} a second"
        goal = versus(name, sdk=(25, 30), fastmcp=(50, 60))
        rows.append(Row(what=f"pipelined tools/call, times as many as {name}", measured=speed, goal=goal, note=note))
        effort = ratios((each.processor_us for each in found[name]), (each.processor_us for each in ours))
        rows.append(Row(what="by processor time", measured=effort))
    speed = Spread.of(each.per_second for each in ours)
    rows.append(Row(what="calls a second of ours", measured=speed, unit=""))
    return rows


def overlap(bench: Bench) -> list[Row]:
    """Compare sixteen sleeping calls at once with one."""

    def measure(command: Command) -> float:
        sleeping = {"seconds": 0.1}
        with Server(command) as server:
            server.shake_hands()
            server.call("sleep", sleeping)
            one = server.call("sleep", sleeping)
            return server.calls("sleep", sleeping, count=SLEEPERS, window=SLEEPERS) / one

    stub = bench.stub()
    found = in_turns((stub,), measure, rounds=bench.rounds(9))
    what = f"{SLEEPERS} overlapping sleep(0.1), of one"
    return [Row(what=what, measured=Spread.of(found[stub.name]), goal=Goal(target=1.5))]


def memory(bench: Bench) -> list[Row]:
    """Compare peak memory, after listing and after calls, with a bare Python started with the same flags."""

    def measure(command: Command) -> tuple[int, int]:
        with Server(command) as server:
            server.shake_hands()
            server.send(request("list", "tools/list"))
            server.line()
            listed = server.peak_kib()
            if command is not bare:
                server.call("add", ADD)
                server.calls("add", ADD, count=MEMORY_CALLS, window=WINDOW)
            return listed, server.peak_kib()

    bare, stub = bench.script("bare", "-I", "-S"), bench.stub()
    found = in_turns((bare, stub), measure, rounds=bench.rounds(7))
    goal = Goal(target=1.5, stretch=1.3)
    rows = []
    for index, when in enumerate(("after tools/list", f"after {MEMORY_CALLS:,} calls")):
        ours = [each[index] for each in found[stub.name]]
        spread = ratios(ours, (each[0] for each in found[bare.name]))
        note = f"{Spread.of(ours).median / 1024:.1f} MiB"
        rows.append(Row(what=f"peak memory, of bare Python, {when}", measured=spread, goal=goal, note=note))
    return rows


def validator(bench: Bench) -> list[Row]:
    """Take the least of five schemas from the validator's own benchmark."""
    words = (bench.environments.peers, str(HERE / "validator.py"), "--json")
    done = subprocess.run(words, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8")
    schemas = json.loads(done.stdout)["results"]
    goals = {
        "valid_fastjsonschema": ("valid values, times quicker than fastjsonschema", 1.3, 1.6),
        "valid_jsonschema": ("valid values, times quicker than jsonschema", 25, 35),
        "invalid_jsonschema": ("invalid values, times quicker than jsonschema", 8, 12),
    }
    rows = []
    for key, (what, target, stretch) in goals.items():
        if not all(key in row for row in schemas):
            raise ServerFailed(f"{key.partition('_')[2]} is not installed in the peers' environment")
        least = min(schemas, key=lambda row: row[key])
        rows.append(
            Row(
                what=f"validator, {what}, least of {len(schemas)} schemas",
                measured=Spread.of([least[key]]),
                goal=Goal(target=target, stretch=stretch, most=False),
                note=least["schema"],
            )
        )
    return rows
