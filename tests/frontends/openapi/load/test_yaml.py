"""YAML 1.2's core schema, and what is refused, with the C parser and with the pure one alike."""

import gc

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from generator.frontends.openapi import yaml_text, yaml_values
from generator.frontends.openapi.limits import MAX_DEPTH, MAX_DIGITS
from generator.frontends.openapi.load import load_text
from generator.frontends.openapi.load_problem import TextProblem
from generator.frontends.openapi.yaml_events import NotPlain
from generator.frontends.openapi.yaml_scalars import plain_value
from generator.frontends.openapi.yaml_text import HAS_C_PARSER, load_yaml


@pytest.fixture(params=["c", "c nodes", "old c nodes", "pure", "pure nodes"])
def load(request, monkeypatch):
    """Return the loader: with libyaml, with one that has no limit of its own on depth, and with the pure parser.

    Values are built from events where they can be, or all from nodes.
    """
    if "nodes" in request.param:
        monkeypatch.setattr(yaml_text, "_plain", no_events)
    if "old" in request.param:
        monkeypatch.setattr(yaml_text, "_C_HAS_LIMIT", False)

    def loaded(text):
        return load_yaml(text, c_parser="pure" not in request.param)

    return loaded


def no_events(text, *, c_parser):
    raise NotPlain


def refusal(load, text):
    with pytest.raises(TextProblem) as caught:
        load(text)
    return caught.value


def test_the_c_parser_is_there_so_that_both_are_tested():
    assert HAS_C_PARSER


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"), ("yes", "yes"), ("No", "No"), ("y", "y"),
        ("true", True), ("True", True), ("FALSE", False),
        ("~", None), ("null", None), ("NULL", None), ("", None),
        ("12", 12), ("-3", -3), ("+7", 7), ("010", 10), ("0o17", 15), ("0x1F", 31), ("0b101", "0b101"),
        ("1_000", "1_000"), ("190:20:30", "190:20:30"), ("2024-01-31", "2024-01-31"),
        ("2001-12-14t21:59:43.10-05:00", "2001-12-14t21:59:43.10-05:00"),
        ("1.5", 1.5), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0), ("-1.5E-2", -0.015),
        (".inf", ".inf"), ("-.INF", "-.INF"), (".nan", ".nan"), ("1.2.3", "1.2.3"), ("-", None), ("=", "="),
        ("'12'", "12"), ('"true"', "true"), ("!!str 12", "12"), ("!!int '12'", 12),
        ("!!float 1", 1.0), ("!!null ''", None), ("!!timestamp 2024-01-31", "2024-01-31"),
        ("'~'", "~"), ("''", ""),
    ],
)  # fmt: skip
def test_scalars_are_read_by_the_core_schema(load, text, value):
    loaded = load(f"x: {text}\n")["x"] if text != "-" else load("x:\n  -\n")["x"][0]
    assert loaded == value
    assert type(loaded) is type(value)


def test_block_scalars_are_strings(load):
    assert load("a: |\n  12\nb: >-\n  true\n  false\n") == {"a": "12\n", "b": "true false"}


def test_keys_are_text_as_written(load):
    text = "200: a\n'201': b\ntrue: c\nnull: d\n1.0: e\n2024-01-31: f\n0x10: g\n"
    assert list(load(text)) == ["200", "201", "true", "null", "1.0", "2024-01-31", "0x10"]


def test_a_key_given_twice_is_refused_with_both_lines(load):
    problem = refusal(load, "paths:\n  /x: 1\n  /y: 2\n  /x: 3\n")
    assert problem.rule == "duplicate-key"
    assert problem.message == "the key `/x` is given more than once in one object: lines 2 and 4"
    assert problem.offset == len("paths:\n  /x: 1\n  /y: 2\n  ")


def test_a_status_given_as_number_and_as_text_is_given_twice(load):
    assert refusal(load, "200: a\n'200': b\n").rule == "duplicate-key"


def test_an_alias_given_as_a_key_twice_is_refused(load):
    assert refusal(load, "a: &k name\nb:\n  *k : 1\n  *k : 2\n").rule == "duplicate-key"


@pytest.mark.parametrize("text", ["{a: 1}: x", "[a]: x", "? {a: 1}\n: x", "{{name}}: x"])
def test_a_key_that_is_no_text_is_refused(load, text):
    problem = refusal(load, f"x: 1\n{text}\n")
    assert problem.rule == "unsupported-yaml"
    assert problem.offset is not None


@pytest.mark.parametrize(
    "text",
    ["!!python/object/apply:os.system ['true']", "!!python/name:os.system ''", "!own {a: 1}", "!!set {a}", "!!omap []",
     "!!int abc", "!!bool 1", "!!seq {a: 1}", "!!map [a]"],
)  # fmt: skip
def test_other_tags_are_refused(load, text):
    assert refusal(load, f"a: 1\nx: {text}\n").rule == "unsupported-yaml"


def test_tags_of_json_types_are_accepted(load):
    assert load("a: !!map {b: !!seq [!!str 1]}\n") == {"a": {"b": ["1"]}}


