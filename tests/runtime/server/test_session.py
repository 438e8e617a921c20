"""The protocol core by itself: messages in, effects out, in both eras."""

import json
from typing import ClassVar

import pytest

from generator.runtime.server.call import Call
from generator.runtime.server.session import Cancel, Session

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
}


class FakeTool:
    name = "echo"
    entry: ClassVar[dict] = {"call": {"kind": "python"}}
    timeout = None
    max_concurrent = None
    is_async = False
    framing = None


class FakeCatalog:
    """What a session needs of a catalog, without files."""

    edition = ""

    def __init__(self, count=1, page_size=0):
        self.header = {
            "server": {"name": "demo", "title": "Demo", "version": "1.0", "description": "About"},
            "instructions": "Use echo.",
            "settings": {"page_size": page_size},
            "tools": count,
            "capabilities": ["logging", "tools"],
        }
        self.settings = self.header["settings"]
        self.names = [f"tool{i}" for i in range(count)]
        self.tools = {"echo": FakeTool()}

    def listing(self, dialect):
        return json.dumps([{"name": name} for name in self.names]).encode()

    def page(self, dialect, start, size):
        end = start + size
        body = json.dumps([{"name": name} for name in self.names[start:end]]).encode()
        return body, end if end < len(self.names) else None


@pytest.fixture
def session():
    return Session(FakeCatalog())


def ask(session, method, params=None, request_id=1):
    message = {"jsonrpc": "2.0", "id": request_id, "method": method}
    if params is not None:
        message["params"] = params
    effect = session.receive(message)
    return json.loads(effect) if isinstance(effect, bytes) else effect


@pytest.mark.requirement("R015")
@pytest.mark.requirement("R184")
@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
        ("1900-01-01", "2025-11-25"),
        (None, "2025-11-25"),
    ],
)
def test_initialize_echoes_a_known_version_and_answers_others_with_the_latest_of_its_era(session, asked, answered):
    result = ask(session, "initialize", {} if asked is None else {"protocolVersion": asked})["result"]
    assert result["protocolVersion"] == answered
    assert result["capabilities"] == {"tools": {}, "logging": {}}
    assert result["serverInfo"]["name"] == "demo"
    assert ("title" in result["serverInfo"]) == (answered >= "2025-06-18")
    assert ("description" in result["serverInfo"]) == (answered >= "2025-11-25")
    assert result["instructions"] == "Use echo."


@pytest.mark.requirement("R015")
def test_initialize_works_without_params(session):
    assert ask(session, "initialize")["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.requirement("R014")
def test_discover_names_modern_versions_only(session):
    result = ask(session, "server/discover", {"_meta": META})["result"]
    assert result["resultType"] == "complete"
    assert result["supportedVersions"] == ["2026-07-28"]
    assert result["capabilities"] == {"tools": {}, "logging": {}}
    assert result["ttlMs"] == 300_000
    assert result["cacheScope"] == "public"
    assert result["instructions"] == "Use echo."
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["title"] == "Demo"


@pytest.mark.parametrize("version", ["1900-01-01", "2025-11-25", "v999.0.0"])
def test_per_request_metadata_with_a_version_that_is_not_modern_is_refused(session, version):
    error = ask(session, "tools/list", {"_meta": META | {"io.modelcontextprotocol/protocolVersion": version}})["error"]
    assert error["code"] == -32022
    assert error["data"] == {"supported": ["2026-07-28"], "requested": version}


@pytest.mark.parametrize(
    "missing", ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"]
)
def test_modern_metadata_without_a_required_key_is_invalid(session, missing):
    meta = {key: value for key, value in META.items() if key != missing}
    error = ask(session, "server/discover", {"_meta": meta})["error"]
    assert error["code"] == -32602
    assert missing in error["message"]


@pytest.mark.requirement("R012")
def test_requests_before_initialize_are_served(session):
    assert ask(session, "tools/list")["result"]["tools"] == [{"name": "tool0"}]
    assert isinstance(ask(session, "tools/call", {"name": "echo"}, 7), Call)


def test_both_eras_share_one_connection(session):
    ask(session, "initialize", {"protocolVersion": "2025-06-18"})
    assert "resultType" not in ask(session, "tools/list")["result"]
    assert ask(session, "tools/list", {"_meta": META})["result"]["resultType"] == "complete"
    assert "resultType" not in ask(session, "tools/list")["result"]


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "nope"])
def test_methods_of_the_other_era_do_not_exist_in_the_modern_one(session, method):
    assert ask(session, method, {"_meta": META, "level": "info"})["error"]["code"] == -32601


