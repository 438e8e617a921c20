"""The body of a request: which media type it is sent as, what its value is, and its bytes."""

from __future__ import annotations

from . import media
from .form import form_bytes
from .json_body import json_bytes, sequence_bytes
from .multipart import multipart_bytes
from .values import ArgumentProblem, in_charset, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from .files import Files

    Content = Mapping[str, Any]

CONCRETE = {
    "json": "application/json",
    "form": media.FORM,
    "multipart": "multipart/form-data",
    "text": "text/plain",
    "binary": media.OCTET_STREAM,
    "xml": "application/xml",
}
"""What is sent where the description has a range such as `*/*`."""


def body_of(
    body: Mapping[str, Any] | None, arguments: Mapping[str, Any], files: Files, given: Mapping[str, Any] | None = None
) -> tuple[str | None, bytes | None]:
    """Return the Content-Type and the bytes of a request's body; None twice when there is none.

    `given` are the arguments without the configured ones, where there are such: those alone choose the media type.
    Raises ArgumentProblem, whose path starts with the argument's name.
    """
    if not body:
        return None, None
    choosing = arguments if given is None else given
    content = chosen(body, choosing)
    if "fields" in body and "argument" not in content:
        return _from_fields(body, content, arguments, files)
    argument = content.get("argument") or body["argument"]
    value = arguments.get(argument)
    if value is None and not _null_is_sent(body, content, argument, arguments):
        return None, None
    try:
        if content["kind"] == "binary":
            return _binary(_open_choice(body, content, choosing), value, files)
        return _encoded(content, value, arguments, files)
    except ArgumentProblem as problem:
        raise problem.below(argument) from None


def _open_choice(body: Mapping[str, Any], content: Content, arguments: Mapping[str, Any]) -> list[str]:
    """Return the media types that the same file may be sent as, the chosen one alone where it was chosen by name."""
    if arguments.get(body.get("select", "")) is not None:
        return [str(content["type"])]
    alike = [each for each in body["content"] if each["kind"] == "binary"]
    return [str(each["type"]) for each in alike if each.get("argument") == content.get("argument")]


def chosen(body: Mapping[str, Any], arguments: Mapping[str, Any]) -> Content:
    """Return the content of the media type that the selecting argument names; raises ArgumentProblem for another.

    Without that argument it is the type whose own argument is given, else the first one.
    """
    contents: list[Content] = body["content"]
    select = body.get("select")
    wanted = arguments.get(select) if select else None
    if wanted is None:
        given = (each for each in contents if "argument" in each and arguments.get(each["argument"]) is not None)
        return next(given, contents[0])
    # media types are the same in any case (RFC 9110 section 8.3.1), and arguments are put right in that, too
    exact = [each for each in contents if each["type"] == wanted]
    for content in exact or [each for each in contents if each["type"].casefold() == str(wanted).casefold()]:
        return content
    message = f"the API takes {', '.join(content['type'] for content in contents)[:200]}"
    raise ArgumentProblem((str(select),), message)


def _null_is_sent(body: Mapping[str, Any], content: Content, argument: str, arguments: Mapping[str, Any]) -> bool:
    """Say whether a body that is null is sent: if its schema allows null, as it does when a required one is null."""
    if argument not in arguments:
        return False
    return argument in body.get("nullable_fields", ()) or (bool(body.get("required")) and content["kind"] == "json")


def _from_fields(
    body: Mapping[str, Any], content: Content, arguments: Mapping[str, Any], files: Files
) -> tuple[str | None, bytes | None]:
    """Return the body whose members are arguments; null is a value only where a member's schema allows it."""
    fields: Mapping[str, str] = body["fields"]
    nullable = body.get("nullable_fields", ())
    value = {
        wire: arguments[argument]
        for argument, wire in fields.items()
        if argument in arguments and (arguments[argument] is not None or argument in nullable)
    }
    if not value and not body.get("required"):
        return None, None
    try:
        return _encoded(content, value, arguments, files)
    except ArgumentProblem as problem:
        names = {wire: argument for argument, wire in fields.items()}
        path = (names.get(str(problem.path[0]), problem.path[0]), *problem.path[1:]) if problem.path else ()
        raise ArgumentProblem(path, problem.message) from None


def _encoded(content: Content, value: Any, arguments: Mapping[str, Any], files: Files) -> tuple[str, bytes]:
    kind = content["kind"]
    media_type = str(content["type"])
    if media.is_range(media_type):
        media_type = CONCRETE[kind]
    if media.essence(media_type) in media.JSON_LINES or media.essence(media_type) in media.JSON_SEQUENCES:
        return media_type, sequence_bytes(value, separated=media.essence(media_type) in media.JSON_SEQUENCES)
    if media.essence(media_type) == media.EVENT_STREAM:
        from .event_body import event_bytes

        return media_type, event_bytes(value)
    if kind == "json" and media.is_yaml(media_type):
        from .yaml_body import yaml_text

        return _text(media_type, yaml_text(value))
    if kind == "json":
        charset = media.parameter(media_type, "charset") or "utf-8"
        return media_type, json_bytes(value, ascii_only=charset.lower() not in ("utf-8", "utf8"))
    if kind == "form":
        return media_type, form_bytes(_with_files(value, content, files), content.get("encoding", {}))
    if kind == "multipart":
        return multipart_bytes(media_type, value, content, arguments, files)
    if kind == "xml":
        from .xml_body import xml_bytes

        named = media.parameter(media_type, "charset")
        return media_type, xml_bytes(value, content.get("xml"), content.get("xml_definitions", {}), named)
    return _text(media_type, value)


def _binary(declared: list[str], value: Any, files: Files) -> tuple[str, bytes]:
    """Return the bytes of a file, and the declared type that they have as far as caller, name and beginning tell."""
    content = files.read(value)
    if len(declared) == 1 and not media.is_range(declared[0]):
        return declared[0], content.data
    given = content.media_type
    if given and not any(map(media.is_range, declared)) and not any(media.covers(each, given) for each in declared):
        given = None  # the API takes none of that type
    return media.of_file(given, content.filename, declared, content.data), content.data


def _with_files(value: Any, content: Content, files: Files) -> Any:
    """Return a form's members with the bytes of files in place of file arguments."""
    if not isinstance(value, dict):
        return value
    binary = {name for name, kind in content.get("kinds", {}).items() if kind == "binary"}
    found = dict(value)
    for name in binary & value.keys():
        try:
            found[name] = None if value[name] is None else files.read(value[name]).data
        except ArgumentProblem as problem:
            raise problem.below(name) from None
    return found


def _text(media_type: str, value: Any) -> tuple[str, bytes]:
    """Encode a text in the type's charset; UTF-8 is named where a `text/` type leaves it open (RFC 9110 §8.3.2)."""
    text = text_of(value)
    charset = media.parameter(media_type, "charset")
    if charset is None and media.essence(media_type).startswith("text/"):
        media_type = f"{media_type}; charset=utf-8"
    return media_type, in_charset(text, charset)
