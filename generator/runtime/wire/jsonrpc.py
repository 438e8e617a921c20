"""JSON and JSON-RPC 2.0 on bytes, quick to import.

The `json` package costs a third of a bare interpreter's start because it loads `re`; its C half (`_json`) is all that
is needed here and runs the same code. An interpreter without `_json` falls back to the package. What differs from
`json.loads`: NaN and Infinity are refused, nesting is bounded, and duplicate keys follow the documented rule that the
last one wins.
"""

from __future__ import annotations

from . import limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""RFC 8259 §8.1 lets a parser ignore it; shells on Windows send one."""

DELETE = "\x7f"
"""The one ASCII character that only the ASCII form escapes, beside those that both do."""

_NO_OPTIONS = (False, False, False)
"""The C encoder's sort_keys, skipkeys and allow_nan, which it takes by position only."""


class ParseFailure(Exception):
    """A line is not one JSON value; the message is fit for the client."""


def _refuse_constant(name: str) -> Any:
    message = f"{name} is not JSON"
    raise ValueError(message)


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0:  # 1e400
        message = "the number is too large"
        raise ValueError(message)
    return number


class _Scanning:
    """What `_json.make_scanner` reads its settings from."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_int = int
    parse_constant = staticmethod(_refuse_constant)

    def __init__(self, parse_float: Callable[[str], object]) -> None:
        self.parse_float = parse_float
        self.memo: dict[str, str] = {}


def _unsupported(value: object) -> Any:
    message = f"{type(value).__name__} is not JSON"
    raise TypeError(message)


try:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner
except ImportError:  # an interpreter without the C accelerator
    import json

    def _scanner(parse_float: Callable[[str], object]) -> Callable[[str, int], tuple[Any, int]]:
        decoder = json.JSONDecoder(parse_float=parse_float, parse_constant=_refuse_constant)
        return decoder.scan_once  # type: ignore[attr-defined,no-any-return]  # set by the package, not in its stub

    def _encoder(*, ascii_only: bool) -> Callable[[object], str]:
        return json.JSONEncoder(
            ensure_ascii=ascii_only, check_circular=False, allow_nan=False, separators=(",", ":")
        ).encode

    encode_basestring_ascii = json.dumps  # of a string, that is what it does

else:

    def _scanner(parse_float: Callable[[str], object]) -> Callable[[str, int], tuple[Any, int]]:
        return make_scanner(_Scanning(parse_float))  # type: ignore[arg-type]  # the stub wants a JSONDecoder

    def _encoder(*, ascii_only: bool) -> Callable[[object], str]:
        strings = encode_basestring_ascii if ascii_only else encode_basestring
        chunks = make_encoder(None, _unsupported, strings, None, ":", ",", *_NO_OPTIONS)

        def encode_text(value: object) -> str:
            if type(value) is str:
                return strings(value)
            return "".join(chunks(value, 0))

        return encode_text


scan: Callable[[str, int], tuple[Any, int]] = _scanner(float)
"""Read the JSON value at a place; return it and where it ends. Raises what `parse` makes a ParseFailure of."""
scan_finite: Callable[[str, int], tuple[Any, int]] = _scanner(_finite)
"""Like `scan`, for a value whose text is to be passed on: raises ValueError for a number like 1e400."""
ascii_text: Callable[[object], str] = _encoder(ascii_only=True)
"""Encode a JSON value compactly, in ASCII; the same as `text` where that is ASCII without `DELETE`."""
text: Callable[[object], str] = _encoder(ascii_only=False)
"""Encode a JSON value compactly, keeping non-ASCII characters: the form a model reads."""
quoted: Callable[[str], str] = encode_basestring_ascii
"""Encode a string alone, in ASCII."""


def in_ascii(written: str, within: str) -> str:
    """Return a JSON value in ASCII from its text and from what `quoted` made of that, without looking at the value.

    It is what `ascii_text` makes, also of a value that another thread has changed since.
    """
    if written.isascii() and DELETE not in written:
        return written
    # in a string, JSON's own backslashes and quotes have one more before them; no text of JSON has a NUL
    return within[1:-1].replace("\\\\", "\0").replace('\\"', '"').replace("\0", "\\")


def encode(value: object) -> bytes:
    """Encode a JSON value as compact ASCII bytes.

    Raises ValueError, TypeError or RecursionError for what is not JSON.
    """
    return ascii_text(value).encode("ascii")


def parse(line: bytes, *, finite: bool = False) -> Any:
    """Return the JSON value on one line; raises ParseFailure.

    `finite`: for a number like 1e400 too, which can be read, and not be written again.
    """
    scanner = scan_finite if finite else scan
    try:  # most lines, in a third less time
        most = limits.MAX_NESTING  # first: nothing is to be read twice
        if len(line) <= most or line.count(b"[") + line.count(b"{") <= most:
            source = str(line, "utf-8")
            value, end = scanner(source, 0)
            if end == len(source):
                return value
    except Exception:  # noqa: BLE001, S110 # what is wrong is found out below
        pass
    try:
        return _parse(line, scanner)
    except ParseFailure:
        if not line.startswith(BYTE_ORDER_MARK):
            raise
    return _parse(line[len(BYTE_ORDER_MARK) :], scanner)


def parse_exact(line: bytes, number: Callable[[str], object] | None = None) -> Any:
    """Like `parse`, with fractional numbers as `decimal.Decimal`; for tools that need every digit (decision 19).

    `number` makes something else of their digits.
    """
    if number is None:
        from decimal import Decimal

        number = Decimal
    return _parse(line.removeprefix(BYTE_ORDER_MARK), _scanner(number))


def _parse(line: bytes, scan: Callable[[str, int], tuple[Any, int]]) -> Any:
    try:
        source = str(line, "utf-8").strip(" \t\r\n")
        value, end = scan(source, 0)
    except UnicodeDecodeError as error:
        raise ParseFailure(f"Parse error: not UTF-8 at byte {error.start}") from None
    except StopIteration as stop:
        raise ParseFailure(f"Parse error: a value was expected at character {stop.value}") from None
    except RecursionError:
        raise ParseFailure(f"Parse error: nested deeper than {limits.MAX_NESTING}") from None
    except SystemError:  # 3.11's scanner finds its exception class only if json.decoder is loaded, which is slow
        import json.decoder  # noqa: F401 # for the scanner

        return _parse(line, scan)
    except (ValueError, MemoryError) as error:
        raise ParseFailure(f"Parse error: {_first_line(error)}") from None
    if end != len(source):
        raise ParseFailure(f"Parse error: unexpected text after the value, at character {end}")
    if (
        len(line) > limits.MAX_NESTING
        and line.count(b"[") + line.count(b"{") > limits.MAX_NESTING
        and _deeper_than(value, limits.MAX_NESTING)
    ):
        raise ParseFailure(f"Parse error: nested deeper than {limits.MAX_NESTING}")
    return value


def _first_line(error: BaseException) -> str:
    text = str(error).partition("\n")[0]
    if "int_max_str_digits" in text:  # the interpreter's advice is for its own users
        return "a number has too many digits"
    return text[:120] or type(error).__name__


def _deeper_than(value: object, limit: int) -> bool:
    """Walk level by level, so that depth costs no stack."""
    level = [value]
    for _ in range(limit):
        level = [child for node in level for child in _children(node) if type(child) is dict or type(child) is list]
        if not level:
            return False
    return True


def _children(node: object) -> Iterable[object]:
    if type(node) is dict:
        return node.values()
    return node if type(node) is list else ()


class Refusal(Exception):
    """A request is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.body = error_body(code, message, data)