@pytest.mark.requirement("R164")
def test_ping_is_answered_in_the_legacy_era(session):
    assert ask(session, "ping", request_id="p") == {"jsonrpc": "2.0", "id": "p", "result": {}}


@pytest.mark.requirement("R016")
@pytest.mark.requirement("R194")
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/nope", "tools/call", "nope/x"])
def test_a_message_without_id_is_a_notification_and_gets_no_reply(session, method):
    assert session.receive({"jsonrpc": "2.0", "method": method}) is None


@pytest.mark.parametrize("message", [[], [{"jsonrpc": "2.0", "id": 1, "method": "ping"}], None, 5, "x", True])
def test_what_is_not_an_object_is_an_invalid_request(session, message):
    answer = json.loads(session.receive(message))
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


@pytest.mark.parametrize("request_id", [None, 1.5, True, {}, []])
def test_an_id_that_is_neither_string_nor_integer_is_refused_with_a_null_id(session, request_id):
    answer = json.loads(session.receive({"jsonrpc": "2.0", "id": request_id, "method": "ping"}))
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


@pytest.mark.parametrize(
    "message", [{"id": 3, "method": "ping"}, {"jsonrpc": "1.0", "id": 3, "method": "ping"}, {"jsonrpc": "2.0", "id": 3}]
)
def test_a_misshapen_request_is_refused_with_its_own_id(session, message):
    answer = json.loads(session.receive(message))
    assert (answer["id"], answer["error"]["code"]) == (3, -32600)


@pytest.mark.parametrize("member", [{"result": {}}, {"error": {"code": 1, "message": "x"}}])
def test_stray_answers_are_ignored(session, member):
    assert session.receive({"jsonrpc": "2.0", "id": 99, **member}) is None


@pytest.mark.parametrize("params", [[], 5, "x", None])
def test_params_that_are_not_an_object_are_invalid(session, params):
    effect = session.receive({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params})
    assert json.loads(effect)["error"]["code"] == -32602


@pytest.mark.parametrize(
    "cursor", ["garbage", "-1", 5, None, "", "A" * 10_000, "1.3", "٢.3", "2.4", "0.3", "9999999999.3"]
)
@pytest.mark.parametrize("page_size", [0, 2])
def test_a_cursor_this_server_did_not_issue_is_refused(cursor, page_size):
    session = Session(FakeCatalog(3, page_size))
    assert ask(session, "tools/list", {"cursor": cursor})["error"]["code"] == -32602


def test_pages_walk_through_all_tools_in_order():
    session = Session(FakeCatalog(5, 2))
    names, params = [], {}
    while True:
        result = ask(session, "tools/list", params)["result"]
        names += [tool["name"] for tool in result["tools"]]
        if "nextCursor" not in result:
            break
        params = {"cursor": result["nextCursor"]}
    assert names == ["tool0", "tool1", "tool2", "tool3", "tool4"]


def test_an_unknown_tool_is_invalid_params_with_a_suggestion(session):
    error = ask(session, "tools/call", {"name": "ecko"})["error"]
    assert error["code"] == -32602
    assert error["data"] == {"errorCode": "M-CMD-001", "reason": "unknown_tool", "suggestion": "Did you mean 'echo'?"}


@pytest.mark.parametrize("params", [{}, {"name": 5}, {"name": ["a"]}, {"name": "echo", "arguments": [1]}])
def test_a_call_whose_shape_is_wrong_is_invalid_params(session, params):
    assert ask(session, "tools/call", params)["error"]["code"] == -32602


