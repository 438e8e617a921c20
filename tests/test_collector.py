"""The collector is off while much is built, and what was built is not walked right afterwards."""

import gc

import pytest

from generator import collector
from generator.collector import kept, uncollected


@pytest.fixture(autouse=True)
def on():
    gc.enable()
    yield
    gc.enable()


def test_the_collector_is_off_inside_and_on_afterwards():
    with uncollected():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    with uncollected():
        pass
    assert not gc.isenabled()


def test_what_was_built_is_not_counted_as_new():
    with uncollected():
        built = [[] for _ in range(50_000)]
        assert gc.get_count()[0] >= len(built)
    assert gc.get_count()[0] < len(built)
    assert gc.get_freeze_count() == 0


def test_what_somebody_froze_stays_frozen():
    gc.freeze()
    try:
        with uncollected():
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def test_values_are_kept_only_in_a_process_that_is_to_end(monkeypatch):
    monkeypatch.setattr(collector, "_kept", [])
    monkeypatch.setattr(collector, "_keeps", False)
    value = [1]
    assert kept(value) is value
    assert collector._kept == []
    collector.keep_to_the_end()
    assert kept(value) is value
    assert collector._kept == [value]
