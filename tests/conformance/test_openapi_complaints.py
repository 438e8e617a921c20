"""What users of other generators complained about: each case is built, started and called as its README says.

The cases are the folders of tests/cases/openapi; this table says what is sent and what has to arrive or come back.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests.command import mcpgen
from tests.echo_api import echo_api
from tests.stdio_client import StdioServer

CASES = Path(__file__).resolve().parents[1] / "cases" / "openapi"

REQUESTS = {
    "01": [("op", {"tags": ["red", "blue"]}, "GET", ["/v1/x?tags=red,blue"], {}, b"")],
    "02": [("op", {"id": ["a", "b"]}, "GET", ["/v1/x?id=a&id=b"], {}, b"")],
    "03": [("op", {"filter": {"eq": "v"}}, "GET", ["/v1/x?filter[eq]=v", "/v1/x?filter%5Beq%5D=v"], {}, b"")],
    "05": [("op", {"filter": {"a": 1}}, "GET", ["/v1/x?filter=%7B%22a%22%3A1%7D"], {}, b"")],
    "06": [("op", {"path": "/a/b:c"}, "GET", ["/v1/x?path=/a/b:c"], {}, b"")],
    "07": [("op", {"ids": ["a,b", "c"]}, "GET", ["/v1/x?ids=a%2Cb,c"], {}, b"")],
    "08": [("op", {"on": True}, "GET", ["/v1/x?on=true"], {}, b"")],
    "10": [("op", {"id": 9007199254740993}, "GET", ["/v1/x/9007199254740993"], {}, b"")],
    "13": [("op", {"input": "00000"}, "GET", ["/v1/inputs/00000"], {}, b"")],
    "15": [
        ("lab", {"id": "5"}, "GET", ["/v1/l/.5"], {}, b""),
        ("mat", {"ids": ["a", "b"]}, "GET", ["/v1/m/;ids=a,b"], {}, b""),
    ],
    "16": [("op", {"name": "job-1"}, "POST", ["/v1/job-1:cancel"], {}, b"")],
    "17": [("op", {"id": "P", "id__query": "Q", "id__body": "B"}, "POST", ["/v1/u/P?id=Q"], {}, {"id": "B"})],
    "19": [("op", {"X-On": True, "X-Ids": [1, 2]}, "GET", ["/v1/x"], {"x-on": "true", "x-ids": "1,2"}, b"")],
    "25": [
        (
            "op",
            {"amount": 5, "metadata": {"k": "v"}},
            "POST",
            ["/v1/x"],
            {"content-type": "application/x-www-form-urlencoded"},
            b"amount=5&metadata%5Bk%5D=v",
        )
    ],
    "28": [
        (
            "op",
            {"body": [{"op": "remove", "path": "/a"}]},
            "PATCH",
            ["/v1/x"],
            {"content-type": "application/json-patch+json"},
            [{"op": "remove", "path": "/a"}],
        )
    ],
    "29": [("op", {"body": ["a", "b"]}, "POST", ["/v1/x"], {"content-type": "application/json"}, ["a", "b"])],
    "30": [("op", {"ids": '["a","b"]'}, "POST", ["/v1/x"], {}, {"ids": ["a", "b"]})],
    "33": [("op", {}, "POST", ["/v1/x"], {"content-type": None}, b"")],
    "37": [("op", {"u": {"b": 2}, "v": {"c": 1}}, "POST", ["/v1/x"], {}, {"u": {"b": 2}, "v": {"c": 1}})],
    "38": [
        ("a", {"q": "x"}, "POST", ["/v1/x"], {}, {"q": "x"}),
        ("b", {"body": [1, None]}, "POST", ["/v1/y"], {}, [1, None]),
    ],
    "58": [("y", {"x": None}, "POST", ["/v1/y"], {}, {"x": None})],
}
"""By case: tool, arguments, then method, accepted targets, headers (None: absent) and body (JSON or bytes)."""


def case_folder(number: str) -> Path:
    (folder,) = CASES.glob(f"{number}-*")
    return folder


def generated(number: str, folder: Path, *words: str, text: str | None = None):
    """Run `from-openapi` on a case's document; the project goes to `case-mcp`."""
    document = folder / "spec.yaml"
    document.write_text(text or (case_folder(number) / "spec.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    return mcpgen("from-openapi", "spec.yaml", "--name", "case", "-o", "case-mcp", *words, cwd=folder)


def serving(folder: Path, port: int, base: str = "/v1", **environment: str) -> StdioServer:
    command = [sys.executable, "-m", "case_mcp"]
    where = {"CASE_BASE_URL": f"http://127.0.0.1:{port}{base}", **environment}
    return StdioServer(command, cwd=folder / "case-mcp", env={**os.environ, **where})


@pytest.fixture
def case(tmp_path):
    """Return a function that builds a case and calls tools; yields results and the requests that arrived."""
    with echo_api(tmp_path) as echo:

        def run(number: str, calls: list[tuple[str, dict]], **environment: str):
            done = generated(number, tmp_path)
            assert done.returncode == 0, done.stderr
            with serving(tmp_path, echo.port, **environment) as server:
                server.initialize()
                tools = {tool["name"]: tool for tool in server.tools()}
                results = [server.call(name, arguments) for name, arguments in calls]
            return tools, results, echo.requests()

        yield run


@pytest.mark.parametrize("number", REQUESTS)
def test_the_request_arrives_as_the_description_says(number, case):
    expected = REQUESTS[number]
    _, results, requests = case(number, [(tool, arguments) for tool, arguments, *_ in expected])
    assert [bool(result.get("isError")) for result in results] == [False] * len(expected), results
    assert len(requests) == len(expected)
    for (_, _, method, targets, headers, body), found in zip(expected, requests, strict=True):
        assert found["method"] == method
        assert found["target"] in targets
        assert {name: found["headers"].get(name) for name in headers} == headers
        assert (found["body"] if isinstance(body, bytes) else json.loads(found["body"])) == body


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        ("12", {"name": ".."}),
        ("12", {"name": "../../admin"}),
        ("21", {"X-V": "a\r\nX-Evil: 1"}),
        ("23", {"sid": "x; a=1"}),
    ],
)
def test_a_value_that_would_leave_its_place_does_not(number, arguments, case):
    _, (result,), requests = case(number, [("op", arguments)])
    for request in requests:  # what is sent at all has the value encoded
        assert "admin" not in request["target"].partition("%2F")[0].split("/")
        assert "x-evil" not in request["headers"]
        assert ";" not in request["headers"].get("cookie", "")
    assert requests or result["isError"]
    assert arguments != {"name": ".."} or not requests


