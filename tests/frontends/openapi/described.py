"""Small descriptions for tests, and the servers they are read as."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.frontends.openapi.read import read
from generator.frontends.openapi.settings import OpenApiRequest, ReadResult
from generator.ir.codec import thaw

OK = {"200": {"description": "ok"}}
_PET_CONTENT = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}
ANSWERS_PET = {"200": {"description": "ok", "content": _PET_CONTENT}}
PET = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}


def description(paths: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return an OpenAPI 3.1 document with these paths."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pets", "version": "1.2.0"},
        "servers": [{"url": "https://api.example.com/v1"}],
        "paths": paths,
        "components": {"schemas": {"Pet": PET}},
        **members,
    }


def operation(**members: Any) -> dict[str, Any]:
    """Return an operation that answers with nothing in particular."""
    return {"responses": OK, **members}


def parameter(name: str, location: str = "query", **members: Any) -> dict[str, Any]:
    """Return a parameter that is a text unless told otherwise."""
    required = {"required": True} if location == "path" else {}
    return {"name": name, "in": location, "schema": {"type": "string"}, **required, **members}


def body(schema: Any, media_type: str = "application/json", **members: Any) -> dict[str, Any]:
    """Return a required request body of one media type."""
    return {"required": True, "content": {media_type: {"schema": schema}}, **members}


class Reader:
    """Writes descriptions into a folder and reads them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, document: dict[str, Any], *, file: str = "pets.json", **request: Any) -> ReadResult:
        path = self.folder / file
        path.write_text(json.dumps(document), encoding="utf-8")
        return read(OpenApiRequest(source=str(path), **request))

    def tool(self, **members: Any) -> Any:
        """Return the one tool of an operation `POST /pets/{id}` with these members."""
        path = "/pets/{id}" if any(each["in"] == "path" for each in members.get("parameters", ())) else "/pets"
        result = self(description({path: {"post": operation(**members)}}))
        assert result.server is not None, messages(result)
        assert len(result.server.tools) == 1, messages(result)
        return result.server.tools[0]


def names(result: ReadResult) -> list[str]:
    """Return the names of the tools in order."""
    assert result.server is not None, messages(result)
    return [tool.name for tool in result.server.tools]


def tools(result: ReadResult) -> dict[str, Any]:
    """Return the tools by name."""
    assert result.server is not None, messages(result)
    return {tool.name: tool for tool in result.server.tools}


def inputs(tool: Any) -> dict[str, Any]:
    """Return a tool's input schema as plain values."""
    found = thaw(tool.input_schema)
    assert isinstance(found, dict)
    return found


def request(tool: Any) -> dict[str, Any]:
    """Return a tool's request as plain values."""
    found = thaw(tool.call.request)
    assert isinstance(found, dict)
    return found


def messages(result: ReadResult, name: str | None = None) -> list[str]:
    """Return the messages of the findings, or of those of one rule."""
    return [each.message for each in result.diagnostics if name in (None, each.rule.name)]


def rules(result: ReadResult, level: str | None = None) -> set[str]:
    """Return the names of the rules that were found, or of those of one severity."""
    return {each.rule.name for each in result.diagnostics if level in (None, each.level)}
