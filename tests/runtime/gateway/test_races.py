"""Calls that are given up at any moment, of children that answer, answer badly, twice or not at all."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.runtime.gateway.gatewaying import gateway, tool
from tests.stdio_client import stub

PROGRAM = Path(__file__).with_name("worse_child.py")
SECONDS = 30.0
CALLS = 400
KINDS = ("twice", "cut_off", "id_missing", "gives_up", "id_of_the_future", "block_unknown", "pings")
SHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def _lines(chance: Random) -> tuple[list[dict], set[int]]:
    """Return what a client sends, and the ids of the calls that it gives up."""
    lines: list[dict] = [{"id": 0, "method": "initialize", "params": SHAKE}, {"method": "notifications/initialized"}]
    given_up = set()
    for number in range(1, CALLS + 1):
        kind = chance.choice(KINDS)
        name = f"{kind}__{chance.choice(('ready', 'bad'))}"
        lines.append({"id": number, "method": "tools/call", "params": {"name": name, "arguments": {}}})
        if chance.random() < 0.5:
            given_up.add(number)
            told = {"method": "notifications/cancelled", "params": {"requestId": number}}
            lines.insert(chance.randrange(max(len(lines) - 3, 2), len(lines) + 1), told)
        if chance.random() < 0.1:
            told = {"method": "notifications/cancelled", "params": {"requestId": chance.choice((0, -1, "x", 10**9))}}
            lines.append(told)
    return lines, given_up


@pytest.mark.parametrize("seed", range(3))
def test_every_call_that_is_waited_for_has_one_answer(tmp_path: Path, seed: int) -> None:
    servers = {kind: {"command": ["${python}", "-I", "-S", str(PROGRAM), kind], "era": "legacy"} for kind in KINDS}
    tools = [tool(kind, name, limits={"timeout": 3}) for kind in KINDS for name in ("ready", "bad")]
    chance = Random(seed)
    lines, given_up = _lines(chance)
    data = b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in lines)
    words = stub(gateway(tmp_path / "made", servers, tools), sys.executable)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(words, **pipes) as process:
        try:
            answered = _talk(process, data, chance, set(range(CALLS + 1)) - given_up)
        finally:
            process.kill()
    assert len(answered) == len(set(answered)), "two answers to one call"
    assert set(answered) <= set(range(CALLS + 1))


def _talk(process: subprocess.Popen, data: bytes, chance: Random, wanted: set[int]) -> list[int]:
    """Write in pieces of any size and read until all that is wanted is answered; return the ids of the answers."""
    os.set_blocking(process.stdin.fileno(), False)
    answered: list[int] = []
    rest = b""
    until = time.monotonic() + SECONDS
    while not wanted <= set(answered):
        assert time.monotonic() < until, sorted(wanted - set(answered))
        readable, writable, _ = select.select([process.stdout], [process.stdin] if data else [], [], 1.0)
        if writable:
            data = data[os.write(process.stdin.fileno(), data[: chance.randrange(1, 5_000)]) :]
        if readable:
            *lines, rest = (rest + os.read(process.stdout.fileno(), 65536)).split(b"\n")
            messages = map(json.loads, lines)
            answered += [each["id"] for each in messages if "method" not in each]
    return answered
