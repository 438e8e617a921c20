"""The parameters of a request, by where they stand: path, query, whole query string, headers and cookies."""

from __future__ import annotations

from . import styles, url
from .form import form_text, styled_pairs
from .header_names import NO_ARGUMENTS, TOKEN_CHARACTERS
from .media import is_form, is_json
from .values import ArgumentProblem, json_text, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Parameter = Mapping[str, Any]


COOKIE_RESERVED = ":/?#[]@!$&'()*+="
"""The reserved characters that may stand in a cookie's value (RFC 6265 §4.1.1)."""

NOT_IN_COOKIES = frozenset(' ",;\\')
"""The visible ASCII characters, and the space, that a cookie's value cannot hold (RFC 6265 §4.1.1)."""

DELETE = "\x7f"


def path_values(operation: Mapping[str, Any], arguments: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
    """Return encoded texts by template name, and the argument's name of each."""
    texts = {}
    names = {}
    for parameter in operation.get("parameters", ()):
        if parameter["in"] != "path":
            continue
        argument = parameter["argument"]
        value = arguments.get(argument)
        names[parameter["name"]] = argument
        if value is None:
            raise ArgumentProblem((argument,), "the path needs a value here")
        try:
            texts[parameter["name"]] = _path_text(parameter, value)
        except ArgumentProblem as problem:
            raise problem.below(argument) from None
    return texts, names


def query_parts(operation: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """Return the query's parts, to be joined by `&`; a `querystring` parameter is one part."""
    parts = []
    for parameter, value in _given(operation, arguments, "query", "querystring"):
        try:
            if parameter["in"] == "querystring":
                parts.append(_query_string(parameter, value))
            else:
                parts += _query_pairs(parameter, value)
        except ArgumentProblem as problem:
            raise problem.below(parameter["argument"]) from None
    return parts


def headers(operation: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the header parameters that have a value."""
    found = []
    for parameter, value in _given(operation, arguments, "header"):
        try:
            name = parameter["name"]
            _check_header_name(name)
            text = header_text(parameter, value)
            if isinstance(value, (list, dict)) and not text:
                continue
            check_header_value(text)
        except ArgumentProblem as problem:
            raise problem.below(parameter["argument"]) from None
        found.append((name, text))
    return found


def cookies(operation: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """Return the `name=value` pairs of the cookie parameters."""
    pairs = []
    for parameter, value in _given(operation, arguments, "cookie"):
        try:
            pairs += _cookie_pairs(parameter, value)
        except ArgumentProblem as problem:
            raise problem.below(parameter["argument"]) from None
    return pairs


def check_header_value(text: str) -> None:
    """Raise ArgumentProblem for a value that would end the header or cannot be encoded (RFC 9110 §5.5)."""
    if any((character < " " and character != "\t") or character == DELETE for character in text):
        raise ArgumentProblem((), "a header cannot hold line breaks or other control characters")
    try:
        text.encode("latin-1")
    except UnicodeEncodeError as error:
        message = f"a header cannot hold character {error.start + 1}, which is not in Latin-1"
        raise ArgumentProblem((), message) from None


def _given(operation: Mapping[str, Any], arguments: Mapping[str, Any], *places: str) -> Iterator[tuple[Parameter, Any]]:
    """Yield the parameters at these places that are sent, with their values.

    Null means left out, which is also what RFC 6570 makes of it; only where a value must be sent, or where JSON says
    null in so many letters, is it kept.
    """
    for parameter in operation.get("parameters", ()):
        if parameter["in"] not in places or parameter["argument"] not in arguments:
            continue
        value = arguments[parameter["argument"]]
        kept = parameter.get("null") and (parameter.get("required") or is_json(parameter.get("content", "")))
        if value is not None or kept:
            yield parameter, value


def _content_text(parameter: Parameter, value: Any, *, ascii_only: bool = False) -> str:
    """Return the text of a parameter that is described by a media type."""
    if is_form(parameter["content"]) and isinstance(value, dict):
        return form_text(value, parameter.get("encoding", {}))
    if "xml" in parameter:
        from .xml_body import xml_bytes

        return xml_bytes(value, parameter["xml"], parameter.get("xml_definitions", {})).decode()
    if isinstance(value, str) and not is_json(parameter["content"]):
        return value
    return json_text(value, ascii_only=ascii_only)


def _path_text(parameter: Parameter, value: Any) -> str:
    if "content" in parameter:
        return url.encode(_content_text(parameter, value))
    value = styles.nested(value, parameter)
    style, explode = parameter.get("style", "simple"), bool(parameter.get("explode"))
    dividing = url.delimiters(value, "path", style, explode=explode)
    encode = url.encoder(reserved=bool(parameter.get("reserved")), safe=url.RESERVED_IN_PATH, delimiters=dividing)
    text = styles.path_text(parameter["name"], value, style, explode=explode, encode=encode)
    if not text:
        raise ArgumentProblem((), "the value is empty, and the path needs one")
    return text


def _query_pairs(parameter: Parameter, value: Any) -> list[str]:
    name = parameter["name"]
    reserved = bool(parameter.get("reserved"))
    if "content" in parameter:
        encode = url.encoder(reserved=reserved, safe=url.RESERVED_IN_QUERY)
        return [f"{url.encode(name)}={encode(_content_text(parameter, value))}"]
    style, value = parameter.get("style", "form"), styles.nested(value, parameter)
    return styled_pairs(name, value, style, explode=bool(parameter.get("explode", style == "form")), reserved=reserved)


def _query_string(parameter: Parameter, value: Any) -> str:
    """Return a whole query (OAS 3.2 §4.12.2.1): a form is encoded already, anything else is percent-encoded here."""
    content = parameter.get("content", "application/x-www-form-urlencoded")
    if is_form(content):
        if isinstance(value, dict):
            return form_text(value, parameter.get("encoding", {}))
        return url.encode_reserved(text_of(value), url.RESERVED_IN_QUERY + "&+")
    return url.encode(_content_text({**parameter, "content": content}, value))


def _check_header_name(name: str) -> None:
    if not name or not TOKEN_CHARACTERS.issuperset(name):
        raise ArgumentProblem((), "the API's description gives this header a name that cannot be sent")
    if name.lower() in NO_ARGUMENTS:
        raise ArgumentProblem((), f"the header {name[:60]} belongs to the connection and cannot be set")


def header_text(parameter: Parameter, value: Any) -> str:
    """Return the text of a header parameter, or of a header of a part, by its style or media type."""
    if "content" in parameter:
        return _content_text(parameter, value, ascii_only=True)
    style = parameter.get("style", "simple")
    return styles.header_text(styles.nested(value, parameter), style, explode=bool(parameter.get("explode")))


def _cookie_pairs(parameter: Parameter, value: Any) -> list[str]:
    name = parameter["name"]
    style = parameter.get("style", "form")
    if "content" in parameter:
        return [f"{url.encode(name)}={url.encode(_content_text(parameter, value))}"]
    if style == "cookie":
        encode = _cookie_octets
    elif parameter.get("reserved"):
        encode = _cookie_reserved
    else:
        encode = url.encode
    return styles.cookie_pairs(name, value, style, explode=bool(parameter.get("explode", True)), encode=encode)


def _cookie_reserved(text: str) -> str:
    return url.encode_reserved(text, COOKIE_RESERVED)


def _cookie_octets(text: str) -> str:
    """Return a cookie's value as it is: style cookie encodes nothing, so what cannot stand there is refused."""
    if any(not " " < character < DELETE or character in NOT_IN_COOKIES for character in text):
        message = "a cookie cannot hold spaces, quotes, commas, semicolons, backslashes or characters outside ASCII"
        raise ArgumentProblem((), message)
    return text
