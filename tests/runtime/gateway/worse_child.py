"""A child that shakes hands like any other and then breaks one rule: `worse_child.py KIND`.

Its tool `ready` answers well; its tool `bad` does what KIND names, the method of `Kinds` with that name.
"""

from __future__ import annotations

import json
import os
import sys

GOOD = {"content": [{"type": "text", "text": "fine"}]}
SHAKEN = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {"listChanged": True}},
    "serverInfo": {"name": "worse", "version": "1"},
}


def out(line: bytes, end: bytes = b"\n") -> None:
    data = line + end
    while data:
        data = data[os.write(1, data) :]


def send(**message: object) -> None:
    out(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode())


def answer(request_id: object, *content: object, **more: object) -> None:
    send(id=request_id, result={"content": [*content], **more} if content or more else GOOD)


def raw(request_id: object, result: str) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (request_id, result.encode())


GOOD_TEXT = json.dumps(GOOD)


class Kinds:
    """What a bad call is answered with."""

    # -- no JSON

    def nan(self, n: int) -> None:
        out(raw(n, '{"content":[],"structuredContent":{"x":NaN}}'))

    def infinity(self, n: int) -> None:
        out(raw(n, '{"structuredContent":{"x":-Infinity},"content":[]}'))

    def invalid_utf8(self, n: int) -> None:
        out(raw(n, GOOD_TEXT).replace(b"fine", b"\xed\xa0\x80\xff"))

    def control(self, n: int) -> None:
        out(raw(n, GOOD_TEXT).replace(b"fine", b"a\tb\x01"))

    def cut_off(self, n: int) -> None:
        out(raw(n, GOOD_TEXT)[:-12])

    def cut_off_without_spaces_and_id_last(self, n: int) -> None:
        out(b'{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"')

    def inner_id(self, n: int) -> None:
        """Cut off behind an id that is not the message's."""
        out(b'{"jsonrpc":"2.0","result":{"content":[{"id":1,"type":"text"')

    def trailing(self, n: int) -> None:
        out(raw(n, GOOD_TEXT) + b"}")

    def nul(self, n: int) -> None:
        out(raw(n, GOOD_TEXT).replace(b":", b":\0", 2))

    def utf16(self, n: int) -> None:
        out(raw(n, GOOD_TEXT).decode().encode("utf-16-le"))

    def deep(self, n: int) -> None:
        out(raw(n, '{"content":[],"structuredContent":{"x":%s}}' % ("[" * 500 + "]" * 500)))

    def very_deep(self, n: int) -> None:
        out(raw(n, '{"content":[],"structuredContent":{"x":%s}}' % ("[" * 200_000 + "]" * 200_000)))

    def digits(self, n: int) -> None:
        out(raw(n, '{"content":[],"structuredContent":{"x":%s}}' % ("9" * 10_000)))

    def number(self, n: int) -> None:
        out(raw(n, '{"content":[],"structuredContent":{"x":1e400}}'))

    def number_behind_spaces(self, n: int) -> None:
        out(b'{"jsonrpc": "2.0", "id": %d, "result": {"content": [], "structuredContent": {"x": [-1E+400]}}}' % n)

    def number_in_an_error(self, n: int) -> None:
        out(b'{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"no","data":{"x":1e400}}}' % n)

    def number_in_a_batch(self, n: int) -> None:
        out(b"[5," + raw(n, '{"content":[],"structuredContent":{"x":1e400}}') + b"]")

    def python(self, n: int) -> None:
        out(b'{\'jsonrpc\': \'2.0\', "jsonrpc": 1, "id": %d, "result": None}' % n)

    def dictionary(self, n: int) -> None:
        out(repr({"jsonrpc": "2.0", "id": n, "result": GOOD}).encode())

    def dictionary_without_id(self, n: int) -> None:
        out(repr({"jsonrpc": "2.0", "result": {**GOOD, "isError": False}}).encode())

    def cut_off_without_jsonrpc(self, n: int) -> None:
        out(b'{"result": {"content": [{"type": "text"')

    def cut_off_error(self, n: int) -> None:
        out(b'{"id":null,"error":{"code":-32603,"mess')

    def bare_error(self, n: int) -> None:
        out(b'{"error": "it failed"}')

    def behind_a_banner(self, n: int) -> None:
        out(b"Loading... " + raw(n, GOOD_TEXT))

    # -- too much

    def objects(self, n: int) -> None:
        inner = ",".join(["{}" + " " * 15] * 500_000)
        out(raw(n, f'{{"content":[],"structuredContent":{{"a":[{inner}]}}}}'))

    def numbers_and_id_last(self, n: int) -> None:
        inner = ",".join(["1"] * 4_000_000)
        out(b'{"jsonrpc":"2.0","result":{"content":[],"structuredContent":{"a":[%b]}},"id":%d}' % (inner.encode(), n))

    def long_line(self, n: int) -> None:
        for _ in range(64):
            out(b"x" * (1 << 20), b"")
        out(b"")

    def json_in_text(self, n: int) -> None:
        answer(n, {"type": "text", "text": json.dumps([{"a": '"'}] * 300_000)})

    # -- ids

    def id_float(self, n: int) -> None:
        answer(float(n))

    def id_text(self, n: int) -> None:
        answer(str(n))

    def id_true(self, n: int) -> None:
        answer(True)

    def id_null(self, n: int) -> None:
        answer(None)

    def id_list(self, n: int) -> None:
        answer([n])

    def id_huge(self, n: int) -> None:
        answer(10**30)

    def id_negative(self, n: int) -> None:
        answer(-n)

    def id_infinite(self, n: int) -> None:
        out(b'{"jsonrpc":"2.0","id":1e400,"result":{}}')

    def id_missing(self, n: int) -> None:
        send(result=GOOD)

    def id_of_the_future(self, n: int) -> None:
        answer(n + 1)

    def ids_two(self, n: int) -> None:
        out(b'{"jsonrpc":"2.0","id":%d,"id":99999,"result":{}}' % n)

    def id_null_error(self, n: int) -> None:
        send(id=None, error={"code": -32700, "message": "I could not read that"})

    # -- forms

    def neither(self, n: int) -> None:
        send(id=n)

    def method_too(self, n: int) -> None:
        send(id=n, method="tools/call", result=GOOD)

    def result_text(self, n: int) -> None:
        send(id=n, result="fine")

    def error_text(self, n: int) -> None:
        send(id=n, error="it failed")

    # -- content

    def content_text(self, n: int) -> None:
        send(id=n, result={"content": "fine"})

    def content_null(self, n: int) -> None:
        send(id=n, result={"content": None})

    def content_of_texts(self, n: int) -> None:
        answer(n, "fine")

    def block_unknown(self, n: int) -> None:
        answer(n, {"type": "video", "data": "AAAA", "mimeType": "video/mp4"})

    def block_without_type(self, n: int) -> None:
        answer(n, {"text": "fine"})

    def block_without_text(self, n: int) -> None:
        answer(n, {"type": "text", "txt": "fine"})

    def text_number(self, n: int) -> None:
        answer(n, {"type": "text", "text": 5})

    def image_without_data(self, n: int) -> None:
        answer(n, {"type": "image", "mimeType": "image/png"})

    def link_without_name(self, n: int) -> None:
        answer(n, {"type": "resource_link", "uri": "file:///a"})

    def resource_without_uri(self, n: int) -> None:
        answer(n, {"type": "resource", "resource": {"text": "x"}})

    def resource_without_contents(self, n: int) -> None:
        answer(n, {"type": "resource", "resource": {"uri": "file:///a"}})

    def annotations_text(self, n: int) -> None:
        answer(n, {"type": "text", "text": "fine", "annotations": "none"})

    def is_error_text(self, n: int) -> None:
        answer(n, {"type": "text", "text": "fine"}, isError="no")

    # -- what is unusual, and still an answer

    def half_character(self, n: int) -> None:
        out(raw(n, '{"content":[{"type":"text","text":"a\\ud83db"}]}'))

    def pair(self, n: int) -> None:
        out(raw(n, '{"content":[{"type":"text","text":"a\\ud83d\\ude00b"}]}'))

    def byte_order_mark(self, n: int) -> None:
        out(b"\xef\xbb\xbf" + raw(n, GOOD_TEXT))

    def returns(self, n: int) -> None:
        out(raw(n, GOOD_TEXT), b"\r\n")

    def by_bytes(self, n: int) -> None:
        for byte in raw(n, GOOD_TEXT):
            out(bytes([byte]), b"")
        out(b"")

    def blank_lines(self, n: int) -> None:
        out(b"\n \n\t\n" * 500)
        answer(n)

    def in_a_batch(self, n: int) -> None:
        out(b"[5,null," + raw(n, GOOD_TEXT) + b",[]]")

    def separators(self, n: int) -> None:
        answer(n, {"type": "text", "text": "a\u2028b\u2029c\x85d"})

    def twice(self, n: int) -> None:
        answer(n)
        answer(n, {"type": "text", "text": "again"})

    def extras(self, n: int) -> None:
        block = {"type": "text", "text": "fine", "x-more": [1], "annotations": {"priority": 1, "later": True}}
        answer(n, block, **{"x-extra": {"a": None}})

    def foreign_progress(self, n: int) -> None:
        for token in range(3_000):
            for said in (n + token + 1, f"other-{token}", None, True, [n], {"a": n}, 1.5):
                send(method="notifications/progress", params={"progressToken": said, "progress": token})
        answer(n)

    def changes(self, n: int) -> None:
        for number in range(2_000):
            kind = ("tools", "prompts", "resources")[number % 3]
            send(method=f"notifications/{kind}/list_changed", params={"number": number})
        answer(n)

    def pings(self, n: int) -> None:
        for number in range(2_000):
            send(id=f"ping-{number}", method="ping")
        answer(n)

    def gives_up(self, n: int) -> None:
        send(method="notifications/cancelled", params={"requestId": n})
        answer(n)

    def strange_notes(self, n: int) -> None:
        for params in ([], "x", 5, True, {"_meta": 5}, {"_meta": {"io.modelcontextprotocol/subscriptionId": [n]}}):
            send(method="notifications/message", params=params)
            send(method="notifications/progress", params=params)
            send(method=["x"], params=params)
            send(method="x" * 10_000, id=n + 1, params=params)
            send(method="sampling/createMessage", id={"a": 1}, params=params)
        answer(n)

    def numbers_told(self, n: int) -> None:
        for method in (b"notifications/message", b"notifications/progress", b"notifications/tasks"):
            said = b'{"level":"error","data":1e400,"progressToken":%d,"progress":1e400,"taskId":"1","ttlMs":1e400}' % n
            out(b'{"jsonrpc":"2.0","method":"%b","params":%b}' % (method, said))
        answer(n)

    def logs(self, n: int) -> None:
        """Write to standard output what programs tell their logs, with members that answers have as well."""
        for said in (
            {"level": "error", "error": "connection refused", "time": 1},
            {"level": "error", "error": {"type": "OSError", "code": 5, "message": "no"}, "msg": "failed"},
            {"level": "info", "id": n, "msg": "request"},
            {"level": "warn", "id": n, "error": "retrying", "attempt": 1},
            {"id": n, "result": "ok", "took": 3},
            {"result": [1], "took": 3},
        ):
            out(json.dumps(said).encode())
            out(json.dumps(said).encode()[:-1])
            out(repr(said).encode())
        out(b"Starting server (id: %d)... result: ok, error: none" % n)
        out(b"Traceback (most recent call last):")
        out(b'  File "x.py", line %d, in <module>' % n)
        answer(n)

    def loud_error(self, n: int) -> None:
        send(id=n, error={"code": -32603, "message": "it failed " * 300_000})


def interleaved(first: int, second: int) -> None:
    """Write two answers into one another, as threads without a lock do."""
    one, other = raw(first, GOOD_TEXT), raw(second, GOOD_TEXT)
    out(one[:40] + other)
    out(one[40:])


def main() -> None:
    waiting: list[int] = []
    for line in sys.stdin:
        message = json.loads(line)
        method, request_id = message.get("method"), message.get("id")
        if method == "initialize":
            send(id=request_id, result=SHAKEN)
        elif method == "tools/call" and message["params"]["name"] == "ready":
            answer(request_id)
        elif method == "tools/call" and sys.argv[1] == "interleaved":
            waiting.append(request_id)
            if len(waiting) == 2:
                interleaved(*waiting)
        elif method == "tools/call":
            getattr(Kinds(), sys.argv[1])(request_id)
        elif method is not None and request_id is not None:
            send(id=request_id, error={"code": -32601, "message": "Method not found"})


if __name__ == "__main__":
    main()
