"""Answers kept for later, within bounds."""

from __future__ import annotations

import re

from generator.runtime.client.store import MAX_ANSWERS, MAX_BYTES, AnswerStore


def keep(store, body=b"x", name="a b.json"):
    return store.keep(body, mime_type="application/json", name=name, is_text=True)


def test_an_answer_is_found_by_its_uri_and_listed_newest_first():
    store = AnswerStore("my_server")
    first, second = keep(store), keep(store, b"yy", "c.json")
    assert re.fullmatch(r"my-server://answers/1-[0-9a-f]{12}/a%20b\.json", first.uri)
    assert store.find(second.uri).body == b"yy"
    assert [each["uri"] for each in store.listed()] == [second.uri, first.uri]
    assert store.listed()[0] == {"uri": second.uri, "name": "c.json", "mimeType": "application/json", "size": 2}
    assert store.find(first.uri[:-1]) is None


def test_the_oldest_goes_when_there_are_too_many():
    store = AnswerStore("s")
    kept = [keep(store) for _ in range(MAX_ANSWERS + 1)]
    assert store.find(kept[0].uri) is None
    assert all(store.find(each.uri) for each in kept[1:])


def test_the_oldest_goes_when_there_are_too_many_bytes():
    store = AnswerStore("s")
    large = bytes(MAX_BYTES // 2)
    kept = [keep(store, large) for _ in range(3)]
    assert [store.find(each.uri) is not None for each in kept] == [False, True, True]
    assert keep(store, bytes(MAX_BYTES + 1)).uri.startswith("s://answers/4-")
    assert len(store.listed()) == 2


def test_a_server_with_a_number_first_gets_a_scheme_all_the_same():
    assert keep(AnswerStore("3d")).uri.startswith("mcp-3d://")