def test_items_enumerations_and_defaults_of_a_parameter_are_kept(case):
    tools, _, _ = case("09", [])
    domain = tools["op"]["inputSchema"]["properties"]["domain"]
    assert domain == {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "default": ["a"]}


def test_every_parameter_reaches_the_api_under_its_exact_name(case):
    tools, _, _ = case("18", [])
    names = list(tools["op"]["inputSchema"]["properties"])
    values = {name: f"v{index}" for index, name in enumerate(names)}
    _, (result,), requests = case("18", [("op", values)])
    assert not result.get("isError"), result
    query = requests[-1]["target"].partition("?")[2].replace("%24", "$").replace("%5B%5D", "[]")
    sent = [pair.partition("=")[0] for pair in query.split("&")]
    assert sent == ["$filter", "user.name", "class", "2fa-code", "ids[]", "from", "self"]


def test_a_parameter_may_be_called_by_the_name_the_api_gives_it(case):
    _, (result,), (request,) = case("18", [("op", {"$filter": "f", "ids[]": "i"})])
    assert not result.get("isError"), result
    assert request["target"] in (
        "/v1/x?%24filter=f&ids%5B%5D=i",
        "/v1/x?$filter=f&ids[]=i",
        "/v1/x?$filter=f&ids%5B%5D=i",
    )


def test_read_only_members_are_no_inputs_and_write_only_ones_no_outputs(case):
    tools, _, _ = case("39", [])
    assert {"name", "password"} == set(tools["op"]["inputSchema"]["properties"]) - {"_fields"}
    assert {"id", "name"} == set(tools["op"]["outputSchema"]["properties"])


def test_an_answer_that_breaks_its_schema_is_delivered(case):
    _, (result,), _ = case("40", [("op", {})])
    assert not result.get("isError")
    assert result["structuredContent"] == {"id": 7, "name": None, "extra": True}


def test_an_array_is_wrapped(case):
    tools, (result,), _ = case("41", [("op", {})])
    assert tools["op"]["outputSchema"]["type"] == "object"
    assert result["structuredContent"] == {"result": [{"id": 1}, {"id": 2}]}


def test_images_are_images_and_text_is_read_in_its_charset(case):
    _, (image, text), _ = case("42", [("png", {}), ("latin1", {})])
    assert (image["content"][0]["type"], image["content"][0]["mimeType"]) == ("image", "image/png")
    assert text["content"][0]["text"] == "grüße"


def test_a_status_that_is_no_success_is_an_error_with_the_apis_own_words(case):
    _, (result,), _ = case("43", [("op", {})])
    assert result["isError"] is True
    assert "404" in result["content"][0]["text"]
    assert "pet_missing" in result["content"][0]["text"]


