"""Names of arguments that every host accepts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.python.wire_names import wire_name


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("city", "city"),
        ("größe", "grosse"),
        ("naïve", "naive"),
        ("łódź_øre", "lodz_ore"),
        ("a b", "a_b"),
        ("\N{GREEK SMALL LETTER SIGMA}_max", "sigma_max"),
        ("Δt", "Deltat"),
        ("$ref", "ref"),
    ],
)
def test_a_name_stays_or_becomes_the_nearest_one_that_reads_alike(name: str, wire: str) -> None:
    assert wire_name(name, ()) == wire


@pytest.mark.parametrize(("name", "start"), [("名前", "argument_"), ("x名", "x_"), ("a" * 70, "a" * 55 + "_")])
def test_a_name_of_which_too_little_is_left_gets_a_digest(name: str, start: str) -> None:
    assert re.fullmatch(re.escape(start) + "[0-9a-f]{8}", wire_name(name, ()))


@given(st.text(min_size=1, max_size=100))
def test_every_name_becomes_acceptable_and_always_the_same(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", wire_name(name, ()))
    assert wire_name(name, ()) == wire_name(name, ())


def test_a_name_that_is_taken_is_not_given_twice() -> None:
    assert wire_name("größe", {"grosse"}) != "grosse"
