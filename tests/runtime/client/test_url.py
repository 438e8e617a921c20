"""Where a request goes: the base that is chosen, and a path that no value leaves."""

from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.url import Base, BaseProblem, target_of
from generator.runtime.client.values import ArgumentProblem
from tests.runtime.client.building import path_of, query_of, sent

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
tricky = st.text(st.sampled_from("./\\%2eE5cC;?#&=@: \r\n\té"), max_size=9) | texts


def two(template, first, second):
    parameters = [{"argument": name, "name": name, "in": "path"} for name in ("id", "ids")]
    operation = {"path": template, "parameters": parameters}
    return sent(operation, {"id": first, "ids": second}).target.removeprefix("/v1")


def test_the_operators_base_url_wins_over_the_pinned_one_the_operations_and_the_documents():
    service = {
        "base_url": "base_url",
        "pinned": "https://pinned.example",
        "servers": [{"url": "https://first.example"}],
    }
    operation = {"server": "https://own.example"}
    chosen = Base.of(service, {"base_url": "https://env.example/api"}, operation)
    assert (chosen.origin.text, chosen.path, chosen.operator) == ("https://env.example", "/api", True)
    assert Base.of(service, {}, operation).origin.text == "https://pinned.example"
    del service["pinned"]
    assert Base.of(service, {}, operation).origin.text == "https://own.example"
    from_document = Base.of(service, {}, {})
    assert (from_document.origin.text, from_document.operator) == ("https://first.example", False)


@pytest.mark.parametrize(
    "url",
    ["ftp://a.example", "file:///etc/passwd", "https://user:secret@a.example", "a.example/v1", "https://a.example/a/../b",
     "https://a.example/%2e%2e/b", "https://a.exa mple", "https://"],
)  # fmt: skip
def test_a_base_url_that_could_lead_astray_is_refused_without_being_repeated(url):
    with pytest.raises(BaseProblem) as caught:
        Base.of({}, {"base_url": url}, {})
    assert "secret" not in str(caught.value)
    assert "base_url" in str(caught.value)


def test_a_missing_base_url_is_said_with_the_name_of_the_setting():
    with pytest.raises(BaseProblem, match="base_url"):
        Base.of({"servers": []}, {}, {})


@pytest.mark.parametrize("url", ["https://a.example/v1", "https://a.example/v1/", "https://a.example/v1//"])
def test_base_and_path_are_joined_with_one_slash(url):
    assert target_of(Base.of({"servers": [{"url": url}]}, {}, {}), "/x", []) == "/v1/x"


def test_a_value_is_never_replaced_a_second_time():
    assert two("/p/{id}/{ids}", "{ids}", "2") == "/p/%7Bids%7D/2"


def test_text_next_to_the_braces_and_names_that_begin_alike_stay_apart():
    assert two("/two/{id}s/x/{ids}", "1", "2") == "/two/1s/x/2"
    assert two("/{id}:cancel/{ids}.json", "job-1", "2") == "/job-1:cancel/2.json"


def test_a_name_that_is_no_parameter_stays_as_encoded_text():
    assert path_of("1", "/p/{q}/{other}") == "/p/1/%7Bother%7D"


def test_text_of_the_template_is_encoded_once():
    assert path_of("1", "/über uns/%41/{q}") == "/%C3%BCber%20uns/%41/1"


def test_a_fixed_query_of_a_template_comes_before_the_parameters_and_a_fragment_is_dropped():
    parameters = [{"argument": "id", "name": "id", "in": "path"}, {"argument": "q", "name": "q", "in": "query"}]
    target = sent({"path": "/a?action=x&id={id}#f", "parameters": parameters}, {"id": "1&b=2#", "q": "y"}).target
    assert target == "/v1/a?action=x&id=1%26b%3D2%23&q=y"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("a/b c?d#e%f", "/p/a%2Fb%20c%3Fd%23e%25f/tail"),
        ("../../admin", "/p/..%2F..%2Fadmin/tail"),
        ("..\\admin", "/p/..%5Cadmin/tail"),
        ("//evil.example", "/p/%2F%2Fevil.example/tail"),
        ("a\r\nX: 1", "/p/a%0D%0AX%3A%201/tail"),
        ("v1.2-rc_~", "/p/v1.2-rc_~/tail"),
        ("...", "/p/.../tail"),
        ("job:cancel", "/p/job%3Acancel/tail"),
        (9007199254740993, "/p/9007199254740993/tail"),
    ],
)
def test_a_path_value_keeps_its_segment(value, path):
    assert path_of(value) == path


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("%2e", "/p/%252e/tail"),
        ("%2E%2e", "/p/%252E%252e/tail"),
        ("%252e%252e", "/p/%25252e%25252e/tail"),
        ("..;x", "/p/..%3Bx/tail"),
    ],
)
def test_a_value_that_only_looks_like_a_dot_segment_is_encoded(value, path):
    assert path_of(value) == path


