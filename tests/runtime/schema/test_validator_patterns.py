"""Patterns are ECMA-262: what Python reads differently is translated, what it cannot match is refused."""

from __future__ import annotations

import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.schema.patterns import PatternError, compile_pattern, translate


def matches(pattern: str, text: str) -> bool:
    search = compile_pattern(pattern, strict=True)
    assert search is not None
    return search(text) is not None


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("^a$", "a", "a\n"),
        (r"^\d$", "7", "\u0667"),
        (r"^\D$", "\u0667", "7"),
        (r"^\w$", "_", "é"),
        (r"^\W$", "é", "z"),
        (r"^\s$", "\ufeff", "\x1c"),
        (r"^[\s\d]$", "\u2029", "x"),
        (r"^[^\S]$", " ", "x"),
        (r"^[\D]$", "x", "5"),
        ("^.$", "\x0b", "\u2028"),
        ("^.$", "\U0001f432", "\r"),
        (r"^\ud83d\udc32*$", "🐲🐲", "\ud83d"),
        (r"^\u{1F432}$", "🐲", "x"),
        (r"^\x41\cJ\0$", "A\n\x00", "A"),
        (r"^\p{Lu}$", "É", "é"),
        (r"^\P{Letter}$", "1", "é"),
        (r"^[\p{L}\p{Nd}]+$", "é٣", "_"),
        (r"^\p{gc=Lu}$", "A", "a"),
        (r"^\p{ASCII}$", "~", "é"),
        (r"^(?<year>\d{4})-\k<year>$", "2020-2020", "2020-2021"),
        (r"^(?:(a)|b)\1$", "b", "ab"),
        (r"^\1(a)$", "a", "aa"),
        ("^[^]$", "\n", ""),
        ("^[a-z&&[b]]$", "b]", "z"),
        ("^[--/]$", ".", "0"),
        (r"^[\w-x]$", "-", "%"),
        (r"^[\b]$", "\x08", "b"),
        ("^a{2}{$", "aa{", "aa"),
        ("^{,3}$", "{,3}", "{"),
        (r"^[0-9]{2,}?$", "123", "1"),
        (r"^(?i:A)b$", "ab", "aB"),
        (r"^\$\.\/\-\#$", "$./-#", "$"),
        ("^(?!.*bad)", "good", "so bad"),
        ("(?<=a)b", "ab", "cb"),
        ("^a|b$", "ax", "xa"),
    ],
)
def test_a_pattern_matches_as_ecma_262_says(pattern: str, inside: str, outside: str) -> None:
    assert matches(pattern, inside)
    assert not matches(pattern, outside)


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "[a",
        "a**",
        "a*+",
        "a++",
        "a{2}{3}",
        "*a",
        "(?P<n>a)",
        "(?>a)",
        "(?#c)",
        "(?i)a",
        "[b-a]",
        "a{3,2}",
        "(?<n>a)(?<n>b)",
        "(?<=a+)b",
        "(?<1>a)",
        r"\Aa",
        r"a\Z",
        r"\a",
        r"\2(a)",
        r"\u12",
        r"\x1",
        r"\u{110000}",
        r"\p{Script=Greek}",
        r"\p",
        r"\k<n>",
        "\\",
        "x" * 30_000,
    ],
)
def test_what_is_no_ecma_262_or_cannot_be_matched_is_refused(pattern: str) -> None:
    assert compile_pattern(pattern) is None
    with pytest.raises(PatternError):
        compile_pattern(pattern, strict=True)


def test_an_empty_class_matches_nothing() -> None:
    assert not matches("[]", "anything")


@given(st.text(alphabet="ab[]()^-\\|&~{}*+?.,dwsDWSbBpu0123 $\n", max_size=14), st.text(max_size=6))
def test_any_pattern_is_compiled_without_warning_or_refused(pattern: str, text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            search = re.compile(translate(pattern), re.ASCII).search
        except (PatternError, re.error, OverflowError):
            return
    search(text)


@given(st.text(max_size=20))
def test_an_escaped_text_matches_itself(text: str) -> None:
    escaped = "".join(f"\\u{{{ord(char):x}}}" for char in text)
    assert matches(f"^{escaped}$", text)
