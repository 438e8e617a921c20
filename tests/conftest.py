"""What all tests share: the golden option, the given data, and the rule that nothing is skipped silently in CI."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from generator.collector import uncollected
from tests import leftovers, official_schema, recording

ROOT = Path(__file__).resolve().parent.parent
IN_CI = bool(os.environ.get("CI"))

ABOUT_THE_SYSTEM = re.compile(r"Python 3\.\d+|Windows|macOS|Linux")
"""Reasons for a skip that no installation can remove; every other skip is a failure in CI."""

# A busy machine is slow, not wrong; in CI the same examples are tried in every run.
settings.register_profile("mcpgen", deadline=None, derandomize=IN_CI)
settings.load_profile("mcpgen")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected files; refused when CI is set")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update-golden") and IN_CI:
        raise pytest.UsageError("--update-golden is refused when CI is set: goldens are reviewed, not made, there")
    # shells start what runs in the background with interrupts ignored, and every command that tests start inherits that
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if official_schema.is_there():
        recording.install()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item):
    """Fail the test during which a server of ours said what no official schema has."""
    return (yield from _recorded(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item):
    """The same for what servers say as they end; and let go of lines for the log, which would be in another test's."""
    try:
        return (yield from _recorded(item))
    finally:
        leftovers.drop_lines()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let the guardian of gateways go that tests ran in this process: it waits for the end of its input."""
    guarding = sys.modules.get("generator.runtime.gateway.guarding")
    if guarding is not None:
        guarding.guard.close()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session):
    """Look for no garbage while tests are collected: all of it stays, and walking it took two fifths of the time."""
    with uncollected():
        return (yield)


def _recorded(item: pytest.Item):
    try:
        result = yield
    finally:
        found = recording.take()
    if found:
        raise AssertionError(f"{item.nodeid}: a message broke its official schema:\n" + "\n".join(found[:10]))
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Turn a skip into a failure in CI, where every component is there or the run is wrong."""
    report = yield
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not ABOUT_THE_SYSTEM.search(reason):
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} must not be skipped in CI: {reason}"
    return report


@pytest.fixture(scope="module", autouse=True)
def nothing_runs_on():
    """Fail a file whose tests leave something running: it would write into the log that a later file reads."""
    before = leftovers.running()
    yield
    left = leftovers.since(before)
    assert not left, f"threads of the runtime that its tests started run on: {left}"


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected files are rewritten instead of compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of given data: named by MCPGEN_SHARED, or `shared` beside the checkout."""
    named = os.environ.get("MCPGEN_SHARED")
    folder = Path(named) if named else ROOT.parent / "shared"
    if not (folder / "cases").is_dir():
        pytest.skip("needs the `shared` folder beside the checkout (or MCPGEN_SHARED), which only the project's CI has")
    return folder
