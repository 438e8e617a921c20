"""A standard error that nobody reads is left aside, and taken up again when somebody does."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.command import ROOT

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a full pipe can be emptied on Linux only")

PROGRAM = """
import os, sys, time
from generator.runtime.server import congestion

congestion.STALL_SECONDS = 0.05
watched = congestion.Congestion()
os.set_blocking(2, False)
try:
    while True:
        os.write(2, b"x" * 4096)
except BlockingIOError:
    os.set_blocking(2, True)
before = os.fstat(2).st_ino
watched.look()
assert os.fstat(2).st_ino == before, "it waits a while"
deadline = time.monotonic() + 10
while os.fstat(2).st_ino == before and time.monotonic() < deadline:
    watched.look()
os.write(2, b"goes nowhere")
os.write(1, b"goes nowhere")
os.write(int(sys.argv[1]), b"diverted")
while os.fstat(2).st_ino != before and time.monotonic() < deadline:
    watched.look()
assert os.fstat(2).st_ino == before, "it comes back once there is room"
os.write(2, b"heard again")
"""


def test_output_is_diverted_while_nobody_reads_and_comes_back_with_a_note():
    source, sink = os.pipe()
    tell, told = os.pipe()
    command = [sys.executable, "-c", PROGRAM, str(told)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=sink, pass_fds=[told])
    os.close(sink)
    os.close(told)
    assert os.read(tell, 100) == b"diverted"
    heard = bytearray()
    while piece := os.read(source, 65536):
        heard += piece
    assert process.wait(20) == 0, bytes(heard[-2_000:])
    os.close(source)
    os.close(tell)
    assert b"goes nowhere" not in heard
    assert heard.endswith(b"[standard error was not read; some output was dropped]\nheard again")
