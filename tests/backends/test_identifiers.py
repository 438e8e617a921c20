"""Checked values: what may stand in a generated file."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from generator.backends import identifiers as checked

HOSTILE = (
    '"""\nimport os\n"""',
    "'; import os; '",
    "{{ 7 * 7 }}{% raw %}",
    "a\nb\r\nc\x0bd\x0ce\x85f\u2028g\u2029h",
    "\\",
    '\\"',
    "\x00\x1b[31m\x7f",
    "\ud800",
    "</script><script>alert(1)</script>",
    "[click](javascript:alert(1)) ![x](http://x)",
    "| a | b |\n|---|---|",
    "```\nfence\n```",
    "# heading\n- item\n1. item\n> quote\n=====\n-----",
    "&lt;b&gt; &#60;",
    "<!-- mcp-name: io.github.evil/x -->",
    "$(rm -rf /) `id`",
)
texts = st.text() | st.sampled_from(HOSTILE)
markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


@pytest.mark.parametrize("name", ["weather", "_x", "A1", "weather_mcp"])
def test_an_identifier_is_written_as_it_is(name):
    assert checked.Identifier(name).text == name


@pytest.mark.parametrize("name", ["", "1a", "a b", "a-b", "é", "class", "a\n", "a;b", "a.b", "__import__('os')", "ﬁ"])
def test_what_is_no_identifier_is_refused(name):
    with pytest.raises(checked.UncheckedValueError):
        checked.Identifier(name)


@pytest.mark.parametrize("version", ["", '1"', "1\n", "1 ", "v1", "1;x", "1\\", "1'"])
def test_what_is_no_version_is_refused(version):
    with pytest.raises(checked.UncheckedValueError):
        checked.VersionLiteral(version)


@pytest.mark.parametrize("version", ["0.1.0", "1!2.0rc1+local.1", "2024.1.post1"])
def test_a_version_becomes_a_literal(version):
    assert checked.VersionLiteral(version).text == f'"{version}"'


@given(texts)
def test_any_text_survives_a_toml_file(text):
    written = checked.TomlText(text).text
    assert "\n" not in written
    assert tomllib.loads(f"key = {written}\n")["key"] == text.encode("utf-8", "replace").decode("utf-8")


@pytest.mark.parametrize("key", ["", "a.b", 'a"b', "a b", "a\n", "-a", "a]"])
def test_what_is_no_distribution_name_is_no_toml_key(key):
    with pytest.raises(checked.UncheckedValueError):
        checked.TomlKey(key)


def inline_kinds(source: str) -> set[str]:
    """Return the kinds of Markdown tokens a source has, paragraphs aside."""
    kinds = set()
    for token in markdown.parse(source):
        kinds.update([token.type] if token.type != "inline" else [child.type for child in token.children or ()])
    return kinds


@given(texts)
def test_any_text_is_only_text_in_markdown(text):
    written = checked.MarkdownText(text).text
    assert inline_kinds(written) <= {"paragraph_open", "paragraph_close", "text", "text_special", "entity"}


@given(texts)
def test_any_text_stays_in_its_cell_of_a_table(text):
    written = checked.MarkdownText(text).text
    tokens = markdown.parse(f"| tool | what |\n|---|---|\n| `x` | {written} |\n\nend\n")
    assert [token.type for token in tokens].count("td_open") == 2
    assert [token.type for token in tokens].count("tr_open") == 2
    assert "end" in [token.content for token in tokens]


@given(st.lists(texts, max_size=4).map("\n\n".join))
def test_paragraphs_are_only_paragraphs_of_text(text):
    written = checked.MarkdownParagraphs(text).text
    assert inline_kinds(written) <= {"paragraph_open", "paragraph_close", "text", "text_special", "entity"}


@pytest.mark.parametrize("text", ["mcp-name: x", "MCP-Name: x", "<!-- mcp-name: x -->"])
def test_the_registrys_marker_cannot_be_planted_in_a_readme(text):
    assert "mcp-name" not in checked.MarkdownText(text).text.lower()


@pytest.mark.parametrize("text", ["a`b", "a\nb", "", "é", "a\\b"])
def test_what_could_end_a_code_span_is_refused(text):
    with pytest.raises(checked.UncheckedValueError):
        checked.MarkdownCode(text)


@pytest.mark.parametrize("text", ["```", "a\r", "é", "\x1b"])
def test_what_could_end_a_code_block_is_refused(text):
    with pytest.raises(checked.UncheckedValueError):
        checked.MarkdownBlock(text)


@given(texts)
def test_a_summary_is_one_bounded_line(text):
    line = checked.summary(text)
    assert len(line) <= checked.MAX_SUMMARY
    assert line == " ".join(line.split())
