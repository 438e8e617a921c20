"""Send a server bytes and judge what comes back: the rules that hold whatever was sent."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from dataclasses import dataclass, field

SECONDS = 60
"""For one exchange; a loaded machine is slow, and none should ever take long."""

HANDSHAKE = (
    b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"t","version":"1"}}}\n{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
)
ALIVE = b'{"jsonrpc":"2.0","id":"alive","method":"ping"}\n'


@dataclass
class Exchange:
    """What a server answered: by id, without an id, as notifications; and how it ended."""

    status: int
    stderr: bytes
    answers: dict[object, list[dict]] = field(default_factory=dict)
    nameless: list[dict] = field(default_factory=list)
    notifications: list[dict] = field(default_factory=list)

    def the(self, identity: object) -> dict:
        """Return the only answer to a request."""
        (answer,) = self.answers[identity]
        return answer

    def code(self, identity: object) -> int | None:
        """Return the error code of the only answer to a request, None for a result."""
        return self.the(identity).get("error", {}).get("code")

    def nameless_codes(self) -> list[int]:
        return [answer["error"]["code"] for answer in self.nameless]


def exchange(
    argv: list[str], sent: bytes, *, seconds: float = SECONDS, all_answered: bool = True, **options: object
) -> Exchange:
    """Send bytes, then the end of input, and judge all that came back by the rules that always hold.

    `all_answered` is False where calls are cancelled, which need no answer.
    """
    done = subprocess.run(argv, input=sent, capture_output=True, timeout=seconds, check=False, **options)
    result = read(done.stdout, done.returncode, done.stderr)
    assert done.returncode == 0, done.stderr[-2_000:]
    assert b"Traceback" not in done.stderr, done.stderr[-4_000:]
    asked = Counter(requests(sent))
    given = Counter({identity: len(answers) for identity, answers in result.answers.items()})
    assert given <= asked, "nothing else is answered, and nothing twice"
    assert given == asked or not all_answered, "each request with an id is answered once"
    return result


def read(stdout: bytes, status: int = 0, stderr: bytes = b"") -> Exchange:
    """Read a server's output strictly: each line one JSON-RPC message in UTF-8."""
    result = Exchange(status, stderr)
    assert not stdout or stdout.endswith(b"\n")
    for line in stdout.split(b"\n")[:-1]:
        message = strict(line)
        assert isinstance(message, dict), line[:200]
        assert message.pop("jsonrpc", None) == "2.0", line[:200]
        if "method" in message:
            assert "id" not in message, "this server asks nothing"
            result.notifications.append(message)
            continue
        assert ("result" in message) != ("error" in message), line[:200]
        if "error" in message:
            assert isinstance(message["error"]["code"], int)
            assert isinstance(message["error"]["message"], str)
            assert "Traceback" not in message["error"]["message"]
        if message.get("id") is None:
            result.nameless.append(message)
        else:
            result.answers.setdefault(message["id"], []).append(message)
    return result


def strict(line: bytes) -> object:
    """Read one line as JSON, without NaN and Infinity."""

    def refuse(name: str) -> object:
        raise AssertionError(f"{name} is not JSON")

    return json.loads(line.decode("utf-8"), parse_constant=refuse)


def requests(sent: bytes) -> list[object]:
    """Return the ids of the requests that can be read as such, by the last-wins rule for repeated keys."""
    found = []
    for line in sent.removesuffix(b"\n").split(b"\n"):
        try:
            message = strict(line.removeprefix(b"\xef\xbb\xbf"))
        except (ValueError, RecursionError, AssertionError):
            continue
        if isinstance(message, dict) and type(message.get("id")) in (str, int) and not is_answer(message):
            found.append(message["id"])
    return found


def is_answer(message: dict) -> bool:
    """Whether a message answers something: it is met with silence."""
    return "method" not in message and ("result" in message or "error" in message)


def request(identity: object, method: str, **params: object) -> bytes:
    """Write one request as a line."""
    return json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode() + b"\n"


def call(identity: object, name: str, **arguments: object) -> bytes:
    """Write one tools/call as a line."""
    return request(identity, "tools/call", name=name, arguments=arguments)
