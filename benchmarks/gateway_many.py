"""Calls through a gateway over ten servers, one after the other, compared with fastmcp's proxy of the same ten."""

from __future__ import annotations

from typing import TYPE_CHECKING

from call_figures import ADD
from gateway_figures import fastmcp_proxy, gateway
from measure import Server, Spread, in_turns, ratios
from rows import Goal, Row

if TYPE_CHECKING:
    from bench import Bench
    from measure import Command

SERVERS = 10

CALLS, PROXY_CALLS = 100, 1
"""Calls of each server in a round: the proxy takes half a second for each, since it starts all ten servers anew."""


def calls(bench: Bench) -> list[Row]:
    """Call the ten servers in turn, each once before the clock runs."""
    through, proxy = gateway(bench, SERVERS), fastmcp_proxy(bench, SERVERS)
    tools = {
        through.name: ["add", *(f"s{number}__add" for number in range(1, SERVERS))],
        proxy.name: [f"s{number}_add" for number in range(SERVERS)],
    }

    def measure(command: Command) -> float:
        rounds = PROXY_CALLS if command is proxy else CALLS
        with Server(command) as server:
            server.shake_hands()
            for tool in tools[command.name]:
                server.call(tool, ADD)
            return sum(server.call(tool, ADD) for _ in range(rounds) for tool in tools[command.name]) / rounds / SERVERS

    found = in_turns((through, proxy), measure, rounds=bench.rounds(5), warm_up=0)
    return [
        Row(
            what=f"gateway of {SERVERS} servers, one call after the other, times quicker than fastmcp's proxy of them",
            measured=ratios(found[proxy.name], found[through.name]),
            goal=Goal(target=20, most=False),
            note=f"{Spread.of(found[through.name]).median * 1e6:.0f} µs against "
            f"{Spread.of(found[proxy.name]).median * 1e3:.0f} ms",
        )
    ]
