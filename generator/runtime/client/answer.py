"""From an API's answer to a result, by what the answer is: nothing, JSON, text, a stream, a picture, sound or bytes.

The headers say what a body is; where they are missing or wrong, the API's description and the bytes themselves do. What
is too large goes elsewhere and is linked to, and never comes twice.
"""

from __future__ import annotations

from base64 import b64encode

from ..server import size
from ..server.faults import printable
from ..wire import jsonrpc
from . import content, exact_json, stream_text
from .error_answer import failure
from .headers import head_text, status_line
from .json_answer import META_CUT, add_json
from .keeping import kept, saved, size_text
from .media import essence
from .result import Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..server.answer import Finished
    from .call_context import CallContext
    from .content import Media
    from .message import Response

MAX_EMBEDDED_BYTES = 1024 * 1024
"""A picture, sound or file that goes into a result itself: a screenshot does, a film does not."""

SHORTEST_MASKED = 8
"""Characters from which a secret is looked for in what an API answers: a shorter one may be a word of the data."""

REDIRECTS = frozenset((301, 302, 303, 307, 308))
"""Statuses that lead elsewhere (RFC 9110, 15.4); one that arrives here was not to be followed."""

OCTETS = "application/octet-stream"


def answer(context: CallContext, response: Response) -> Finished:
    """Return the result for an answer of any status."""
    _mask(context, response)
    if response.status >= 400:  # RFC 9110, 15: client and server errors
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
    if result.structured is None:
        result.structured = context.plan.shape.missing()
    return result.finished()


def _add_body(result: Result, context: CallContext, response: Response) -> None:
    media = _media(context, response)
    complete = not response.truncated
    streams = media.type == content.EVENT_STREAM or media.type in content.JSON_LINES
    if not complete:
        more = "went on" if streams else f"is longer than {size_text(len(response.body))}"
        result.note(f"The API's answer {more}; the rest was not read.")
    if media.type == content.EVENT_STREAM:
        _add_stream(result, context, response, stream_text.events(_text(response, media), complete=complete))
    elif streams:
        _add_stream(result, context, response, stream_text.lines(_text(response, media), complete=complete))
    elif media.is_json:
        _add_json_or_text(result, context, response, media)
    elif media.is_text:
        _add_text(result, context, response, media)
    else:
        _add_bytes(result, context, response, media.type or OCTETS)


def _text(response: Response, media: Media) -> str:
    return content.decode(response.body, media)


def _media(context: CallContext, response: Response) -> Media:
    """Return what the body is; what the API's description says counts where the header says nothing useful."""
    media = content.media_of(response.header("content-type"))
    if media.is_json or media.type in content.JSON_LINES or media.type == content.EVENT_STREAM:
        return media
    unsure = media.type in ("", "text/plain", "text/html", OCTETS)
    if unsure and context.operation.get("json") and _json_value(response, media) is not _NO_JSON:
        return content.Media("application/json", media.charset)
    if media.type:
        return media
    declared = [essence(each) for each in (context.operation.get("answers") or {}).get(str(response.status), ())]
    sniffed = content.sniffed(response.body)
    if len(declared) == 1 and "*" not in declared[0] and sniffed in (OCTETS, "text/plain"):
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
    if value is _NO_JSON:
        _add_text(result, context, response, media)
        if not response.truncated:
            result.note(f"The API calls this {media.type}, but it is not valid JSON; it is shown as it came.")
        result.meta["mcpgen/schema"] = {"note": "the answer is declared as JSON and is not valid JSON", "at": []}
        return
    add_json(result, context, response, value)


def _add_stream(result: Result, context: CallContext, response: Response, values: list[Any]) -> None:
    """Add the values of a stream as one JSON array."""
    if len(values) >= stream_text.MAX_VALUES:
        result.note(f"Only the first {stream_text.MAX_VALUES} values of the stream were read.")
    add_json(result, context, response, values)


def _add_text(result: Result, context: CallContext, response: Response, media: Media) -> None:
    text = _shown(_text(response, media))
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


def _mask(context: CallContext, response: Response) -> None:
    """Take secrets out of the answer before anything is made of it: some APIs repeat what they were sent."""
    for secret in context.secrets():
        if len(secret) >= SHORTEST_MASKED:
            response.body = response.body.replace(secret.encode("utf-8", "replace"), b"***")
            response.headers = [(name, value.replace(secret, "***")) for name, value in response.headers]


def _location(response: Response) -> str:
    return printable((response.header("location") or "")[:500])


def _file_name(response: Response) -> str | None:
    return content.file_name(response.header("content-disposition"))


def _shown(text: str) -> str:
    """Return a text without characters that no terminal should get; lines and tabs stay."""
    return text.replace("\0", "\ufffd")