def shown(text: str) -> str:
    """Return what a message may repeat of a client's text: its beginning, without control characters and the like."""
    return printable(text[:80])


def printable(text: str) -> str:
    """Return a text without control characters and the like, which terminals and logs would obey."""
    return text if text.isprintable() else "".join(char if char.isprintable() else "\ufffd" for char in text)


def error_body(code: int, message: str, data: object = None) -> dict[str, object]:
    """Build the `error` member of a response (JSON-RPC 2.0 §5.1)."""
    body: dict[str, object] = {"code": code, "message": message}
    if data is not None:
        body["data"] = data
    return body


def error_line(request_id: object, body: dict[str, object], *, with_id: bool = True) -> bytes:
    """Build an error response; `with_id=False` leaves the id out (2026-07-28, an id that could not be read)."""
    message: dict[str, object] = {"jsonrpc": "2.0", "error": body}
    if with_id:
        message = {"jsonrpc": "2.0", "id": request_id, "error": body}
    return encode(message) + b"\n"


def result_line(request_id: str | int, result: bytes) -> bytes:
    """Build a response around an already encoded result."""
    if type(request_id) is int:
        return b'{"jsonrpc":"2.0","id":%d,"result":%b}\n' % (request_id, result)
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (encode(request_id), result)


def notification_line(method: str, params: dict[str, object]) -> bytes:
    """Build a notification."""
    return encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"
