"""A call of an operation from its arguments to its result: hooks, credentials, dry run, and what can go wrong."""

from __future__ import annotations

import json
import sys

import pytest

from generator.runtime.server.invoke import run

from .calling import Bench, error, forget, texts
from .made import PACKAGE, Api, Tools, json_answer, operation, query

ECHO = {"/pets/7": lambda seen: json_answer({"target": seen["target"], "headers": seen["headers"]})}
PATH = [{"argument": "id", "name": "id", "in": "path", "style": "simple", "explode": False, "required": True}]
BEARER = {"bearer": {"type": "http", "scheme": "bearer", "credentials": {"value": "token"}}}
KEY = {"key": {"type": "apiKey", "in": "header", "name": "X-Key", "credentials": {"value": "key"}}}


@pytest.fixture
def api():
    made = Api(dict(ECHO))
    yield made
    made.close()


@pytest.fixture
def serve(api, tmp_path, monkeypatch):
    """Return a function that writes a server for the API."""
    count = []

    def make(tools, **options):
        count.append(1)
        return Bench(tools, api, tmp_path / str(len(count)), monkeypatch, **options)

    yield make
    forget()


def pets(**service):
    request = operation("/pets/{id}", parameters=[*PATH, *query("q")], **service.pop("request", {}))
    properties = {"id": {"type": ["integer", "string"]}, "q": {"type": "number"}}
    return Tools(**service).add("get_pet", request, properties=properties)


def test_arguments_become_a_request_with_every_digit(serve, api):
    bench = serve(pets())
    call = bench.made("get_pet")
    call.raw = b'{"params":{"arguments":{"id":7,"q":0.12345678901234567890123}}}'
    assert "isError" not in run(call)
    assert api.requests[0]["target"] == "/pets/7?q=0.12345678901234567890123"


@pytest.mark.parametrize("text", ["AAH+/w==", "AAH-_w==", "AAH+/w", "AAH-_w"])
def test_base64_is_sent_as_its_schema_has_it_however_it_was_given(serve, api, text):
    body = {"required": True, "argument": "body", "content": [{"type": "application/json", "kind": "json"}]}
    request = operation("/pets/7", "POST", parameters=query("q"), body=body)
    encoded = {"type": "string", "contentEncoding": "base64"}
    properties = {
        "q": encoded,
        "body": {"type": "object", "properties": {"blobs": {"type": "array", "items": encoded}}},
    }
    result = serve(Tools().add("put_pet", request, properties=properties)).call(
        "put_pet", {"q": text, "body": {"blobs": [text]}}
    )
    assert "isError" not in result
    assert api.requests[0]["target"] == "/pets/7?q=AAH%2B%2Fw%3D%3D"
    assert json.loads(api.requests[0]["body"]) == {"blobs": ["AAH+/w=="]}


def test_wrong_arguments_are_reported_like_any_tools(serve, api):
    result = serve(pets()).call("get_pet", {"id": 7, "q": "many", "z": 1})
    assert {problem["code"] for problem in error(result)["problems"]} == {"M-INP-005", "M-INP-006"}
    assert api.requests == []


def test_what_cannot_be_sent_is_an_argument_problem(serve, api):
    result = serve(pets()).call("get_pet", {"id": ".."})
    (problem,) = error(result)["problems"]
    assert problem["argument"] == "id"
    assert "dot segment" in texts(result)[0]
    assert api.requests == []


def test_null_for_an_optional_argument_leaves_it_out_unless_its_schema_takes_it(serve, api):
    properties = {"a": {"type": "string"}, "b": {"type": ["string", "null"]}, "c": {"type": "string"}}
    request = operation("/pets/7", parameters=[*query("a", "c"), *query("b", null=True)])
    bench = serve(Tools().add("x", request, properties=properties))
    assert "isError" not in bench.call("x", {"a": None, "b": None, "c": "1"})
    assert "a=" not in api.requests[0]["target"]
    bench.catalog.tools["x"].plan.schema["required"] = ["a"]
    assert error(bench.call("x", {"a": None}))["problems"][0]["argument"] == "a"


