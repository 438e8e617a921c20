"""Texts of a description, wherever they stand, never change the shape of the code that is made (hypothesis).

The twin is the same description with "x" for every text: the Python files of both have the same syntax trees once
constants are masked, and what a text says arrives in data alone.
"""

from __future__ import annotations

import ast
import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator import from_openapi

DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "@", "version": "@", "description": "@", "summary": "@", "license": {"name": "@"}},
    "tags": [{"name": "@", "description": "@"}],
    "servers": [{"url": "https://api.example.com/v1", "description": "@"}],
    "externalDocs": {"url": "https://api.example.com/docs", "description": "@"},
    "paths": {
        "/items/{item_id}": {
            "summary": "@",
            "description": "@",
            "put": {
                "operationId": "put_item",
                "summary": "@",
                "description": "@",
                "tags": ["@"],
                "x-anything": "@",
                "parameters": [
                    {
                        "name": "item_id", "in": "path", "required": True, "description": "@",
                        "schema": {"type": "string", "default": "@", "title": "@", "$comment": "@"},
                        "example": "@",
                    },
                ],
                "requestBody": {
                    "description": "@",
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}, "example": "@"}},
                },
                "responses": {
                    "200": {
                        "description": "@",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}},
                    }
                },
                "security": [{"key": []}],
            },
        }
    },
    "components": {
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "@"}},
        "schemas": {
            "Item": {
                "type": "object", "title": "@", "description": "@", "x-python-type": "@",
                "properties": {
                    "name": {"type": "string", "description": "@", "default": "@", "examples": ["@"], "pattern": "@"},
                    "kind": {"type": "string", "enum": ["a", "@"]},
                    "sort": {"const": "@"},
                },
            }
        },
    },
}  # fmt: skip
"""Every "@" is a place of its own."""

NASTY = st.sampled_from(
    [
        '"""', "'''", '\\"""', "\\", "\n", "\r", "\u2028", "\x85", "\x0c", "#", "{{", "}}", "{%", "${", "`", "*/",
        "</script>", "\nimport os\nos._exit(1)\n", "\u202e", "\U000e0041", "\x00", "\ud800", "# type: ignore",
        "# -*- coding: utf-7 -*-", "__import__('os').system('x')", "%(x)s", "f'{x}'", "]\nx: List[int",
        "x = 1\n[tool.evil]", "None", "class",
    ]
)  # fmt: skip
TEXTS = st.one_of(NASTY, st.text(max_size=40), st.lists(st.one_of(NASTY, st.text(max_size=8)), max_size=5).map("".join))
PLACES = json.dumps(DOCUMENT).count('"@"')


def filled(texts: list[str]) -> dict:
    """Return the description with these texts in its places, in order."""
    rest = iter(texts)

    def fill(value):
        if value == "@":
            return next(rest)
        if isinstance(value, dict):
            return {key: fill(item) for key, item in value.items()}
        return [fill(item) for item in value] if isinstance(value, list) else value

    return fill(copy.deepcopy(DOCUMENT))


def shapes(document: dict, folder, models: str) -> dict[str, str]:
    """Build a description and return the shape of each Python file that is made for it."""
    path = folder / "api.json"
    path.write_text(json.dumps(document), encoding="ascii")
    result = from_openapi(str(path), name="demo", models=models)
    assert result.server is not None, [one.message for one in result.diagnostics]
    found = {}
    for name, content in result.tree.items():
        if name.endswith(".json"):
            json.loads(content)
        if name.endswith(".py") and "/_runtime/" not in name:
            tree = ast.parse(content)
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant):
                    node.value = "x"
            found[name] = ast.dump(tree)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("texts")


@pytest.fixture(scope="module", params=["none", "typeddict"])
def twin(request, folder) -> tuple[str, dict[str, str]]:
    return request.param, shapes(filled(["x"] * PLACES), folder, request.param)


@pytest.mark.timeout(600)
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(texts=st.lists(TEXTS, min_size=PLACES, max_size=PLACES))
def test_no_text_changes_the_shape_of_the_code(texts, twin, folder):
    models, expected = twin
    assert shapes(filled(texts), folder, models) == expected
