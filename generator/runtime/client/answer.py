"""From an API's answer to a result, by what the answer is: nothing, JSON, text, a stream, a picture, sound or bytes.

The headers say what a body is; where they are missing or wrong, the API's description and the bytes themselves do. What
is too large goes elsewhere and is linked to, and never comes twice.
"""

from __future__ import annotations

import re
from base64 import b64encode

from ..server import size
from ..server.faults import printable
from ..wire import jsonrpc
from . import content, exact_json, stream_text
from .concealing import conceal, concealed, forms
from .error_answer import failure
from .headers import head_text, status_line
from .json_answer import META_CUT, add_json
from .keeping import kept, saved, size_text
from .media import EVENT_STREAM, OCTET_STREAM, STREAMS, essence
from .redirect import REDIRECTS
from .result import Result
from .structured import META_SCHEMA

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.answer import Finished
    from .call_context import CallContext
    from .content import Media
    from .message import Response

NO_JSON = "M-HTTP-008"
"""The API's answer is not the JSON that it says it is."""

MAX_EMBEDDED_BYTES = 1024 * 1024
"""A picture, sound or file that goes into a result itself: a screenshot does, a film does not."""

_HIDDEN = re.compile(
    "[\\x00-\\x08\\x0b\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]"
    "|\\U0001f3f4[\\U000e0020-\\U000e007e]{1,8}\\U000e007f|[\\U000e0000-\\U000e007f]"
)
"""Characters that command a terminal, and tags: letters that only a model sees, except where they make a flag."""


def answer(context: CallContext, response: Response) -> Finished:
    """Return the result for an answer of any status."""
    conceal(response, forms(context.secrets()))
    if not _is_success(context, response.status):
        return failure(context, response)
    result = Result()
    redirects = response.status in REDIRECTS and response.header("location") is not None
    if redirects or not response.body:
        result.text(head_text(response, head_only=context.operation.get("method") == "HEAD"))
        if redirects:
            result.note("The API sends the caller elsewhere; that was not followed.")
    else:
        _add_body(result, context, response)
        if response.header("location"):
            result.note(f"{status_line(response)}, Location: {_location(response)}")
    if result.structured is None and result.fault is None:
        result.structured = context.plan.shape.missing()
        if result.structured is not None and response.body and not redirects:
            result.note(
                "The API's description promises JSON; `structuredContent` stands empty, the text is what it sent."
            )
    return result.finished()


def _is_success(context: CallContext, status: int) -> bool:
    """Say whether a status means that the call was carried out: 2xx, and a redirect that the description has."""
    if 300 <= status < 400:  # a redirect that arrives here was not to be followed
        declared = context.operation.get("answers") or {}
        return str(status) in declared or "3XX" in declared
    return status < 400  # RFC 9110, 15: client and server errors


def _add_body(result: Result, context: CallContext, response: Response) -> None:
    media = _media(context, response)
    complete = not response.truncated
    streams = media.type in STREAMS
    if not complete:
        more = "went on" if streams else f"is longer than {size_text(len(response.body))}"
        result.note(f"The API's answer {more}; the rest was not read.")
    if media.type == EVENT_STREAM:
        _add_stream(result, context, response, stream_text.events(_text(context, response, media), complete=complete))
    elif streams:
        _add_stream(result, context, response, stream_text.lines(_text(context, response, media), complete=complete))
    elif media.is_json:
        _add_json_or_text(result, context, response, media)
    elif media.is_text:
        _add_text(result, context, response, media)
    else:
        _add_bytes(result, context, response, media.type or OCTET_STREAM)


def _text(context: CallContext, response: Response, media: Media) -> str:
    text = content.decode(response.body, media)
    return text if text.isascii() else str(concealed(text, forms(context.secrets())))


def _media(context: CallContext, response: Response) -> Media:
    """Return what the body is; what the API's description says counts where the header says nothing useful."""
    if content.is_compressed(response) and _json_value(response, content.Media("")) is _NO_JSON:
        return content.Media(OCTET_STREAM)
    media = content.media_of(response.header("content-type"))
    if media.is_json or media.type in STREAMS:
        return media
    unsure = media.type in ("", "text/plain", "text/html", OCTET_STREAM)
    if unsure and context.operation.get("json") and _json_value(response, media) is not _NO_JSON:
        return content.Media("application/json", media.charset)
    if media.type:
        return media
    declared = [essence(each) for each in (context.operation.get("answers") or {}).get(str(response.status), ())]
    sniffed = content.sniffed(response.body)
    if len(declared) == 1 and "*" not in declared[0] and sniffed in (OCTET_STREAM, "text/plain"):
        return content.Media(declared[0])
    return content.Media(sniffed)


