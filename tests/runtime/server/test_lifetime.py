"""How long calls in flight go on after the end of the input, and what cuts that short."""

from __future__ import annotations

import subprocess
import sys
from typing import NoReturn

import pytest

from generator.runtime.server import lifetime, serve_settings
from generator.runtime.wire import limits
from tests.runtime.server.behaviour import call, emitted, line, piped, text
from tests.stdio_client import stub


class Left(BaseException):
    """Stands for the end of the process."""


@pytest.fixture
def leaving(monkeypatch):
    """Make a lifetime whose calls in flight last until `steps` have passed without an end to them."""

    def leave(code: int) -> NoReturn:
        raise Left(code)

    def lasting(*causes):
        steps, given_up = iter(causes), []

        def is_busy() -> bool:
            next(steps, lambda _: None)(living)
            return True

        living = lifetime.Lifetime(is_busy, lambda: given_up.append("told"))
        return living, given_up

    monkeypatch.setattr(lifetime.system, "leave", leave)
    monkeypatch.setattr(lifetime, "start_new_thread", lambda *_: None)  # it would leave, too
    return lasting


@pytest.mark.parametrize(
    ("cause", "code"),
    [
        (lambda living: living.end(143), 143),  # a signal
        (lambda living: living.end(), 0),  # the client closed its reading end
    ],
)
def test_what_ends_a_server_at_once_does_so_while_calls_are_waited_for(leaving, monkeypatch, cause, code):
    monkeypatch.setattr(limits, "DRAIN_SECONDS", 3600.0)
    living, given_up = leaving(lambda _: None, cause)
    living.input_ended()
    with pytest.raises(Left) as left:
        living.wait()
    assert (left.value.args, given_up) == ((code,), ["told"])


def test_a_later_cause_gives_calls_no_more_time(leaving, monkeypatch):
    monkeypatch.setattr(limits, "DRAIN_SECONDS", 3600.0)
    living, given_up = leaving(lambda living: living.input_ended())
    living.end(143)
    with pytest.raises(Left):
        living.wait()
    assert given_up == ["told"]


def test_the_setting_is_for_every_end(monkeypatch):
    monkeypatch.setattr(limits, "DRAIN_SECONDS", limits.DRAIN_SECONDS)
    serve_settings.apply_limits({}, http=False)
    assert limits.DRAIN_SECONDS == 1.5
    serve_settings.apply_limits({"shutdown_seconds": 3}, http=False)
    assert limits.DRAIN_SECONDS == 3


@pytest.mark.requirement("R009")
def test_a_call_of_seconds_is_answered_after_the_end_of_the_input(tmp_path):
    argv = stub(emitted(tmp_path, {"serve": {"limits": {"shutdown_seconds": 60}}}), sys.executable)
    code, (answer,), _ = piped(argv, call(1, "nap", seconds=2.5))
    assert (code, text(answer["result"])) == (0, "rested")


def test_nobody_waits_for_calls_whose_answers_nobody_reads(tmp_path):
    argv = stub(emitted(tmp_path, {"serve": {"limits": {"shutdown_seconds": 60}}}), sys.executable)
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(call(1, "nap", seconds=60) + line(2, "ping"))
    process.stdin.close()
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(20) == 0
