"""What is said of an operation that finds no room: the advice helps, also where it is too large by itself."""

from __future__ import annotations

from generator.frontends.openapi.room import ALONE, OUTGROWN

from .described import description, names, operation

LINKS = {f"l{number}": {"operationId": "o"} for number in range(2_000)}
MANY = {str(status): {"$ref": "#/components/responses/Linked"} for status in range(200, 240)}
LINKED = {"Linked": {"description": "linked", "links": LINKS}}
SMALL = {f"/s{number}": {"get": operation()} for number in range(3)}


def outgrown(result):
    return [(each.unit, each.message, each.hint) for each in result.diagnostics if each.rule.code == "MG237"]


def test_an_operation_too_large_by_itself_is_told_so_and_leaving_it_out_serves_the_others(reader):
    paths = {"/big": {"get": operation(responses=MANY)}, **SMALL}
    document = description(paths, components={"schemas": {}, "responses": LINKED})
    first, second = outgrown(reader(document))
    assert first[:2] == ("GET /big", ALONE)
    assert "`--exclude-path '/big'`" in first[2]
    assert second[:2] == ("GET /s0", OUTGROWN)
    assert "`--include-path '/s0'`" in second[2]
    assert names(reader(document, exclude_paths=("/big",))) == ["get_s0", "get_s1", "get_s2"]


def test_one_that_is_too_many_is_not_too_large_by_itself(reader):
    some = dict(list(MANY.items())[:7])
    paths = {f"/p{number}": {"get": operation(responses=some)} for number in range(4)}
    found = outgrown(reader(description(paths, components={"schemas": {}, "responses": LINKED})))
    assert found
    assert {message for _, message, _ in found} == {OUTGROWN}
