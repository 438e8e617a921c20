"""Values cut to a number of bytes, for every value and every number."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.cutting import cut

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=8),
    max_leaves=40,
)


def size(value) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


@given(VALUES, st.integers(20, 400))
def test_a_value_that_fits_is_left_alone_and_another_gets_smaller(value, room):
    made = cut(value, room)
    if size(value) <= room:
        assert made.value == value
        assert made.notes == []
    else:
        assert size(made.value) <= max(room, 24)
        assert type(made.value) is type(value)


@given(st.lists(st.integers(), min_size=1, max_size=200), st.integers(30, 300))
def test_an_array_keeps_its_first_items(items, room):
    made = cut(items, room)
    assert made.value == items[: len(made.value)]
    if made.value != items:
        assert made.shown == {"": (len(made.value), len(items))}
        assert made.notes


def test_small_members_stay_whole_beside_a_large_one():
    made = cut({"total": 3, "items": list(range(10_000)), "next": "abc"}, 200)
    assert made.value["total"] == 3
    assert made.value["next"] == "abc"
    assert made.value["items"] == list(range(len(made.value["items"])))
    assert made.notes == [f"items: items 1-{len(made.value['items'])} of 10000 are shown"]


def test_an_item_that_alone_is_too_large_is_cut_itself():
    made = cut([{"id": 1, "text": "x" * 10_000}], 200)
    assert made.value[0]["id"] == 1
    assert made.value[0]["text"].endswith("…")
    assert made.notes[0] == "only a part of item 1 of 1 is shown"


def test_long_texts_are_cut_alike():
    made = cut({"a": "x" * 5_000, "b": "y" * 5_000}, 400)
    assert abs(len(made.value["a"]) - len(made.value["b"])) <= 2


def test_an_object_of_very_many_members_keeps_the_first():
    made = cut({f"member-{number}": number for number in range(10_000)}, 500)
    assert next(iter(made.value)) == "member-0"
    assert "members are left out" in made.notes[0]
