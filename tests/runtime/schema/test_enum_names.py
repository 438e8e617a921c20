"""Names of members are found where a conversion makes them, and nowhere else."""

from __future__ import annotations

import enum

from generator.runtime.schema.enum_names import enum_names, listed_names


class Priority(enum.IntEnum):
    LOW = 1
    HIGH = 10
    TOP = 10


class Opaque(enum.Enum):
    A = (1, 2)


class Other(enum.Enum):
    ONE = 1
    TEN = 10


LOCAL = {"m:Priority": Priority, "m:Opaque": Opaque, "m:Other": Other}


def names(conversions, definitions=None):
    return enum_names({"conversions": conversions, "definitions": definitions or {}}, LOCAL.__getitem__)


def spec(name):
    return {"enum": {"target": f"m:{name}", "by": "value"}}


def test_a_list_of_values_has_the_names_of_the_members_aliases_too():
    found = names({"p": {"nullable": {"list": spec("Priority")}}})
    assert listed_names(found, "p", [1, 10]) == [("LOW", 1), ("HIGH", 10), ("TOP", 10)]
    assert listed_names(found, "q", [1, 10]) == []
    assert listed_names(found, "p", [1]) == []
    assert listed_names(None, "p", [1]) == []


def test_shared_definitions_hold_for_every_argument():
    found = names(
        {"p": {"ref": "R"}}, {"conversions": {"R": {"record": {"target": "x", "fields": {"a": spec("Other")}}}}}
    )
    assert listed_names(found, "p", [1, 10]) == [("ONE", 1), ("TEN", 10)]


def test_names_of_a_literal_stand_in_the_conversion():
    found = names({"p": {"members": {"target": "m:Priority", "names": [[1, "LOW"]]}}})
    assert listed_names(found, "p", [1]) == [("LOW", 1)]


def test_what_is_not_told_apart_by_values_or_cannot_be_loaded_has_no_names():
    assert listed_names(names({"p": {"union": [spec("Priority"), spec("Other")]}}), "p", [1, 10]) == []
    assert names({"p": spec("Opaque"), "q": spec("Missing"), "r": {"enum": {"target": "m:Other", "by": "name"}}}) == {
        "p": {},
        "q": {},
        "r": {},
        None: {},
    }
