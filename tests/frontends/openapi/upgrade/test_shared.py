"""Parts that many operations refer to are read once, and what is to be told of them is told for each."""

PARAMETER = {"name": "q", "in": "query", "schema": {"type": "string"}}


def document(component, **more):
    """Return a description of three operations that refer to one parameter and one answer."""
    operation = {
        "parameters": [{"$ref": "#/components/parameters/q"}],
        "responses": {"200": {"$ref": "#/components/responses/ok"}, "404": {"$ref": "#/components/responses/ok"}},
    }
    return {
        "openapi": "3.0.3",
        "info": {"title": "T", "version": "1"},
        "servers": [{"url": "https://a.example"}],
        "paths": {f"/{name}": {"get": operation} for name in "abc"},
        "components": {"parameters": {"q": component}, "responses": {"ok": {"description": "d", **more}}},
    }


def test_operations_that_refer_to_the_same_parts_have_them_alike(upgrade):
    read = upgrade(document(PARAMETER, content={"application/json": {"schema": {"type": "array"}}}))
    assert [each.parameters[0].name for each in read.api.operations] == ["q", "q", "q"]
    assert len({id(each.parameters[0]) for each in read.api.operations}) == 1
    assert len({id(each.responses[1]) for each in read.api.operations}) == 1
    for operation in read.api.operations:
        assert [each.status for each in operation.responses] == ["200", "404"]
        assert {each.description for each in operation.responses} == {"d"}
        assert {each.place.text for each in operation.responses} == {"api.json#/components/responses/ok"}


def test_what_is_told_of_a_shared_part_is_counted_for_each_that_refers_to_it(upgrade):
    read = upgrade(document(PARAMETER, content={"none": {}}))
    assert read.rules == ["ignored-member"]
    assert "(6 times)" in read.diagnostics[0].message


def test_a_shared_part_that_cannot_be_read_costs_every_operation(upgrade):
    read = upgrade(document({"name": "q", "in": "nowhere"}))
    assert read.api.operations == ()
    assert "also: GET /b, GET /c" in " ".join(read.errors[0].notes)
