"""Every style with every type in every place, as the tables of OAS 3.0.4, 3.1.1 and 3.2 have them."""

from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runtime.client.building import cookie_of, header_of, path_of, query_of

COLORS = ["blue", "black", "brown"]
RGB = {"R": 100, "G": 200, "B": 150}

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
lists = st.lists(texts, min_size=1, max_size=5)
objects = st.dictionaries(texts, texts, min_size=1, max_size=4)


@pytest.mark.parametrize(
    ("style", "explode", "value", "text"),
    [
        ("simple", False, "blue", "blue"),
        ("simple", False, COLORS, "blue,black,brown"),
        ("simple", True, COLORS, "blue,black,brown"),
        ("simple", False, RGB, "R,100,G,200,B,150"),
        ("simple", True, RGB, "R=100,G=200,B=150"),
        ("label", False, "blue", ".blue"),
        ("label", True, "blue", ".blue"),
        ("label", False, COLORS, ".blue,black,brown"),
        ("label", True, COLORS, ".blue.black.brown"),
        ("label", False, RGB, ".R,100,G,200,B,150"),
        ("label", True, RGB, ".R=100.G=200.B=150"),
        ("matrix", False, "", ";q"),
        ("matrix", False, "blue", ";q=blue"),
        ("matrix", False, COLORS, ";q=blue,black,brown"),
        ("matrix", True, COLORS, ";q=blue;q=black;q=brown"),
        ("matrix", False, RGB, ";q=R,100,G,200,B,150"),
        ("matrix", True, RGB, ";R=100;G=200;B=150"),
    ],
)
def test_a_path_value_has_the_form_of_its_style(style, explode, value, text):
    assert path_of(value, style=style, explode=explode) == f"/p/{text}/tail"


@pytest.mark.parametrize(
    ("style", "explode", "value", "query"),
    [
        ("form", True, "", "q="),
        ("form", True, "blue", "q=blue"),
        ("form", True, COLORS, "q=blue&q=black&q=brown"),
        ("form", False, COLORS, "q=blue,black,brown"),
        ("form", True, RGB, "R=100&G=200&B=150"),
        ("form", False, RGB, "q=R,100,G,200,B,150"),
        ("spaceDelimited", False, COLORS, "q=blue%20black%20brown"),
        ("spaceDelimited", False, RGB, "q=R%20100%20G%20200%20B%20150"),
        ("spaceDelimited", True, COLORS, "q=blue&q=black&q=brown"),
        ("pipeDelimited", False, COLORS, "q=blue%7Cblack%7Cbrown"),
        ("pipeDelimited", False, RGB, "q=R%7C100%7CG%7C200%7CB%7C150"),
        ("tabDelimited", False, COLORS, "q=blue%09black%09brown"),
        ("deepObject", True, RGB, "q%5BR%5D=100&q%5BG%5D=200&q%5BB%5D=150"),
        ("deepObject", True, {"a": {"b": 5}, "t": ["x", "y"]}, "q%5Ba%5D%5Bb%5D=5&q%5Bt%5D%5B0%5D=x&q%5Bt%5D%5B1%5D=y"),
        ("deepObject", True, ["x"], "q%5B0%5D=x"),
        ("form", True, [], ""),
        ("form", False, {}, ""),
        ("pipeDelimited", False, [], ""),
        ("deepObject", True, {}, ""),
        ("form", True, [True, None, {"a": 1}], "q=true&q=%7B%22a%22%3A1%7D"),
    ],
)
def test_a_query_value_has_the_form_of_its_style(style, explode, value, query):
    assert query_of(value, style=style, explode=explode) == query


def test_swagger_2_delimits_items_in_paths_and_headers_too():
    assert path_of(["a b", "c"], style="pipeDelimited", explode=False) == "/p/a%20b%7Cc/tail"
    assert header_of(["a|b", "c"], style="pipeDelimited", explode=False) == "a%7Cb|c"
    assert header_of(["a", "b"], style="tabDelimited", explode=False) == "a\tb"


def test_a_query_parameter_is_exploded_unless_it_is_told_otherwise():
    assert query_of(COLORS) == "q=blue&q=black&q=brown"
    assert query_of(COLORS, style="pipeDelimited") == "q=blue%7Cblack%7Cbrown"