def test_a_call_is_answered_once(session):
    call = ask(session, "tools/call", {"name": "echo", "arguments": {"x": 1}}, 7)
    assert json.loads(session.finish(call, {"content": []})) == {"jsonrpc": "2.0", "id": 7, "result": {"content": []}}
    assert session.finish(call, {"content": []}) is None


def test_an_id_that_is_still_running_is_refused_and_free_again_afterwards(session):
    call = ask(session, "tools/call", {"name": "echo"}, 7)
    assert ask(session, "tools/call", {"name": "echo"}, 7)["error"]["code"] == -32600
    session.finish(call, {"content": []})
    assert isinstance(ask(session, "tools/call", {"name": "echo"}, 7), Call)


def test_a_cancelled_call_gets_no_reply(session):
    call = ask(session, "tools/call", {"name": "echo"}, 7)
    effect = session.receive({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}})
    assert isinstance(effect, Cancel)
    assert effect.call is call
    assert call.cancelled
    assert session.finish(call, {"content": []}) is None


@pytest.mark.parametrize("params", [None, {}, {"requestId": "nope"}, {"requestId": {}}, {"requestId": None}, []])
def test_a_cancellation_of_nothing_is_ignored(session, params):
    assert session.receive({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}) is None


def test_a_modern_result_carries_its_type_and_the_server(session):
    call = ask(session, "tools/call", {"name": "echo", "_meta": META}, 7)
    result = json.loads(session.finish(call, {"content": [], "_meta": {"a": 1}}))["result"]
    assert result["resultType"] == "complete"
    assert result["_meta"]["a"] == 1
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "demo"


def test_older_clients_get_only_the_content_kinds_they_know(session):
    ask(session, "initialize", {"protocolVersion": "2024-11-05"})
    call = ask(session, "tools/call", {"name": "echo"}, 7)
    link = {"type": "resource_link", "uri": "file:///a", "name": "a"}
    audio = {"type": "audio", "data": "AA==", "mimeType": "audio/wav"}
    line = session.finish(call, {"content": [link, audio], "structuredContent": {"a": 1}})
    result = json.loads(line)["result"]
    assert [block["type"] for block in result["content"]] == ["text", "text"]
    assert "file:///a" in result["content"][0]["text"]
    assert "structuredContent" not in result


def test_a_result_that_cannot_be_encoded_becomes_an_internal_error(session):
    call = ask(session, "tools/call", {"name": "echo"}, 7)
    assert json.loads(session.finish(call, {"content": [float("nan")]}))["error"]["code"] == -32603


def test_log_levels_follow_the_era(session):
    assert ask(session, "tools/call", {"name": "echo"}, 1).log_level == "info"
    ask(session, "logging/setLevel", {"level": "debug"}, 2)
    assert ask(session, "tools/call", {"name": "echo"}, 3).log_level == "debug"
    assert ask(session, "logging/setLevel", {"level": "loud"}, 4)["error"]["code"] == -32602
    assert ask(session, "tools/call", {"name": "echo", "_meta": META}, 5).log_level is None
    level = {"io.modelcontextprotocol/logLevel": "error"}
    assert ask(session, "tools/call", {"name": "echo", "_meta": META | level}, 6).log_level == "error"
    bad = {"io.modelcontextprotocol/logLevel": "loud"}
    assert ask(session, "tools/call", {"name": "echo", "_meta": META | bad}, 7)["error"]["code"] == -32602


ODD_META = [
    *(("progressToken", value) for value in (None, True, 1.5, {}, ["t"])),
    *(("io.modelcontextprotocol/clientInfo", value) for value in (None, "me", 1, [])),
    *(("io.modelcontextprotocol/logLevel", value) for value in (None, "Debug", 1, {})),
]
"""What the schema of 2026-07-28 has otherwise."""


