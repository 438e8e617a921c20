"""Path items: references, what they share with their operations, and the methods they may have."""

import pytest


def document(paths, version="3.1.0", **more):
    return {"openapi": version, "info": {}, "paths": paths, **more}


def test_a_path_item_is_followed_and_members_beside_the_reference_win(upgrade):
    read = upgrade(
        document(
            {"/x": {"$ref": "#/components/pathItems/A", "get": {"summary": "near"}}},
            components={
                "pathItems": {
                    "A": {"$ref": "#/components/pathItems/B", "post": {"summary": "middle"}},
                    "B": {"get": {"summary": "far"}, "post": {}, "put": {"summary": "far"}},
                }
            },
        )
    )
    assert {each.key: each.summary for each in read.api.operations} == {
        "GET /x": "near",
        "POST /x": "middle",
        "PUT /x": "far",
    }


def test_a_cycle_of_path_items_costs_these_paths_only(upgrade):
    read = upgrade(document({"/a": {"$ref": "#/paths/~1b"}, "/b": {"$ref": "#/paths/~1a"}, "/c": {"get": {}}}))
    assert [each.key for each in read.api.operations] == ["GET /c"]
    assert read.rules == ["path-item-cycle", "path-item-cycle"]
    assert read.api.unreadable == ("/a", "/b")


def test_a_path_item_whose_reference_leads_nowhere_is_reported(upgrade):
    read = upgrade(document({"/a": {"$ref": "#/nowhere"}, "/b": {"$ref": 1}, "/c": 1, "/d": None, "/e": {"get": {}}}))
    assert [each.key for each in read.api.operations] == ["GET /e"]
    assert read.api.unreadable == ("/a", "/b", "/c")
    assert [each.unit for each in read.errors] == ["/a", "/b", "/c"]


def test_parameters_of_the_path_come_first_and_are_overridden_by_name_and_location(upgrade):
    def query(name, description, location="query"):
        return {"name": name, "in": location, "description": description}

    shared = [query("a", "path"), query("b", "path"), query("H", "path", "header")]
    own = [query("c", "own"), query("b", "own"), query("h", "own", "header")]
    read = upgrade(document({"/x": {"parameters": shared, "get": {"parameters": own}}}))
    assert [(each.name, each.description) for each in read.only.parameters] == [
        ("a", "path"),
        ("b", "own"),
        ("h", "own"),
        ("c", "own"),
    ]
    assert read.diagnostics == []


def test_a_parameter_declared_twice_is_taken_once_and_warned_about(upgrade_operation):
    twice = [{"name": "a", "in": "query", "description": each} for each in ("one", "two")]
    read = upgrade_operation({"parameters": twice})
    assert [each.description for each in read.only.parameters] == ["one"]
    assert read.rules == ["duplicate-parameter"]


def test_servers_extensions_and_texts_of_the_path_hold_for_its_operations(upgrade):
    item = {
        "summary": "S",
        "servers": [{"url": "https://path.example"}],
        "x-mcp": False,
        "x-a": 1,
        "get": {"x-a": 2},
        "put": {"summary": "own", "servers": [{"url": "https://own.example"}]},
    }
    read = upgrade(document({"/x": item}))
    get, put = read.api.operations
    assert (get.summary, get.servers[0].url, get.extensions) == (
        "S",
        "https://path.example",
        {"x-mcp": False, "x-a": 2},
    )
    assert (put.summary, put.servers[0].url) == ("own", "https://own.example")


def test_every_method_of_a_version_is_an_operation(upgrade):
    methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]
    item = {each: {} for each in methods}
    assert len(upgrade(document({"/x": item}, "3.1.0")).api.operations) == 8
    assert len(upgrade(document({"/x": item}, "3.2.0")).api.operations) == 9


def test_additional_operations_keep_their_method_as_written(upgrade):
    item = {"additionalOperations": {"COPY": {}, "Link": {}, "x-y": {}}}
    read = upgrade(document({"/x": item}, "3.2.0"))
    assert [each.key for each in read.api.operations] == ["COPY /x", "Link /x"]
    assert upgrade(document({"/x": item}, "3.1.0")).api.operations == ()


@pytest.mark.parametrize("method", ["A B", "", "GET\r\nX: y", "CONNECT", "connect"])
def test_a_method_that_cannot_be_sent_is_refused(upgrade, method):
    read = upgrade(document({"/x": {"get": {}, "additionalOperations": {method: {}}}}, "3.2.0"))
    assert [each.key for each in read.api.operations] == ["GET /x"]
    assert read.rules == ["unsendable-name"]


def test_the_same_method_twice_is_refused_the_second_time(upgrade):
    read = upgrade(document({"/x": {"post": {}, "additionalOperations": {"POST": {}}}}, "3.2.0"))
    assert [each.key for each in read.api.operations] == ["POST /x"]
    assert read.rules == ["duplicate-operation"]


def test_an_operation_may_be_a_reference_and_null_is_none(upgrade):
    read = upgrade(
        document({"/x": {"get": {"$ref": "#/x-operation"}, "put": None}}, **{"x-operation": {"summary": "S"}})
    )
    assert read.only.summary == "S"
    assert read.diagnostics == []


@pytest.mark.parametrize("wrong", [{"$ref": "#/nowhere"}, [], 1, {"COPY": []}, {"COPY": {"$ref": "#/nowhere"}}])
def test_additional_operations_that_cannot_be_read_cost_only_themselves(upgrade, wrong):
    read = upgrade(document({"/x": {"get": {}, "additionalOperations": wrong}}, "3.2.0"))
    assert [each.key for each in read.api.operations] == ["GET /x"]
    assert len(read.errors) == 1


def test_every_part_of_an_operation_that_is_wrong_is_reported(upgrade):
    broken = {
        "operationId": "x",
        "parameters": [{"$ref": "#/nowhere"}, {"name": "n", "in": 5}],
        "requestBody": [],
        "responses": 7,
    }
    read = upgrade(document({"/a": {"get": broken, "post": {"operationId": "x"}}}))
    assert len(read.errors) >= 3
    assert {each.unit for each in read.errors} == {"GET /a"}
    assert read.api.unreadable == ("GET /a",)


def test_an_id_of_two_operations_is_reported_even_if_one_of_them_is_broken(upgrade):
    read = upgrade(
        document({"/a": {"get": {"operationId": "x", "requestBody": []}}, "/b": {"get": {"operationId": "x"}}})
    )
    said = "the operationId `x` of `GET /a` is also that of `GET /b`"
    assert [each.message for each in read.diagnostics if each.rule.name == "duplicate-operation-id"] == [said]


@pytest.mark.parametrize(
    ("name", "version", "said"),
    [
        ("gett", "3.1.0", "`gett` is no method of a path; did you mean `get`?"),
        ("GET", "3.1.0", "`GET` is no method of a path; did you mean `get`?"),
        ("verbs", "3.0.3", "`verbs` is no method of a path"),
        ("query", "3.1.0", "`query` of a path is known since OpenAPI 3.2 only"),
    ],
)
def test_what_is_no_method_is_reported(upgrade, name, version, said):
    read = upgrade(document({"/a": {name: {}, "get": {}, "x-y": 1, "summary": "", "servers": []}}, version))
    assert [each.message.partition(" (")[0] for each in read.diagnostics if each.rule.name == "ignored-member"] == [
        said
    ]
