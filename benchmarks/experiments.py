"""The experiments by name: each takes the bench and returns rows of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from call_figures import calls, memory, overlap, validator
from gateway_figures import calls as gateway_calls
from gateway_figures import neighbours as gateway_neighbours
from gateway_figures import overlap as gateway_overlap
from gateway_figures import start as gateway_start
from gateway_many import calls as gateway_many
from http_figures import calls as http_calls
from http_figures import ready
from openapi_figures import generation, proxied, serving
from start_figures import command_help, peers, start

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench import Bench
    from rows import Row

EXPERIMENTS: dict[str, Callable[[Bench], list[Row]]] = {
    "start": start,
    "peers": peers,
    "calls": calls,
    "overlap": overlap,
    "memory": memory,
    "validator": validator,
    "help": command_help,
    "http-calls": http_calls,
    "http-ready": ready,
    "openapi-generation": generation,
    "openapi-serving": serving,
    "openapi-calls": proxied,
    "gateway-start": gateway_start,
    "gateway-calls": gateway_calls,
    "gateway-many": gateway_many,
    "gateway-overlap": gateway_overlap,
    "gateway-neighbours": gateway_neighbours,
}
"""In the order of the table, by the name `--only` takes."""

WITH_PEERS = frozenset({"peers", "calls", "validator", "openapi-calls", "http-calls", "gateway-calls", "gateway-many"})
"""Experiments that need the peers' environment."""
