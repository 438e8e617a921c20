"""Whatever a child answers, its caller gets an answer of the protocol: every message is held against its schema."""

from __future__ import annotations

import base64
import os
import time
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.runtime.gateway import strange_answers
from tests.runtime.gateway.conversing import ALL, Client
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.stdio_client import CallFailed

PROGRAM = Path(__file__).with_name("echoing_child.py")

EXAMPLES = int(os.environ.get("MCPGEN_STRANGE_EXAMPLES", "25"))
SEED = int(os.environ.get("MCPGEN_STRANGE_SEED", "1"))

TIMEOUT = 0.4
"""Seconds for a call whose answer cannot be told from none."""

SECONDS = 10.0

PARAMS = {
    "tools/call": {"name": "echo__t", "arguments": {}},
    "prompts/get": {"name": "echo__p"},
    "resources/read": {"uri": "file:///a"},
    "completion/complete": {
        "ref": {"type": "ref/prompt", "name": "echo__p"},
        "argument": {"name": "who", "value": ""},
    },
}


@pytest.fixture(scope="module", params=["legacy", "modern"])
def project(request, tmp_path_factory):
    row = {"command": ["${python}", "-I", "-S", str(PROGRAM), request.param], "era": request.param}
    row["limits"] = {"timeout": TIMEOUT}
    call = {"kind": "proxy", "server": "echo", "original": "file:///a"}
    prompt = {"name": "echo__p", "arguments": [{"name": "who"}]}
    return gateway(
        tmp_path_factory.mktemp("made") / "gateway",
        {"echo": row},
        [tool("echo", name, limits={"timeout": TIMEOUT}) for name in ("t", "next")],
        resources=[{"definition": {"uri": "file:///a", "name": "a"}, "call": call}],
        prompts=[{"definition": prompt, "call": {**call, "original": "p"}, "completions": True}],
    )


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("method", PARAMS)
def test_a_caller_gets_an_answer_of_the_protocol(project, era, method):
    chance = Random(f"{SEED} {era} {method}")
    with Client(project, era, ALL) as client:
        for _ in range(EXAMPLES):
            line = strange_answers.line(chance, method)
            told = client.call("echo__next", {"line": base64.b64encode(line).decode()})
            assert not told.get("isError"), (line, told)
            begun = time.monotonic()
            with suppress(CallFailed):
                client.request(method, PARAMS[method])
            assert time.monotonic() - begun < SECONDS, line
            client.requests.clear()


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_what_a_child_says_besides_comes_as_the_protocol_has_it_or_not_at_all(project, era):
    chance = Random(f"{SEED} {era}")
    answer = b'{"jsonrpc":"2.0","id":@ID@,"result":{"content":[{"type":"text","text":"fine"}]}}'
    with Client(project, era, ALL) as client:
        for _ in range(EXAMPLES * 4):
            line = strange_answers.said(chance) + answer
            client.call("echo__next", {"line": base64.b64encode(line).decode()})
            told = client.request("tools/call", PARAMS["tools/call"])
            asked = told.get("resultType") == "input_required"
            assert asked or told["content"][0]["text"], line
            client.requests.clear()
