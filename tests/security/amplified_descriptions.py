"""Descriptions below one megabyte that ask for gigabytes: something large, once, and many operations that have it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Document = dict[str, Any]

TEXT = {"type": "string"}
OK = {"200": {"description": "ok"}}
JSON = "application/json"
METHODS = ("get", "put", "post", "delete", "patch", "head", "options", "trace")
CASES: dict[str, Callable[[], Document]] = {}


def case(make: Callable[[], Document]) -> Callable[[], Document]:
    CASES[make.__name__] = make
    return make


def described(paths: Document, version: str = "3.0.3", **members: Any) -> Document:
    info = {"title": "T", "version": "1"}
    servers = [{"url": "https://api.example"}]
    return {"openapi": version, "info": info, "servers": servers, "paths": paths, **members}


def swagger(paths: Document, **members: Any) -> Document:
    return {"swagger": "2.0", "info": {"title": "T", "version": "1"}, "host": "a.example", "paths": paths, **members}


def ref(*names: str) -> Document:
    return {"$ref": "#/components/" + "/".join(names)}


def members(count: int) -> Document:
    return {f"m{i}": TEXT for i in range(count)}


def record(count: int) -> Document:
    return {"type": "object", "properties": members(count)}


def content(schema: Document, kind: str = JSON) -> Document:
    return {"content": {kind: {"schema": schema}}}


def answered(schema: Document) -> Document:
    return {"200": {"description": "ok", **content(schema)}}


def gets(count: int, **members: Any) -> Document:
    return {f"/p{i}": {"get": {"responses": OK, **members}} for i in range(count)}


def posts(count: int, body: Document, **members: Any) -> Document:
    return {f"/p{i}": {"post": {"requestBody": body, "responses": OK, **members}} for i in range(count)}


def parameters(count: int, where: str = "query") -> list[Document]:
    return [{"name": f"q{i}", "in": where, "schema": TEXT} for i in range(count)]


def items(count: int, item: Document) -> Document:
    """Return many paths that are one path item."""
    paths = {f"/p{i}": ref("pathItems", "I") for i in range(count)}
    return described(paths, "3.1.0", components={"pathItems": {"I": item}})


def both_ways(schemas: Document, names: Iterable[str]) -> Document:
    """Return an operation for each schema, which takes and gives it."""
    pairs = ((name, ref("schemas", name)) for name in names)
    paths = {f"/{n}": {"post": {"requestBody": content(each), "responses": answered(each)}} for n, each in pairs}
    return described(paths, components={"schemas": schemas})


@case
def a_body_of_1500_members_by_reference() -> Document:
    body = {"required": True, **content(ref("schemas", "B"))}
    return described(posts(400, body), components={"schemas": {"B": record(1500)}})


@case
def a_form_of_390_members_by_reference() -> Document:
    body = {"required": True, **content(ref("schemas", "B"), "multipart/form-data")}
    return described(posts(5000, body), components={"schemas": {"B": record(390)}})


@case
def a_body_of_10000_members() -> Document:
    return described(
        posts(5000, ref("requestBodies", "B")), components={"requestBodies": {"B": content(record(10000))}}
    )


@case
def an_array_of_large_records() -> Document:
    body = content({"type": "array", "items": record(18000)})
    return described(posts(4000, ref("requestBodies", "B")), components={"requestBodies": {"B": body}})


@case
def five_thousand_required_members() -> Document:
    body = content({**record(5000), "required": list(members(5000))})
    return described(
        posts(300, ref("requestBodies", "B")), components={"requestBodies": {"B": {"required": True, **body}}}
    )


@case
def parameters_by_reference() -> Document:
    names = [f"q{i}" for i in range(100)]
    listed = [ref("parameters", name) for name in names]
    declared = {each["name"]: each for each in parameters(100)}
    return described(gets(250, parameters=listed), components={"parameters": declared})


@case
def parameters_of_a_path_item() -> Document:
    return items(10000, {"parameters": parameters(5000), "get": {}, "put": {}, "post": {}})


@case
def cookies_of_a_path_item() -> Document:
    return items(8000, {"parameters": parameters(8000, "cookie"), "get": {}})


@case
def parameters_of_additional_operations() -> Document:
    path = {"parameters": parameters(8000), "additionalOperations": {f"M{i}": {} for i in range(20000)}}
    return described({"/a": path}, "3.2.0")


@case
def many_operations_of_one_path_item() -> Document:
    return items(18000, {method: {"responses": OK} for method in METHODS})


@case
def fifty_thousand_operations() -> Document:
    return described({f"/p{i}": {"get": {}} for i in range(45000)})


@case
def a_long_path() -> Document:
    return described({"/" + "a" * 300000: {"additionalOperations": {f"M{i}": {} for i in range(30000)}}}, "3.2.0")


@case
def a_long_name() -> Document:
    return items(12000, {"get": {"parameters": [{"name": "a" * 300000, "in": "query", "schema": TEXT}]}})


@case
def a_long_description() -> Document:
    return items(10000, {"get": {"description": "All work and no play. " * 20000, "responses": OK}})


@case
def an_enumeration_of_25000_values() -> Document:
    one = {"name": "e", "in": "query", "schema": {"type": "string", "enum": [f"value-{i}" for i in range(25000)]}}
    return described(gets(5000, parameters=[ref("parameters", "e")]), components={"parameters": {"e": one}})


@case
def a_default_of_25000_values() -> Document:
    schema = {"type": "array", "items": TEXT, "default": [f"value{i}" for i in range(25000)]}
    one = {"name": "e", "in": "query", "schema": schema}
    return described(gets(5000, parameters=[ref("parameters", "e")]), components={"parameters": {"e": one}})


@case
def media_types_of_a_body() -> Document:
    kinds = {f"application/x-{i}": {"schema": record(1)} for i in range(5000)}
    shared = {"B": {"content": kinds}}
    return described(posts(4500, ref("requestBodies", "B")), components={"requestBodies": shared})


@case
def unlike_media_types_of_a_body() -> Document:
    names = ("application/json", "multipart/form-data", "text/plain", "application/octet-stream")
    kinds = {name: {"schema": record(390 + i)} for i, name in enumerate(names)}
    shared = {"B": {"content": kinds}}
    return described(posts(6000, ref("requestBodies", "B")), components={"requestBodies": shared})


@case
def encodings_of_a_body() -> Document:
    encoding = {f"m{i}": {"contentType": "text/plain", "headers": {"X-A": {"schema": TEXT}}} for i in range(2500)}
    kinds = {"multipart/form-data": {"schema": record(2500), "encoding": encoding}}
    return described(posts(6000, ref("requestBodies", "B")), components={"requestBodies": {"B": {"content": kinds}}})


@case
def xml_parts_of_a_body() -> Document:
    schema = {"type": "object", "properties": {f"p{i}": ref("schemas", "X") for i in range(1500)}}
    encoding = {f"p{i}": {"contentType": "application/xml"} for i in range(1500)}
    shared = {"B": {"content": {"multipart/form-data": {"schema": schema, "encoding": encoding}}}}
    components = {"schemas": {"X": record(2000)}, "requestBodies": shared}
    return described(posts(500, ref("requestBodies", "B")), components=components)


@case
def media_types_of_an_answer() -> Document:
    kinds: Document = {f"application/x-{i}": {} for i in range(10000)}
    shared = {"R": {"description": "r", "content": kinds}}
    return described(gets(8000, responses={"200": ref("responses", "R")}), components={"responses": shared})


@case
def links_of_an_answer() -> Document:
    links = {f"l{i}": {"operationId": "x", "parameters": {"a": "$response.body#/a"}} for i in range(6000)}
    shared = {"R": {"description": "r", "links": links}}
    return described(gets(8000, responses={"200": ref("responses", "R")}), components={"responses": shared})


@case
def answers_with_a_large_base() -> Document:
    def schema(number: int) -> Document:
        return {"allOf": [ref("schemas", "B"), {"type": "object", "properties": {f"x{number}": TEXT}}]}

    paths = {f"/p{i}": {"get": {"responses": answered(schema(i))}} for i in range(2000)}
    return described(paths, components={"schemas": {"B": record(20000)}})


@case
def bodies_with_a_large_base() -> Document:
    schemas: Document = {f"A{i}": {"allOf": [ref("schemas", "B"), record(1)]} for i in range(2000)}
    return both_ways({**schemas, "B": record(10000)}, schemas)


@case
def a_chain_of_bases() -> Document:
    schemas = {f"A{i}": {"allOf": [ref("schemas", f"A{i + 1}"), record(1)]} for i in range(4000)}
    return both_ways({**schemas, "A4000": {"type": "object"}}, [f"A{i}" for i in range(0, 4000, 2)])


@case
def unions_of_unions() -> Document:
    schemas = {f"A{i}": {"oneOf": [ref("schemas", f"A{j}") for j in range(i % 7, 1400, 40)]} for i in range(350)}
    return both_ways({**schemas, **{f"A{i}": record(1) for i in range(350, 1400)}}, [f"A{i}" for i in range(1400)])


@case
def a_union_of_3000_types() -> Document:
    schemas: Document = {f"A{i}": record(1) for i in range(3000)}
    mapping = {f"k{i}": f"#/components/schemas/A{i}" for i in range(3000)}
    union = {"oneOf": [ref("schemas", name) for name in schemas]}
    union |= {"discriminator": {"propertyName": "kind", "mapping": mapping}}
    paths = posts(2000, content(ref("schemas", "U")), responses=answered(ref("schemas", "U")))
    return described(paths, components={"schemas": {**schemas, "U": union}})


@case
def types_that_all_refer_to_one_another() -> Document:
    schemas = {
        f"A{i}": {"type": "object", "properties": {f"p{j}": ref("schemas", f"A{j}") for j in range(0, 300, 5)}}
        for i in range(300)
    }
    return both_ways(schemas, schemas)


@case
def alternatives_that_are_one_another() -> Document:
    schemas = {f"A{i}": {"anyOf": [ref("schemas", f"A{(i + j) % 140}") for j in range(140)]} for i in range(140)}
    paths = {f"/p{i}": {"get": {"responses": answered(ref("schemas", f"A{i}"))}} for i in range(140)}
    return described(paths, components={"schemas": schemas})


@case
def an_answer_of_many_types() -> Document:
    schemas: Document = {f"A{i}": record(40) for i in range(100)}
    whole = {"type": "object", "properties": {name: ref("schemas", name) for name in schemas}}
    shared = {"R": {"description": "r", **content(ref("schemas", "R"))}}
    components = {"schemas": {**schemas, "R": whole}, "responses": shared}
    return described(gets(7000, responses={"200": ref("responses", "R")}), components=components)


@case
def alternatives_of_security() -> Document:
    schemes = {"a": {"type": "oauth2", "flows": {}}}
    security = [{"a": [f"s{i}"]} for i in range(20000)]
    return described(gets(8000), components={"securitySchemes": schemes}, security=security)


@case
def scopes_of_security() -> Document:
    scopes = [f"s{i}" for i in range(20000)]
    flow = {"tokenUrl": "https://a.example/t", "scopes": dict.fromkeys(scopes, "x")}
    schemes = {"a": {"type": "oauth2", "flows": {"clientCredentials": flow}}}
    return described(gets(8000), components={"securitySchemes": schemes}, security=[{"a": scopes}])


@case
def servers_of_a_path_item() -> Document:
    return items(10000, {"servers": [{"url": f"https://a{i}.example"} for i in range(15000)], "get": {}})


@case
def tags_of_a_path_item() -> Document:
    return items(10000, {"get": {"tags": [f"t{i}" for i in range(40000)]}})


@case
def extensions_of_a_path_item() -> Document:
    return items(10000, {"x-mcp": {"scopes": [f"s{i}" for i in range(40000)]}, "get": {}})


@case
def mistakes_of_a_path_item() -> Document:
    return items(10000, {"parameters": [{"name": f"q{i}", "in": "nowhere"} for i in range(10000)], "get": {}})


@case
def dead_references_of_a_body() -> Document:
    schema = {"type": "object", "properties": {f"m{i}": {"$ref": f"#/nowhere/{i}"} for i in range(7000)}}
    return described(posts(5000, ref("requestBodies", "B")), components={"requestBodies": {"B": content(schema)}})


@case
def names_that_clash() -> Document:
    endings = itertools.islice(itertools.product("!$&'()*+,;:@ ", repeat=5), 11000)
    listed = [{"name": "a" + "".join(each), "in": "query", "schema": TEXT} for each in endings]
    return described({"/a": {"get": {"parameters": listed, "responses": OK}}})


@case
def names_of_extensions_that_clash() -> Document:
    return described(gets(9000, **{"x-mcp": {"name": "same"}}))


@case
def a_form_of_swagger() -> Document:
    item = {"parameters": [{"name": f"q{i}", "in": "formData", "type": "string"} for i in range(8000)]}
    paths = {f"/p{i}": {"$ref": "#/x-item"} for i in range(8000)}
    return swagger(paths, **{"x-item": {**item, "post": {"responses": OK}, "put": {"responses": OK}}})


@case
def a_definition_of_swagger() -> Document:
    body = {"name": "b", "in": "body", "required": True, "schema": {"$ref": "#/definitions/B"}}
    paths = {f"/p{i}": {"post": {"parameters": [body], "responses": OK}} for i in range(4000)}
    return swagger(paths, definitions={"B": record(4000)})


@case
def media_types_of_swagger() -> Document:
    kinds = [f"application/x-{i}" for i in range(12000)]
    body = {"name": "b", "in": "body", "schema": {"type": "object"}}
    answers = {"200": {"description": "ok", "schema": {"type": "object"}}}
    paths = {f"/p{i}": {"post": {"parameters": [body], "responses": answers}} for i in range(2500)}
    return swagger(paths, consumes=kinds, produces=kinds)