@pytest.mark.parametrize(("key", "value"), ODD_META, ids=[f"{key}={value!r}" for key, value in ODD_META])
def test_odd_metadata_is_refused_in_2026_and_overlooked_before(session, key, value):
    for method in ("tools/list", "tools/call", "server/discover"):
        error = ask(session, method, {"name": "echo", "_meta": META | {key: value}}, 1)["error"]
        assert error["code"] == -32602
        assert key in error["message"]
    assert "error" not in ask(session, "tools/list", {"_meta": {key: value}}, 2)
    assert ask(session, "tools/call", {"name": "echo", "_meta": {key: value}}, 3).progress_token is None


def test_a_token_that_is_an_integer_to_the_schema_is_no_reason_to_refuse_a_call(session):
    assert ask(session, "tools/call", {"name": "echo", "_meta": META | {"progressToken": 1.0}}, 1).tool.name == "echo"


def test_a_client_that_says_nothing_readable_of_itself_still_gets_its_handshake(session):
    found = ask(session, "initialize", {"protocolVersion": "2025-06-18", "clientInfo": "me"}, 1)
    assert found["result"]["protocolVersion"] == "2025-06-18"


@pytest.mark.parametrize(("token", "kept"), [("a", "a"), (1, 1), (None, None), (1.5, None), ({}, None), (True, None)])
def test_only_string_and_integer_progress_tokens_count(session, token, kept):
    call = ask(session, "tools/call", {"name": "echo", "_meta": {"progressToken": token}}, 1)
    sent = []
    call.send = sent.append
    call.progress(1, 2, "half")
    assert call.progress_token == kept
    assert len(sent) == (kept is not None)


def test_nothing_is_sent_for_a_call_that_is_over(session):
    call = ask(session, "tools/call", {"name": "echo", "_meta": {"progressToken": 1}}, 1)
    sent = []
    call.send = sent.append
    session.finish(call, {"content": []})
    call.progress(1, None, None)
    call.log("error", "late")
    assert sent == []


@pytest.fixture
def march():
    """A session of the one revision with batches."""
    session = Session(FakeCatalog())
    ask(session, "initialize", {"protocolVersion": "2025-03-26"})
    return session


def request(request_id, method, **params):
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def test_a_batch_without_calls_is_answered_by_one_array(march):
    batch = [request(1, "ping"), {"jsonrpc": "2.0", "method": "notifications/initialized"}, request(2, "nope"), 5]
    answers = json.loads(march.receive(batch))
    assert [answer["id"] for answer in answers] == [1, 2, None]
    assert [answer.get("error", {}).get("code") for answer in answers] == [None, -32601, -32600]


def test_a_batch_with_calls_is_answered_when_the_last_of_them_is_there(march):
    batch = march.receive(
        [request(1, "tools/call", name="echo"), request(2, "ping"), request(3, "tools/call", name="echo")]
    )
    first, second = batch.effects
    assert batch.settle(None) is None
    assert march.finish(second, {"content": []}) == b""
    answers = json.loads(march.finish(first, {"content": []}))
    assert sorted(answer["id"] for answer in answers) == [1, 2, 3]


def test_a_cancelled_call_is_no_longer_waited_for_by_its_batch(march):
    batch = march.receive([request(1, "tools/call", name="echo"), request(2, "ping")])
    assert batch.settle(None) is None
    effect = march.receive({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    assert [answer["id"] for answer in json.loads(effect.answer)] == [2]


def test_initialize_is_not_part_of_a_batch_and_an_empty_one_is_invalid(march):
    (refused,) = json.loads(march.receive([request(1, "initialize")]))
    assert (refused["id"], refused["error"]["code"]) == (1, -32600)  # under its id: somebody waits for it
    empty = json.loads(march.receive([]))["error"]
    assert (empty["code"], "one message at least" in empty["message"]) == (-32600, True)
    assert march.receive([{"jsonrpc": "2.0", "method": "initialize"}]) is None  # it asks nothing
    assert march.receive([{"jsonrpc": "2.0", "method": "notifications/initialized"}]) is None


@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "2025-11-25"])
def test_other_revisions_have_no_batches(session, version):
    ask(session, "initialize", {"protocolVersion": version})
    assert json.loads(session.receive([request(1, "ping")]))["error"]["code"] == -32600
