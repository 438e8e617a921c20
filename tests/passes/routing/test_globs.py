"""What is left of a glob behind a beginning, against the definition of it."""

from fnmatch import fnmatchcase

from hypothesis import given
from hypothesis import strategies as st

from generator.passes.routing.globs import remainders

PATTERNS = st.text("ab._*?[]!", max_size=8)
TEXTS = st.text("ab._[]", max_size=6)


@given(PATTERNS, TEXTS, TEXTS)
def test_a_remainder_matches_what_the_pattern_matches_behind_the_beginning(pattern, beginning, text):
    left = remainders(pattern, beginning)
    assert any(fnmatchcase(text, each) for each in left) is fnmatchcase(beginning + text, pattern)