def test_arguments_are_coerced_and_the_client_is_told(serve, api):
    result = serve(pets()).call("get_pet", {"id": "7", "q": "1.5"})
    assert api.requests[0]["target"] == "/pets/7?q=1.5"
    assert result["_meta"]["mcpgen/coerced"]


def test_a_missing_credential_names_its_variable_before_anything_is_sent(serve, api):
    bench = serve(pets(schemes={**BEARER, **KEY}, request={"security": [{"bearer": []}, {"key": []}]}))
    result = bench.call("get_pet", {"id": 7})
    assert error(result)["code"] == "M-CFG-004"
    assert error(result)["missing"] == ["token", "key"]
    assert texts(result)[0].count("PETSTORE_TOKEN, or PETSTORE_KEY") == 1
    assert 'config.json, for example {"token": "..."}; never' in texts(result)[0]
    assert api.requests == []


def test_a_value_of_the_settings_that_an_operation_needs_is_asked_for(serve, api, monkeypatch):
    bench = serve(pets())
    bench.catalog.data["config"]["account"] = {"env": "PETS_ACCOUNT", "required": True, "required_by": ["get_pet"]}
    missing = error(bench.call("get_pet", {"id": 7}))
    assert (missing["code"], missing["missing"], api.requests) == ("M-CFG-004", ["account"], [])
    monkeypatch.setenv("PETS_ACCOUNT", "7")
    assert "isError" not in bench.call("get_pet", {"id": 7})


def test_a_missing_pair_is_shown_whole(serve):
    pair = {"login": {"type": "http", "scheme": "basic", "credentials": {"username": "token", "password": "key"}}}
    result = serve(pets(schemes=pair, request={"security": [{"login": []}]})).call("get_pet", {"id": 7})
    assert texts(result)[0].count("PETSTORE_TOKEN and PETSTORE_KEY") == 1
    assert '{"token": "...", "key": "..."}' in texts(result)[0]


def test_a_credential_that_was_set_in_the_meantime_is_used(serve, api, monkeypatch):
    bench = serve(pets(schemes=KEY, request={"security": [{"key": []}]}))
    assert error(bench.call("get_pet", {"id": 7}))["code"] == "M-CFG-004"
    monkeypatch.setenv("PETSTORE_KEY", "abcdefgh")
    assert "isError" not in bench.call("get_pet", {"id": 7})
    assert api.requests[0]["headers"]["X-Key"] == "abcdefgh"


def test_a_missing_base_url_names_its_variable(serve, monkeypatch):
    bench = serve(pets())
    monkeypatch.delenv("PETSTORE_BASE_URL")
    result = bench.call("get_pet", {"id": 7})
    assert error(result)["code"] == "M-CFG-004"
    assert "PETSTORE_BASE_URL" in texts(result)[0]


def test_another_base_url_is_followed(serve, api, monkeypatch):
    bench = serve(pets())
    monkeypatch.setenv("PETSTORE_BASE_URL", "http://127.0.0.1:1")
    refused = bench.call("get_pet", {"id": 7})
    assert error(refused)["code"] == "M-HTTP-002"
    assert error(refused)["retryable"] is True
    assert "GET /pets/{id}" in texts(refused)[0]
    bench.catalog.tools["get_pet"].plan.settings.look_again()
    monkeypatch.setenv("PETSTORE_BASE_URL", api.url)
    assert "isError" not in bench.call("get_pet", {"id": 7})


def test_a_dry_run_shows_the_request_and_sends_nothing(serve, api, monkeypatch):
    monkeypatch.setenv("PETSTORE_TOKEN", "hush-hush-hush")
    bench = serve(pets(schemes=BEARER, request={"security": [{"bearer": []}]}))
    result = bench.call("get_pet", {"id": 7, "q": 1}, mcpgen__dryRun=True)
    shown = json.loads(texts(result)[0])
    assert shown["method"] == "GET"
    assert shown["url"] == f"{api.url}/pets/7?q=1"
    assert ["Authorization", "***"] in shown["headers"]
    assert result["_meta"] == {"mcpgen/dryRun": True}
    assert texts(result)[1] == "[Dry run: nothing was sent.]"
    assert "hush" not in json.dumps(result)
    assert api.requests == []


