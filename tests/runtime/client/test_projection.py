"""`_fields`: what is kept and what is unknown."""

from __future__ import annotations

import pytest

from generator.runtime.client.projection import paths_of, project

PETS = {"pets": [{"id": 1, "owner": {"name": "Ann", "age": 3}}, {"id": 2, "owner": None, "tags": []}], "total": 2}


@pytest.mark.parametrize(
    ("wanted", "paths"),
    [
        (["a", " b.c "], ["a", "b.c"]),
        ("a, b.c,", ["a", "b.c"]),
        (["$.a", "items[].id", "a"], ["a", "items.id"]),
        (None, []),
        ([1, ""], []),
    ],
)
def test_paths_are_read_from_an_array_or_a_text(wanted, paths):
    assert paths_of(wanted) == paths


@pytest.mark.parametrize(
    ("paths", "kept", "unknown"),
    [
        (["total"], {"total": 2}, []),
        (["pets.id"], {"pets": [{"id": 1}, {"id": 2}]}, []),
        (["pets.owner.name", "total"], {"pets": [{"owner": {"name": "Ann"}}, {"owner": None}], "total": 2}, []),
        (["pets.owner"], {"pets": [{"owner": {"name": "Ann", "age": 3}}, {"owner": None}]}, []),
        (["pets.tags.name"], {"pets": [{}, {"tags": []}]}, []),
        (["colour", "pets.size"], {"pets": [{}, {}]}, ["colour", "pets.size"]),
        (["pets.*"], {"pets": PETS["pets"]}, []),
        (["total.sum"], {}, ["total.sum"]),
    ],
)
def test_named_members_are_kept_in_objects_and_through_arrays(paths, kept, unknown):
    assert project(PETS, paths) == (kept, unknown)


def test_an_array_at_the_root_is_looked_through():
    assert project([{"id": 1, "x": 2}, 3], ["id"]) == ([{"id": 1}], [])


def test_a_name_with_a_dot_is_found():
    assert project({"a.b": 1, "a": {"b": 2}}, ["a.b"]) == ({"a.b": 1, "a": {"b": 2}}, [])


def test_what_has_no_members_stays():
    assert project(5, ["a"]) == (5, ["a"])
    assert project([], ["a"]) == ([], [])
