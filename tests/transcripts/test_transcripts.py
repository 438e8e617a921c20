"""Recorded conversations, held with the session core and with a process over standard streams alike."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty, Queue

import pytest

from generator.runtime.server.call import Call
from generator.runtime.server.catalog import Catalog
from generator.runtime.server.invoke import run, run_async
from generator.runtime.server.session import Cancel, Session
from generator.runtime.wire import jsonrpc
from tests.command import built
from tests.stdio_client import stub

from .reading import FOLDER, Transcript, record, transcripts

ALL = transcripts()
SECONDS = 60

MODERN = "2026-07-28"


@pytest.fixture(scope="session")
def project_of(tmp_path_factory):
    """Build a transcript's server by the command line, once for each module and settings."""
    kept: dict[tuple[str, str], Path] = {}

    def build(transcript: Transcript) -> Path:
        key = (transcript.catalog, transcript.settings)
        if key not in kept:
            module = FOLDER / transcript.catalog
            settings = f"[settings]\n{transcript.settings}" if transcript.settings else ""
            kept[key] = built(tmp_path_factory.mktemp("transcripts"), module.stem, module, settings)
        return kept[key]

    return build


def over_streams(project: Path, transcript: Transcript) -> list[list[dict]]:
    """Hold the conversation with a process; each answer is waited for, and nothing else may come."""
    argv = stub(project, sys.executable)
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines: Queue[bytes] = Queue()
    reader = threading.Thread(target=lambda: [lines.put(line) for line in process.stdout])
    reader.start()
    try:
        answered = []
        for exchange in transcript.exchanges:
            process.stdin.write(b"".join(line + b"\n" for line in exchange.sent))
            process.stdin.flush()
            answered.append([json.loads(lines.get(timeout=SECONDS)) for _ in exchange.answered])
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        reader.join(SECONDS)
        assert lines.empty(), f"more came than was recorded: {lines.get()!r}"
    except Empty:
        pytest.fail("less came than was recorded")
    finally:
        process.kill()
        process.wait()
        reader.join()
        process.stdin.close()
        process.stdout.close()
    return answered


class Core:
    """Holds the conversation with the session alone: a call is run once the client is silent."""

    def __init__(self, project: Path) -> None:
        (folder,) = project.glob("*_mcp")
        self._session = Session(Catalog(folder.name, str(folder)))
        self._said: list[bytes] = []
        self._session.tell = lambda line, _: self._say(line)

    def _say(self, line: bytes) -> None:
        if line:  # no bytes at all are a word to the shell, not to the client
            self._said.append(line)

    def hear(self, sent: tuple[bytes, ...]) -> list[dict]:
        calls: list[Call] = []
        for line in sent:
            effect = self._receive(line)
            if isinstance(effect, Call):
                effect.send = self._say
                calls.append(effect)
            elif isinstance(effect, bytes):
                self._said.append(effect)
            else:
                assert effect is None or isinstance(effect, Cancel)
        for call in calls:
            if not call.cancelled:
                result = asyncio.run(run_async(call)) if call.tool.is_async else run(call)
                self._said.append(self._session.finish(call, result))
        said, self._said = self._said, []
        self_said = [json.loads(line) for line in said]
        assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in said)
        return self_said

    def _receive(self, line: bytes):
        try:
            return self._session.receive(jsonrpc.parse(line), line)
        except jsonrpc.ParseFailure as failure:
            return self._session.unreadable(jsonrpc.PARSE_ERROR, str(failure))


def with_the_core(project: Path, transcript: Transcript, monkeypatch: pytest.MonkeyPatch) -> list[list[dict]]:
    monkeypatch.syspath_prepend(str(project))
    core = Core(project)
    try:
        return [core.hear(exchange.sent) for exchange in transcript.exchanges]
    finally:
        (folder,) = project.glob("*_mcp")
        for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
            monkeypatch.delitem(sys.modules, name)


def same(answered: list[list[dict]], transcript: Transcript) -> None:
    """Compare: in each turn the same messages, those of one kind in the same order."""
    for turn, exchange in zip(answered, transcript.exchanges, strict=True):
        assert sorted(map(canonical, turn)) == sorted(map(canonical, exchange.answered))
        assert [message for message in turn if "method" in message] == [
            message for message in exchange.answered if "method" in message
        ]
        if sum("id" in message for message in exchange.answered) == 1:
            assert turn == list(exchange.answered)


def canonical(message: dict) -> str:
    return json.dumps(message, sort_keys=True)


@pytest.mark.requirement("R012", "R014", "R015", "R016", "R017", "R019", "R020", "R037", "R040", "R164")
@pytest.mark.parametrize("transcript", ALL, ids=[each.name for each in ALL])
def test_the_core_says_what_is_recorded(project_of, transcript, monkeypatch, update_golden):
    answered = with_the_core(project_of(transcript), transcript, monkeypatch)
    if update_golden:
        record(transcript, answered)
        return
    same(answered, transcript)


@pytest.mark.parametrize("transcript", ALL, ids=[each.name for each in ALL])
def test_a_process_says_what_is_recorded(project_of, transcript):
    same(over_streams(project_of(transcript), transcript), transcript)


RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
    "resources/subscribe": "EmptyResult",
    "resources/unsubscribe": "EmptyResult",
}
NOTIFICATIONS = {
    "notifications/progress": "ProgressNotification",
    "notifications/message": "LoggingMessageNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
}


@pytest.mark.parametrize("transcript", ALL, ids=[each.name for each in ALL])
def test_what_is_recorded_obeys_the_official_schema_of_its_revision(transcript, shared):
    checked = 0
    for revision, name, value in official(transcript):
        schema = json.loads((shared / "protocol" / "spec" / revision / "schema.json").read_text(encoding="utf-8"))
        definitions = "$defs" if "$defs" in schema else "definitions"
        assert problems({**schema, "$ref": f"#/{definitions}/{name}"}, value) == []
        checked += 1
    assert checked


def problems(schema: dict, value: object) -> list[str]:
    import jsonschema

    checker = jsonschema.validators.validator_for(schema)(schema)
    return [f"{error.json_path}: {error.message}" for error in checker.iter_errors(value)]


def official(transcript: Transcript):
    """Yield revision, name of the definition and value of everything the server says that has a definition."""
    revision = "2025-11-25"
    for exchange in transcript.exchanges:
        asked = {}
        for line in exchange.sent:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict) and isinstance(message.get("id"), int | str):
                params = message.get("params")
                meta = params.get("_meta", {}) if isinstance(params, dict) else {}
                is_modern = "io.modelcontextprotocol/protocolVersion" in meta
                asked[message["id"]] = (message.get("method"), MODERN if is_modern else None)
        for message in exchange.answered:
            if message.get("method") in NOTIFICATIONS:
                yield from ((era, NOTIFICATIONS[message["method"]], message) for era in eras(asked, revision))
                continue
            method, era = asked.get(message.get("id"), (None, None))
            if method == "initialize" and "result" in message:
                revision = message["result"]["protocolVersion"]
            if method in RESULTS and "result" in message:
                yield era or revision, RESULTS[method], message["result"]
            if "error" in message and message.get("id") is not None:
                yield (
                    era or revision,
                    "JSONRPCErrorResponse" if (era or revision) >= "2025-11-25" else "JSONRPCError",
                    message,
                )


def eras(asked: dict, revision: str) -> set[str]:
    """Return the revisions of the requests a notification can belong to."""
    return {era or revision for _, era in asked.values()}
