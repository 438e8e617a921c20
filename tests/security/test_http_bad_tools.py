"""Every function of bad_tools.py, called over HTTP: others are served meanwhile and after.

Those that end their process are survived with workers (`--workers`), where the call alone is lost.
"""

from __future__ import annotations

import sys
import time

import pytest

from tests.asgi_servers import Uvicorn
from tests.http_client import HttpServer, call, modern, request
from tests.stdio_client import stub

from .test_bad_tools import (
    CONVERTED,
    END_SECONDS,
    ENDLESS,
    LASTING,
    NAMES,
    NEEDS_A_PROCESS,
    QUIET,
    RAISES,
    SETTINGS,
    SOURCE,
    STREAMS,
    SURVIVED,
    UNSENDABLE,
)
from .test_worse_tools import SETTINGS as WORSE_SETTINGS
from .test_worse_tools import SOURCE as WORSE

HARDEST = ("closes_many", "kills_main_thread", "clears_modules", "patches_time", "blocks_loop", "closes_loop")
"""Functions of worse_tools.py that take what this shell stands on; the others do what they do over stdio."""


WORKERS = ("--workers", "2")
KILLED_SECONDS = 1.0 + 2.0
"""In which the end of a worker is told, with a margin for a machine that does other things as well."""

OUTCOMES = {
    **dict.fromkeys((*QUIET, *STREAMS, "forks", "nondaemon_thread", "sets_limit"), "v"),
    **RAISES,
    **{name: f"[M-OUT-001] {name} returned a wrong result" for name in UNSENDABLE},
    **dict.fromkeys(ENDLESS, "[M-RUN-001]"),
    **dict.fromkeys(NEEDS_A_PROCESS, "[M-RUN-004]"),
}
"""What the text of a call's result begins with."""


@pytest.fixture(scope="module")
def argv(served):
    return stub(served("bad_tools", SOURCE, SETTINGS), sys.executable)


WAYS = {"one process": (HttpServer, ()), "workers": (HttpServer, WORKERS), "asgi": (Uvicorn, ())}


@pytest.fixture(scope="module", params=WAYS)
def server(argv, request):
    kind, options = WAYS[request.param]
    running = kind(argv, *options)
    with running.wire() as patient:
        yield running, patient
    status, seconds = running.stop()  # fails if a tool wrote on standard output
    if running.is_ours:
        assert status == 143
    assert seconds < END_SECONDS
    assert "Traceback" not in running.stderr


@pytest.fixture(scope="module")
def isolated(argv):
    with HttpServer(argv, *WORKERS) as running:
        yield running


def test_each_function_has_an_outcome():
    assert {*OUTCOMES, *CONVERTED, *LASTING, "returns_huge"} == set(NAMES)


@pytest.mark.requirement("R120")
@pytest.mark.parametrize("name", NAMES)
def test_every_function_comes_to_the_same_with_workers(isolated, name):
    begun = time.monotonic()
    result = isolated.post(call(1, name, {"x": "v"})).json["result"]
    assert time.monotonic() - begun < KILLED_SECONDS or name not in NEEDS_A_PROCESS
    text = "\n".join(block["text"] for block in result["content"])
    assert text.startswith(OUTCOMES.get(name, ""))
    assert ".py" not in text
    assert ("isError" in result) == (name in (*RAISES, *UNSENDABLE, *ENDLESS, *NEEDS_A_PROCESS)) or name in LASTING
    after = isolated.post(call(2, "print_stdout", {"x": "after"}))
    assert after.json["result"]["structuredContent"] == {"result": "after"}


@pytest.mark.parametrize("name", SURVIVED)
def test_the_server_goes_on(server, name):
    running, patient = server
    message, headers = modern(call(1, name, {"x": "v"}))
    with running.wire() as wire:
        wire.send(running.bytes_of(message, headers))
        answer = wire.answer()
    assert answer.status == 200
    assert answer.json["result"]["resultType"] == "complete"
    assert ".py" not in answer.body.decode()
    patient.send(running.bytes_of(call("after", "print_stdout", {"x": "after"})))
    assert patient.answer().json["result"]["structuredContent"] == {"result": "after"}
    assert running.post(request(2, "ping")).json["result"] == {}


@pytest.fixture(scope="module")
def worse(served):
    return stub(served("worse_tools", WORSE, WORSE_SETTINGS), sys.executable)


@pytest.mark.parametrize("options", [(), WORKERS], ids=["one process", "workers"])
@pytest.mark.parametrize("name", HARDEST)
def test_the_server_goes_on_whatever_a_tool_takes_from_it(worse, name, options):
    with HttpServer(worse, *options) as server, server.wire() as patient:
        message, headers = modern(call(1, name, {"x": "v"}))
        with server.wire() as wire:
            wire.send(server.bytes_of(message, headers))
            assert wire.answer().json["result"]["resultType"] == "complete"
        patient.send(server.bytes_of(call(2, "fine", {"x": "v"})))
        assert "result" in patient.answer().json
        assert server.post(request(3, "ping")).status == 200
        status, seconds = server.stop()
        assert (status, seconds < END_SECONDS) == (143, True)
