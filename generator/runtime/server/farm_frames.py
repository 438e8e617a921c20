"""What passes between the server's front process and its workers: frames of a kind, a number and some bytes.

Pure: bytes in, frames out. A frame is nine bytes of head (kind, number, size, big-endian) and its content. What is
structured in a content is JSON; a message of a client travels as the bytes it came in. The number is that of the call
a frame is about, 0 for none.
"""

from __future__ import annotations

START, READY, CALL, RESULT, NOTE, CANCEL, ASK, ANSWER, CHANGED, KEPT, PING, PONG, TASK = range(1, 14)
"""START configures a worker and READY says that it can take calls. CALL: its session's state in a line, then the
message; RESULT: what the log needs in a line, then the answer, or nothing for a call nobody waits for any more. NOTE
is a notification to the client. ASK is a request to the client, ANSWER its response. CHANGED says what changed,
for whoever listens. KEPT is an answer that can be read as a resource from now on: its facts in a line, then its bytes.
A worker that reads answers PING with PONG. TASK without content lets a call go on as a task, and with a text says how
far that is; for such a call, ASK and ANSWER hold questions and answers by their keys, and RESULT what it came to."""

KINDS = range(START, TASK + 1)
HEAD_BYTES = 9
MAX_FRAME_BYTES = 256 * 1024 * 1024
"""More than the largest answer, twice, with every character escaped."""


class FrameProblem(Exception):
    """What came is no frame: something else was written where frames belong."""


def frame(kind: int, number: int = 0, content: bytes = b"") -> bytes:
    """Return the bytes of a frame."""
    return b"%c%b%b%b" % (kind, number.to_bytes(4, "big"), len(content).to_bytes(4, "big"), content)


class FrameReader:
    """Collects chunks and hands out whole frames."""

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, chunk: bytes) -> list[tuple[int, int, bytes]]:
        """Return kind, number and content of the frames this chunk completes; raises FrameProblem."""
        data = self._data
        data += chunk
        frames = []
        at = 0
        while len(data) - at >= HEAD_BYTES:
            kind, size = data[at], int.from_bytes(data[at + 5 : at + HEAD_BYTES], "big")
            if kind not in KINDS or size > MAX_FRAME_BYTES:
                raise FrameProblem
            end = at + HEAD_BYTES + size
            if len(data) < end:
                break
            frames.append((kind, int.from_bytes(data[at + 1 : at + 5], "big"), bytes(data[at + HEAD_BYTES : end])))
            at = end
        del data[:at]
        return frames

    def end(self) -> None:
        """Say what stands behind the last frame when the input ends: nothing that counts."""
