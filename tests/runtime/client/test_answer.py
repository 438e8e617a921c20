"""What each kind of answer becomes, through the whole of a call."""

from __future__ import annotations

import base64
import json

import pytest

from .calling import Bench, error, texts
from .made import Api, Tools, blob, json_answer, operation, query

OBJECT = {"type": "object", "properties": {"id": {"type": ["integer", "null"]}}}
ARRAY = {"type": ["array", "null"]}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def typed(kind: str, body: bytes, status: int = 200, **headers: str):
    return status, {"Content-Type": kind, **{name.replace("_", "-"): value for name, value in headers.items()}}, body


def test_an_object_is_compact_text_and_structured_content(ask):
    result = ask(typed("application/json", '{"id": 7, "name": "gr\\u00fc\u00dfe"}'.encode()), output=OBJECT)
    assert result == {
        "content": [{"type": "text", "text": '{"id":7,"name":"grüße"}'}],
        "structuredContent": {"id": 7, "name": "grüße"},
    }


def test_an_array_is_wrapped_where_the_tool_says_so(ask):
    result = ask(json_answer([{"id": 1}]), output=ARRAY, wrap=True)
    assert result["structuredContent"] == {"result": [{"id": 1}]}
    assert texts(result) == ['[{"id":1}]']


def test_without_a_schema_only_an_object_is_structured(ask):
    assert ask(json_answer({"a": 1}))["structuredContent"] == {"a": 1}
    assert "structuredContent" not in ask(json_answer([1]))


@pytest.mark.parametrize(("output", "wrap", "expected"), [(OBJECT, False, {}), (ARRAY, True, {"result": None})])
def test_null_is_an_answer(ask, output, wrap, expected):
    result = ask(json_answer(None), output=output, wrap=wrap)
    assert texts(result) == ["null"]
    assert result["structuredContent"] in (expected, {"result": None})
    assert "isError" not in result


def test_no_digit_is_lost_in_the_text(ask):
    body = b'{"id": 12345678901234567890, "price": 0.1, "exact": 0.12345678901234567890123, "far": 1e999}'
    result = ask(typed("application/json", body), output=OBJECT)
    (text,) = texts(result)
    assert '"id":12345678901234567890,"price":0.1,"exact":0.12345678901234567890123' in text
    assert result["structuredContent"]["id"] == 12345678901234567890
    assert result["structuredContent"]["exact"] == 0.12345678901234568
    assert json.loads(text)["price"] == 0.1


def test_half_a_character_does_not_reach_the_client(ask):
    result = ask(typed("application/json", b'{"name": "\\ud83d", "whole": "\\ud83d\\ude00"}'))
    assert result["structuredContent"] == {"name": "\ufffd", "whole": "😀"}
    assert texts(result) == ['{"name":"\ufffd","whole":"😀"}']


@pytest.mark.parametrize("kind", ["", "text/plain", "text/html; charset=utf-8", "application/octet-stream"])
def test_json_under_a_wrong_name_is_json_where_the_description_says_so(ask, kind):
    result = ask(typed(kind, b'{"id": 1}'), output=OBJECT)
    assert result["structuredContent"] == {"id": 1}


def test_what_breaks_the_schema_is_kept_in_the_text_and_named(ask):
    schema = {"type": "object", "properties": {"id": {"type": "integer"}, "tags": {"items": {"type": "string"}}}}
    result = ask(json_answer({"id": "seven", "tags": ["a", 2, "c"], "more": 1}), output=schema)
    assert texts(result) == ['{"id":"seven","tags":["a",2,"c"],"more":1}']
    assert result["structuredContent"] == {"tags": ["a", "c"], "more": 1}
    assert result["_meta"]["mcpgen/schema"]["at"] == ["id", "tags[1]"]
    assert "isError" not in result


