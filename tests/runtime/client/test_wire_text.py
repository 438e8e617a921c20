"""Whole numbers where text is sent: taken as their digits in URLs and headers, and nowhere else."""

from __future__ import annotations

import pytest

from generator.runtime.client.wire_text import MOST_BITS, textual, with_text

REQUEST = {
    "parameters": [
        {"argument": "id", "name": "id", "in": "path"},
        {"argument": "ids", "name": "ids", "in": "query"},
        {"argument": "count", "name": "count", "in": "query"},
        {"argument": "either", "name": "either", "in": "query"},
        {"argument": "perhaps", "name": "X-Perhaps", "in": "header"},
        {"argument": "filter", "name": "filter", "in": "query", "content": "application/json"},
    ],
    "body": {"fields": {"title": "title"}, "content": [{"type": "application/json", "kind": "json"}]},
}
TEXT = {"type": "string"}
PROPERTIES = {
    "id": TEXT,
    "ids": {"type": "array", "items": TEXT},
    "count": {"type": "integer"},
    "either": {"type": ["string", "integer"]},
    "perhaps": {"type": ["string", "null"]},
    "filter": TEXT,
    "title": TEXT,
}
NAMES = textual(REQUEST, PROPERTIES)


def test_only_parameters_of_text_are_textual():
    assert sorted(NAMES) == ["id", "ids", "perhaps"]


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ({"id": 7}, {"id": "7"}),
        ({"ids": [1, "b", 2]}, {"ids": ["1", "b", "2"]}),
        ({"perhaps": -3, "count": 3}, {"perhaps": "-3", "count": 3}),
        ({"id": 9007199254740993}, {"id": "9007199254740993"}),
    ],
)
def test_whole_numbers_are_taken_by_their_digits(given, taken):
    before = dict(given)
    assert with_text(given, NAMES) == taken
    assert given == before


@pytest.mark.parametrize(
    "given",
    [
        {"id": True},
        {"id": 1.5},
        {"id": None},
        {"id": {"a": 1}},
        {"title": 5},
        {"filter": 5},
        {"id": 1 << MOST_BITS},
        {},
    ],
)
def test_nothing_else_is_changed(given):
    assert with_text(given, NAMES) is given
