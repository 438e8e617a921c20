"""Names of tools: legal, distinct, and the same whatever surrounds an operation."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.config.openapi import OperationRule
from generator.frontends.openapi.model import Operation
from generator.frontends.openapi.place import Place
from generator.frontends.openapi.tool_names import tool_names

from .described import description, messages, names, operation, tools

LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}")


class _NoFile:
    shown = "api.yaml"

    def span(self, pointer: tuple[str, ...]) -> None:
        """Know no places."""


def made(path: str, identity: str | None = None, method: str = "GET") -> Operation:
    return Operation(method=method, path=path, operation_id=identity, place=Place(_NoFile()))


def gets(*identities: str | None) -> dict[str, Any]:
    """Return paths /p0, /p1 … with these operation ids."""
    return {
        f"/p{index}": {"get": operation(**({} if each is None else {"operationId": each}))}
        for index, each in enumerate(identities)
    }


def test_a_legal_operation_id_is_the_name(reader):
    assert names(reader(description(gets("listPets", "class", "__init__", "1st", "a-b")))) == [
        "listPets",
        "class",
        "__init__",
        "1st",
        "a-b",
    ]


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("get", "/people", "get_people"),
        ("get", "/people/", "get_people"),
        ("get", "/users/{id}/posts/{post-id}", "get_users_by_id_posts_by_post-id"),
        ("delete", "/v1/files:batchDelete", "delete_v1_files_batchDelete"),
        ("get", "/", "get_root"),
        ("post", "/a.b/{x}.{format}", "post_a_b_by_x_by_format"),
    ],
)
def test_without_an_operation_id_the_name_is_made_of_method_and_path(reader, method, path, name):
    variables = re.findall(r"\{(.*?)\}", path)
    parameters = [{"name": each, "in": "path", "required": True, "schema": {}} for each in variables]
    result = reader(description({path: {method: operation(parameters=parameters)}}))
    assert names(result) == [name]
    assert messages(result, "renamed-tool") == []


def test_names_that_become_equal_are_told_apart_and_the_exact_one_keeps_its_name(reader):
    result = reader(description(gets("pets/list", "pets.list", "pets list", "pets_list")))
    found = names(result)
    assert len(set(found)) == 4
    assert found[3] == "pets_list"
    assert all(re.fullmatch(r"pets_list_[0-9a-f]{8}", each) for each in found[:3])
    assert len(messages(result, "renamed-tool")) == 3


def test_two_paths_that_differ_by_a_slash_are_two_tools(reader):
    found = names(reader(description({"/c": {"get": operation()}, "/c/": {"get": operation()}})))
    assert found[0] == "get_c"
    assert re.fullmatch(r"get_c_[0-9a-f]{8}", found[1])


def test_equal_operation_ids_are_all_told_apart(reader):
    found = names(reader(description(gets("same", "same"))))
    assert len(set(found)) == 2
    assert all(re.fullmatch(r"same_[0-9a-f]{8}", each) for each in found)


def test_names_that_differ_in_case_only_stay_as_they_are(reader):
    assert names(reader(description(gets("GetThing", "getThing")))) == ["GetThing", "getThing"]


def test_long_names_are_cut_and_keep_apart(reader):
    one, two = names(reader(description(gets("x" * 90 + "One", "x" * 90 + "Two"))))
    assert one != two
    assert len(one) == len(two) == 64


@pytest.mark.parametrize("identity", ["获取用户", "\N{FIRE}", "\N{RIGHT-TO-LEFT OVERRIDE}", "///", ""])
def test_an_operation_id_without_a_usable_letter_falls_back_to_the_path(reader, identity):
    assert names(reader(description(gets(identity)))) == ["get_p0"]


def test_letters_that_only_look_alike_do_not_pass_for_another_name(reader):
    homoglyph = "g\N{CYRILLIC SMALL LETTER IE}t_item"
    found = names(reader(description(gets("get_item", homoglyph))))
    assert found[0] == "get_item"
    assert re.fullmatch(r"g_t_item_[0-9a-f]{8}", found[1])


def test_more_than_ten_renamed_tools_are_one_warning(reader):
    result = reader(description(gets(*(f"get {number}" for number in range(30)))))
    (said,) = messages(result, "renamed-tool")
    why = "because a name has only letters, digits, `_` and `-`"
    assert said == f"the operation `get 0` is called `get_0` {why}; 29 more are like this one"


@pytest.mark.parametrize(
    ("identities", "known", "why"),
    [
        (["a b"], {}, "because a name has only letters, digits, `_` and `-`"),
        (["x" * 90], {}, "because a name has at most 64 characters"),
        (["same", "same"], {}, "because another operation wants its name"),
        (["getPet"], {"GET /p0": "fetch"}, "as in the last build"),
    ],
)
def test_a_name_that_is_another_says_why(reader, identities, known, why):
    result = reader(description(gets(*identities)), known_names=known)
    assert messages(result, "renamed-tool")[0].endswith(why)


def test_a_name_of_the_settings_that_another_operation_has_is_an_error(reader):
    result = reader(description(gets("getPet", "other")), rules={"other": OperationRule(name="getPet")})
    assert result.server is None
    assert messages(result, "taken-name") == ["the name `getPet` of `GET /p1` is also that of `GET /p0`"]


def test_a_name_that_the_settings_give_twice_is_an_error(reader):
    same = OperationRule(name="pets")
    result = reader(description(gets("one", "two")), rules={"one": same, "two": same})
    assert result.server is None
    assert len(messages(result, "taken-name")) == 2


def test_a_name_of_the_settings_may_be_that_of_an_operation_that_is_not_served(reader):
    rules = {"other": OperationRule(name="getPet"), "getPet": OperationRule(hide=True)}
    assert names(reader(description(gets("getPet", "other")), rules=rules)) == ["getPet"]


def test_only_names_that_nobody_asked_for_are_marked_to_be_kept(reader):
    result = reader(description(gets("one", "two")), rules={"one": OperationRule(name="pets")})
    assert [(tool.name, tool.call.named) for tool in result.server.tools] == [("pets", True), ("two", False)]


def test_names_of_earlier_runs_win_over_what_the_document_says(reader):
    known = {"GET /p0": "fetch", "GET /gone": "listPets"}
    found = names(reader(description(gets("getPet", "listPets")), known_names=known))
    assert found == ["fetch", "listPets"]


def test_a_name_that_somebody_stated_wins_over_the_lock(reader):
    found = reader(
        description(gets("getPet", "other")),
        known_names={"GET /p0": "fetch"},
        rules={"getPet": OperationRule(name="pet_by_id")},
    )
    assert names(found) == ["pet_by_id", "other"]
    assert messages(found, "renamed-tool") == []


def test_a_rule_may_name_the_operation_by_key_id_or_tool(reader):
    rules = {
        "GET /p0": OperationRule(title="By key"),
        "second id": OperationRule(title="By id"),
        "third_id": OperationRule(title="By tool"),
    }
    found = tools(reader(description(gets("first", "second id", "third id")), rules=rules))
    assert [tool.title for tool in found.values()] == ["By key", "By id", "By tool"]


def test_all_twenty_nasty_names_of_the_probe_are_served(reader, complaints):
    document = json.loads((complaints / "probes" / "specs" / "naming30.json").read_text(encoding="utf-8"))
    found = names(reader(document))
    assert len(found) == len(set(found)) == 20
    assert all(LEGAL.fullmatch(each) for each in found)
    assert {"pets_list", "GetThing", "getThing", "1starts_with_digit", "__private__op", "class"} <= set(found)
    assert {"get_users_by_id_posts", "post_users", "get_root", "get_v1_files_batchGet"} <= set(found)


_PATHS = st.lists(st.text("ab{}/. é日", max_size=8).map(lambda text: f"/{text}"), unique=True, min_size=1, max_size=12)
_IDENTITIES = st.none() | st.text(max_size=70) | st.sampled_from(["a b", "a_b", "a.b", "A_b", "get_a"])


@given(st.data(), _PATHS)
def test_names_are_legal_distinct_and_do_not_depend_on_the_order(data, paths):
    operations = [made(path, data.draw(_IDENTITIES)) for path in paths]
    found = tool_names(operations, {}, {})
    assert len(set(found.values())) == len(operations)
    assert all(LEGAL.fullmatch(name) for name in found.values())
    assert tool_names(data.draw(st.permutations(operations)), {}, {}) == found


@given(_PATHS)
def test_known_names_are_always_kept(paths):
    operations = [made(path) for path in paths]
    known = {each.key: f"tool_{index}" for index, each in enumerate(operations)}
    assert tool_names([*operations, made("/new", "tool_0", "POST")], {}, known).items() >= known.items()
