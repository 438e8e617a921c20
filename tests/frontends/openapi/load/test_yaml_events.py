"""Values from the parser's events are those from its nodes, and what is not plain is left to the nodes."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi.load_problem import TextProblem
from generator.frontends.openapi.yaml_events import NotPlain, PlainValues
from generator.frontends.openapi.yaml_text import HAS_C_PARSER, compose, load_yaml
from generator.frontends.openapi.yaml_values import Values

from .test_yaml import JSON, TEXT, Dumper

PARSERS = [yaml.SafeLoader, *([yaml.CSafeLoader] if HAS_C_PARSER else [])]
PIECES = st.sampled_from(
    ["a", "b: ", "- ", "\n", "  ", "\n  ", "&x ", "*x", "!!str ", "! ", "<<: ", "? ", ": ", "[", "]", "{", "}", ", ",
     "'q'", '"d"', "1", "0x1f", "~", "true", "|\n  t\n", "---\n", "...\n", "# c\n", "\u00e9", "1e999"]
)  # fmt: skip


def from_events(parser, text):
    return PlainValues(parser(text).get_event, yaml.events).build()


def from_nodes(text):
    return Values(text).build(compose(text))


@pytest.mark.parametrize("parser", PARSERS)
@given(st.dictionaries(TEXT, JSON, max_size=5))
def test_a_plain_document_is_read_from_events(parser, value):
    text = yaml.dump(value, Dumper=Dumper, allow_unicode=True)
    assert from_events(parser, text) == value


@pytest.mark.parametrize("parser", PARSERS)
@given(st.lists(PIECES, min_size=1, max_size=14).map("".join))
def test_whatever_is_read_from_events_is_what_the_nodes_say(parser, text):
    try:
        value = from_events(parser, text)
    except (NotPlain, yaml.YAMLError):
        return
    assert repr(value) == repr(from_nodes(text))


@pytest.mark.parametrize("parser", PARSERS)
def test_an_alias_is_the_object_it_repeats(parser):
    value = from_events(parser, "a: &a {x: 1}\nb: [*a, &s text, *s]\n")
    assert value == {"a": {"x": 1}, "b": [{"x": 1}, "text", "text"]}
    assert value["b"][0] is value["a"]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    "text",
    [
        "", "# nothing\n", "text\n", "a: 1\na: 2\n", "[a]: 1\n", "{a: 1}: 2\n", "&k a: 1\n", "a: !!int '1'\n",
        "!!map {a: 1}\n", "a: &x 1\nb: &x 2\n", "a: &x [*x]\n", "a: &a {x: 1}\nb:\n  <<: *a\n", "a: 1e999\n",
        "a: 1\n---\nb: 2\n", "[" * 200 + "]" * 200,
    ],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_nodes(parser, text):
    with pytest.raises(NotPlain):
        from_events(parser, text)


def test_an_unknown_alias_is_told_with_its_place():
    with pytest.raises(TextProblem) as caught:
        load_yaml("a: 1\nb: *gone\n")
    assert (caught.value.rule, caught.value.offset) == ("invalid-syntax", len("a: 1\nb: "))
