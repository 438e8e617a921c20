"""Unions keep their branches and types; a discriminator says which branch a value belongs to."""

CAT = {"type": "object", "properties": {"kind": {"type": "string"}, "claws": {"type": "integer"}}, "required": ["kind"]}
DOG = {"type": "object", "properties": {"kind": {"type": "string"}, "bark": {"type": "string"}}, "required": ["kind"]}
PETS = {"Cat": CAT, "Dog": DOG}


def ref(name):
    return {"$ref": f"#/components/schemas/{name}"}


def test_branches_keep_their_types(written):
    schema = {
        "anyOf": [{"type": "object", "properties": {"a": {"type": "integer"}}}, {"type": "string", "maxLength": 3}]
    }
    assert written(schema).arguments == schema


def test_a_mapping_tells_the_branches_apart(written):
    told = {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "dog": "Dog"}}
    schema = written({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": told}, PETS)
    assert schema.accepts({"kind": "cat"})
    assert schema.accepts({"kind": "dog", "bark": "wau"})
    assert not schema.accepts({"kind": "cow"})
    assert not schema.accepts({"kind": "dog", "bark": 1})


def test_beside_a_mapping_the_names_of_the_components_go_on_to_count(written):
    told = {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat", "Cat": "Dog"}}
    schema = written({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": told}, PETS)
    kinds = [branch["properties"]["kind"] for branch in schema.arguments["oneOf"]]
    assert kinds == [{"const": "cat"}, {"enum": ["Cat", "Dog"]}]  # `Cat` was mapped to another
    assert schema.accepts({"kind": "Dog", "bark": "wau"})
    told["mapping"] = {"dog": "Dog"}
    schema = written({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": told}, PETS)
    assert all(schema.accepts({"kind": kind}) for kind in ("Cat", "dog", "Dog"))
    assert not schema.accepts({"kind": "Dog", "bark": 1})
    assert not schema.accepts({"kind": "cat"})


def test_a_name_that_the_property_itself_does_not_list_is_no_value_of_it(written):
    listed = {"kind": {"type": "string", "enum": ["cat", "kitten", "dog"]}}
    pets = {name: {**pet, "properties": {**pet["properties"], **listed}} for name, pet in PETS.items()}
    told = {"propertyName": "kind", "mapping": {"cat": "Cat", "kitten": "Cat", "dog": "Dog"}}
    schema = written({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": told}, pets)
    kinds = [branch["properties"]["kind"] for branch in schema.arguments["oneOf"]]
    assert kinds == [{"enum": ["cat", "kitten"]}, {"const": "dog"}]


def test_without_a_mapping_the_names_of_the_components_do(written):
    schema = written({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind"}}, PETS)
    assert schema.accepts({"kind": "Cat"})
    assert not schema.accepts({"kind": "cat"})


def test_several_values_may_stand_for_one_branch(written):
    told = {"propertyName": "kind", "mapping": {"cat": "Cat", "kitten": "Cat", "dog": "Dog"}}
    schema = written({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": told}, PETS)
    assert schema.accepts({"kind": "kitten"})


def test_a_branch_that_fixes_the_property_itself_is_left_alone(written):
    fixed = {**CAT, "properties": {**CAT["properties"], "kind": {"type": "string", "enum": ["CAT"]}}}
    schema = written(
        {"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind"}}, {"Cat": fixed, "Dog": DOG}
    )
    assert schema.accepts({"kind": "CAT"})
    assert "properties" not in schema.arguments["oneOf"][0]


def test_a_component_in_two_unions_is_the_same_definition_in_both(written):
    union = {"oneOf": [ref("Cat"), ref("Dog")]}
    schema = written(
        {
            "type": "object",
            "properties": {
                "one": {**union, "discriminator": {"propertyName": "kind", "mapping": {"a": "Cat", "b": "Dog"}}},
                "two": {**union, "discriminator": {"propertyName": "kind", "mapping": {"x": "Cat", "y": "Dog"}}},
            },
        },
        PETS,
    )
    assert schema.arguments["$defs"] == PETS
    assert schema.accepts({"one": {"kind": "a"}, "two": {"kind": "x"}})
    assert not schema.accepts({"one": {"kind": "x"}})


def test_the_discriminator_of_swagger_2_is_only_a_name(written):
    schema = {"type": "object", "discriminator": "kind", "properties": {"kind": {"type": "string"}}}
    assert written(schema, version="2.0").arguments == {"type": "object", "properties": {"kind": {"type": "string"}}}


def test_one_of_is_kept_where_no_value_can_be_in_two_branches(written):
    schema = {"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}
    assert written(schema).arguments == schema
    assert "oneOf" in written({"oneOf": [ref("Cat"), {"type": "string"}]}, PETS).arguments


def test_one_of_branches_that_overlap_is_any_of_them(written):
    # Taken literally, {"kind": "x", "claws": 4} would fit both and be refused, as would every 5.
    schema = written({"oneOf": [ref("Cat"), ref("Dog")]}, PETS)
    assert schema.arguments["anyOf"] == [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}]
    assert schema.accepts({"kind": "x", "claws": 4})
    assert written({"oneOf": [{"type": "integer"}, {"type": "number"}]}).accepts(5)


def test_a_discriminator_that_is_only_in_answers_adds_nothing(written):
    pets = {
        name: {**pet, "properties": {**pet["properties"], "kind": {"type": "string", "readOnly": True}}}
        for name, pet in PETS.items()
    }
    schema = written({"oneOf": [ref("Cat"), ref("Dog")], "discriminator": {"propertyName": "kind"}}, pets)
    assert schema.accepts({"claws": 4})
    assert all("kind" not in pet["properties"] for pet in schema.arguments["$defs"].values())


def test_branches_that_become_the_same_are_one(written):
    # As `oneOf` nothing would match exactly one of them.
    branch = {"type": "object", "properties": {"id": {"type": "integer", "readOnly": True}, "n": {"type": "string"}}}
    other = {"type": "object", "properties": {"n": {"type": "string"}}}
    assert written({"oneOf": [branch, other]}).arguments == other


def test_a_branch_for_everything_makes_any_of_say_nothing(written):
    assert written({"anyOf": [{"type": "string"}, {}]}).arguments == {}
