"""The client's half of a connection, without input or output."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.runtime.gateway.errand import Errand
from generator.runtime.gateway.peer import (
    ANSWER,
    BROKEN,
    LEGACY,
    MODERN,
    NOTE,
    NOTHING,
    REQUEST,
    Peer,
    cancellation,
    own_reply,
)
from generator.runtime.wire import jsonrpc
from generator.runtime.wire.dialects import LATEST_LEGACY, LATEST_MODERN
from generator.runtime.wire.lines import LineBuffer

META = "io.modelcontextprotocol/"
CLIENT = {"name": "gateway", "version": "1"}


def peer(dialect=LATEST_LEGACY):
    made = Peer(CLIENT, {})
    made.become(dialect, {})
    return made


def opened(one, method="tools/call", params=None, **options):
    errand = Errand(method, params if params is not None else {"name": "t"}, None, **options)
    one.open(errand)
    return errand


def test_a_request_to_a_modern_child_says_who_calls_and_what_it_can_do():
    one = peer(LATEST_MODERN)
    errand = opened(
        one,
        client={"name": "host", "version": "2"},
        capabilities={"sampling": {}},
        log_level="debug",
        wants_progress=True,
        meta={"traceparent": "00-1"},
    )
    assert one.request(errand) == {
        "jsonrpc": "2.0",
        "id": errand.id,
        "method": "tools/call",
        "params": {
            "name": "t",
            "_meta": {
                "traceparent": "00-1",
                "progressToken": errand.id,
                f"{META}protocolVersion": "2026-07-28",
                f"{META}clientInfo": {"name": "host", "version": "2"},
                f"{META}clientCapabilities": {"sampling": {}},
                f"{META}logLevel": "debug",
            },
        },
    }
    assert errand.params == {"name": "t"}


def test_a_request_to_a_legacy_child_has_no_members_of_the_modern_era():
    one = peer()
    errand = opened(one, client={"name": "host"}, capabilities={"sampling": {}}, log_level="debug")
    assert one.request(errand)["params"] == {"name": "t"}
    bare = opened(one, "tools/list", {})
    assert one.request(bare) == {"jsonrpc": "2.0", "id": bare.id, "method": "tools/list"}


def test_who_asks_for_nothing_is_the_gateway_itself():
    one = peer(LATEST_MODERN)
    assert one.request(opened(one))["params"]["_meta"][f"{META}clientInfo"] == CLIENT


@pytest.mark.requirement("R113")
def test_an_answer_is_what_has_the_id_of_an_errand_and_no_method():
    one = peer()
    errand = opened(one)
    same = {"jsonrpc": "2.0", "id": errand.id, "method": "sampling/createMessage", "params": {}}
    assert one.sort(same) == (REQUEST, None)
    assert one.sort({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}) == (NOTE, None)
    assert one.sort({"jsonrpc": "2.0", "id": "other", "result": {}}) == (NOTHING, None)
    assert one.sort({"jsonrpc": "2.0", "id": str(errand.id), "result": {}}) == (NOTHING, None)
    assert one.sort({"jsonrpc": "2.0", "id": True, "result": {}}) == (NOTHING, None)
    assert one.sort({"jsonrpc": "2.0", "id": errand.id, "result": {}}) == (ANSWER, errand)
    assert one.sort({"jsonrpc": "2.0", "id": errand.id, "result": {}}) == (NOTHING, None)
    assert one.unmatched == 4


def test_answers_come_in_any_order():
    one = peer()
    errands = [opened(one) for _ in range(3)]
    for errand in (errands[1], errands[2], errands[0]):
        assert one.sort({"id": errand.id, "result": {}}) == (ANSWER, errand)
    assert not one.pending


def test_progress_and_what_a_subscription_says_belong_to_their_errand():
    one = peer(LATEST_MODERN)
    errand = opened(one)
    progress = {"method": "notifications/progress", "params": {"progressToken": errand.id, "progress": 1}}
    assert one.sort(progress) == (NOTE, errand)
    changed = {"method": "notifications/tools/list_changed", "params": {"_meta": {f"{META}subscriptionId": errand.id}}}
    assert one.sort(changed) == (NOTE, errand)
    one.close(errand)
    assert one.sort(progress) == (NOTE, None)


@pytest.mark.parametrize(
    "message",
    [
        {"result": None},
        {"result": []},
        {},
        {"error": "text"},
        {"error": {"code": "1", "message": "m"}},
        {"error": {"code": 1}},
        {"result": {"resultType": "surprise"}},
        {"result": {"resultType": 1}},
    ],
)
def test_an_answer_that_breaks_the_protocol_ends_its_errand_all_the_same(message):
    one = peer(LATEST_MODERN)
    errand = opened(one)
    whole = {"jsonrpc": "2.0", "id": errand.id, **message}
    assert one.sort(whole) == (BROKEN, errand)
    assert one.fault(whole)


@pytest.mark.parametrize("kind", [{}, {"resultType": "complete"}, {"resultType": "input_required"}])
def test_a_result_without_a_type_is_complete(kind):
    one = peer(LATEST_MODERN)
    errand = opened(one)
    assert one.sort({"id": errand.id, "result": {"content": [], **kind}}) == (ANSWER, errand)


def test_a_legacy_child_may_name_its_members_as_it_likes():
    one = peer()
    errand = opened(one)
    assert one.sort({"id": errand.id, "result": {"resultType": "mine"}}) == (ANSWER, errand)


@pytest.mark.requirement("R113")
def test_a_ping_is_answered_and_what_nobody_knows_is_refused():
    assert own_reply("ping", askable=False) == ({}, None)
    assert own_reply("roots/list", askable=True) is None
    assert own_reply("roots/list", askable=False)[1]["code"] == -32601
    assert own_reply("tools/list", askable=True)[1]["code"] == -32601


def test_a_cancellation_names_the_id_that_the_child_knows():
    one = peer()
    errand = opened(one)
    told = cancellation(errand, "nobody waits")
    assert told["params"] == {"requestId": errand.id, "reason": "nobody waits"}


def test_giving_up_an_errand_of_the_connection_before_ends_none_of_this_one():
    before, now = peer(), peer()
    sent_again = opened(before)
    other = opened(now)
    assert sent_again.id == other.id
    assert not now.close(sent_again)
    assert now.pending == {other.id: other}
    assert now.close(other)
    assert not now.close(other)


def test_what_a_child_says_of_itself_is_taken_with_care():
    one = peer()
    one.become(LATEST_MODERN, {"capabilities": [], "serverInfo": "x", "_meta": 3, "instructions": {"a": 1}})
    assert (one.capabilities, one.server_info, one.instructions, one.era) == ({}, {}, "", MODERN)
    one.become(LATEST_LEGACY, {"capabilities": {"tools": {}}, "serverInfo": {"name": "n"}, "instructions": "do"})
    assert (one.capabilities, one.server_info, one.instructions, one.era) == (
        {"tools": {}},
        {"name": "n"},
        "do",
        LEGACY,
    )


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3),
    max_leaves=6,
)
MEMBERS = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0"),
        "id": JSON,
        "method": st.sampled_from(["ping", "notifications/progress", "roots/list"]) | JSON,
        "params": st.fixed_dictionaries({}, optional={"progressToken": JSON, "_meta": JSON}) | JSON,
        "result": JSON,
        "error": JSON,
    },
)
LINES = st.lists(
    st.binary(max_size=40)
    | MEMBERS.map(jsonrpc.encode)
    | JSON.map(jsonrpc.encode)
    | st.builds(lambda number, result: jsonrpc.encode({"id": number, "result": result}), st.integers(1, 6), JSON),
    max_size=30,
)


@settings(max_examples=300, deadline=None)
@given(LINES, st.lists(st.integers(1, 50), min_size=1, max_size=10), st.sampled_from([LATEST_LEGACY, LATEST_MODERN]))
def test_whatever_comes_in_whatever_pieces_every_errand_has_one_end(lines, sizes, dialect):
    one = peer(dialect)
    errands = [opened(one) for _ in range(6)]
    ends = dict.fromkeys(errands, 0)
    stream = b"".join(line + b"\n" for line in lines)
    buffer = LineBuffer(limit=200)
    lengths = itertools.cycle(sizes)
    while stream:
        size = next(lengths)
        piece, stream = stream[:size], stream[size:]
        for line in buffer.feed(piece):
            try:
                message = jsonrpc.parse(line or b"")
            except jsonrpc.ParseFailure:
                continue
            kind, errand = one.sort(message)
            if kind in (ANSWER, BROKEN):
                ends[errand] += 1
                assert bool(one.fault(message)) == (kind == BROKEN)
            elif errand is not None:
                assert (kind, ends[errand]) == (NOTE, 0)
    for errand in one.close_all():
        ends[errand] += 1
    assert set(ends.values()) == {1}


@given(st.lists(st.sampled_from(["open", "answer", "close", "all"]), max_size=40))
def test_however_errands_are_opened_and_ended_none_ends_twice(steps):
    one = peer()
    opened_errands, ended = [], []
    for step in steps:
        if step == "open":
            opened_errands.append(opened(one))
        elif step == "all":
            ended += one.close_all()
        elif opened_errands:
            errand = opened_errands[len(ended) % len(opened_errands)]
            if step == "close":
                ended += [errand] * one.close(errand)
            else:
                kind, found = one.sort({"id": errand.id, "result": {}})
                ended += [found] * (kind == ANSWER)
    ended += one.close_all()
    assert sorted(each.id for each in ended) == sorted(each.id for each in opened_errands)


ANSWERS = st.builds(
    lambda number, result, end: b'{"jsonrpc":"2.0","id":%d,"result":%b%b' % (number, result, end),
    st.integers(0, 12),
    st.fixed_dictionaries({}, optional={"resultType": st.just("complete") | JSON, "content": JSON}).map(jsonrpc.encode)
    | JSON.map(jsonrpc.encode)
    | JSON.map(lambda value: jsonrpc.text(value).encode("utf-8", "surrogatepass"))
    | st.binary(max_size=12),
    st.sampled_from([b"}", b"} ", b"}}", b"", b',"method":"ping"}', b',"error":{}}', b',"id":1}', b"}\r"]),
)


@settings(max_examples=300, deadline=None)
@given(ANSWERS, st.sampled_from([LATEST_LEGACY, LATEST_MODERN]))
def test_the_quick_way_finds_only_what_the_long_way_finds(line, dialect):
    quick, long = peer(dialect), peer(dialect)
    for _ in range(6):
        opened(quick)
        opened(long)
    found = quick.quick(line)
    if found is None:
        assert len(quick.pending) == 6
        return
    errand, result, inner = found
    message = jsonrpc.parse(line)
    kind, same = long.sort(message)
    assert (kind, same.id, message["result"]) == (ANSWER, errand.id, result)
    if inner is not None:
        assert jsonrpc.parse(b"{%b}" % inner) == result
    assert quick.pending.keys() == long.pending.keys()


def test_a_call_that_was_given_up_is_remembered_until_it_is_answered_after_all():
    one = peer()
    errand = opened(one)
    assert one.close(errand)
    one.abandon(errand, "ada")
    assert one.abandoned == {errand.id: "ada"}
    assert one.sort({"jsonrpc": "2.0", "id": errand.id, "result": {}}) == (NOTHING, None)
    assert one.abandoned == {}


def test_of_many_calls_that_were_given_up_the_last_ones_count_for_somebody_else():
    one = peer()
    for _ in range(3_000):
        one.abandon(opened(one), "ada")
    assert len(one.abandoned) <= 1_001
    assert not {"ada"}.issuperset(one.abandoned.values())