def test_a_huge_answer_is_cut_with_a_way_to_the_rest(case):
    tools, (result,), _ = case("44", [("op", {})])
    assert not result.get("isError")
    assert len(json.dumps(result)) < 400_000
    assert any(block["type"] == "resource_link" for block in result["content"])
    assert "_fields" in tools["op"]["inputSchema"]["properties"]


def test_names_that_become_equal_stay_apart_also_when_the_document_is_reordered(tmp_path):
    import yaml

    text = (case_folder("45") / "spec.yaml").read_text(encoding="utf-8")
    document = yaml.safe_load(text)
    document["paths"] = dict(reversed(document["paths"].items()))
    found = []
    for folder, words in (("as-is", text), ("reordered", yaml.safe_dump(document, sort_keys=False))):
        place = tmp_path / folder
        place.mkdir()
        assert generated("45", place, text=words).returncode == 0
        catalog = json.loads((place / "case-mcp/case_mcp/catalog.json").read_text(encoding="utf-8"))
        found.append({tool["call"]["operation"]: tool["definition"]["name"] for tool in catalog["tools"]})
    assert found[0] == found[1]
    assert len(set(found[0].values())) == len(found[0]) == len(document["paths"])


def test_a_missing_operation_id_gives_a_name_by_the_path(case):
    tools, _, _ = case("47", [])
    assert list(tools) == ["get_people", "get_families"]


def test_annotations_follow_the_method_unless_told_otherwise(case):
    tools, _, _ = case("48", [])
    hints = {name: tool["annotations"] for name, tool in tools.items()}
    document = (case_folder("48") / "spec.yaml").read_text(encoding="utf-8")
    assert "x-" in document
    assert all(
        set(each) >= {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} for each in hints.values()
    )
    assert sorted(
        (each["readOnlyHint"], each["destructiveHint"], each["idempotentHint"]) for each in hints.values()
    ) == [
        (False, True, True),
        (False, True, True),
        (True, False, True),
        (True, False, True),
    ]


def test_a_server_of_an_operation_is_used(tmp_path):
    with echo_api(tmp_path) as echo:
        text = (case_folder("50") / "spec.yaml").read_text(encoding="utf-8").replace("8765", str(echo.port))
        done = generated("50", tmp_path, text=text)
        assert done.returncode == 0, done.stderr
        with StdioServer([sys.executable, "-m", "case_mcp"], cwd=tmp_path / "case-mcp") as server:
            server.initialize()
            (tool,) = server.tools()
            server.call(tool["name"], {})
        assert echo.requests()[-1]["target"] == "/other/x"


def test_credentials_go_to_their_own_api_only(case):
    _, (with_token,), requests = case("54", [("op", {})], CASE_B="TOK")
    assert not with_token.get("isError")
    assert requests[-1]["headers"]["authorization"] == "Bearer TOK"
    _, (without,), later = case("54", [("op", {})], OTHER_B="TOK")
    assert without["isError"] is True
    assert "CASE_B" in without["content"][0]["text"]
    assert len(later) == len(requests)


def test_references_to_elsewhere_are_refused(tmp_path):
    done = generated("55", tmp_path)
    assert done.returncode == 2
    assert "spec.yaml" in done.stderr
    assert "root:" not in done.stderr + done.stdout


def test_strings_of_the_document_never_become_code(tmp_path):
    done = generated("56", tmp_path)
    assert "Traceback" not in done.stderr
    for path in (tmp_path / "case-mcp").rglob("*.py"):
        assert "INJ" not in path.read_text(encoding="utf-8")
    with serving(tmp_path, 9) as server:
        server.initialize()
        assert any("${globalThis.INJ2=2}" in json.dumps(tool) for tool in server.tools())


def test_no_vendor_extension_and_no_dangling_reference_is_in_a_schema(case):
    tools, _, _ = case("60", [])
    for tool in tools.values():
        text = json.dumps(tool)
        assert '"x-' not in text
        for name in [part.split('"')[0] for part in text.split('"#/$defs/')[1:]]:
            assert name in tool["inputSchema"].get("$defs", {}) or name in tool["outputSchema"].get("$defs", {})


def test_one_bad_operation_is_named_and_the_others_are_served(tmp_path):
    done = generated("61", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "error[MG2" in done.stderr
    assert "spec.yaml:" in done.stderr
    catalog = json.loads((tmp_path / "case-mcp/case_mcp/catalog.json").read_text(encoding="utf-8"))
    assert len(catalog["tools"]) == 1
    assert generated("61", tmp_path, "--strict").returncode == 2


def test_discovery_shows_three_tools_and_calls_the_others(tmp_path):
    with echo_api(tmp_path) as echo:
        done = generated("64", tmp_path, "--discovery")
        assert done.returncode == 0, done.stderr
        with serving(tmp_path, echo.port) as server:
            server.initialize()
            assert len(server.tools()) == 3
