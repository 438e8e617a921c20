"""Follow one conversation and hold every message of the server against the official schema of its revision.

Which revision that is depends on what was asked: `_meta` with a version, or the method `server/discover`, makes a
request modern (2026-07-28); otherwise it is the one that `initialize` settled, and 2025-11-25 before that. A request's
id tells which method a result belongs to; where the same id was used for several, one of them has to fit.
"""

from __future__ import annotations

import json
from typing import Any

from tests import official_schema as official

META_VERSION = "io.modelcontextprotocol/protocolVersion"
LATEST_LEGACY = official.LEGACY[-1]


class Conversation:
    """What was asked so far. `found` are the problems of the server's messages."""

    def __init__(self, revision: str = LATEST_LEGACY) -> None:
        self.revision = revision
        self.found: list[str] = []
        self._asked: dict[object, list[tuple[str, str]]] = {}
        self._eras: set[str] = set()

    def sent(self, data: bytes) -> None:
        """Take what the client sent: one message, or one of each line; what is no message is none of ours."""
        for message in _messages(data):
            self.ask(message)

    def ask(self, message: dict[str, Any]) -> None:
        """Note one message of the client."""
        method = message.get("method")
        if not isinstance(method, str):
            return
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        is_modern = (isinstance(meta, dict) and META_VERSION in meta) or method == "server/discover"
        era = official.MODERN if is_modern else ""
        self._eras.add(era)
        if isinstance(message.get("id"), int | str):
            self._asked.setdefault(message["id"], []).append((method, era))

    def received(self, data: bytes) -> None:
        """Check what the server wrote, in the same form."""
        for message in _messages(data):
            self.check(message)

    def check(self, message: dict[str, Any]) -> None:
        """Check one message of the server."""
        if "method" in message:
            self._check_spoken(message)
        elif "error" in message:
            self._check_error(message)
        elif "result" in message:
            self._check_result(message)
        else:
            self.found.append(f"neither request nor answer: {_short(message)}")

    def _revision(self, era: str) -> str:
        return era or self.revision

    def _check_spoken(self, message: dict[str, Any]) -> None:
        """Check a notification or a request of the server: it fits one of the eras that are spoken."""
        revisions = {self._revision(era) for era in self._eras or {""}}
        tries = []
        for revision in sorted(revisions):
            name = official.by_method(revision).get(message["method"])
            schema = revision
            if name is None and message["method"] == "notifications/tasks":
                schema, name = official.TASKS, "TaskStatusNotification"
            if name is None:
                tries.append([f"{message['method']} is no method of {revision}"])
            else:
                tries.append([f"{name} of {revision}: {each}" for each in official.problems(schema, name, message)])
        self._note(tries, message)

    def _check_error(self, message: dict[str, Any]) -> None:
        """Check an error; its id may be null where it could not be read (decision 13)."""
        error = message["error"]
        code = error.get("code") if isinstance(error, dict) else None
        whole = {**message, "id": 0} if message.get("id") is None else message
        eras = {era for _, era in self._asked.get(message.get("id"), ())} or self._eras or {""}
        tries = []
        for era in sorted(eras):
            revision = self._revision(era)
            name = official.error_name(revision, code)
            tries.append([f"{name} of {revision}: {each}" for each in official.problems(revision, name, whole)])
        self._note(tries, message)

    def _check_result(self, message: dict[str, Any]) -> None:
        asked = self._asked.get(message.get("id"))
        if asked is None:
            return  # to nothing that was read here; the harness says so itself where that is a fault
        result = message["result"]
        tries = []
        for method, era in dict.fromkeys(asked):
            if method == "initialize" and isinstance(result, dict) and "protocolVersion" in result:
                self.revision = str(result["protocolVersion"])
            revision = self._revision(era)
            place = official.result_names(method, result, revision) if isinstance(result, dict) else None
            if place is None:
                tries.append([f"{method} has no result in {revision}"])
            else:
                tries.append([f"{place[1]} of {revision}: {each}" for each in official.problems(*place, result)])
        if message.get("jsonrpc") != "2.0" or not message.keys() <= {"jsonrpc", "id", "result"}:
            tries = [["not the envelope of a result"]]
        self._note(tries, message)

    def _note(self, tries: list[list[str]], message: dict[str, Any]) -> None:
        if all(tries):
            self.found.append(f"{'; '.join(min(tries, key=len))}\n    in {_short(message)}")


def _messages(data: bytes) -> list[dict[str, Any]]:
    """Read one JSON text, a batch, or lines of them."""
    found: list[dict[str, Any]] = []
    for line in data.split(b"\n"):
        try:
            value = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        several = value if isinstance(value, list) else [value]
        found += [each for each in several if isinstance(each, dict) and "jsonrpc" in each]
    return found


def _short(message: dict[str, Any]) -> str:
    return json.dumps(message)[:400]
