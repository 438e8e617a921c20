"""Path templates: what is refused, what is mended, what is served as it is."""

import pytest

OPERATION = {"responses": {}}


def parameter(name, location="path"):
    return {"name": name, "in": location, "required": True, "schema": {"type": "integer"}}


@pytest.mark.parametrize(
    "path",
    [
        "x",
        "",
        "//evil.example/x",
        "/a//b",
        "/../../admin",
        "/a/..",
        "/a/./b",
        "/a/%2e%2E/b",
        "/a%2f%2fb",
        "/a/..;x=1/b",
        "/\\evil.example",
        "/a/..\\b",
        "/a\nb",
        "/a\x00",
        "/a\u2028b",
        "/\x85",
        "/{id",
        "/id}",
        "/{a{b}}",
        "/{}",
        "/{ }/x",
        "/x?a={b",
        "/x?a=<b>",
    ],
)
def test_a_path_that_could_lead_elsewhere_is_refused_with_its_pointer(upgrade_operation, path):
    read = upgrade_operation(OPERATION, path=path)
    assert read.api.operations == ()
    assert read.rules == ["unsafe-path"]
    assert read.errors[0].pointer == "api.json#/paths/" + path.replace("~", "~0").replace("/", "~1")
    (key,) = read.api.unreadable
    assert key.startswith("GET ")
    assert (key + read.errors[0].message).isprintable()


@pytest.mark.parametrize("path", ["/", "/a/", "/a.b/c", "/...", "/ü/字", "/a:cancel", "/a b", '/x"+__import__("os")'])
def test_other_paths_are_kept_as_they_are_written(upgrade_operation, path):
    assert upgrade_operation(OPERATION, path=path).only.path == path


def test_a_fixed_query_stays_part_of_the_path(upgrade_operation):
    operation = upgrade_operation(OPERATION, path="/responses?beta=true").only
    assert operation.path == "/responses?beta=true"
    assert operation.key == "GET /responses?beta=true"


def test_a_parameter_written_into_the_query_becomes_a_query_parameter(upgrade_operation):
    read = upgrade_operation({"parameters": [parameter("item_id")]}, path="/a?x={item_id}&beta=true#f")
    assert (read.only.path, read.only.fragment) == ("/a?beta=true", "f")
    (found,) = read.only.parameters
    assert (found.name, found.location, found.required, found.style) == ("x", "query", True, "form")
    assert read.diagnostics == []


def test_an_undeclared_parameter_in_the_query_is_added(upgrade_operation):
    (found,) = upgrade_operation({}, path="/a?x={y}").only.parameters
    assert (found.name, found.location, found.required) == ("x", "query", True)


def test_a_fragment_tells_operations_apart_and_is_never_part_of_the_path(upgrade):
    read = upgrade({"openapi": "3.0.0", "paths": {"/{b}#acl": {"get": {}}, "/{b}#tags": {"get": {}}}})
    assert [each.path for each in read.api.operations] == ["/{b}", "/{b}"]
    assert [each.key for each in read.api.operations] == ["GET /{b}#acl", "GET /{b}#tags"]


def test_a_name_of_the_template_without_a_parameter_is_a_required_text(upgrade_operation):
    read = upgrade_operation({"parameters": [parameter("a")]}, path="/{a}/{b}")
    assert [(each.name, each.required, each.style) for each in read.only.parameters] == [
        ("a", True, "simple"),
        ("b", True, "simple"),
    ]
    assert read.only.parameters[1].schema.value == {"type": "string"}
    assert read.rules == ["undeclared-path-parameter"]


def test_a_path_parameter_that_is_not_in_the_template_is_left_out(upgrade_operation):
    read = upgrade_operation({"parameters": [parameter("a"), parameter("b")]}, path="/{a}")
    assert [each.name for each in read.only.parameters] == ["a"]
    assert read.rules == ["unused-path-parameter"]


@pytest.mark.parametrize("written", ["{a*}", "{.a}", "{;a*}", "{+a}"])
def test_operators_of_uri_templates_are_left_out_where_the_bare_name_is_declared(upgrade_operation, written):
    read = upgrade_operation({"parameters": [parameter("a")]}, path=f"/x/{written}")
    assert read.only.path == "/x/{a}"
    assert read.diagnostics == []


def test_a_name_is_taken_as_it_is_written_when_it_is_declared_so(upgrade_operation):
    assert upgrade_operation({"parameters": [parameter("a*")]}, path="/{a*}").only.path == "/{a*}"


def test_extensions_beside_paths_are_no_paths(upgrade):
    read = upgrade({"openapi": "3.0.0", "paths": {"x-y": {"get": {}}, "/x": {"get": {}}}})
    assert [each.key for each in read.api.operations] == ["GET /x"]
    assert read.diagnostics == []


def test_a_path_parameter_that_differs_in_case_only_is_the_one_of_the_template(upgrade_operation):
    read = upgrade_operation({"parameters": [parameter("petid")]}, path="/{petId}")
    assert [(each.name, each.schema.value) for each in read.only.parameters] == [("petId", {"type": "integer"})]
    assert read.diagnostics == []


def test_a_query_parameter_of_the_same_key_is_the_one_written_into_the_query(upgrade_operation):
    read = upgrade_operation({"parameters": [parameter("x", "query"), parameter("y")]}, path="/a?x={y}")
    assert [(each.name, each.location) for each in read.only.parameters] == [("x", "query")]
