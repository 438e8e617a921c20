"""Finding the places of TOML settings."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from generator.config.positions import LineIndex, positions


def shown(text):
    return {
        path: (text[p.key_start : p.key_end], text[p.value_start : p.value_end]) for path, p in positions(text).items()
    }


def test_every_form_of_key_and_value_is_found():
    text = (
        "# comment = 1\n"
        "a.\"b c\" = 'x'\n"
        '"quo\\"ted" = """multi\n= line"""\n'
        "[t . u] # head\n"
        "list = [ 1, # one\n  [2], {k = 3} ]\n"
        "when = 2020-01-01 10:00:00 # date\n"
        "[[arr]]\nx = 1\n[[arr]]\nx = 2\n[arr.sub]\ny = 3\n"
    )
    places = shown(text)
    assert places["a", "b c"] == ('"b c"', "'x'")
    assert places['quo"ted',][1] == '"""multi\n= line"""'
    assert places["t", "u", "list", 1, 0] == ("2", "2")
    assert places["t", "u", "list", 2, "k"] == ("k", "3")
    assert places["t", "u", "when"] == ("when", "2020-01-01 10:00:00")
    assert places["arr", 1, "x"] == ("x", "2")
    assert places["arr", 1, "sub", "y"] == ("y", "3")


def test_lines_and_columns_count_from_one():
    assert [LineIndex("a\nbc").at(offset) for offset in (0, 1, 2, 3)] == [(1, 1), (1, 2), (2, 1), (2, 2)]


_text = st.text(st.sampled_from("ab[]{}=,.\"'#\n\\ 1-:"), max_size=40)


@given(_text)
def test_any_document_that_tomllib_accepts_is_walked_to_its_end(text):
    try:
        document = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    found = positions(text)
    assert {path[0] for path in found} == set(document)