@pytest.mark.parametrize(
    ("explode", "value", "text"),
    [
        (False, "a b", "a b"),
        (False, True, "true"),
        (False, 5, "5"),
        (False, COLORS, "blue,black,brown"),
        (True, COLORS, "blue,black,brown"),
        (False, RGB, "R,100,G,200,B,150"),
        (True, RGB, "R=100,G=200,B=150"),
        (False, ["a,b", "c"], "a%2Cb,c"),
        (False, [], None),
    ],
)
def test_a_header_value_has_the_simple_style(explode, value, text):
    assert header_of(value, style="simple", explode=explode) == text


@pytest.mark.parametrize(
    ("style", "explode", "value", "text"),
    [
        ("form", True, "abc", "q=abc"),
        ("form", False, ["a", "b"], "q=a,b"),
        ("form", True, ["a", "b"], "q=a,b"),
        ("form", False, RGB, "q=R,100,G,200,B,150"),
        ("form", True, RGB, "R=100; G=200; B=150"),
        ("form", True, "x; admin=1", "q=x%3B%20admin%3D1"),
        ("form", True, "a,b\"c'", "q=a%2Cb%22c%27"),
        ("cookie", True, "a/b==", "q=a/b=="),
        ("cookie", True, ["a", "b"], "q=a; q=b"),
        ("cookie", False, ["a", "b"], "q=a,b"),
        ("cookie", True, RGB, "R=100; G=200; B=150"),
        ("form", True, [], None),
    ],
)
def test_a_cookie_value_has_the_form_of_its_style(style, explode, value, text):
    assert cookie_of(value, style=style, explode=explode) == text


@given(lists)
def test_repeated_keys_are_read_back_as_the_items(values):
    assert parse_qsl(query_of(values), keep_blank_values=True) == [("q", value) for value in values]


@given(objects)
def test_exploded_members_are_read_back_as_the_object(value):
    assert parse_qsl(query_of(value), keep_blank_values=True) == list(value.items())


@pytest.mark.parametrize(
    ("style", "delimiter"),
    [("form", ","), ("spaceDelimited", "%20"), ("pipeDelimited", "%7C"), ("tabDelimited", "%09")],
)
@given(values=lists)
def test_a_delimiter_inside_an_item_never_divides_it_in_style_form(style, delimiter, values):
    text = query_of(values, style=style, explode=False).removeprefix("q=")
    if style == "form":
        assert [unquote(item) for item in text.split(delimiter)] == values
    else:
        assert unquote(text) == unquote(delimiter).join(values)


@given(lists.filter(lambda values: values != [""]))
def test_a_simple_path_array_is_read_back_as_the_items(values):
    text = path_of(values, "/p/-{q}").removeprefix("/p/-")
    assert "/" not in text
    assert [unquote(item) for item in text.split(",")] == values


@given(objects)
def test_a_matrix_object_is_read_back_as_the_object(value):
    pairs = path_of(value, style="matrix", explode=True).removeprefix("/p/;").removesuffix("/tail").split(";")
    assert [tuple(map(unquote, pair.split("=", 1))) for pair in pairs] == list(value.items())


plain_names = st.text("abcXYZ_-.é ", min_size=1, max_size=6)


@given(st.dictionaries(plain_names, st.dictionaries(plain_names, texts, min_size=1), min_size=1, max_size=3))
def test_a_deep_object_is_read_back_as_the_object(value):
    found: dict[str, dict[str, str]] = {}
    for name, text in parse_qsl(query_of(value, style="deepObject", explode=True), keep_blank_values=True):
        outer, _, inner = name.removeprefix("q[").removesuffix("]").partition("][")
        found.setdefault(outer, {})[inner] = text
    assert found == value


@given(texts)
def test_a_cookie_never_adds_another(value):
    pair = cookie_of(value)
    assert pair is not None
    assert pair.isascii()
    assert pair.isprintable()
    assert not {";", ",", " ", '"', "\\"} & set(pair)
    assert unquote(pair.removeprefix("q=")) == value