def test_merge_keys_add_what_the_mapping_does_not_have(load):
    text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  <<: [*a, *b]\n  x: 0\nd:\n  <<: *b\n  '<<': own\n"
    loaded = load(text)
    assert loaded["c"] == {"x": 0, "y": 2, "z": 4}
    assert loaded["d"] == {"y": 3, "z": 4, "<<": "own"}


def test_merging_something_that_is_no_mapping_is_refused(load):
    assert refusal(load, "a:\n  <<: 1\n").rule == "unsupported-yaml"


def test_an_alias_is_the_same_value(load):
    loaded = load("a: &a {x: [1]}\nb: *a\n")
    assert loaded["b"] is loaded["a"]


def test_an_alias_inside_of_what_it_repeats_is_refused(load):
    assert "inside of what it repeats" in refusal(load, "a: &a\n  b: *a\n").message
    assert "inside of what it repeats" in refusal(load, "a: &a [x, *a]\n").message


def test_an_undefined_alias_is_refused(load):
    assert refusal(load, "a: *nowhere\n").rule == "invalid-syntax"


def test_aliases_are_counted_as_if_they_were_written_out(load, monkeypatch):
    monkeypatch.setattr(yaml_values, "MAX_ALIAS_NODES", 10)
    assert load("a: &a [1, 2, 3]\nb: [*a, *a]\n")["b"] == [[1, 2, 3], [1, 2, 3]]
    problem = refusal(load, "a: &a [1, 2, 3]\nb: [*a, *a, *a]\n")
    assert (problem.rule, problem.message) == ("loading-limit", "alias expansion over 10 nodes")
    assert problem.offset is not None


def test_what_is_shared_by_nobody_is_not_counted(load, monkeypatch):
    monkeypatch.setattr(yaml_values, "MAX_ALIAS_NODES", 10)
    assert len(load("".join(f"a{n}: [1, 2, 3]\n" for n in range(100)))) == 100


def test_merged_members_are_counted(load, monkeypatch):
    monkeypatch.setattr(yaml_values, "MAX_ALIAS_NODES", 10)
    assert refusal(load, "a: &a {x: 1, y: 2}\nb:\n  <<: [" + "*a, " * 6 + "]\n").rule == "loading-limit"


@pytest.mark.parametrize(
    "nested",
    ["[", "{a: ", "!!seq [", "- ", "&x["],
)
@pytest.mark.parametrize("levels", [MAX_DEPTH, 900, 5_000])
def test_deep_nesting_is_refused_and_not_recursed_into(load, nested, levels):
    text = nested * levels if nested != "&x[" else "".join(f"&x{n} [" for n in range(levels))
    closed = {"[": "]", "{a: ": "}", "!!seq [": "]", "- ": "", "&x[": "]"}[nested]
    problem = refusal(load, f"x:\n  {text}1{closed * levels}\n")
    assert problem.rule == "loading-limit"
    assert problem.message == f"the document is nested deeper than {MAX_DEPTH} levels"


def test_deep_indentation_is_refused(load):
    assert refusal(load, "".join(" " * n + "a:\n" for n in range(2_000))).rule == "loading-limit"


def test_nesting_up_to_the_limit_is_read(load):
    value = load("x: " + "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1))["x"]
    for _ in range(MAX_DEPTH - 2):
        (value,) = value
    assert value == []


def test_a_number_of_endless_digits_is_refused_with_its_place(load):
    problem = refusal(load, "a: 1\nb: " + "9" * (MAX_DIGITS + 1) + "\n")
    assert (problem.rule, problem.offset) == ("loading-limit", len("a: 1\nb: "))
    assert refusal(load, "b: 1e999\n").rule == "loading-limit"


def test_more_than_one_document_is_refused_and_an_end_mark_is_not(load):
    assert refusal(load, "a: 1\n---\nb: 2\n").message == "the file holds more than one document"
    assert load("%YAML 1.2\n---\na: 1\n...\n") == {"a": 1}


@pytest.mark.parametrize(
    "text", ["a: [1\n", "a: b: c\n", "a: 'x\n", "\ta: 1\n", "a: @x\n", "%YAML 9\n---\na\n", "a: &\n"]
)
def test_what_is_no_yaml_is_refused_with_its_place(load, text):
    problem = refusal(load, text)
    assert problem.rule == "invalid-syntax"
    assert problem.offset is not None


def test_only_comments_are_no_document(load):
    assert refusal(load, "# nothing\n").rule == "invalid-syntax"


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled):
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        load_text("a: 1\n")
        with pytest.raises(TextProblem):
            load_text("a: [\n")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufeff"), max_size=12)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=20,
)


class Dumper(yaml.SafeDumper):
    """Writes aliased values out, and quotes texts that are something else in YAML 1.2 (PyYAML quotes for 1.1)."""

    def ignore_aliases(self, data):
        return True

    def quoted(self, data):
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=None if plain_value(data) == data else "'")


Dumper.add_representer(str, Dumper.quoted)


@given(st.dictionaries(TEXT, JSON, max_size=5), st.sampled_from([True, False]), st.sampled_from([True, False]))
def test_what_is_written_as_yaml_is_read_back(value, flow, c_parser):
    text = yaml.dump(value, Dumper=Dumper, allow_unicode=True, default_flow_style=flow, sort_keys=False)
    loaded = load_yaml(text, c_parser=c_parser)
    assert loaded == value
    assert repr(loaded) == repr(value)
