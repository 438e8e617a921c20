"""The wire cases of the attack corpus, sent to an emitted server and judged as their `.expect.json` says."""

from __future__ import annotations

import json

import pytest

from .conftest import ATTACKS
from .wire import exchange

RESULT = None
"""The code of an answer that is a result."""

# Codes by id, codes of the answers without an id. Where the corpus leaves a choice, ours is written here.
WIRE = {
    "batch": ({}, [-32600, -32600]),
    "bigint": ({}, [-32700]),
    "cancel": ({}, []),
    "cursor": (dict.fromkeys((1, 2, 3, 4, 5), -32602), []),
    "deep": ({}, [-32700]),
    "duplicate-keys": ({2: RESULT, 3: RESULT}, []),  # the last one wins
    "envelope": ({1: -32600, 2: -32600, 3: -32600, 4: -32600, 5: -32601}, []),
    "invalid-utf8": ({}, [-32700]),
    "modern-discover": ({"d": RESULT, "u": -32022}, []),
    "nan-infinity": ({3: RESULT}, [-32700, -32700]),
    "progress-token": (dict.fromkeys(range(1, 8), RESULT), []),
    "proto-keys": ({1: RESULT}, []),
    "reinit": ({1: RESULT}, []),
    "separators": ({1: RESULT, 2: RESULT}, []),
    "version-unknown": ({1: RESULT}, []),
}
RAW = {
    "before-init": ({1: RESULT, 2: RESULT, 3: RESULT}, []),
    "empty": ({}, []),
    "half-line": ({0: RESULT}, [-32700]),
    "no-final-newline": ({0: RESULT, 1: RESULT}, []),
}


@pytest.fixture(scope="module")
def answered(echo):
    """Send a case once and keep what came back."""
    kept = {}

    def send(folder, name):
        if name not in kept:
            kept[name] = exchange(echo, (ATTACKS / folder / f"{name}.jsonl").read_bytes())
        return kept[name]

    return send


@pytest.mark.parametrize("name", sorted(WIRE))
def test_a_hostile_line_is_answered_once_and_the_next_one_too(answered, name):
    codes, nameless = WIRE[name]
    found = answered("wire", name)
    assert found.the("alive")["result"] == {}
    assert found.code(0) is RESULT
    assert {identity: found.code(identity) for identity in found.answers} == {0: RESULT, "alive": RESULT, **codes}
    assert found.nameless_codes() == nameless
    assert all("id" in answer for answer in found.nameless), "in the legacy era an id that was not read is null"


@pytest.mark.requirement("R009")
@pytest.mark.parametrize("name", sorted(RAW))
def test_a_stream_that_ends_anywhere_is_answered_as_far_as_it_came(answered, name):
    codes, nameless = RAW[name]
    found = answered("wire-raw", name)
    assert {identity: found.code(identity) for identity in found.answers} == codes
    assert found.nameless_codes() == nameless


def test_every_case_is_used():
    for folder, used in (("wire", WIRE), ("wire-raw", RAW)):
        assert {path.stem for path in (ATTACKS / folder).glob("*.jsonl")} == set(used)


def test_a_number_with_thousands_of_digits_is_named_without_the_interpreters_advice(answered):
    (answer,) = answered("wire", "bigint").nameless
    assert answer["error"]["message"] == "Parse error: a number has too many digits"


def test_a_deep_message_is_told_the_limit(answered):
    (answer,) = answered("wire", "deep").nameless
    assert "nested deeper than 200" in answer["error"]["message"]


def test_the_last_of_two_equal_keys_wins(answered):
    assert answered("wire", "duplicate-keys").the(3)["result"]["content"] == [{"type": "text", "text": "2"}]


@pytest.mark.requirement("R024")
def test_unknown_arguments_are_named_and_never_reach_the_function(answered):
    result = answered("wire", "proto-keys").the(1)["result"]
    assert result["isError"] is True
    text = result["content"][0]["text"]
    assert text.count("[M-INP-005]") == 6
    assert "TypeError" not in text


def test_line_separators_of_unicode_are_data(answered):
    found = answered("wire", "separators")
    assert found.the(1)["result"]["content"][0]["text"] == "a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg"
    assert found.the(2)["result"]["content"][0]["text"] == "1"


def test_a_number_beyond_all_floats_never_comes_back_as_infinity(answered):
    result = answered("wire", "nan-infinity").the(3)["result"]
    assert result["isError"] is True
    assert "Infinity is not a JSON number" in result["content"][0]["text"]


@pytest.mark.requirement("R014")
def test_discover_is_complete_and_an_unknown_version_is_told_the_supported_ones(answered):
    found = answered("wire", "modern-discover")
    result = found.the("d")["result"]
    assert result["resultType"] == "complete"
    assert result["supportedVersions"] == ["2026-07-28"]
    assert {"ttlMs", "cacheScope", "capabilities"} <= set(result)
    assert found.the("u")["error"]["data"] == {"supported": ["2026-07-28"], "requested": "1900-01-01"}


@pytest.mark.parametrize("name", ["reinit", "version-unknown"])
def test_a_second_initialize_is_answered_as_the_first(answered, name):
    found = answered("wire", name)
    assert found.the(1)["result"] == found.the(0)["result"]
    assert found.the(1)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.requirement("R012")
def test_requests_before_the_handshake_are_served(answered):
    found = answered("wire-raw", "before-init")
    assert [tool["name"] for tool in found.the(2)["result"]["tools"]] == ["echo", "nap", "typed"]
    assert found.the(1)["result"]["content"] == [{"type": "text", "text": "1"}]


def test_the_copies_are_those_of_the_corpus(shared):
    for path in sorted(ATTACKS.rglob("*")):
        original = shared / "cases" / "attacks" / path.relative_to(ATTACKS)
        if path.is_file() and path.name != "worse_tools.py" and "__pycache__" not in path.parts:
            assert path.read_bytes() == original.read_bytes()


def test_the_expectations_are_those_the_tables_were_written_from():
    for path in (ATTACKS / "wire").glob("*.expect.json"):
        expected = json.loads(path.read_text(encoding="utf-8"))["expect"]
        assert expected["then"].startswith("ping id 'alive' answered {}; exit 0 at EOF"), path.name
