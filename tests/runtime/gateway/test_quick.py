"""Results that go through as their bytes: as if they had been written again, and only where nothing is translated."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.gateway.names import Names
from generator.runtime.gateway.quick import SEPARATORS, Endings, read
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


def _answered(result: dict, dialect: object) -> dict:
    session = Session(FakeCatalog())
    call = Call(FakeTool(), 1, {}, raw=b"", meta={}, dialect=dialect, log_level=None, client={}, session=session)
    session.open.add(call)
    return json.loads(session.finish(call, result))


@given(RESULTS, st.booleans(), st.sampled_from([LATEST_LEGACY, LATEST_MODERN]))
def test_a_spliced_answer_is_the_one_that_would_have_been_written(result: dict, ascii_only: bool, dialect) -> None:
    line = _line(result, ascii_only=ascii_only)
    found = read(line)
    if any(each in line for each in (b"\r", *SEPARATORS)):
        assert found is None
        return
    assert found is not None
    number, value, raw = found
    assert (number, value) == (7, result)
    inner = Endings().inside(value, raw)
    translated = tool_result(result, _names(), dialect)
    simple = not result.get("isError") and "extra" not in result
    plain = all(block["type"] in ("text", "image") for block in result["content"])
    assert (inner is not None) == (simple and plain)
    if inner is not None:
        assert _answered(Spliced(value, inner), dialect) == _answered(translated, dialect)


@given(st.binary() | st.builds(lambda tail: _line({"content": []})[:-1] + tail, st.binary()))
def test_whatever_a_child_writes_is_read_as_json_or_the_long_way(line: bytes) -> None:
    found = read(line)
    if found is not None:
        assert jsonrpc.parse(line)["id"] == found[0]
        assert jsonrpc.parse(line)["result"] == found[1] == jsonrpc.parse(found[2])


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[]},"error":{"code":1,"message":""}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[]}}}',
        b'{"jsonrpc":"2.0","id":-7,"result":{"content":[]}}',
        b'{"jsonrpc":"2.0","id":"7","result":{"content":[]}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":[NaN]}}',
        b'{"jsonrpc":"2.0","id":7,"result":{"content":["\xff"]}}',
        b'{"jsonrpc":"2.0","id":7,"result":' + b"[" * 300 + b"]" * 300 + b"}",
        b'{"jsonrpc":"2.0","id":7,"method":"ping"}',
    ],
)
def test_what_is_not_quite_an_answer_takes_the_long_way(line: bytes) -> None:
    assert read(line) is None


@pytest.mark.parametrize("separator", ["\r", "\u2028", "\u2029", "\x85"])
def test_what_readers_end_a_line_with_is_never_passed_on_as_it_is(separator: str) -> None:
    text = f'"{separator}"' if separator != "\r" else f'{separator}""'
    line = f'{{"jsonrpc":"2.0","id":7,"result":{{"content":[{{"type":"text","text":{text}}}]}}}}'.encode()
    assert jsonrpc.parse(line)["id"] == 7
    assert read(line) is None


@pytest.mark.parametrize(
    "name", [b'"_meta"', b'"\\u005fmeta"', b'"_\\u006Deta"', b'"resultType"', b'"resul\\u0074Type"']
)
def test_a_member_that_is_there_twice_takes_the_long_way(name: bytes) -> None:
    rest = b'"content":[],"_meta":' + jsonrpc.encode(NAMED) + b"}"
    found = read(b'{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",' + rest + b"}")
    assert found is not None
    assert Endings().inside(found[1], found[2]) == b'"content":[]'
    twice = b'{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete",' + name + b':"complete",' + rest + b"}"
    found = read(twice)
    assert found is not None
    assert Endings().inside(found[1] | {"resultType": "complete"}, found[2]) is None


def test_a_long_answer_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    line = _line({"content": [], "structuredContent": {"rows": [{}] * 300}})
    reads = []
    scan = jsonrpc.scan
    monkeypatch.setattr(jsonrpc, "scan", lambda *words: reads.append(words) or scan(*words))
    assert read(line) is None
    assert jsonrpc.parse(line)["id"] == 7
    assert len(reads) == 1


def test_only_what_is_the_hops_own_is_cut_off() -> None:
    endings = Endings()
    meta = {**NAMED, "example.com/kept": 1}
    result = {"resultType": "complete", "content": [], "_meta": meta}
    assert endings.inside(result, json.dumps(result, separators=(",", ":")).encode()) is None
    result["_meta"] = NAMED
    assert endings.inside(result, json.dumps(result).encode()) is None, "it is written in another way"
    assert endings.inside(result, json.dumps(result, separators=(",", ":")).encode()) == b'"content":[]'