@pytest.mark.parametrize(
    ("planned", "text"),
    [
        ((204, {}, b""), "204 No Content"),
        ((200, {}, b""), "200 OK"),
        ((201, {"Location": "/things/9"}, b""), "201 Created\nLocation: /things/9"),
        ((202, {"Retry-After": "5"}, b""), "202 Accepted\nRetry-After: 5"),
        ((200, {"Content-Type": "application/json"}, b" \r\n"), "200 OK"),
    ],
)
def test_an_empty_answer_says_its_status_and_where_to_go(ask, planned, text):
    assert ask(planned) == {"content": [{"type": "text", "text": text}]}


@pytest.mark.parametrize("declared", ["302", "3XX"])
def test_a_redirect_that_is_described_is_told_and_not_followed(ask, declared):
    planned = typed("text/html", b"<a>moved</a>", 302, Location="https://elsewhere.example/file")
    result = ask(planned, answers={declared: []})
    assert texts(result) == [
        "302 Found\nLocation: https://elsewhere.example/file",
        "[The API sends the caller elsewhere; that was not followed.]",
    ]
    assert "isError" not in result


@pytest.mark.parametrize("status", [300, 302, 304, 307, 399])
def test_a_redirect_that_is_not_described_is_a_failure(ask, status):
    result = ask((status, {"Location": "https://elsewhere.example/file"}, b""), answers={"200": [], "418": []})
    assert result["isError"] is True
    error = result["_meta"]["mcpgen/error"]
    assert (error["code"], error["status"], error["retryable"]) == ("M-HTTP-001", status, False)
    assert error["headers"] == {"location": "https://elsewhere.example/file"}
    (text,) = texts(result)
    assert text.startswith(str(status))
    assert ("PETSTORE_BASE_URL" in text) == (status != 304)


def test_a_redirect_after_a_change_leaves_open_whether_it_was_made(ask):
    planned = (302, {"Location": "/done"}, b"")
    assert "whether it was carried out" in texts(ask(planned, method="POST"))[0]
    assert "whether it was carried out" not in texts(ask((302, {"Location": "//x.example"}, b"")))[0]


@pytest.mark.parametrize("kind", ["application/json", "text/plain"])
def test_what_is_compressed_in_a_way_that_nobody_asked_for_is_bytes(ask, kind):
    result = ask(typed(kind, b"\x0b\x02\x80x\x03", Content_Encoding="br"), output=OBJECT)
    (resource,) = [each["resource"] for each in result["content"] if each["type"] == "resource"]
    assert base64.b64decode(resource["blob"]) == b"\x0b\x02\x80x\x03"
    failed = ask(typed(kind, b"\x0b\x02\x80x\x03", 500, Content_Encoding="gzip, br"))
    assert "compressed in a way that cannot be read" in texts(failed)[0]


@pytest.mark.parametrize("coding", ["utf-8", "identity", "br"])
def test_a_wrong_content_encoding_hides_no_json(ask, coding):
    assert ask(typed("application/json", b'{"id": 1}', Content_Encoding=coding))["structuredContent"] == {"id": 1}


def test_a_json_string_is_its_own_text(ask):
    result = ask(json_answer("grüße"), output={"type": ["string", "null"]}, wrap=True)
    assert (texts(result), result["structuredContent"]) == (["grüße"], {"result": "grüße"})


def test_an_empty_answer_keeps_what_was_promised(ask):
    assert ask((204, {}, b""), output=OBJECT)["structuredContent"] == {}
    assert ask((200, {}, b""), output=ARRAY, wrap=True)["structuredContent"] == {"result": None}


def test_a_location_beside_a_body_is_told(ask):
    result = ask(typed("application/json", b'{"id": 9}', 201, Location="/things/9"))
    assert texts(result) == ['{"id":9}', "[201 Created, Location: /things/9]"]


