"""The `xml` objects of schemas become a plan for the request."""

from generator.frontends.openapi.schemas import xml_plan


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def plan(asked):
    return xml_plan(asked.node, asked.documents)


def test_the_root_is_named_by_its_xml_object_or_like_its_component(written):
    pet = {"type": "object", "properties": {"id": {"type": "integer"}}}
    assert plan(written(ref("Pet"), {"Pet": pet}))[0] == {"name": "Pet", "properties": {"id": {"name": "id"}}}
    assert plan(written({**pet, "xml": {"name": "animal"}}))[0]["name"] == "animal"
    assert plan(written(pet))[0]["name"] == "root"


def test_members_can_be_attributes_renamed_and_in_a_namespace(written):
    schema = {
        "type": "object",
        "xml": {"name": "p", "namespace": "https://example.com/ns", "prefix": "e"},
        "properties": {
            "id": {"type": "integer", "xml": {"attribute": True}},
            "name": {"type": "string", "xml": {"name": "title", "prefix": "e"}},
        },
    }
    assert plan(written(schema))[0] == {
        "name": "p",
        "namespace": "https://example.com/ns",
        "prefix": "e",
        "properties": {"id": {"name": "id", "attribute": True}, "name": {"name": "title", "prefix": "e"}},
    }


def test_arrays_say_whether_they_are_wrapped_and_what_their_items_are_called(written):
    tags = {
        "type": "array",
        "xml": {"name": "tags", "wrapped": True},
        "items": {"type": "string", "xml": {"name": "tag"}},
    }
    converted = plan(written({"type": "object", "properties": {"t": tags, "u": {"type": "array", "items": {}}}}))[0]
    assert converted["properties"] == {
        "t": {"name": "tags", "wrapped": True, "items": {"name": "tag"}},
        "u": {"name": "u", "items": {}},
    }


def test_recursive_components_are_plans_that_refer_to_each_other(written):
    node = {"type": "object", "xml": {"name": "node"}, "properties": {"kids": {"type": "array", "items": ref("Node")}}}
    root, definitions = plan(written(ref("Node"), {"Node": node}))
    assert root["name"] == "node"
    assert root["properties"]["kids"]["items"] == {"name": "node", "ref": "Node"}
    assert definitions["Node"]["properties"]["kids"]["items"]["ref"] == "Node"


def test_a_member_keeps_its_own_name_unless_what_it_refers_to_has_one(written):
    components = {
        "Plain": {"type": "object", "properties": {"x": {"type": "string"}}},
        "Named": {"type": "object", "xml": {"name": "n"}, "properties": {"x": {"type": "string"}}},
    }
    schema = {"type": "object", "properties": {"a": ref("Plain"), "b": ref("Named")}}
    root, definitions = plan(written(schema, components))
    assert root["properties"] == {"a": {"name": "a", "ref": "Plain"}, "b": {"name": "n", "ref": "Named"}}
    assert definitions.keys() == {"Plain", "Named"}


def test_members_of_bases_are_members(written):
    base = {"type": "object", "properties": {"id": {"type": "integer", "xml": {"attribute": True}}}}
    schema = written({"allOf": [ref("Base"), {"properties": {"n": {"type": "string"}}}]}, {"Base": base})
    assert plan(schema)[0]["properties"] == {"id": {"name": "id", "attribute": True}, "n": {"name": "n"}}


def test_node_types_of_3_2_replace_the_older_flags(written):
    schema = {
        "type": "object",
        "properties": {
            "id": {"xml": {"nodeType": "attribute"}},
            "text": {"xml": {"nodeType": "text"}},
            "raw": {"xml": {"nodeType": "cdata"}},
            "list": {"type": "array", "xml": {"nodeType": "none"}, "items": {"type": "string"}},
            "odd": {"xml": {"nodeType": "element", "attribute": True}},
            "around": {"type": "array", "xml": {"nodeType": "element"}, "items": {"type": "string"}},
        },
    }
    assert plan(written(schema, version="3.1"))[0]["properties"] == {
        "id": {"name": "id", "attribute": True},
        "text": {"name": "text", "text": True},
        "raw": {"name": "raw", "cdata": True},
        "list": {"name": "list", "none": True, "items": {}},
        "odd": {"name": "odd", "wrapped": True},
        "around": {"name": "around", "wrapped": True, "items": {}},
    }


def test_a_union_has_the_plans_of_its_branches_and_what_tells_them_apart(written):
    cat = {"type": "object", "required": ["k"], "xml": {"name": "cat"}, "properties": {"k": {"enum": ["c"]}}}
    dog = {"type": "object", "properties": {"b": {"type": "integer", "xml": {"attribute": True}}}}
    union = {"oneOf": [cat, dog, {"type": "null"}], "xml": {"prefix": "p"}}
    assert plan(written(union, version="3.1"))[0] == {
        "name": "root",
        "prefix": "p",
        "choices": [
            {"name": "cat", "properties": {"k": {"name": "k"}}, "needs": ["k"], "only": {"k": ["c"]}},
            {"properties": {"b": {"name": "b", "attribute": True}}},
        ],
    }
    named = plan(written({**union, "xml": {"name": "pet"}}, version="3.1"))[0]
    assert (named["name"], [each.get("name") for each in named["choices"]]) == ("pet", [None, None])


def test_malformed_xml_objects_say_nothing(written):
    schema = {"type": "object", "properties": {"a": {"xml": "x"}, "b": {"xml": {"name": 5, "attribute": "yes"}}}}
    assert plan(written(schema))[0]["properties"] == {"a": {"name": "a"}, "b": {"name": "b"}}