_NO_JSON = object()


def _json_value(response: Response, media: Media) -> Any:
    body = response.body
    if response.truncated:  # a part of a value is none
        return _NO_JSON
    try:
        if media.charset in (None, "utf-8", "utf8", "us-ascii"):
            return exact_json.read(body)
        return exact_json.read(content.decode(body, media).encode("utf-8", "surrogatepass"))
    except jsonrpc.ParseFailure:
        pass
    try:
        return exact_json.read(content.decode(body, media).encode("utf-8", "replace"))
    except jsonrpc.ParseFailure:
        return _NO_JSON


def _add_json_or_text(result: Result, context: CallContext, response: Response, media: Media) -> None:
    value = _json_value(response, media)
    if value is _NO_JSON and not response.body.strip():  # what some frameworks send in place of nothing
        result.text(head_text(response, head_only=False))
        return
    if value is _NO_JSON:
        _add_text(result, context, response, media)
        if not response.truncated:
            result.note(f"The API calls this {media.type}, but it is not valid JSON; it is shown as it came.")
            if context.plan.shape.promised:  # what a program would read cannot be said truly
                result.fault = {"code": NO_JSON, "reason": "invalid_json", "operation": context.key, "retryable": False}
        result.meta[META_SCHEMA] = {"note": "the answer is declared as JSON and is not valid JSON", "at": []}
        return
    _add_value(result, context, response, value)


def _add_value(result: Result, context: CallContext, response: Response, value: Any) -> None:
    """Add a JSON value; secrets that were written with escapes, or in another charset, are only found in the value."""
    if not response.body.isascii() or b"\\" in response.body:
        value = concealed(value, forms(context.secrets()))
    add_json(result, context, response, value)


def _add_stream(result: Result, context: CallContext, response: Response, values: list[Any]) -> None:
    """Add the values of a stream as one JSON array."""
    if len(values) >= stream_text.MAX_VALUES:
        result.note(f"Only the first {stream_text.MAX_VALUES} values of the stream were read.")
    _add_value(result, context, response, values)


def _add_text(result: Result, context: CallContext, response: Response, media: Media) -> None:
    text = _shown(_text(context, response, media))
    limit = context.plan.limit
    if size.fits(text, limit):
        result.text(text)
        return
    shown, _ = size.cut(text, limit)
    result.text(shown)
    link = kept(context, text.encode("utf-8"), mime_type=media.type, name=_file_name(response), is_text=True)
    result.note(
        f"The answer was cut: {len(shown)} of {len(text)} characters are shown. The whole answer: {link['uri']}"
    )
    result.meta[META_CUT] = {"bytes": len(response.body), "shown": {"/": {"characters": len(shown), "of": len(text)}}}
    result.meta[META_CUT]["uri"] = link["uri"]
    result.content.append(link)


def _add_bytes(result: Result, context: CallContext, response: Response, kind: str) -> None:
    """Add a picture or sound as it is, other bytes as an embedded resource, what was saved or is large as a link."""
    body, name = response.body, _file_name(response)
    is_seen = kind.startswith(("image/", "audio/"))
    small = len(body) <= MAX_EMBEDDED_BYTES
    link = saved(context, body, mime_type=kind, name=name) if context.files.configured else None
    if is_seen and small:
        block = {"type": kind.partition("/")[0], "data": b64encode(body).decode("ascii"), "mimeType": kind}
        result.content.append(block)
    if link is not None:
        result.note(f"The answer was saved as {link['name']} ({size_text(len(body))}, {kind}).")
        result.content.append(link)
    elif not small:
        result.note(f"The answer is {size_text(len(body))} of {kind}; it is kept for a while to be read as a resource.")
        result.content.append(kept(context, body, mime_type=kind, name=name, is_text=False))
    elif not is_seen:
        link = kept(context, body, mime_type=kind, name=name, is_text=False)
        resource = {"uri": link["uri"], "mimeType": kind, "blob": b64encode(body).decode("ascii")}
        result.content.append({"type": "resource", "resource": resource})
        result.note(f"{link['name']}: {size_text(len(body))} of {kind}.")


def _location(response: Response) -> str:
    return printable((response.header("location") or "")[:500])


def _file_name(response: Response) -> str | None:
    return content.file_name(response.header("content-disposition"))


def _shown(text: str) -> str:
    """Return a text with U+FFFD for control characters, and without tags; lines and tabs stay."""
    return text if text.isprintable() else _HIDDEN.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    found = match.group()
    if len(found) > 1:
        return found
    return "" if found > "\uffff" else "\ufffd"