def test_a_head_request_is_answered_by_its_headers(ask):
    result = ask(typed("application/pdf", b"", ETag='"v1"'), method="HEAD")
    assert texts(result)[0].startswith("200 OK\nContent-Type: application/pdf")
    assert 'Etag: "v1"' in texts(result)[0]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("text/plain; charset=utf-8", "grüße".encode()),
        ("text/plain; charset=iso-8859-1", "grüße".encode("latin-1")),
        ("text/plain", "grüße".encode("latin-1")),
        ("text/plain; charset=no-such-thing", "grüße".encode()),
        ("text/plain", "grüße".encode("utf-16")),
        ("text/csv", b"\xef\xbb\xbf" + "grüße".encode()),
        ("", "grüße".encode()),
    ],
)
def test_text_is_read_in_its_charset(ask, kind, body):
    assert texts(ask(typed(kind, body))) == ["grüße"]


def test_a_document_says_its_charset_itself(ask):
    xml = '<?xml version="1.0" encoding="iso-8859-2"?><a>ő</a>'
    assert texts(ask(typed("application/xml", xml.encode("iso-8859-2")))) == [xml]
    page = '<html><head><meta charset="cp1251"></head>Привет</html>'
    assert texts(ask(typed("text/html", page.encode("cp1251")))) == [page]


def test_pictures_and_sound_are_content(ask):
    picture = ask(typed("image/png", PNG))["content"][0]
    assert (picture["type"], picture["mimeType"], blob(picture)) == ("image", "image/png", PNG)
    sound = ask(typed("audio/wav", b"RIFF"))["content"][0]
    assert (sound["type"], sound["mimeType"], blob(sound)) == ("audio", "audio/wav", b"RIFF")


def test_a_picture_without_a_type_is_found_out(ask):
    assert ask(typed("", PNG))["content"][0]["mimeType"] == "image/png"


def test_other_bytes_are_an_embedded_resource_with_their_name(ask):
    planned = typed(
        "application/octet-stream", bytes(range(256)), Content_Disposition='attachment; filename="../x.bin"'
    )
    block = ask(planned)["content"][0]
    assert block["type"] == "resource"
    assert block["resource"]["mimeType"] == "application/octet-stream"
    assert block["resource"]["uri"].startswith("petstore://answers/1-")
    assert block["resource"]["uri"].endswith("/x.bin")
    assert blob(block) == bytes(range(256))


def test_bytes_are_saved_where_the_operator_named_a_folder(ask, tmp_path):
    (tmp_path / "files").mkdir()
    disposition = "attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf"
    planned = typed("application/pdf", b"%PDF-1.7", Content_Disposition=disposition)
    result = ask(planned, env={"PETSTORE_FILES": str(tmp_path / "files")})
    (link,) = [block for block in result["content"] if block["type"] == "resource_link"]
    assert link["uri"] == (tmp_path / "files" / "résumé.pdf").as_uri()
    assert (tmp_path / "files" / "résumé.pdf").read_bytes() == b"%PDF-1.7"
    assert "résumé.pdf" in texts(result)[0]


def test_large_bytes_are_linked_to(ask):
    body = bytes(2_000_000)
    result = ask(typed("application/zip", body))
    assert [block["type"] for block in result["content"]] == ["text", "resource_link"]
    assert result["content"][1]["size"] == 2_000_000
    kept = ask.bench.catalog.answers.find(result["content"][1]["uri"])
    assert kept.body == body


def test_events_and_lines_are_a_list(ask):
    events = b'event: tick\r\nid: 1\r\ndata: {"n":1}\r\n\r\n: hi\r\n\r\ndata: a\r\ndata: b\r\n\r\ndata: [DONE]\r\n\r\n'
    assert json.loads(texts(ask(typed("text/event-stream", events)))[0]) == [
        {"event": "tick", "id": "1", "data": {"n": 1}},
        "a\nb",
    ]
    assert texts(ask(typed("application/x-ndjson", b'{"n":1}\n\n{"n":2}\n'))) == ['[{"n":1},{"n":2}]']
    assert texts(ask(typed("application/json-seq", b'\x1e{"n":1}\n\x1e{"n":2}\n'))) == ['[{"n":1},{"n":2}]']