def test_a_dry_run_names_missing_credentials(serve, api):
    bench = serve(pets(schemes=BEARER, request={"security": [{"bearer": []}]}))
    result = bench.call("get_pet", {"id": 7}, mcpgen__dryRun=True)
    assert "a real call needs PETSTORE_TOKEN" in texts(result)[1]
    assert "isError" not in result


def oauth(api):
    flow = {"token_url": f"{api.url}/token", "scopes": ["read"]}
    credentials = {"value": "token", "client_id": "key", "client_secret": "token_secret"}
    return {"oauth": {"type": "oauth2", "flows": {"clientCredentials": flow}, "credentials": credentials}}


@pytest.fixture
def token_config(monkeypatch):
    from . import made

    entry = {"env": "PETSTORE_TOKEN_SECRET", "sensitive": True, "required": False}
    monkeypatch.setitem(made.CONFIG, "token_secret", entry)
    monkeypatch.setenv("PETSTORE_KEY", "client")
    monkeypatch.setenv("PETSTORE_TOKEN_SECRET", "client-secret")


def test_a_refused_token_is_fetched_again_once_and_hidden(serve, api, token_config):
    tokens = iter(["first-token-1", "second-token-2", "third-token-3"])
    api.answers["/token"] = lambda _: json_answer({"access_token": next(tokens), "token_type": "bearer"})

    def guarded(seen):
        given = seen["headers"]["Authorization"]
        return json_answer({"you sent": given}, 200 if given == "Bearer second-token-2" else 401)

    api.answers["/pets/7"] = guarded
    bench = serve(pets(schemes=oauth(api), request={"security": [{"oauth": ["read"]}]}))
    result = bench.call("get_pet", {"id": 7})
    assert result["structuredContent"] == {"you sent": "***"}
    assert [seen["target"] for seen in api.requests] == ["/token", "/pets/7", "/token", "/pets/7"]


def test_a_dry_run_fetches_no_token(serve, api, token_config):
    bench = serve(pets(schemes=oauth(api), request={"security": [{"oauth": ["read"]}]}))
    result = bench.call("get_pet", {"id": 7}, mcpgen__dryRun=True)
    assert ["Authorization", "***"] in json.loads(texts(result)[0])["headers"]
    assert api.requests == []


HOOKS = """
seen = []

def before_request(operation, request):
    request.set_header("X-Signed", operation)
    request.target += "?added=1"

def after_response(operation, response):
    seen.append((operation, response.status))
    response.body = response.body.replace(b"target", b"TARGET")
"""


def test_hooks_change_request_and_answer(serve, api):
    result = serve(pets(), handlers=HOOKS).call("get_pet", {"id": 7})
    assert api.requests[0]["target"] == "/pets/7?added=1"
    assert api.requests[0]["headers"]["X-Signed"] == "GET /pets/{id}"
    assert result["structuredContent"]["TARGET"] == "/pets/7?added=1"
    assert sys.modules[f"{PACKAGE}.handlers"].seen == [("GET /pets/{id}", 200)]


def test_an_exception_in_a_hook_is_reported_as_a_tools(serve, api):
    broken = serve(pets(), handlers="def before_request(operation, request):\n    raise KeyError('gone')\n")
    assert texts(broken.call("get_pet", {"id": 7})) == ["KeyError: 'gone'"]
    assert api.requests == []


REPLACED = """
from mcpgen import ToolError

def get_pet(id, q=None):
    if id == 0:
        raise ToolError("there is no pet 0", hint="begin with 1")
    return {"id": id, "from": "here"}

async def find(**arguments):
    return [arguments["x-id"], arguments["class"], len(arguments)]

operations = {"GET /pets/{id}": get_pet, "GET /find": find}
"""