@pytest.mark.parametrize("value", ["%2e%2e", ".%2E", "..;x"])
def test_where_reserved_characters_are_kept_a_dot_segment_has_more_spellings(value):
    with pytest.raises(ArgumentProblem):
        path_of(value, reserved=True)


@pytest.mark.parametrize("value", ["", ".", "..", [], {}])
def test_an_empty_value_or_a_dot_segment_is_refused_with_the_arguments_name(value):
    with pytest.raises(ArgumentProblem) as caught:
        path_of(value)
    assert caught.value.path == ("q",)


@pytest.mark.parametrize("value", ["", "."])
def test_a_style_does_not_make_a_dot_segment_lawful(value):
    with pytest.raises(ArgumentProblem):
        path_of(value, style="label")


def test_two_values_do_not_make_a_dot_segment_together():
    with pytest.raises(ArgumentProblem, match="dot segment"):
        two("/p/{id}{ids}/x", ".", ".")


@given(tricky, st.sampled_from(["simple", "label", "matrix"]), st.booleans())
def test_no_value_changes_the_other_segments(value, style, reserved):
    try:
        path = path_of(value, "/p/{q}/tail", style=style, reserved=reserved)
    except ArgumentProblem:
        return
    assert path.isascii()
    assert path.isprintable()
    assert urlsplit(path).path == path
    head, segment, tail = path.lstrip("/").split("/")
    assert (head, tail) == ("p", "tail")
    assert segment
    assert unquote(segment) not in (".", "..")


@given(tricky)
def test_an_ordinary_path_value_is_read_back_whole(value):
    try:
        path = path_of(value)
    except ArgumentProblem:
        assert value == "" or ".." in unquote(unquote(unquote(value))) or "." in unquote(unquote(unquote(value)))
        return
    assert unquote(path) == f"/p/{value}/tail"


@pytest.mark.parametrize(
    ("value", "query"),
    [
        ("/a/b:c", "q=/a/b:c"),
        ("a?b@c!$'()*,;=~", "q=a?b@c!$'()*,;=~"),
        ("a&b#c[d]+e", "q=a%26b%23c%5Bd%5D%2Be"),
        ("100%25 %zz", "q=100%25%20%25zz"),
        ("é", "q=%C3%A9"),
    ],
)
def test_allow_reserved_keeps_what_does_not_end_the_value(value, query):
    assert query_of(value, reserved=True) == query


def test_allow_reserved_keeps_items_and_members_apart():
    assert query_of(["a,b", "c:d"], reserved=True, explode=False) == "q=a%2Cb,c:d"
    assert query_of({"R": "a,b"}, reserved=True, explode=False) == "q=R,a%2Cb"
    assert path_of({"R": "a=b,c;d"}, explode=True, reserved=True) == "/p/R=a%3Db%2Cc;d/tail"
    assert path_of(["a;b", "c@d"], style="matrix", explode=True, reserved=True) == "/p/;q=a%3Bb;q=c@d/tail"


def test_allow_reserved_keeps_delimiters_where_they_divide_nothing():
    assert query_of(["a,b;c=d", "e"], reserved=True) == "q=a,b;c=d&q=e"
    assert query_of({"R": "a,b=c"}, reserved=True) == "R=a,b=c"
    assert query_of({"k": "a,b/c"}, style="deepObject", reserved=True) == "q%5Bk%5D=a,b/c"
    assert query_of(["a,b", "c"], style="pipeDelimited", explode=False, reserved=True) == "q=a,b%7Cc"
    assert query_of(["a;b=c", "d"], reserved=True, explode=False) == "q=a;b=c,d"
    assert path_of(["a;b:c", "d"], reserved=True) == "/p/a;b:c,d/tail"


def test_allow_reserved_in_a_path_keeps_no_slash():
    assert path_of("a:b@c/d?e#f", reserved=True) == "/p/a:b@c%2Fd%3Fe%23f/tail"


@given(tricky)
def test_a_reserved_query_value_stays_one_value(value):
    query = query_of(value, reserved=True)
    assert query.count("&") == 0
    assert "#" not in query
    assert query.isascii()
    assert query.isprintable()
    assert " " not in query


def test_half_of_a_surrogate_pair_is_refused():
    with pytest.raises(ArgumentProblem, match="surrogate"):
        query_of("\ud800")
    with pytest.raises(ArgumentProblem, match="surrogate"):
        path_of("\ud800", reserved=True)