def test_an_error_says_status_operation_reason_and_next_step(ask):
    missing = json_answer({"error": "no such pet", "code": "pet_missing"}, 404)
    result = ask(missing, properties={"id": {"type": "integer"}})
    text = texts(result)[0]
    assert text.startswith("404 Not Found: GET /x (x).\n")
    assert '{"error":"no such pet","code":"pet_missing"}' in text
    assert text.endswith("look the right ones up with another tool.")
    assert error(result) == {
        "code": "M-HTTP-001",
        "tool": "x",
        "reason": "http_status",
        "operation": "GET /x",
        "status": 404,
        "retryable": False,
    }
    assert result["errorData"]["errorCode"] == "M-HTTP-001"


@pytest.mark.requirement("R125")
def test_an_error_says_whether_and_when_to_try_again(ask):
    planned = json_answer({"error": "slow down"}, 429, **{"Retry-After": "120", "X-RateLimit-Remaining": "0"})
    result = ask(planned)
    assert error(result)["retryable"] is True
    assert error(result)["retryAfter"] == 120
    assert "X-Ratelimit-Remaining: 0" in texts(result)[0]
    assert "Call it again in 120 s" in texts(result)[0]
    assert error(ask(json_answer({}, 500)))["retryable"] is True
    assert error(ask(json_answer({}, 500), method="POST"))["retryable"] is False
    assert error(ask(json_answer({}, 503, **{"Retry-After": "60"}), method="POST"))["retryable"] is True


def test_a_problem_is_told_by_its_title_and_detail_first(ask):
    body = b'{"type":"about:blank","filler":"' + b"x" * 4000 + b'","title":"Bad name","detail":"name too long"}'
    text = texts(ask(typed("application/problem+json", body, 422)))[0]
    assert text.splitlines()[1] == "Bad name: name too long"
    assert len(text) < 3000


def test_an_error_page_is_told_by_its_words(ask):
    page = (
        b"<!DOCTYPE html><html><head><title>502</title><style>p{}</style></head><body><h1>Bad&nbsp;gateway</h1></body>"
    )
    text = texts(ask(typed("text/html", page, 502)))[0]
    assert "502\nBad gateway" in text
    assert "<" not in text
    assert "p{}" not in text


def test_a_refused_credential_names_the_variable_and_never_the_value(tmp_path, monkeypatch):
    def mirror(seen):
        return json_answer(
            {"you sent": seen["headers"]["Authorization"]}, 401, **{"WWW-Authenticate": 'Bearer realm="x"'}
        )

    schemes = {"bearer": {"type": "http", "scheme": "bearer", "credentials": {"value": "token"}}}
    tools = Tools(schemes=schemes).add("x", operation("/x", security=[{"bearer": []}]))
    api = Api({"/x": mirror})
    try:
        monkeypatch.setenv("PETSTORE_TOKEN", "hush-hush-hush")
        result = Bench(tools, api, tmp_path, monkeypatch).call("x")
    finally:
        api.close()
    assert api.requests[0]["headers"]["Authorization"] == "Bearer hush-hush-hush"
    assert "hush" not in json.dumps(result)
    assert "PETSTORE_TOKEN" in texts(result)[0]
    assert 'Www-Authenticate: Bearer realm="x"' in texts(result)[0]
    assert base64.b64encode(b"hush").decode() not in json.dumps(result)


def test_an_answer_that_repeats_a_credential_is_masked(tmp_path, monkeypatch):
    schemes = {"key": {"type": "apiKey", "in": "query", "name": "k", "credentials": {"value": "key"}}}
    tools = Tools(schemes=schemes).add("x", operation("/x", security=[{"key": []}]))
    api = Api({"/x": lambda seen: json_answer({"url": seen["target"]})})
    try:
        monkeypatch.setenv("PETSTORE_KEY", "s3cr3t/k3y")
        result = Bench(tools, api, tmp_path, monkeypatch).call("x")
    finally:
        api.close()
    assert result["structuredContent"] == {"url": "/x?k=***"}