def test_a_function_of_the_users_stands_for_an_operation(serve, api, monkeypatch):
    tools = pets().add(
        "find",
        operation("/find", parameters=query("x-id", "class")),
        properties={"x-id": {"type": "integer"}, "class": {"type": "string"}, "_fields": {"type": "array"}},
        output={"type": ["array", "null"]},
        wrap=True,
    )
    bench = serve(tools, handlers=REPLACED)
    assert bench.call("get_pet", {"id": 7})["structuredContent"] == {"id": 7, "from": "here"}
    found = bench.call("find", {"x-id": 1, "class": "a", "_fields": ["x"]})
    assert found["structuredContent"] == {"result": [1, "a", 2]}
    failed = bench.call("get_pet", {"id": 0})
    assert texts(failed) == ["there is no pet 0\nHint: begin with 1"]
    dry = bench.call("get_pet", {"id": 0}, mcpgen__dryRun=True)
    assert "was not called" in texts(dry)[0]
    assert api.requests == []


def test_a_function_for_no_operation_is_logged_once_with_the_nearest(serve, api, capfd):
    bench = serve(pets(), handlers="operations = {'GET /pet/{id}': print}\n")
    assert "isError" not in bench.call("get_pet", {"id": 7})
    assert "isError" not in bench.call("get_pet", {"id": 7, "q": 1})
    (line,) = [line for line in capfd.readouterr().err.splitlines() if "handlers.py" in line]
    assert "`GET /pet/{id}` in `operations` of handlers.py is no operation" in line
    assert "did you mean `GET /pets/{id}`?" in line
    assert len(api.requests) == 2


def test_a_server_whose_handlers_were_deleted_has_no_hooks(serve, api, tmp_path):
    bench = serve(pets(), handlers="def before_request(operation, request):\n    raise KeyError('gone')\n")
    (tmp_path / "1" / PACKAGE / "handlers.py").unlink()
    assert "isError" not in bench.call("get_pet", {"id": 7})
    assert len(api.requests) == 1


def test_a_module_that_cannot_be_imported_is_said_and_tried_again(serve, tmp_path):
    bench = serve(pets(), handlers="import no_such_module_anywhere\n")
    result = bench.call("get_pet", {"id": 7})
    assert error(result)["code"] == "M-CMD-004"
    (tmp_path / "1" / PACKAGE / "handlers.py").write_text("", encoding="utf-8")
    sys.modules.pop(f"{PACKAGE}.handlers", None)
    assert "isError" not in bench.call("get_pet", {"id": 7})


def test_operations_that_do_not_belong_to_the_catalog_say_to_build_again(serve, tmp_path):
    bench = serve(pets())
    (tmp_path / "1" / PACKAGE / "operations.json").write_text('{"format": 2}', encoding="utf-8")
    assert "build the server again" in texts(bench.call("get_pet", {"id": 7}))[0]


def with_constant():
    parameters = [*PATH, {"argument": "cors", "name": "cors", "in": "query"}]
    made = operation("/pets/{id}", parameters=parameters, defaults={"cors": True}, constants=["cors"])
    return Tools().add("get_pet", made, properties={"id": {"type": "integer"}})


@pytest.mark.parametrize("arguments", [{"id": 7}, {"id": 7, "cors": True}, {"id": 7, "cors": "true"}])
def test_a_constant_is_sent_whether_it_is_given_or_not(serve, arguments):
    result = serve(with_constant()).call("get_pet", arguments)
    assert result["structuredContent"]["target"].endswith("/pets/7?cors=true")


def test_another_value_for_a_constant_is_refused(serve):
    assert serve(with_constant()).call("get_pet", {"id": 7, "cors": False})["isError"] is True


def test_where_a_hook_failed_is_logged_and_not_told_to_the_model(serve, capfd):
    handlers = "def before_request(operation, request):\n    raise KeyError('shelf')\n"
    (text,) = texts(serve(pets(), handlers=handlers).call("get_pet", {"id": 7}))
    assert "handlers.py" not in text
    assert "handlers.py:2 in before_request: KeyError" in capfd.readouterr().err
