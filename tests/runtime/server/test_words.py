"""How texts are cut into words: the same for the index and for queries."""

from __future__ import annotations

import pytest

from generator.runtime.server.words import words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("List open issues", ["list", "open", "issue"]),
        ("listOpenIssues", ["list", "open", "issue"]),
        ("GET /repos/{owner}/pull-requests", ["get", "repo", "owner", "pull", "request"]),
        ("repositories and addresses", ["repository", "address"]),
        ("the status of a class, this is analysis", ["status", "class", "analysis"]),
        ("Grüße 日本", ["grüße", "日本"]),
        ("OAuth2 v3", ["oauth2", "v3"]),
        ("", []),
    ],
)
def test_words_are_lower_case_and_come_to_one_form(text, found):
    assert words(text) == found
