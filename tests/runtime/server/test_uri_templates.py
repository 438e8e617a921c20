"""URIs are matched against templates exactly, and values never lead out of a folder."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server.uri_templates import LONGEST_URI, UriTemplate, is_safe


def match(template: str, uri: str) -> dict[str, str] | None:
    return UriTemplate(template).match(uri)


@pytest.mark.parametrize(
    ("template", "uri", "values"),
    [
        ("a://{x}", "a://1", {"x": "1"}),
        ("a://{x}/b", "a://1/b", {"x": "1"}),
        ("a://{x}/{y}", "a://1/2", {"x": "1", "y": "2"}),
        ("a://{x}-{y}.json", "a://1-2-3.json", {"x": "1", "y": "2-3"}),
        ("a://{x}.{y}", "a://v1.2", {"x": "v1", "y": "2"}),
        ("a://{x}", "a://%C3%A5%20b", {"x": "å b"}),
        ("a://{x}", "a://a%2Fb", {"x": "a/b"}),
        ("a://{x}", "a://50%25", {"x": "50%"}),
        ("a://b", "a://b", {}),
    ],
)
def test_a_uri_of_a_template_gives_its_values(template, uri, values):
    assert match(template, uri) == values


@pytest.mark.parametrize(
    ("template", "uri"),
    [
        ("a://{x}", "a://"),
        ("a://{x}", "b://1"),
        ("a://{x}", "a://1/2"),
        ("a://{x}", "a://1?y=2"),
        ("a://{x}", "a://1#y"),
        ("a://{x}/b", "a:///b"),
        ("a://{x}/b", "a://1/c"),
        ("a://{x}/{y}", "a://1"),
        ("a://{x}-{y}", "a://1-"),
        ("a://{x}-{y}", "a://-1"),
        ("a://{x}aa{y}", "a://aaa"),
        ("a://b", "a://bc"),
        ("a://{x}", "a://%"),
        ("a://{x}", "a://%2"),
        ("a://{x}", "a://%zz"),
        ("a://{x}", "a://%FF"),
        ("a://{x}", "a://" + "x" * LONGEST_URI),
    ],
)
def test_any_other_uri_gives_none(template, uri):
    assert match(template, uri) is None


@pytest.mark.parametrize(
    "value",
    [
        "..",
        "../x",
        "x/../y",
        "..\\x",
        "/etc/passwd",
        "\\\\host\\share",
        "C:\\x",
        "c:/x",
        "C:",
        "a\0b",
        "a\nb",
        "\x7f",
        "a\x85b",
    ],
)
def test_a_value_that_would_lead_out_of_a_folder_is_no_value(value):
    assert not is_safe(value)
    assert match("file:///notes/{name}", "file:///notes/" + quote(value, safe="")) is None


@pytest.mark.parametrize("value", ["a..b", "...", "a/b", "x:1", "12:30", ".hidden", "å", "a b"])
def test_other_values_are_taken(value):
    assert match("file:///notes/{name}", "file:///notes/" + quote(value, safe="")) == {"name": value}


def test_half_a_character_is_no_value():
    assert match("file:///notes/{name}", "file:///notes/a\ud83d") is None


SAFE = st.text(min_size=1, max_size=20).filter(lambda text: is_safe(text) and text.isprintable())
LITERAL = st.sampled_from(["/", "-", "/x/", ".", "--", ".json", "/a-b/"])


@given(st.lists(st.tuples(LITERAL, SAFE.filter(lambda text: not set(text) & set("-.ax"))), min_size=1, max_size=5))
def test_what_a_template_was_filled_with_comes_back(parts):
    """Values that hold nothing of the literals between them are told apart again, whatever else they hold."""
    template = "s:" + "".join(f"{literal}{{v{number}}}" for number, (literal, _) in enumerate(parts))
    uri = "s:" + "".join(literal + quote(value, safe="") for literal, value in parts)
    wanted = {f"v{number}": value for number, (_, value) in enumerate(parts)}
    found = match(template, uri)
    assert found == wanted


@given(st.text(max_size=40), st.sampled_from(["a://{x}/{y}", "a://{x}-{y}", "a://{x}.{y}/z"]))
def test_whatever_is_asked_for_there_is_an_answer_that_fills_every_variable_or_none(rest, template):
    found = match(template, "a://" + rest)
    assert found is None or (set(found) == {"x", "y"} and all(map(is_safe, found.values())) and all(found.values()))


def test_marks_that_are_values_as_well_leave_one_way_only_to_match():
    template = UriTemplate("a://" + "-".join(f"{{v{number}}}" for number in range(60)))
    found = template.match("a://" + "-" * (LONGEST_URI - 10))
    assert found is not None
    assert [len(value) for value in found.values()] == [1] * 59 + [LONGEST_URI - 10 - 59 * 2]
