"""The text of a server's documentation pages, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..definitions import output_schema
from ..ir.codec import thaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..ir.model import Annotations, Server, Tool

MAX_VALUES = 12
"""Values of an enumeration that are named; the schema on the page has them all."""

SCHEMA_INDENT = 2


def overview(server: Server, base: str) -> str:
    """Return what a server says of itself, and what it offers, with where each tool's page is read."""
    lines = [f"# {server.title or server.id}", ""]
    told = server.documentation or server.description
    if told:
        lines += [told, ""]
    if server.tools:
        lines += ["## Tools", ""]
        lines += [f"- `{each.name}`{_after(each.description)} ({base}tools/{each.name})" for each in server.tools]
        lines.append("")
    resources = [each for each in server.resources if each.kind != "ui"]  # lists leave views out
    if resources:
        lines += ["## Resources", "", *(f"- `{each.uri}`{_after(each.description)}" for each in resources), ""]
    if server.prompts:
        lines += ["## Prompts", "", *(f"- `{each.name}`{_after(each.description)}" for each in server.prompts), ""]
    return "\n".join(lines)


def tool_page(tool: Tool) -> str:
    """Return everything that is known of one tool: its texts, its arguments, its result, and both schemas."""
    lines = [f"# {tool.title or tool.name}", "", f"The tool `{tool.name}`{_flags(tool.annotations)}.", ""]
    if tool.deprecated is not None:
        lines += [f"**Deprecated.** {tool.deprecated}".strip(), ""]
    if tool.description:
        lines += [tool.description, ""]
    arguments = list(_arguments(tool))
    lines += ["## Arguments", "", *(arguments or ["It takes none."]), ""]
    if tool.result_description:
        lines += ["## Result", "", tool.result_description, ""]
    if tool.raises:
        lines += ["## Errors", "", *(f"- `{name}`{': ' if text else ''}{text}" for name, text in tool.raises), ""]
    for example in tool.examples:
        lines += ["## Example", "", example, ""]
    lines += _schema("Schema of the arguments", thaw(tool.input_schema))
    result = output_schema(tool)
    return "\n".join(lines + (_schema("Schema of the result", thaw(result)) if result is not None else []))


def _arguments(tool: Tool) -> Iterator[str]:
    properties, required = tool.input_schema.get("properties"), tool.input_schema.get("required") or ()
    if not isinstance(properties, Mapping) or not isinstance(required, tuple | list):
        return
    for name, schema in properties.items():
        stated: Mapping[str, Any] = schema if isinstance(schema, Mapping) else {}
        facts = [_kind(stated), "required" if name in required else _default(stated)]
        described = stated.get("description")
        text = f": {' '.join(described.split())}" if isinstance(described, str) and described.strip() else ""
        yield f"- `{name}` ({', '.join(each for each in facts if each)}){text}"


def _kind(schema: Mapping[str, Any]) -> str:
    """Return a schema's kind in a word or a few; the schema itself stands below."""
    values = schema.get("enum", (schema["const"],) if "const" in schema else None)
    if isinstance(values, list | tuple) and len(values) <= MAX_VALUES:
        return " or ".join(f"`{_literal(each)}`" for each in values)
    kind = schema.get("type")
    if isinstance(kind, list | tuple):
        return " or ".join(map(str, kind))
    if isinstance(kind, str):
        shape = schema.get("format")
        return f"{kind}, {shape}" if isinstance(shape, str) else kind
    arms = schema.get("anyOf", schema.get("oneOf"))
    if isinstance(arms, list | tuple):
        kinds = [_kind(each) if isinstance(each, Mapping) else "any" for each in arms]
        return " or ".join(dict.fromkeys(kinds))
    reference = schema.get("$ref")
    return reference.rpartition("/")[2] if isinstance(reference, str) else "any"


def _default(schema: Mapping[str, Any]) -> str:
    return f"default `{_literal(schema['default'])}`" if "default" in schema else "optional"


def _literal(value: Any) -> str:
    return json.dumps(thaw(value), ensure_ascii=False)


def _schema(heading: str, schema: Any) -> list[str]:
    return [f"## {heading}", "", "```json", json.dumps(schema, ensure_ascii=False, indent=SCHEMA_INDENT), "```", ""]


def _flags(annotations: Annotations) -> str:
    words = {"only reads": annotations.read_only, "may destroy": annotations.destructive}
    stated = [word for word, said in words.items() if said]
    return f" ({', '.join(stated)})" if stated else ""


def _after(description: str) -> str:
    """Return the first line of a description, behind a colon."""
    first = description.strip().partition("\n")[0].strip()
    return f": {first}" if first else ""
