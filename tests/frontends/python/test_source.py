"""Reading one file: encodings, limits, and every failure as a diagnostic with a place."""

from __future__ import annotations

import codecs
import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.frontends.python.nesting import MAXIMUM_DEPTH, MAXIMUM_RUN
from generator.frontends.python.source import MAXIMUM_BYTES, SourceProblem, SourceText, parse_source, read_source
from generator.frontends.python.spans import name_span, span_of


def parsed(data: bytes | str) -> SourceText:
    content = data.encode() if isinstance(data, str) else data
    return parse_source(content, path=Path("m.py"), shown="m.py", module="m")


def outcome(data: bytes | str) -> str:
    """`parsed`, or the code of the diagnostic."""
    try:
        return "parsed" if parsed(data).digest else "no digest"
    except SourceProblem as caught:
        return caught.diagnostic.rule.code


def problem(data: bytes | str):
    with pytest.raises(SourceProblem) as caught:
        parsed(data)
    return caught.value.diagnostic


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("utf-8", "é"),
        ("ascii", "e"),
        ("latin-1", "é"),
        ("cp1252", "€"),
        ("koi8-r", "я"),
        ("shift_jis", "表"),
        ("euc-jp", "日"),
        ("gb18030", "漢"),
        ("big5", "漢"),
    ],
)
def test_every_accepted_encoding_is_decoded_as_its_cookie_says(name, text):
    source = parsed(f"# -*- coding: {name} -*-\nx = '{text}'\n".encode(name))
    assert text in source.text
    assert source.lines[1] == f"x = '{text}'"


@pytest.mark.parametrize(
    "name", ["utf-7", "utf-16", "rot13", "unicode_escape", "idna", "no-such-codec", "hex", "cp037"]
)
def test_other_encodings_are_refused_with_the_line_of_the_cookie(name):
    found = problem(f"#!/usr/bin/env python\n# coding: {name}\nx = 1\n")
    assert found.rule.name == "source-encoding"
    assert found.span is not None
    assert found.span.line == 2


def test_a_cookie_counts_in_the_first_two_lines_only():
    assert parsed("x = 1\n\n# coding: utf-7\n").encoding == "utf-8"
    assert parsed("x = 1\n# coding: utf-7\n").encoding == "utf-8"


def test_a_byte_order_mark_is_removed_and_must_agree_with_the_cookie():
    assert parsed(codecs.BOM_UTF8 + b"x = 1\n").text == "x = 1\n"
    assert parsed(codecs.BOM_UTF8 + b"# coding: utf8\nx = 1\n").encoding == "utf-8-sig"
    assert problem(codecs.BOM_UTF8 + b"# coding: latin-1\nx = 1\n").rule.name == "source-encoding"


def test_a_byte_that_does_not_fit_is_named_with_its_line():
    found = problem(b"x = 1\ny = '\xe9'\n")
    assert found.rule.name == "source-encoding"
    assert "0xe9" in found.message
    assert found.span.line == 2


def test_a_nul_character_is_a_syntax_error():
    assert problem(b"x = 1\n\x00").rule.name == "syntax-error"


def test_a_syntax_error_has_the_parsers_words_and_place():
    found = problem("def f(a: int -> int:\n    pass\n")
    assert found.rule.name == "syntax-error"
    assert (found.span.line, found.span.column) == (1, 14)
    assert found.message


def test_deep_brackets_are_refused_before_the_parser_sees_them():
    assert problem("x = " + "(" * 150 + "1" + ")" * 150).rule.name == "source-too-deep"
    assert problem("x = 1\n\ndef f(a=" + "[" * 5000 + "]" * 5000 + "): ...").span.line == 3


@pytest.mark.parametrize(
    "text", ["1+" * 3000 + "1", "-" * 3000 + "1", "a" + ".b" * 3000, "a" + "()" * 3000, "not " * 3000 + "a"]
)
def test_long_operator_runs_are_refused(text):
    assert problem(f"x = {text}").rule.name == "source-too-deep"


def test_brackets_and_operators_inside_strings_and_comments_do_not_count():
    text = (
        "x = '"
        + "(" * (MAXIMUM_DEPTH * 2)
        + "'\n# "
        + "[" * (MAXIMUM_DEPTH * 2)
        + "\ny = '''"
        + "+" * (MAXIMUM_RUN * 2)
        + "'''\n"
    )
    assert parsed(text).tree.body


def test_a_long_table_of_numbers_is_no_long_expression():
    assert parsed("x = [" + "-1.5, " * 2000 + "]").tree.body


def test_nesting_up_to_the_limit_is_read():
    assert parsed("x = " + "[" * 90 + "]" * 90).tree.body


def test_a_file_above_the_size_limit_is_not_read(tmp_path):
    path = tmp_path / "big.py"
    with path.open("wb") as stream:
        stream.truncate(MAXIMUM_BYTES + 1)
    with pytest.raises(SourceProblem, match="bytes"):
        read_source(path)


@pytest.mark.parametrize("name", ["absent.py", ".", "nul\0name.py"])
def test_what_is_no_readable_file_is_reported_and_not_raised_as_an_os_error(tmp_path, name):
    with pytest.raises(SourceProblem) as caught:
        read_source(tmp_path / name, shown=name)
    assert caught.value.diagnostic.rule.name == "source-unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_refused_without_waiting_for_a_writer(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SourceProblem, match="not a file"):
        read_source(tmp_path / "pipe.py")


@pytest.mark.parametrize(
    ("version", "text"),
    [
        ((3, 14), "x = t'a {b}'\n"),
        ((3, 15), "lazy import json\n"),
        ((3, 14), "try:\n    pass\nexcept ValueError, TypeError:\n    pass\n"),
        ((3, 13), "def f[T = int](x: T) -> T: ...\n"),
        ((3, 12), "type X = int\n"),
        ((3, 12), "def f[T](x: T) -> T: ...\n"),
    ],
)
def test_syntax_of_a_newer_python_is_named_with_its_version(version, text):
    if sys.version_info[:2] >= version:
        assert parsed(text).tree.body
        return
    found = problem(text)
    assert found.rule.name == "newer-syntax"
    assert f"{version[0]}.{version[1]}" in found.message


def test_spans_count_characters_from_one():
    source = parsed("é = 'é'; x = 1\n")
    span = span_of(source.tree.body[1], source)
    assert (span.line, span.column, span.end_column) == (1, 10, 15)


def test_the_span_of_a_name_is_the_name_in_the_def_line():
    source = parsed("@a\nasync def forecast(x): ...\n")
    span = name_span(source.tree.body[0], source)
    assert (span.line, span.column, span.end_column) == (2, 11, 19)


def test_invalid_escapes_in_the_users_strings_make_no_noise():
    assert parsed(r"x = '\d'").tree.body


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_source_or_a_diagnostic(data):
    assert outcome(data) in {"parsed", "MG103", "MG118", "MG119", "MG120"}


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="()[]{}'\"#\n+- .a,:=", max_size=400))
def test_any_tangle_of_brackets_and_quotes_is_a_source_or_a_diagnostic(text):
    assert outcome(text) in {"parsed", "MG103", "MG119", "MG120"}
