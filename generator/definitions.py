"""Definitions of tools, resources and prompts: what lists show, in the newest form; dialects leave out what is new."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .ir.codec import plain, thaw
from .jsonschema.wrapping import wrapped
from .runtime.gateway.client_rules import HINTS

if TYPE_CHECKING:
    from .ir.model import Annotations, ContentAnnotations, Icon, Prompt, PromptArgument, Resource, Tool

ANNOTATION_NAMES = tuple(zip(("read_only", "destructive", "idempotent", "open_world"), HINTS, strict=True))
"""Our names and MCP's (`ToolAnnotations`)."""


def definition(tool: Tool) -> dict[str, Any]:
    """Return one tool's definition; what was not stated is absent, and so is a description nobody wrote (R123)."""
    meta = {**thaw(tool.meta), **({"mcpgen/tags": list(tool.tags)} if tool.tags else {})}
    before = _stated({"name": tool.name, "title": tool.title, "description": tool.description})
    after = _stated(
        {
            "outputSchema": output_schema(tool),
            "annotations": _annotations(tool.annotations),
            "icons": [icon(each) for each in tool.icons],
            "_meta": meta,
        }
    )
    return {**before, "inputSchema": plain(tool.input_schema), **after}


def ui_link(tool: Tool) -> dict[str, Any] | None:
    """Return a tool's `_meta.ui` (MCP Apps), None for a tool without one; who may call it is told if not everybody."""
    if tool.ui is None:
        return None
    everybody = set(tool.ui.visibility) == {"model", "app"}
    return _stated({"resourceUri": tool.ui.resource_uri, "visibility": [] if everybody else list(tool.ui.visibility)})


def resource_definition(resource: Resource) -> dict[str, Any]:
    """Return a resource's definition, or a template's (MCP `Resource`, `ResourceTemplate`)."""
    return _stated(
        {
            "uriTemplate" if resource.kind == "template" else "uri": resource.uri,
            "name": resource.name,
            "title": resource.title,
            "description": resource.description,
            "mimeType": resource.mime_type,
            "annotations": _content_annotations(resource.annotations),
            "icons": [icon(each) for each in resource.icons],
            "_meta": thaw(resource.meta),
        }
    )


def prompt_definition(prompt: Prompt) -> dict[str, Any]:
    """Return a prompt's definition (MCP `Prompt`)."""
    return _stated(
        {
            "name": prompt.name,
            "title": prompt.title,
            "description": prompt.description,
            "arguments": [_argument(each) for each in prompt.arguments],
            "icons": [icon(each) for each in prompt.icons],
            "_meta": thaw(prompt.meta),
        }
    )


def _argument(argument: PromptArgument) -> dict[str, Any]:
    stated = _stated({"name": argument.name, "description": argument.description})
    return {**stated, "required": argument.required}


def _content_annotations(annotations: ContentAnnotations) -> dict[str, Any]:
    return _stated(
        {
            "audience": list(annotations.audience),
            "priority": annotations.priority,
            "lastModified": annotations.last_modified,
        }
    )


def output_schema(tool: Tool) -> dict[str, Any] | None:
    """Return the schema of a tool's structured result, wrapped when its root is no object, or None when it has none."""
    if tool.result != "json" or tool.result_schema is None:
        return None
    schema = thaw(tool.result_schema) if tool.result_description else plain(tool.result_schema)
    described = wrapped(schema) if tool.wrap else dict(schema)
    if tool.result_description and not tool.verbatim:
        place = described["properties"]["result"] if tool.wrap else described
        if isinstance(place, dict):
            place.setdefault("description", tool.result_description)
    return described


def icon(value: Icon) -> dict[str, Any]:
    """Return an icon as MCP spells it."""
    return _stated({"src": value.src, "mimeType": value.mime_type, "sizes": list(value.sizes), "theme": value.theme})


def _annotations(annotations: Annotations) -> dict[str, bool]:
    stated = {theirs: getattr(annotations, ours) for ours, theirs in ANNOTATION_NAMES}
    return {name: value for name, value in stated.items() if value is not None}


def _stated(value: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in value.items() if item not in (None, "", [], {})}
