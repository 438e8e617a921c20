"""Results that go through as their bytes: as if they had been written again, and only where nothing is translated."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.names import Names
from generator.runtime.gateway.quick import SEPARATORS, Answers
from generator.runtime.gateway.translate_results import tool_result
from generator.runtime.server.call import Call, Spliced
from generator.runtime.server.session import Session
from generator.runtime.wire import jsonrpc
from generator.runtime.wire.dialects import LATEST_LEGACY, LATEST_MODERN, META_SERVER

NAMED = {META_SERVER: {"name": "child", "version": "1"}}

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
BLOCKS = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, st.text()),
    st.builds(lambda data: {"type": "image", "data": data, "mimeType": "image/png"}, st.text()),
    st.just({"type": "resource_link", "uri": "file:///a", "name": "a"}),
    st.just({"type": "resource", "resource": {"uri": "file:///a", "text": "a"}}),
)


def _result(content: list, more: dict, modern: bool) -> dict:
    hop = ({"resultType": "complete"}, {"_meta": NAMED}) if modern else ({}, {})
    return hop[0] | {"content": content} | more | hop[1]


RESULTS = st.builds(
    _result,
    st.lists(BLOCKS, max_size=3),
    st.fixed_dictionaries(
        {},
        optional={
            "structuredContent": st.dictionaries(st.text(max_size=8), VALUES, max_size=3),
            "isError": st.booleans(),
            "extra": VALUES,
        },
    ),
    st.booleans(),
)


class FakeCatalog:
    """As much of a catalog as answers need."""

    header = {"server": {"name": "gateway", "version": "1"}, "capabilities": ["tools"]}  # noqa: RUF012 # read only
    settings: dict = {}  # noqa: RUF012 # read only
    events = None

    def __init__(self) -> None:
        self.server_meta: dict[str, bytes] = {}


class FakeTool:
    framing = None


def _names() -> Names:
    return Names("child", "ui://mcpgen-gateway/", "", lambda *_: None)


def _line(result: object, identity: int = 7, *, ascii_only: bool = True) -> bytes:
    text = json.dumps(result, ensure_ascii=ascii_only, separators=(",", ":"))
    return b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (identity, text.encode("utf-8", "surrogatepass"))


def _read(line: bytes) -> tuple[int, dict, bytes | None] | None:
    """Read an answer of a child that has answered before."""
    answers = Answers()
    answers.read(_line({"resultType": "complete", "content": [], "_meta": NAMED}))
    return answers.read(line)


def _answered(result: dict, dialect: object) -> dict:
    session = Session(FakeCatalog())
    call = Call(FakeTool(), 1, {}, raw=b"", meta={}, dialect=dialect, log_level=None, client={}, session=session)
    session.open.add(call)
    return json.loads(session.finish(call, result))


@given(RESULTS, st.booleans(), st.sampled_from([LATEST_LEGACY, LATEST_MODERN]))
def test_a_spliced_answer_is_the_one_that_would_have_been_written(result: dict, ascii_only: bool, dialect) -> None:
    line = _line(result, ascii_only=ascii_only)
    found = _read(line)
    if any(each in line for each in (b"\r", *SEPARATORS)):
        assert found is None
        return
    assert found is not None
    number, value, inner = found
    hops_own = ("resultType", "_meta") if inner is not None else ()
    assert (number, value) == (7, {name: each for name, each in result.items() if name not in hops_own})
    translated = tool_result(result, _names(), dialect)
    simple = not result.get("isError") and "extra" not in result
    plain = all(block["type"] in ("text", "image") for block in result["content"])
    names = (b'"content"', b'"structuredContent"', b'"isError"')
    seen = b"\\" not in line and all(line.count(name) <= 1 for name in names)
    if seen:
        assert (inner is not None) == (simple and plain)
    else:
        assert inner is None or (simple and plain)
    if inner is not None:
        assert _answered(Spliced(value, inner), dialect) == _answered(translated, dialect)


KEYS = st.sampled_from(
    [
        '"content"',
        '"structuredContent"',
        '"isError"',
        '"type"',
        '"text"',
        '"cont\\u0065nt"',
        '"te\\u0078t"',
        '"a:b"',
        '"a"',
    ]
)
STRINGS = st.sampled_from(
    ['"text"', '"content"', '"a: b"', '"\\u003a"', '"\\u003A:"', '"\\":"', '""', '",\\"structuredContent\\":"']
)
SPACES = st.sampled_from(["", "", "", " "])


def _written(pairs: list[tuple[str, str, str]]) -> str:
    return "{" + ",".join(f"{name}{space}:{value}" for name, space, value in pairs) + "}"


BLOCK = st.lists(st.tuples(KEYS, SPACES, STRINGS), max_size=3).map(
    lambda more: _written([('"type"', "", '"text"'), ('"text"', "", '"a"'), *more])
)
CONTENT = st.lists(BLOCK, max_size=2).map(lambda blocks: f"[{','.join(blocks)}]")
ANY = st.recursive(
    STRINGS | st.sampled_from(["true", "false", "1"]),
    lambda inner: st.lists(st.tuples(KEYS, SPACES, inner), max_size=3).map(_written),
    max_leaves=5,
)
WRITTEN = st.lists(st.tuples(KEYS, SPACES, CONTENT | ANY), max_size=3).map(
    lambda more: _written([('"content"', "", '[{"type":"text","text":"b"}]'), *more])
)


@given(WRITTEN)
def test_no_member_that_was_judged_is_there_twice_in_what_goes_on_as_it_is(text: str) -> None:
    found = _read(b'{"jsonrpc":"2.0","id":7,"result":%b}' % text.encode())
    if found is None or found[2] is None:
        return
    pairs = json.loads(b"{%b}" % found[2], object_pairs_hook=lambda pairs: pairs)
    content = dict(pairs)["content"]
    for each in (pairs, *content):
        assert len(dict(each)) == len(each), text


@pytest.mark.parametrize(
    "members",
    [
        b'"content":[{"type":"text","text":"a"}],"content":[{"type":"text","text":"b"}]',
        b'"content":[],"content" : []',
        b'"content":[],"cont\\u0065nt":[]',
        b'"content":[{"type":"text","text":"a","text":"b"}]',
        b'"content":[{"type":"text","text":"\\u003a","text":"b"}]',
        b'"content":[{"type":"image","data":"a","mimeType":"b","data":"c"}]',
        b'"content":[{"type":"text","text":"a","annotations":{},"annotations":{}}]',
        b'"content":[],"isError":true,"isError":false',
        b'"content":[],"structuredContent":{},"isError":true,"isError":false',
        b'"content":[],"structuredContent":{"a":1},"structuredContent":{"a":2}',
        b'"structuredContent":{"a":1},"content":[],"structuredContent":{"a":2}',
        b'"content":[],"structuredContent":{"a":1},"content":[]',
    ],
)
def test_what_is_there_twice_is_written_again(members: bytes) -> None:
    line = b'{"jsonrpc":"2.0","id":7,"result":{%b}}' % members
    assert _read(line) == (7, jsonrpc.parse(b"{%b}" % members), None)


@pytest.mark.parametrize(
    "members",
    [
        b'"content":[{"type":"text","text":"{\\"content\\": 1, \\"text\\": \\"a:b\\"}"},{"type":"text","text":":"}]',
        b'"content":[{"type":"text","text":"caf\\u00e9 \\u003ca\\u003e"}],"isError":false',
        b'"content":[{"type":"image","data":"a","mimeType":"b"}],"structuredContent":{"text":"a:b","type":{"a":"a"}}',
        b'"content":[],"isError":false,"structuredContent":{"a":{"a":1}}',
        b'"content":[],"structuredContent":{"a":1},"isError":false',
    ],
)
def test_what_is_there_once_goes_through(members: bytes) -> None:
    assert _read(b'{"jsonrpc":"2.0","id":7,"result":{%b}}' % members)[2] == members


@given(st.binary() | st.builds(lambda tail: _line({"content": []})[:-1] + tail, st.binary()))
def test_whatever_a_child_writes_is_read_as_json_or_the_long_way(line: bytes) -> None:
    found = _read(line)
    if found is not None:
        assert jsonrpc.parse(line)["id"] == found[0]
        assert jsonrpc.parse(line)["result"] == found[1]
        assert found[2] is None or jsonrpc.parse(b"{%b}" % found[2]) == found[1]


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[]},"error":{"code":1,"message":""}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[]}}}',
        b'{"jsonrpc":"2.0","id":-7,"result":{"content":[]}}',
        b'{"jsonrpc":"2.0","id":"7","result":{"content":[]}}',
        b'{"jsonrpc":"2.0","id":007,"result":{"content":[]}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[NaN]}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"n":1e400}}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"n":[-1e400]}}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"n":' + b"9" * 400 + b".0}}}",
        b'{"jsonrpc":"2.0","id":7,"result":{"content":["\xff"]}}',
        b'{"jsonrpc":"2.0","id":7,"result":' + b"[" * 300 + b"]" * 300 + b"}",
        b'{"jsonrpc":"2.0","id":7,"method":"ping"}',
    ],
)
def test_what_is_not_quite_an_answer_takes_the_long_way(line: bytes) -> None:
    assert _read(line) is None


@pytest.mark.parametrize(
    "inner", [b"", b" ", b'"content":[]},"x":{', b'"content":[],', b',"content":[]', b'"content":["']
)
def test_what_is_between_the_ends_is_read_as_an_object_of_its_own(inner: bytes) -> None:
    line = b'{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",%b,"_meta":%b}}'
    assert _read(line % (b'"content":[]', jsonrpc.encode(NAMED))) == (7, {"content": []}, b'"content":[]')
    assert _read(line % (inner, jsonrpc.encode(NAMED))) is None


@pytest.mark.parametrize("separator", ["\r", "\u2028", "\u2029", "\x85"])
def test_what_readers_end_a_line_with_is_never_passed_on_as_it_is(separator: str) -> None:
    text = f'"{separator}"' if separator != "\r" else f'{separator}""'
    line = f'{{"jsonrpc":"2.0","id":7,"result":{{"content":[{{"type":"text","text":{text}}}]}}}}'.encode()
    assert jsonrpc.parse(line)["id"] == 7
    assert _read(line) is None


@pytest.mark.parametrize(
    "name", [b'"_meta"', b'"\\u005fmeta"', b'"_\\u006Deta"', b'"resultType"', b'"resul\\u0074Type"']
)
def test_a_member_that_is_there_twice_is_not_passed_on(name: bytes) -> None:
    for value in (b'"complete"', jsonrpc.encode(NAMED)):
        rest = b'"content":[],"_meta":' + jsonrpc.encode(NAMED) + b"}}"
        line = b'{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",' + name + b":" + value + b"," + rest
        found = _read(line)
        said = jsonrpc.parse(line)["result"]
        assert found == ((7, said, None) if said["resultType"] == "complete" else None)


def test_a_long_answer_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    long = {"content": [], "structuredContent": {"rows": [{}] * 300}}
    named = {"resultType": "complete", "tools": [{"name": "t"}] * 20, "_meta": NAMED}
    reads = []
    real = {name: getattr(jsonrpc, name) for name in ("scan", "scan_finite")}
    answers = Answers()
    assert answers.read(_line(named)) == (7, named, None)
    for name, scan in real.items():
        monkeypatch.setattr(jsonrpc, name, lambda *words, scan=scan: reads.append(words) or scan(*words))
    assert answers.read(_line(long)) is None
    assert jsonrpc.parse(_line(long))["id"] == 7
    assert len(reads) == 1
    found = answers.read(_line(named))
    assert found == (7, named, None)
    assert [*found[1]] == [*named], "in the order of the members"
    assert len(reads) == 2


def test_only_what_is_the_hops_own_is_cut_off() -> None:
    result = {"resultType": "complete", "content": [], "_meta": {**NAMED, "example.com/kept": 1}}
    assert _read(_line(result)) == (7, result, None)
    result["_meta"] = NAMED
    spaced = b'{"jsonrpc":"2.0","id":7,"result":' + json.dumps(result).encode() + b"}"
    assert _read(spaced) == (7, result, None), "it is written in another way"
    assert _read(_line(result)) == (7, {"content": []}, b'"content":[]')


def test_a_child_that_has_not_answered_yet_has_its_first_answer_translated() -> None:
    line = _line({"resultType": "complete", "content": [], "_meta": NAMED})
    answers = Answers()
    assert answers.read(line) == (7, {"resultType": "complete", "content": [], "_meta": NAMED}, None)
    assert answers.read(line) == (7, {"content": []}, b'"content":[]')
    other = _line({"resultType": "complete", "content": [], "_meta": {META_SERVER: {"name": "another"}}})
    assert answers.read(other)[2] is None
    assert answers.read(other)[2] == b'"content":[]'


@pytest.mark.parametrize(
    "member",
    [
        {"content": [{"type": "text"}]},
        {"content": [{"type": "text", "words": "a"}]},
        {"content": [{"type": "text", "text": None}]},
        {"content": [{"type": "text", "text": "a", "annotations": []}]},
        {"content": [{"type": "image", "data": "", "mimeType": 1}]},
        {"content": [{"type": "image", "text": "a"}]},
        {"content": [{"type": "text", "text": "a"}], "isError": None},
    ],
)
def test_what_clients_could_not_use_is_not_passed_on(member: dict) -> None:
    assert _read(_line(member)) == (7, member, None)
    assert _read(_line({"content": [{"type": "text", "text": "a", "annotations": {}}], "isError": False}))[2]
