"""Which operations become tools."""

from __future__ import annotations

import pytest

from generator.config import Config
from generator.config.openapi import OperationRule
from generator.diagnostics.model import Span

from .described import description, messages, names, operation, rules

PATHS = {
    "/pets": {
        "get": operation(operationId="listPets", tags=["Pets", "read"]),
        "post": operation(operationId="addPet", tags=["Pets"]),
    },
    "/pets/{id}": {
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
        "get": operation(operationId="getPet", tags=["Pets", "read"]),
        "delete": operation(operationId="deletePet", tags=["Pets"]),
    },
    "/store/[old]": {"get": operation(operationId="get store", tags=["Store"])},
}
ALL = ["listPets", "addPet", "getPet", "deletePet", "get_store"]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, ALL),
        ({"include_tags": ("pets",)}, ALL[:4]),
        ({"include_tags": ("pets", "STORE")}, ALL),
        ({"exclude_tags": ("Read",)}, ["addPet", "deletePet", "get_store"]),
        ({"include_paths": ("/pets/*",)}, ["getPet", "deletePet"]),
        ({"exclude_paths": ("/pets*",)}, ["get_store"]),
        ({"include_paths": ("/store/[old]",)}, ["get_store"]),
        ({"methods": ("get",)}, ["listPets", "getPet", "get_store"]),
        ({"methods": ("GET", "Delete")}, ["listPets", "getPet", "deletePet", "get_store"]),
        ({"operations": ("GET /pets/{id}",)}, ["getPet"]),
        ({"operations": ("get /pets/{id}", "add*")}, ["addPet", "getPet"]),
        ({"operations": ("get store",)}, ["get_store"]),
        ({"expose": ("list*", "get_store")}, ["listPets", "get_store"]),
        ({"expose": ("GET *",)}, ["listPets", "getPet", "get_store"]),
        ({"hide": ("delete*",)}, ["listPets", "addPet", "getPet", "get_store"]),
        ({"include_tags": ("pets",), "methods": ("get",), "hide": ("getPet",)}, ["listPets"]),
        ({"config": Config(expose=("addPet",))}, ["addPet"]),
        ({"config": Config(hide=("addPet", "*Pet"))}, ["listPets", "get_store"]),
        ({"rules": {"getPet": OperationRule(hide=True)}}, ["listPets", "addPet", "deletePet", "get_store"]),
    ],
)
def test_options_choose_operations(reader, options, wanted):
    result = reader(description(PATHS), **options)
    assert names(result) == wanted
    assert rules(result, "error") == set()


@pytest.mark.requirement("R121")
def test_with_an_expose_list_only_what_it_names_is_served(reader):
    assert names(reader(description(PATHS))) == ALL
    assert names(reader(description(PATHS), expose=("listPets", "GET /pets/{id}"))) == ["listPets", "getPet"]


@pytest.mark.requirement("R121")
def test_an_unknown_name_in_expose_is_an_error_with_the_nearest_one(reader):
    result = reader(description(PATHS), expose=("listPets", "getPets"))
    assert messages(result, "unmatched-expose") == ["`getPets` in `expose` fits no operation"]
    (found,) = [each for each in result.diagnostics if each.level == "error"]
    assert found.hint == "Did you mean `getPet`?"


@pytest.mark.requirement("R121")
@pytest.mark.parametrize(
    "options",
    [
        {"expose": ()},
        {
            "config": Config(
                places={("expose",): Span(path="mcpgen.toml", line=1, column=1, end_line=1, end_column=2)},
            )
        },
    ],
)
def test_an_empty_expose_is_an_error(reader, options):
    result = reader(description(PATHS), **options)
    assert names(result) == []
    assert messages(result, "unmatched-expose") == ["`expose` is empty, so nothing would be served"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"include_tags": ("Pet",)}, "`Pet` in `--include-tag` fits no operation"),
        ({"include_paths": ("/pet",)}, "`/pet` in `--include-path` fits no operation"),
        ({"methods": ("patch",)}, "`patch` in `--methods` fits no operation"),
        ({"operations": ("GET /pet",)}, "`GET /pet` in `--operation` fits no operation"),
    ],
)
def test_what_was_asked_for_and_is_not_there_ends_the_reading(reader, options, message):
    result = reader(description(PATHS), **options)
    assert result.server is None
    assert messages(result) == [message]
    assert rules(result, "error") == {"unmatched-selection"}


@pytest.mark.parametrize("options", [{"exclude_tags": ("x",)}, {"exclude_paths": ("/x",)}, {"hide": ("x",)}])
def test_an_exclusion_that_fits_nothing_is_a_warning(reader, options):
    result = reader(description(PATHS), **options)
    assert names(result) == ALL
    assert rules(result, "warning") >= {"unmatched-selection"}


def test_names_do_not_depend_on_what_is_chosen(reader):
    document = description({"/a": {"get": operation(operationId="x y")}, "/b": {"get": operation(operationId="x.y")}})
    both = names(reader(document))
    assert names(reader(document, operations=("GET /b",))) == both[1:]


def test_an_operation_that_cannot_be_read_is_left_out_only_if_it_was_wanted(reader):
    document = description({"/bad/{x": {"get": operation()}, "/good": {"get": operation(), "post": operation()}})
    assert reader(document).left_out == ("GET /bad/{x",)
    assert reader(document, operations=("GET /bad/*",)).left_out == ("GET /bad/{x",)
    assert reader(document, methods=("post",)).left_out == ()
    assert reader(document, exclude_paths=("/bad*",)).left_out == ()


def test_a_rule_for_an_operation_that_does_not_exist_is_an_error(reader):
    result = reader(description(PATHS), rules={"GET /nothing": OperationRule(title="x")})
    assert messages(result, "unmatched-tool-setting") == ["`GET /nothing` is no operation of the description"]


def test_a_misspelt_method_is_told_with_the_nearest_one(reader):
    result = reader(description(PATHS), methods=("gte",))
    (found,) = [each for each in result.diagnostics if each.rule.name == "unmatched-selection"]
    assert (found.level, found.hint) == ("error", "Did you mean `get`?")
