"""The canned answers of the probes' echo server, against what the probes expect of a result."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from tests.echo_api import PROBES, echo_api

from .calling import Bench, texts
from .made import Tools, operation

CASES = [each for each in json.loads((PROBES / "cases.json").read_text(encoding="utf-8")) if each["kind"] == "response"]


@pytest.fixture(scope="module")
def echo(tmp_path_factory):
    with echo_api(tmp_path_factory.mktemp("echo")) as running:
        yield SimpleNamespace(url=f"{running.base}/base/v1")


def promised(path: str) -> dict:
    """Return what the front end makes of the documents' schemas of these answers."""
    if path.endswith(("array", "huge")):
        return {"output": {"type": ["array", "null"]}, "wrap": True}
    if path.endswith(("scalar", "null")):
        return {"output": {"type": ["integer", "object", "null"]}, "wrap": True}
    return {"output": {"type": "object"}} if "json" in path or "bigint" in path else {}


@pytest.mark.parametrize("case", CASES, ids=[each["id"] for each in CASES])
def test_an_answer_is_what_the_probe_expects(case, echo, tmp_path, monkeypatch):
    path = case["accept"][0].removeprefix("/base/v1")
    expected, options = case["expect"], promised(path)
    tools = Tools().add("probe", operation(path, json=bool(options)), **options)
    result = Bench(tools, echo, tmp_path, monkeypatch).call("probe")
    if "isError" in expected:
        assert bool(result.get("isError")) is expected["isError"]
    said = "\n".join(texts(result)) + json.dumps(result.get("structuredContent"), ensure_ascii=False)
    wanted = expected.get("text_has", [])
    for text in [wanted] if isinstance(wanted, str) else wanted:
        assert text in said
    if "structured" in expected:
        assert result["structuredContent"] == expected["structured"]
    if expected.get("structured_is_object"):
        assert isinstance(result.get("structuredContent"), dict)
    if "content_type" in expected:
        assert expected["content_type"] in [block["type"] for block in result["content"]]
