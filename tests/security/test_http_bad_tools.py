"""Every function of bad_tools.py that a process survives, called over HTTP: others are served meanwhile and after."""

from __future__ import annotations

import sys

import pytest

from tests.http_client import HttpServer, call, modern, request
from tests.stdio_client import stub

from .test_bad_tools import END_SECONDS, SETTINGS, SOURCE, SURVIVED
from .test_worse_tools import SETTINGS as WORSE_SETTINGS
from .test_worse_tools import SOURCE as WORSE

HARDEST = ("closes_many", "kills_main_thread", "clears_modules", "patches_time", "blocks_loop", "closes_loop")
"""Functions of worse_tools.py that take what this shell stands on; the others do what they do over stdio."""


@pytest.fixture(scope="module")
def server(served):
    running = HttpServer(stub(served("bad_tools", SOURCE, SETTINGS), sys.executable))
    with running.wire() as patient:
        yield running, patient
    status, seconds = running.stop()  # fails if a tool wrote on standard output
    assert status == 143
    assert seconds < END_SECONDS
    assert "Traceback" not in running.stderr


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


@pytest.mark.parametrize("name", HARDEST)
def test_the_server_goes_on_whatever_a_tool_takes_from_it(worse, name):
    with HttpServer(worse) as server, server.wire() as patient:
        message, headers = modern(call(1, name, {"x": "v"}))
        with server.wire() as wire:
            wire.send(server.bytes_of(message, headers))
            assert wire.answer().json["result"]["resultType"] == "complete"
        patient.send(server.bytes_of(call(2, "fine", {"x": "v"})))
        assert "result" in patient.answer().json
        assert server.post(request(3, "ping")).status == 200
        status, seconds = server.stop()
        assert (status, seconds < END_SECONDS) == (143, True)
