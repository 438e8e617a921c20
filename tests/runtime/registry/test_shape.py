"""The form that is checked by hand is the one that the published schema has."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.resources import schemas
from generator.runtime.registry.file_text import MOST_ENTRIES
from generator.runtime.registry.names import is_name
from generator.runtime.registry.shape import FIELDS, problem
from generator.runtime.schema.validator import compile_validator

SCHEMA = json.loads((schemas() / "registry-file.schema.json").read_text(encoding="utf-8"))
ENTRY = {"$ref": "#/$defs/entry", "$defs": SCHEMA["$defs"]}
OURS = compile_validator(ENTRY)
THEIRS = Draft202012Validator(ENTRY)

DIGEST = "sha256:" + "0" * 64
SAMPLES = {
    "command": [["/bin/a"], ["C:\\a"], ["\\\\host\\a", "x"], ["a"], [], "a", ["/a", 1], ["/a", "\0"], ["/a", "\ud800"],
                ["/a"] * 1000, ["/a"] * 1001, ["/" + "a" * 32767], ["/" + "a" * 32768], ["/a", "é\n"], [None], None],
    "url": ["https://a", "http://a:1/x?y=1", "https://[::1]/", "https://a/%41", "https://a/%4", "https://a b", "ftp://a",
            "https://u@a", "https://a#b", "https://", "//a", "https://a/${B}", "https://a/\x00", "https://é", 1,
            "https://a/" + "x" * 2038, "https://a/" + "x" * 2039],
    "cwd": ["/", "C:/", "c:\\x", ".", "", "../..", "/\0", 1, None],
    "transport": ["stdio", "http", "sse", None],
    "env": [[], ["A"], ["A", "A"], ["_a1"], ["A" * 200], ["A" * 201], ["1"], ["A=b"], [1], {}, {"A": ""}, {"A": "b\n"},
            {"A": 1}, {"A": None}, {"A": None, "B": "b"}, {"A\0": "b"}, {"a b": "c"}, "A", {"A": "\0"},
            [f"A{n}" for n in range(201)]],
    "headers": [{}, {"A": "b"}, {"A": "Bearer ${B}"}, {"A": "${B"}, {"A": "$"}, {"A": "$$ {"}, {"A": "${1}"},
                {"A": "é"}, {"A": "b\r\n"}, {"A:": "b"}, {"": "b"}, {"A": 1}, {"A": "x" * 8193}, [], "A: b"],
    "digest": [DIGEST, DIGEST.upper(), "0" * 64, 1],
    "files": [DIGEST, DIGEST + "0"],
    "package": ["/a", "a"],
    "tools": [{}, {"count": 0}, {"count": 2.0}, {"count": 1.5}, {"count": -1}, {"count": True}, {"names": ["a"]},
              {"names": [1]}, {"names": "a"}, {"count": 1, "names": [], "more": 1}, [], 4, {"names": ["a"] * 201}],
    "python": ["3.13.0", "", "3" * 101, 3],
    "runtime": ["0.1.0", 1],
    "description": ["", "x" * 10_000, "x" * 10_001, "\0", None],
    "version": ["", 1],
    "project_root": ["", "relative", 1],
    "fingerprint": ["0" * 64, "0" * 63, "g" * 64, 1],
    "installed_at": ["2026-01-02T03:04:05Z", "", 1],
    "of another program": [None, 1, {"a": []}],
}  # fmt: skip


@pytest.mark.requirement("R062")
@pytest.mark.parametrize("kind", [{"command": ["/bin/a"]}, {"url": "https://a"}], ids=["command", "url"])
@pytest.mark.parametrize("member", SAMPLES)
def test_the_check_and_the_schema_agree_on_each_member(member, kind):
    verdicts = set()
    for sample in SAMPLES[member]:
        entry = {**kind, member: sample}
        accepted = problem(entry) is None
        assert accepted == OURS.accepts(entry) == THEIRS.is_valid(entry), sample
        verdicts.add(accepted)
    assert verdicts  # some member goes with one kind only


def test_each_known_member_is_in_the_schema_and_has_samples():
    assert set(SCHEMA["$defs"]["entry"]["properties"]) == set(FIELDS)
    assert set(SAMPLES) - {"of another program"} == set(FIELDS)


VALUES = st.sampled_from([sample for samples in SAMPLES.values() for sample in samples]) | st.text(max_size=12)


@settings(max_examples=500)
@given(entry=st.dictionaries(st.sampled_from(list(FIELDS)) | st.text(max_size=3), VALUES, max_size=5) | VALUES)
def test_they_agree_on_any_entry(entry):
    assert (problem(entry) is None) == OURS.accepts(entry)


PLAUSIBLE = st.fixed_dictionaries(
    {}, optional={member: st.sampled_from(samples[:3]) for member, samples in SAMPLES.items()}
)


@settings(max_examples=500)
@given(entry=PLAUSIBLE)
def test_they_agree_on_entries_that_are_nearly_right(entry):
    assert (problem(entry) is None) == OURS.accepts(entry)


@settings(max_examples=200)
@given(name=st.text(alphabet="abzAZ09_-. \né", max_size=70) | st.text(max_size=5))
def test_they_agree_on_names(name):
    file = compile_validator(SCHEMA)
    document = {"version": 1, "clis": {name: {"command": ["/bin/a"]}}}
    assert file.accepts(document) == is_name(name)


def test_the_schema_itself_is_valid_and_knows_the_bounds():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$defs"]["entries"]["maxProperties"] == MOST_ENTRIES
    assert not compile_validator(SCHEMA).accepts({"version": 2, "clis": {}})
    assert not compile_validator(SCHEMA).accepts({"clis": {}})
