"""No token, and nothing of one, is in anything a server writes; and its comparison tells nothing by its time."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from generator.runtime.server import http_tokens
from generator.runtime.server.http_tokens import bearer, listed_tokens
from tests.http_client import HttpServer, call, initialize, modern, request
from tests.runtime.server.serving import server_words, waited_for

CANARIES = {name: f"canary-{name}-0123456789" for name in ("desk", "operator", "verified", "wrong", "url", "basic")}
SERVE = """tokens = [{ name = "desk", token = "${DESK}", scopes = ["weather:read"] }, "${OPERATOR}"]
verify = "weather:verify"
authorization_servers = ["https://auth.example"]
activity = true
events = "events.jsonl"
event_values = "all"
"""
ENVIRONMENT = {**os.environ, "DESK": CANARIES["desk"], "OPERATOR": CANARIES["operator"]}


def forms(canary):
    """Return what of a token must not be anywhere: itself, its hash, its Base64."""
    data = canary.encode()
    return [canary, sha256(data).hexdigest(), base64.b64encode(data).decode().rstrip("=")[:-2]]


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return server_words(tmp_path_factory.mktemp("secrets"), SERVE)


def test_no_token_is_in_the_log_the_events_the_errors_the_answers_or_the_package(argv, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = []
    with HttpServer([*argv, "--dev"], env=ENVIRONMENT) as server:

        def tried(answer):
            said.append(answer.body.decode() + repr(answer.pairs))
            return answer

        for name, token in CANARIES.items():
            headers = {"Authorization": f"Bearer {token}"}
            tried(server.post(initialize(), headers))
            for tool in ("forecast", "record", "nothing"):
                message, more = modern(call(1, tool, {"city": "Oslo"}))
                tried(server.post(message, {**more, **headers}))
            tried(server.post(call(2, "fails", {"why": "x"}), headers))
            tried(server.get(f"/mcp?access_token={CANARIES['url']}&n={name}", headers))
            tried(server.get("/activity", headers))
            pair = base64.b64encode(f"a:{token}".encode()).decode()
            tried(server.get("/activity", {"Authorization": f"Basic {pair}"}))
        tried(server.post(request(1, "ping"), {"Authorization": f"Bearer {'x' * 20000}{CANARIES['wrong']}"}))
        with server.wire() as wire:
            wire.send(
                server.head(
                    "GET",
                    "/activity",
                    {"Accept": "text/event-stream", "Authorization": f"Bearer {CANARIES['operator']}"},
                )
            )
            wire.head()
            events = wire.events()
            said += [str(next(events).data) for _ in range(4)]
        waited_for(lambda: "call fails" in server.stderr)
        said.append(server.stderr)
    said.append((tmp_path / "events.jsonl").read_text(encoding="utf-8"))
    project = Path(argv[-1]).parent
    said += [path.read_bytes().decode("latin-1") for path in project.rglob("*") if path.is_file()]
    text = "\n".join(said)
    assert "forecast" in text
    assert "M-AUTH-001" in text
    assert [name for name, token in CANARIES.items() for form in forms(token) if form in text] == []


def test_what_is_wrong_with_a_token_is_told_without_it(argv, tmp_path):
    environment = {**ENVIRONMENT, "DESK": f"{CANARIES['desk']} with space "}
    words = [*argv, "--http", "--port", "0"]
    done = subprocess.run(words, capture_output=True, timeout=20, check=False, env=environment, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"tokens: entry 1" in done.stderr
    assert CANARIES["desk"].encode() not in done.stderr


def test_every_known_token_is_compared_in_constant_time_whatever_comes(monkeypatch):
    compared = []
    whole = http_tokens.compare_digest
    monkeypatch.setattr(http_tokens, "compare_digest", lambda a, b: compared.append((a, b)) or whole(a, b))
    entries = [{"name": str(number), "token": f"token-{number}", "scopes": []} for number in range(5)]
    tokens = listed_tokens(entries)
    for token, name in (("token-0", "0"), ("token-4", "4"), ("token-9", None), ("\xff", None)):
        compared.clear()
        found = tokens.principal(token)
        assert (found.name if found is not None else None) == name
        assert len(compared) == 5
        assert {len(each) for pair in compared for each in pair} == {32}


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer  abc ", "abc"),
        ("Bearer", ""),
        ("Basic abc", ""),
        ("", ""),
        (None, ""),
        ("Bearer " + "a" * 16_384, "a" * 16_384),
        ("Bearer " + "a" * 16_385, ""),
    ],
)
def test_a_token_is_read_from_its_header_alone_and_bounded(header, token):
    assert bearer(header) == token


def test_the_catalog_names_variables_and_holds_no_value(argv):
    content = (Path(argv[-1]).parent / "weather_mcp" / "catalog.json").read_text(encoding="utf-8")
    assert json.loads(content)["settings"]["serve"]["tokens"][1] == "${OPERATOR}"
