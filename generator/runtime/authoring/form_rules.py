"""What a form's schema may be: the flat subset that MCP allows (client/elicitation: requested schema)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

ROOT = frozenset(("$schema", "type", "properties", "required"))
ALWAYS = frozenset(("type", "title", "description", "default"))
KEYWORDS = {
    "string": ALWAYS | {"minLength", "maxLength", "format", "enum", "enumNames", "oneOf"},
    "number": ALWAYS | {"minimum", "maximum"},
    "integer": ALWAYS | {"minimum", "maximum"},
    "boolean": ALWAYS,
    "array": ALWAYS | {"items", "minItems", "maxItems"},
}
FORMATS = ("email", "uri", "date", "date-time")


def check_schema(schema: Any) -> None:
    """Raise ValueError unless the schema is one of a form."""
    if schema.get("type") != "object" or not isinstance(schema.get("properties"), dict):
        _refuse("it is an object with properties")
    _only(schema, ROOT, "a form")
    for name, field in schema["properties"].items():
        if not isinstance(field, dict) or field.get("type") not in KEYWORDS:
            _refuse(f"{name!r} is a string, number, integer, boolean or array")
        _check_field(name, field)
    unknown = [name for name in schema.get("required", ()) if name not in schema["properties"]]
    if unknown:
        _refuse(f"{unknown[0]!r} is required but no property")


def _check_field(name: str, field: dict[str, Any]) -> None:
    kind = field["type"]
    _only(field, KEYWORDS[kind], f"{name!r}")
    if field.get("format", FORMATS[0]) not in FORMATS:
        _refuse(f"the format of {name!r} is one of {', '.join(FORMATS)}")
    if kind == "array":
        items = field.get("items")
        if not isinstance(items, dict):
            _refuse(f"{name!r} has items, the values to choose from")
        _only(items, {"type", "enum"} if "enum" in items else {"anyOf"}, f"the items of {name!r}")
        _check_choices(name, items.get("enum"), items.get("anyOf"))
    elif "enum" in field or "oneOf" in field:
        _check_choices(name, field.get("enum"), field.get("oneOf"))


def _check_choices(name: str, values: Any, titled: Any) -> None:
    if titled is not None:
        titled_well = isinstance(titled, list) and all(
            isinstance(each, dict) and set(each) == {"const", "title"} for each in titled
        )
        values = [each["const"] for each in titled] if titled_well else None
    if not isinstance(values, list) or not values or not all(isinstance(each, str) for each in values):
        _refuse(f"the choices of {name!r} are texts, alone or as const and title")


def _only(found: dict[str, Any], known: Any, where: str) -> None:
    strange = [keyword for keyword in found if keyword not in known]
    if strange:
        _refuse(f"{where} has no {strange[0]!r}; known here are {', '.join(sorted(known))}")


def _refuse(what: str) -> NoReturn:
    message = f"this is no schema of a form: {what} (flat objects only, see MCP elicitation)"
    raise ValueError(message)
