"""The words of a server's command line."""

from __future__ import annotations

import pytest

from generator.runtime.server.options import UsageError, read


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("--htp", "did you mean --http? --help has all"),
        ("--token=x", "did you mean --tokens? --help has all"),
        ("http", "did you mean --http? --help has all"),
        ("--colour", "see --help"),
    ],
)
def test_a_word_that_is_no_option_is_refused_with_the_one_that_was_meant(word, advice):
    with pytest.raises(UsageError) as caught:
        read([word], "weather", "0.1.0")
    assert str(caught.value) == f"unknown argument {word.partition('=')[0]}; {advice}"


def test_a_long_word_is_not_repeated_whole():
    with pytest.raises(UsageError) as caught:
        read(["x" * 10_000], "weather", "0.1.0")
    assert len(str(caught.value)) < 100
