"""A client that knows tasks, and functions whose calls are tasks, in one process.

client = client_of(function)
task_id = client.start("function")
assert client.end(task_id)["status"] == "completed"
"""

from __future__ import annotations

import itertools
import json
import threading
from queue import Queue

from generator.runtime.server.call import Call
from generator.runtime.server.session import Cancel, Session

from .asking import MODERN, SECONDS, catalog_of, run_call

TASKS = "io.modelcontextprotocol/tasks"
NOT_ENDED = ("working", "input_required")


class Client:
    """A client of 2026-07-28 that knows tasks; calls run on threads of their own, as in a server."""

    def __init__(self, catalog, *, principal="", tasks=True):
        self.session = Session(catalog, principal=principal)
        self.capabilities = {"elicitation": {}, **({"extensions": {TASKS: {}}} if tasks else {})}
        self.numbers = itertools.count(1)
        self.threads = []

    def request(self, method, **params):
        """Send a request and return the response."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": self.capabilities,
        }
        number = next(self.numbers)
        effect = self.session.receive(
            {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": meta}}
        )
        if isinstance(effect, Call):
            answer = self._run(effect)
        elif isinstance(effect, Cancel):
            if effect.call.on_cancel is not None:
                effect.call.on_cancel()
            answer = json.loads(effect.reply)
        else:
            answer = json.loads(effect)
        assert answer["id"] == number
        return answer

    def _run(self, call):
        said = Queue()
        call.hand_over = said.put

        def run():
            line = self.session.finish(call, run_call(call))
            if line:
                said.put(line)

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()
        return json.loads(said.get(timeout=SECONDS))

    def start(self, tool, **arguments):
        """Call a tool that becomes a task and return the task's id."""
        result = self.request("tools/call", name=tool, arguments=arguments)["result"]
        assert result["resultType"] == "task"
        return result["taskId"]

    def look(self, task_id):
        """Return what tasks/get says."""
        return self.request("tasks/get", taskId=task_id)["result"]

    def end(self, task_id):
        """Return a task once it has ended."""
        for thread in self.threads:
            thread.join(SECONDS)
        found = self.look(task_id)
        assert found["status"] not in NOT_ENDED
        return found

    def until(self, task_id, status):
        """Return a task once it has this status."""
        wait = threading.Event()
        for _ in range(SECONDS * 100):
            found = self.look(task_id)
            if found["status"] == status:
                return found
            wait.wait(0.01)
        raise AssertionError(found)


def task(function=None, *, support="optional", starts="call"):
    """Say in the catalog that a function's calls are tasks."""
    if function is None:
        return lambda each: task(each, support=support, starts=starts)
    function.entry = {"task": {"support": support, "starts": starts}}
    return function


def client_of(*functions, module=None, settings=None, **more):
    return Client(catalog_of(*functions, module=module, settings=settings), **more)
