"""What the figures in docs/performance.md rest on: fair rounds, medians of ratios, verdicts."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

MODULES = (
    "measure",
    "rows",
    "tools_source",
    "bench",
    "experiments",
    "environments",
    "call_figures",
    "start_figures",
    "openapi_figures",
    "http_load",
    "http_figures",
    "gateway_figures",
    "gateway_many",
)


@pytest.fixture
def benchmarks(root, monkeypatch):
    """Import a module of the benchmarks' folder, which is no package."""
    monkeypatch.syspath_prepend(str(root / "benchmarks"))
    yield import_module
    for name in MODULES:
        sys.modules.pop(name, None)


def test_what_is_compared_takes_turns_and_the_first_round_does_not_count(benchmarks):
    measure = benchmarks("measure")
    commands = [measure.Command(name=name, words=()) for name in "ab"]
    order: list[str] = []

    def figure(command):
        order.append(command.name)
        return len(order)

    assert measure.in_turns(commands, figure, rounds=2) == {"a": [3, 5], "b": [4, 6]}
    assert order == ["a", "b"] * 3


def test_a_ratio_is_taken_within_each_round(benchmarks):
    measure = benchmarks("measure")
    # The machine was ten times slower in the second round and our share the same.
    assert measure.ratios([2.0, 20.0, 2.0], [4.0, 40.0, 4.0]) == measure.Spread(low=0.5, median=0.5, high=0.5)


@pytest.mark.parametrize(
    ("value", "most", "verdict"),
    [
        (0.7, True, "stretch reached"),
        (0.9, True, "target reached"),
        (1.1, True, "**missed**"),
        (0.7, False, "**missed**"),
        (1.1, False, "target reached"),
    ],
)
def test_a_row_says_whether_its_goal_is_reached(benchmarks, value, most, verdict):
    measure, rows = benchmarks("measure"), benchmarks("rows")
    goal = rows.Goal(target=1.0, stretch=0.8 if most else 1.2, most=most)
    row = rows.Row(what="start", measured=measure.Spread.of([value]), goal=goal)
    assert row.verdict == verdict
    assert row.missed == (verdict == "**missed**")
    sign = "≤" if most else "≥"
    assert f"| start | {sign} 1x | {sign} {goal.stretch}x | {value}x | {verdict} |" in rows.table([row])


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_server_is_driven_and_its_end_is_timed(benchmarks, root):
    measure = benchmarks("measure")
    script = root / "benchmarks" / "yardsticks" / "bare.py"
    with measure.Server(measure.Command(name="bare", words=(sys.executable, "-I", "-S", str(script)))) as server:
        server.shake_hands()
        server.send(measure.request("list", "tools/list"))
        assert measure.result(server.line(), "list") == {"tools": []}
        assert 0 < server.since_start() < measure.PATIENCE
        assert server.peak_kib() > 1000
        assert server.close() < measure.PATIENCE
    assert server.process.returncode == 0


def test_a_server_that_ends_early_is_named(benchmarks):
    measure = benchmarks("measure")
    command = measure.Command(name="gone", words=(sys.executable, "-I", "-S", "-c", "pass"))
    with measure.Server(command) as server, pytest.raises(measure.ServerFailed, match="gone"):
        server.line()


def test_the_module_that_is_served_has_as_many_tools_as_asked(benchmarks):
    source = benchmarks("tools_source").tools_source(10)
    assert source.count("\ndef ") == 10
    compile(source, "bench.py", "exec")


def test_the_document_has_a_place_for_the_figures(root):
    text = (Path(root) / "docs" / "performance.md").read_text(encoding="utf-8")
    begin, end = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"
    assert text.count(begin) == text.count(end) == 1
    assert text.index(begin) < text.index(end)