def test_a_next_page_is_said_as_arguments(ask):
    properties = {"page": {"type": "integer"}, "q": {"type": "string"}}
    link = '<https://api.example/x?q=cats&page=3&key=SECRET>; rel="next", <https://api.example/x?page=9>; rel="last"'
    result = ask(
        typed("application/json", b"[1]", Link=link),
        {"q": "cats", "page": 2},
        properties=properties,
        parameters=query("page", "q"),
    )
    assert result["_meta"]["mcpgen/next"] == {"arguments": {"page": 3}}
    assert texts(result)[1] == "[There is more: call again with page=3 for the next page.]"
    assert "SECRET" not in json.dumps(result)


def test_fields_keep_what_was_asked_for(ask):
    pets = [{"id": 1, "name": "rex", "owner": {"name": "Ann", "age": 3}}, {"id": 2, "name": "tom", "owner": None}]
    result = ask(
        json_answer({"pets": pets, "total": 2}),
        {"_fields": ["pets.id", "pets.owner.name", "pets.colour"]},
        properties={"_fields": {"type": "array", "items": {"type": "string"}}},
        output=OBJECT,
    )
    assert result["structuredContent"] == {"pets": [{"id": 1, "owner": {"name": "Ann"}}, {"id": 2, "owner": None}]}
    assert texts(result)[1] == "[`_fields`: this answer has no pets.colour.]"


def test_a_large_array_is_cut_to_whole_items_and_linked_to(ask):
    items = [{"i": number, "blob": "x" * 100} for number in range(20_000)]
    result = ask(
        json_answer(items),
        output=ARRAY,
        wrap=True,
        properties={"limit": {"type": "integer"}, "_fields": {"type": "array"}},
    )
    shown = json.loads(texts(result)[0])
    assert shown == items[: len(shown)]
    assert result["structuredContent"] == {"result": shown}
    assert len(json.dumps(result)) < 100_000
    assert f"items 1-{len(shown)} of 20000 are shown" in texts(result)[1]
    assert "`_fields`, `limit`" in texts(result)[1]
    link = result["content"][-1]
    assert link["type"] == "resource_link"
    assert json.loads(ask.bench.catalog.answers.find(link["uri"]).body) == items
    assert result["_meta"]["mcpgen/cut"]["shown"] == {"/": {"items": len(shown), "of": 20_000}}


def test_a_large_object_without_a_schema_comes_once(ask):
    result = ask(json_answer({"total": 20_000, "items": [{"i": number} for number in range(20_000)]}))
    assert "structuredContent" not in result
    shown = json.loads(texts(result)[0])
    assert shown["total"] == 20_000
    assert len(shown["items"]) > 5_000
    assert f"items: items 1-{len(shown['items'])} of 20000 are shown" in texts(result)[1]


def test_a_large_text_is_cut_and_linked_to(ask):
    result = ask(typed("text/plain", b"word " * 50_000))
    assert len(texts(result)[0]) == 100_000
    assert "100000 of 250000 characters are shown" in texts(result)[1]
    assert result["content"][-1]["size"] == 250_000


def test_an_answer_beyond_the_cap_is_shown_as_far_as_it_was_read(tmp_path, monkeypatch):
    api = Api({"/x": typed("application/json", b"[" + b"1," * 50_000 + b"1]")})
    try:
        tools = Tools(limits={"max_answer_bytes": 5_000, "retries": 0})
        tools.add("x", operation("/x", json=True), output=ARRAY, wrap=True)
        result = Bench(tools, api, tmp_path, monkeypatch).call("x")
    finally:
        api.close()
    assert len(texts(result)[0]) == 5_000
    assert texts(result)[1] == "[The API's answer is longer than 5 kB; the rest was not read.]"
    assert result["structuredContent"] == {"result": None}


def test_a_limit_of_the_tool_counts(ask):
    result = ask(json_answer(list(range(1000))), entry={"limits": {"max_result_bytes": 500}})
    assert len(texts(result)[0]) <= 500
