"""models.py: types of schemas, with no text of a description in code."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from generator.frontends.openapi import models
from generator.frontends.openapi.model_document import model_document
from generator.frontends.openapi.model_text import ModelsProblem, written
from generator.frontends.openapi.models import make_models

PET = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}


def reference(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def made(definitions: dict) -> dict[str, str]:
    """Return the written types by name, each on one line."""
    source = make_models(definitions).source.decode("ascii")
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = "; ".join(ast.unparse(item) for item in node.body)
        elif isinstance(node, ast.AnnAssign):
            found[ast.unparse(node.target)] = ast.unparse(node.value)
        elif isinstance(node, ast.Assign):
            found[ast.unparse(node.targets[0])] = ast.unparse(node.value)
    return found


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "format": "date"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": ["number", "null"]}, "float | None"),
        ({"type": "array", "items": reference("Pet")}, "list[Pet]"),
        ({"type": "array"}, "list[Any]"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "dict[str, bool]"),
        ({"type": "object"}, "dict[str, Any]"),
        ({"enum": ["a", "b", 1, None]}, "Literal['a', 'b', 1] | None"),
        ({"const": "x"}, "str"),
        ({"const": 1}, "Literal[1]"),
        ({"enum": [-1, 0, 1]}, "Literal[-1, 0, 1]"),
        ({"const": -5}, "Literal[-5]"),
        ({"enum": [1.5]}, "Any"),
        ({"oneOf": [reference("Pet"), {"type": "string"}]}, "Pet | str"),
        ({"anyOf": [{"enum": ["a"]}, {"enum": ["b", "a"]}]}, "Literal['a', 'b']"),
        ({}, "Any"),
        (True, "Any"),
        (reference("Pet"), "Pet"),
        (reference("Nowhere"), "Any"),
    ],
)
def test_a_schema_is_a_type(schema, expected):
    assert made({"Pet": PET, "Thing": schema})["Thing"] == expected


def test_an_object_is_a_class_with_what_may_be_missing_marked():
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}, "pet": reference("Pet")}}
    assert made({"Pet": PET, "Owner": schema})["Owner"] == "id: int; pet: NotRequired[Pet]"


def test_an_object_inside_another_gets_a_name():
    inner = {"type": "object", "properties": {"street": {"type": "string"}}}
    found = made({"Owner": {"type": "object", "properties": {"home": inner}}})
    assert found == {"Owner": "home: NotRequired[OwnerHome]", "OwnerHome": "street: NotRequired[str]"}


def test_all_of_is_one_class():
    schema = {"allOf": [reference("Pet"), {"type": "object", "properties": {"age": {"type": "integer"}}}]}
    assert made({"Pet": PET, "Old": schema})["Old"] == "name: str; age: NotRequired[int]"


def test_members_that_are_no_names_are_kept():
    schema = {"type": "object", "properties": {"class": {"type": "string"}, "a-b": reference("Self")}}
    found = made({"Self": schema})
    assert found["Self"] == "TypedDict('Self', {'class': NotRequired[str], 'a-b': NotRequired['Self']})"


@pytest.mark.parametrize(
    "name", ["class", "a b", "1st", "", "list", "Any", "TypedDict", "\u83b7\u53d6", "x" * 200, "a.b.C"]
)
def test_every_name_becomes_a_class_name(name):
    names = make_models({name: PET, "Pet": PET}).names
    assert names[name].isidentifier()
    assert names[name].isascii()
    assert len(set(names.values())) == 2


def test_names_that_differ_in_letter_case_only_are_told_apart():
    names = make_models({"pet": PET, "Pet": PET, "PET": PET}).names
    assert len({name.lower() for name in names.values()}) == 3


LOOPS = {
    "Tree": {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": reference("Tree")}, "a-b": reference("Any of")},
    },
    "Any of": {"anyOf": [reference("Tree"), reference("Any of"), reference("Other")]},
    "Other": {"anyOf": [reference("Any of"), {"type": "array", "items": reference("Other")}]},
    "Itself": reference("Itself"),
    "List": {"type": "array", "items": reference("List")},
    "All": {"allOf": [reference("All")]},
    "Map": {"type": "object", "additionalProperties": reference("Map")},
}


def test_types_that_refer_to_themselves_can_be_imported_and_checked(tmp_path):
    path = tmp_path / "models.py"
    path.write_bytes(make_models(LOOPS).source)
    subprocess.run([sys.executable, "-I", str(path)], check=True, timeout=30)
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-incremental", str(path)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout


TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ['"', "'", '"""', "\\", "\n", "']; import os #", "__import__('os')", "{{x}}", "None", "class", "\x00"]
    ),
)


def shaped(name: str, key: str, value: str) -> dict:
    inner = {"type": "object", "title": value, "description": value, "properties": {key: {"enum": [value, "x"]}}}
    return {
        name: {"type": "object", "properties": {key: inner, "y": {"const": value}}, "required": [key]},
        "Plain": PET,
    }


@given(TEXTS, TEXTS, TEXTS)
@hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_a_description_says_the_file_has_types_only(name, key, value):
    tree = ast.parse(make_models(shaped(name, key, value)).source)
    allowed = (ast.ImportFrom, ast.ClassDef, ast.AnnAssign, ast.Assign, ast.Expr)
    assert all(isinstance(node, allowed) for node in tree.body)
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert set(calls) <= {"TypedDict"}
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"__future__", "typing"}


@given(TEXTS, TEXTS, TEXTS)
@hypothesis_settings(max_examples=50, deadline=None)
def test_no_text_of_a_description_is_in_the_document_that_types_are_made_from(name, key, value):
    document = model_document(shaped(name, key, value))
    words = {"type", "object", "properties", "required", "string", "enum", "$ref"} | set(document.fields)
    words |= set(document.values) | {"name"}

    def check(node) -> None:
        if isinstance(node, dict):
            for each, inner in node.items():
                assert each in words, each
                check(inner)
        elif isinstance(node, list):
            for each in node:
                check(each)
        elif isinstance(node, str):
            assert node in words or node.startswith("#/$defs/"), node

    for definition, schema in document.definitions.items():
        assert definition.isidentifier()
        check(schema)


@pytest.mark.parametrize(
    "source",
    [
        "import os\nos.system('x')",
        "class Pet(TypedDict):\n    p0: str = print()",
        "class Pet(TypedDict, metaclass=x):\n    p0: str",
        "class Pet(Other):\n    p0: str",
        "class Pet(TypedDict):\n    p0: __import__('os').x",
        "class Pet(TypedDict):\n    p0: Literal[b'x']",
        "class Pet(TypedDict):\n    def p0(self): ...",
        "class Pet(TypedDict):\n    p0: Unknown",
        "class Other(TypedDict):\n    p0: str",
        "class Pet(TypedDict:",
        "",
    ],
)
def test_what_was_made_and_not_expected_is_refused(source):
    with pytest.raises(ModelsProblem):
        written(source, model_document({"Pet": PET}))


def test_a_failure_of_the_generator_of_types_is_a_problem_with_a_reason(monkeypatch):
    def fail(document):
        raise RuntimeError("some text of the description")

    monkeypatch.setattr(models, "_generated", fail)
    with pytest.raises(ModelsProblem, match=r"gave up \(RuntimeError\)$"):
        make_models({"Pet": PET})


def test_the_same_schemas_give_the_same_bytes_in_any_order():
    first = make_models({"Pet": PET, "Tree": LOOPS["Tree"], "Any of": {}})
    second = make_models({"Any of": {}, "Tree": LOOPS["Tree"], "Pet": PET})
    assert first.source == second.source
