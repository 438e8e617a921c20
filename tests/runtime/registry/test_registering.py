"""Registering, registering again and removing: idempotent, and never at the cost of another server."""

from __future__ import annotations

import json

import pytest

from generator.runtime.registry.problems import RegistryError
from generator.runtime.registry.reading import read
from generator.runtime.registry.registering import register, register_all, unregister


def record(command, **members):
    return {"command": command, "description": "", "version": "", **members}


def everything(name, entry):
    return True


def test_the_second_time_changes_nothing_not_even_the_time(place, command):
    assert register(str(place), "a", record(command, installed_at="1")).what == "added"
    before = place.read_bytes()
    assert register(str(place), "a", record(command, installed_at="2")).what == "unchanged"
    assert place.read_bytes() == before


def test_a_newer_entry_of_the_same_server_replaces_the_old_one(place, command, tmp_path):
    register(str(place), "a", record(command, package=str(tmp_path), version="1"))
    done = register(str(place), "a", record([*command, "x"], package=str(tmp_path), version="2"))
    assert (done.what, done.before["version"]) == ("replaced", "1")
    assert read(str(place)).entries["a"].version == "2"


@pytest.mark.parametrize(
    "other", [{"command": ["/bin/other"]}, {"url": "https://o.example"}, {"command": ["/bin/x"], "package": "/"}]
)
def test_the_name_of_another_server_is_not_taken_over(write, command, other):
    path = write({"version": 1, "clis": {"a": other}})
    before = path.read_bytes()
    with pytest.raises(RegistryError) as caught:
        register(str(path), "a", record(command))
    assert caught.value.is_refusal
    assert caught.value.problem.rule == "name-taken"
    assert path.read_bytes() == before
    assert register(str(path), "a", record(command), replace=True).what == "replaced"


def test_the_name_of_a_server_that_is_gone_is_free(write, command, tmp_path):
    path = write({"version": 1, "clis": {"a": {"command": ["/bin/x"], "package": str(tmp_path / "deleted")}}})
    assert register(str(path), "a", record(command, package=str(tmp_path))).what == "replaced"


def test_what_others_put_into_an_entry_is_not_lost_by_registering_anew(write, command, tmp_path):
    """Members that are not ours, such as what a gateway may do with a server, outlive the server's next version."""
    before = record(command, package=str(tmp_path), version="1", expose=["get_*"], **{"x-note": None})
    path = write({"version": 1, "clis": {"a": before}})
    assert register(str(path), "a", record(command, package=str(tmp_path), version="1")).what == "unchanged"
    assert register(str(path), "a", record(command, package=str(tmp_path), version="2")).what == "replaced"
    assert json.loads(path.read_bytes())["clis"]["a"] == {**before, "version": "2"}
    register(str(path), "a", record(["/bin/other"]), replace=True)
    assert json.loads(path.read_bytes())["clis"]["a"] == record(["/bin/other"])


def test_what_is_no_entry_is_in_nobodys_way(write, command):
    path = write({"version": 1, "clis": {"a": "x"}})
    assert register(str(path), "a", record(command)).what == "replaced"


def test_a_name_that_differs_only_in_case_is_refused_before_both_are_unusable(write, command):
    path = write({"version": 1, "clis": {"Weather": {"command": command}}})
    with pytest.raises(RegistryError) as caught:
        register(str(path), "weather", record(command), replace=True)
    assert "remove Weather" in caught.value.problem.hint


def test_many_are_registered_in_one_step_and_each_is_told_of(write, command):
    path = write({"version": 1, "clis": {"a": record(command), "b": {"url": "https://b.example"}}})
    done = register_all(str(path), {name: record(command) for name in "abc"})
    assert (done["a"].what, done["c"].what) == ("unchanged", "added")
    assert isinstance(done["b"], RegistryError)
    assert set(read(str(path)).entries) == {"a", "b", "c"}


def test_with_keep_an_entry_that_says_more_stays(write, command):
    rich = record(command, digest="sha256:" + "0" * 64)
    path = write({"version": 1, "clis": {"a": rich}})
    assert register_all(str(path), {"a": record(command, version="9")}, keep=True)["a"].what == "unchanged"
    assert json.loads(path.read_bytes())["clis"]["a"] == rich


@pytest.mark.requirement("R063")
def test_removing_takes_what_is_wanted_wherever_it_is_and_nothing_else(write, command):
    path = write(
        {
            "version": 1,
            "clis": {"a": {"command": command}, "Bad": 1, "b": {"command": command}},
            "servers": {"c": {"command": command}, "b": {"command": command}},
        }
    )
    done = unregister(str(path), lambda name, entry: name in ("b", "Bad"))
    assert (done.what, done.names) == ("removed", ("Bad", "b"))
    assert json.loads(path.read_bytes()) == {
        "version": 1,
        "clis": {"a": {"command": command}},
        "servers": {"c": {"command": command}},
    }
    assert unregister(str(path), lambda name, entry: name == "b").what == "absent"


def test_removing_from_a_registry_that_is_not_there_makes_none(place):
    assert unregister(str(place), everything).what == "absent"
    assert not place.parent.exists()
