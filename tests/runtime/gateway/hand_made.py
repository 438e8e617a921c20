"""A child by hand that speaks one era only and says what it was told: `hand_made.py legacy|modern [REVISION]`.

It is written against the specification, not against this project's runtime. Its tools are the functions of `Child`.
"""

from __future__ import annotations

import json
import sys
import time

PROTOCOL = "io.modelcontextprotocol/"
TASKS = PROTOCOL + "tasks"
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
VIEW = "<!doctype html><title>a view</title>"
TOOLS = (
    "whoami", "error", "tool_error", "content", "progress", "ask", "ask_url", "sample", "roots", "ask_two", "rounds",
    "slow", "seen", "touch", "change", "job", "needs_sampling", "strange", "number", "ask_and_go_on",
    "url_first", "steady", "end",
)  # fmt: skip
MARKS = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "example.com/mark": 7}


def send(message: dict) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def definition(name: str) -> dict:
    return {"name": name, "description": name, "inputSchema": {"type": "object"}}


class Child:
    def __init__(self, era: str, version: str) -> None:
        self.modern = era == "modern"
        self.version = version
        self.waiting: dict[object, object] = {}
        self.seen: list[dict] = []
        self.open: dict[object, dict] = {}
        self.listens: dict[object, dict] = {}
        self.subscribed: set[str] = set()
        self.jobs: dict[str, dict] = {}
        self.extra: list[str] = []
        self.later: list[object] = []
        self.visited = False

    # -- the wire

    def take(self, message: dict) -> None:
        if "method" not in message:
            waiter = self.waiting.pop(message.get("id"), None)
            if waiter is not None:
                waiter(message)
            return
        method, params = message["method"], message.get("params") or {}
        self.seen.append({"method": method, "params": params})
        if "id" not in message:
            if method == "notifications/cancelled":
                self.open.pop(params.get("requestId"), None)
                self.listens.pop(params.get("requestId"), None)
            return
        self.open[message["id"]] = message
        handler = getattr(self, "on_" + method.replace("/", "_").lower(), None)
        others = ("initialize", "logging/", "resources/subscribe") if self.modern else ("server/", "tasks/", "subscr")
        if handler is None or method.startswith(others):
            self.fail(message["id"], -32601, f"Method not found: {method}")
        else:
            handler(message["id"], params)

    def answer(self, request_id: object, result: dict, kind: str = "complete") -> None:
        if self.open.pop(request_id, None) is None:
            return
        if self.modern:
            meta = {**result.get("_meta", {}), PROTOCOL + "serverInfo": {"name": "hand-made", "version": "1"}}
            result = {"resultType": kind, **result, "_meta": meta}
        send({"id": request_id, "result": result})

    def fail(self, request_id: object, code: int, message: str, data: object = None) -> None:
        self.open.pop(request_id, None)
        send({"id": request_id, "error": {"code": code, "message": message, **({"data": data} if data else {})}})

    def text(self, request_id: object, value: object) -> None:
        self.answer(request_id, {"content": [{"type": "text", "text": json.dumps(value)}]})

    def ask(self, method: str, params: dict, then: object) -> None:
        asked = len(self.waiting) + 1000 + len(self.seen)
        self.waiting[asked] = then
        send({"id": asked, "method": method, "params": params})

    # -- methods

    def capabilities(self) -> dict:
        lists = {"listChanged": True}
        said = {"tools": lists, "prompts": lists, "resources": {**lists, "subscribe": True}, "logging": {}}
        return {**said, "completions": {}, **({"extensions": {TASKS: {}}} if self.modern else {})}

    def on_initialize(self, request_id: object, params: dict) -> None:
        info = {"name": "hand-made", "version": "1"}
        said = {"protocolVersion": self.version, "capabilities": self.capabilities(), "serverInfo": info}
        self.answer(request_id, said)

    def on_server_discover(self, request_id: object, params: dict) -> None:
        said = {"supportedVersions": ["2026-07-28"], "capabilities": self.capabilities()}
        self.answer(request_id, {**said, "ttlMs": 0, "cacheScope": "private"})

    def on_ping(self, request_id: object, params: dict) -> None:
        self.answer(request_id, {})

    def on_logging_setlevel(self, request_id: object, params: dict) -> None:
        self.answer(request_id, {})

    def listed(self, member: str, items: list) -> dict:
        return {member: items, **({"ttlMs": 0, "cacheScope": "private"} if self.modern else {})}

    def on_tools_list(self, request_id: object, params: dict) -> None:
        names = [*TOOLS, *self.extra]
        start = int(params.get("cursor", 0))
        page = self.listed("tools", [definition(name) for name in names[start : start + 5]])
        self.answer(request_id, page | ({"nextCursor": str(start + 5)} if start + 5 < len(names) else {}))

    def on_resources_list(self, request_id: object, params: dict) -> None:
        self.answer(request_id, self.listed("resources", [{"uri": "file:///a", "name": "a"}]))

    def on_resources_templates_list(self, request_id: object, params: dict) -> None:
        self.answer(request_id, self.listed("resourceTemplates", [{"uriTemplate": "file:///t/{id}", "name": "t"}]))

    def on_prompts_list(self, request_id: object, params: dict) -> None:
        self.answer(request_id, self.listed("prompts", [{"name": "greet", "arguments": [{"name": "who"}]}]))

    def on_prompts_get(self, request_id: object, params: dict) -> None:
        resource = {"type": "resource", "resource": {"uri": "ui://app/main", "text": VIEW}}
        said = [{"role": "user", "content": {"type": "text", "text": json.dumps(params)}}]
        self.answer(request_id, {"messages": [*said, {"role": "assistant", "content": resource}]})

    def on_completion_complete(self, request_id: object, params: dict) -> None:
        self.answer(request_id, {"completion": {"values": [json.dumps(params["ref"], sort_keys=True)]}})

    def on_resources_read(self, request_id: object, params: dict) -> None:
        uri = params["uri"]
        if uri == "file:///gone":
            code = -32602 if self.modern else -32002
            self.fail(request_id, code, "Resource not found", {"uri": uri})
            return
        if uri == "ui://app/broken":
            self.fail(request_id, -32603, "[M-UI-004] it is broken")
            return
        content = {"uri": uri, "mimeType": "text/plain", "text": f"text of {uri}"}
        if uri.startswith("ui://"):
            meta = {"ui": {"csp": {"connectDomains": ["https://example.com"]}}}
            content = {"uri": uri, "mimeType": "text/html;profile=mcp-app", "text": VIEW, "_meta": meta}
        kept = {"ttlMs": 5000, "cacheScope": "public"} if self.modern else {}
        self.answer(request_id, {"contents": [content], **kept})

    def on_resources_subscribe(self, request_id: object, params: dict) -> None:
        self.subscribed.add(params["uri"])
        self.answer(request_id, {})
        if params["uri"] == "file:///t/ask":  # nobody's call is under way
            question = {"message": "Who?", "requestedSchema": FORM}
            self.ask("elicitation/create", question, lambda said: self.seen.append({"method": "said", "params": said}))

    def on_resources_unsubscribe(self, request_id: object, params: dict) -> None:
        self.subscribed.discard(params["uri"])
        self.answer(request_id, {})

    def on_subscriptions_listen(self, request_id: object, params: dict) -> None:
        self.listens[request_id] = params["notifications"]
        meta = {PROTOCOL + "subscriptionId": request_id}
        said = {"notifications": params["notifications"], "_meta": meta}
        send({"method": "notifications/subscriptions/acknowledged", "params": said})

    def on_tools_call(self, request_id: object, params: dict) -> None:
        name = params["name"]
        if name not in TOOLS:
            self.fail(request_id, -32602, f"Unknown tool: {name}", {"tool": name})
            return
        while self.later:
            self.text(self.later.pop(), "went on")
        getattr(self, "do_" + name)(request_id, params, params.get("arguments") or {})

    # -- tools

    def do_whoami(self, request_id: object, params: dict, arguments: dict) -> None:
        self.answer(
            request_id,
            {
                "content": [],
                "structuredContent": {"id": request_id, "params": params},
                "_meta": {"example.com/back": True, PROTOCOL + "related": 1},
            },
        )

    def do_number(self, request_id: object, params: dict, arguments: dict) -> None:
        self.answer(request_id, {"content": [{"type": "text", "text": "7"}], "structuredContent": 7})

    def do_error(self, request_id: object, params: dict, arguments: dict) -> None:
        self.fail(request_id, arguments.get("code", -31999), "it went wrong", {"tool": "error", "more": 1})

    def do_needs_sampling(self, request_id: object, params: dict, arguments: dict) -> None:
        self.fail(request_id, -32021, "Missing capability", {"requiredCapabilities": {"sampling": {}}})

    def do_tool_error(self, request_id: object, params: dict, arguments: dict) -> None:
        data = {"tool": "tool_error", "errorCode": "M-INP-004"}
        meta = {"mcpgen/error": {"tool": "tool_error", "code": "M-INP-004"}}
        content = [{"type": "text", "text": "no"}]
        self.answer(request_id, {"content": content, "isError": True, "errorData": data, "_meta": meta})

    def do_content(self, request_id: object, params: dict, arguments: dict) -> None:
        self.answer(
            request_id,
            {
                "content": [
                    {"type": "text", "text": "é", "annotations": {"priority": 1}},
                    {"type": "resource_link", "uri": "file:///linked", "name": "linked"},
                    {"type": "resource", "resource": {"uri": "ui://app/other", "mimeType": "text/html", "text": VIEW}},
                    {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
                ],
            },
        )

    def do_progress(self, request_id: object, params: dict, arguments: dict) -> None:
        meta = params.get("_meta") or {}
        token = meta.get("progressToken")
        for done in (1, 2) if token is not None else ():
            told = {"progressToken": token, "progress": done, "total": 2, "message": f"step {done}"}
            send({"method": "notifications/progress", "params": told})
        for level in ("debug", "error"):
            send(
                {"method": "notifications/message", "params": {"level": level, "logger": "hand", "data": {"at": level}}}
            )
        self.text(request_id, token is not None)

    def do_steady(self, request_id: object, params: dict, arguments: dict) -> None:
        """Take 1.2 seconds, and say so in between."""
        token = (params.get("_meta") or {}).get("progressToken")
        for done in range(6):
            time.sleep(0.2)
            if token is not None:
                send({"method": "notifications/progress", "params": {"progressToken": token, "progress": done}})
        self.text(request_id, "done")

    def do_strange(self, request_id: object, params: dict, arguments: dict) -> None:
        self.answer(request_id, {"content": []}, kind="strange")

    def asking(self, request_id: object, params: dict, wanted: dict) -> None:
        """Ask all of this, in the way of the era, and answer with what came back."""
        if self.modern:
            responses = params.get("inputResponses") or {}
            if set(wanted) <= set(responses) and params.get("requestState") == "kept":
                self.text(request_id, responses)
                return
            self.answer(request_id, {"inputRequests": wanted, "requestState": "kept"}, kind="input_required")
            return
        got: dict[str, object] = {}
        for key, question in wanted.items():

            def then(message: dict, key: str = key) -> None:
                got[key] = message.get("result", {"error": message.get("error")})
                if len(got) == len(wanted):
                    self.text(request_id, got)

            self.ask(question["method"], question.get("params") or {}, then)

    def do_ask(self, request_id: object, params: dict, arguments: dict) -> None:
        question = {"message": "Who?", "requestedSchema": FORM, "mode": "form"}
        if not self.modern:
            question["_meta"] = {"progressToken": 5, "example.com/q": 1}
        self.asking(request_id, params, {"who": {"method": "elicitation/create", "params": question}})

    def do_url_first(self, request_id: object, params: dict, arguments: dict) -> None:
        """Want a page to be visited before the first call."""
        if self.visited:
            self.text(request_id, "visited")
            return
        self.visited = True
        wanted = {"mode": "url", "elicitationId": "own-id", "url": "https://example.com/", "message": "Go there"}
        self.fail(request_id, -32042, "Go there first", {"elicitations": [wanted]})

    def do_ask_url(self, request_id: object, params: dict, arguments: dict) -> None:
        question = {"message": "Go there", "mode": "url", "url": "https://example.com/"}
        if not self.modern:
            question["elicitationId"] = "own-id"
        if not self.modern:
            self.asking(request_id, params, {"there": {"method": "elicitation/create", "params": question}})
            send({"method": "notifications/elicitation/complete", "params": {"elicitationId": "own-id"}})
            return
        self.asking(request_id, params, {"there": {"method": "elicitation/create", "params": question}})

    def do_sample(self, request_id: object, params: dict, arguments: dict) -> None:
        resource = {"type": "resource", "resource": {"uri": "ui://app/main", "text": "x"}}
        used = {"type": "tool_result", "toolUseId": "1", "content": [resource]}
        question = {"messages": [{"role": "user", "content": used}], "maxTokens": 5}
        self.asking(request_id, params, {"word": {"method": "sampling/createMessage", "params": question}})

    def do_roots(self, request_id: object, params: dict, arguments: dict) -> None:
        self.asking(request_id, params, {"roots": {"method": "roots/list"}})

    def do_ask_two(self, request_id: object, params: dict, arguments: dict) -> None:
        question = {"message": "Who?", "requestedSchema": FORM}
        wanted = {key: {"method": "elicitation/create", "params": question} for key in ("one", "two")}
        self.asking(request_id, params, wanted)

    def do_ask_and_go_on(self, request_id: object, params: dict, arguments: dict) -> None:
        """Ask, and answer without waiting for it, when the next call comes."""
        self.ask("elicitation/create", {"message": "Who?", "requestedSchema": FORM}, lambda _: None)
        self.later.append(request_id)

    def do_rounds(self, request_id: object, params: dict, arguments: dict) -> None:
        done = int(params.get("requestState") or 0)
        if done >= arguments["rounds"]:
            self.text(request_id, {"rounds": done, "last": params.get("inputResponses")})
            return
        question = {"message": f"Round {done}?", "requestedSchema": FORM}
        wanted = {f"round{done}": {"method": "elicitation/create", "params": question}}
        self.answer(request_id, {"inputRequests": wanted, "requestState": str(done + 1)}, kind="input_required")

    def do_slow(self, request_id: object, params: dict, arguments: dict) -> None:
        """Never answer."""

    def do_end(self, request_id: object, params: dict, arguments: dict) -> None:
        sys.exit(3)

    def do_seen(self, request_id: object, params: dict, arguments: dict) -> None:
        self.answer(
            request_id, {"content": [], "structuredContent": {"seen": self.seen, "listens": [*self.listens.values()]}}
        )

    def tell(self, asked: str, value: object, method: str, params: dict) -> None:
        if not self.modern:
            send({"method": method, "params": params})
        for listen, wanted in self.listens.items():
            if wanted.get(asked) is True or (isinstance(wanted.get(asked), list) and value in wanted[asked]):
                send({"method": method, "params": {**params, "_meta": {PROTOCOL + "subscriptionId": listen}}})

    def do_touch(self, request_id: object, params: dict, arguments: dict) -> None:
        uri = arguments["uri"]
        if self.modern or uri in self.subscribed:
            self.tell("resourceSubscriptions", uri, "notifications/resources/updated", {"uri": uri})
        self.text(request_id, sorted(self.subscribed))

    def do_change(self, request_id: object, params: dict, arguments: dict) -> None:
        kind = arguments["kind"]
        self.extra += arguments.get("extra", ())
        for _ in range(arguments.get("times", 1)):
            self.tell(f"{kind}ListChanged", True, f"notifications/{kind}/list_changed", {})
        self.text(request_id, kind)

    # -- tasks

    def do_job(self, request_id: object, params: dict, arguments: dict) -> None:
        extensions = params["_meta"][PROTOCOL + "clientCapabilities"].get("extensions") or {}
        if TASKS not in extensions:
            self.text(request_id, "done at once")
            return
        task = {"taskId": "job-1", "status": "input_required", "createdAt": "2026-01-01T00:00:00Z"}
        task |= {"lastUpdatedAt": "2026-01-01T00:00:00Z", "ttlMs": 60000}
        self.jobs["job-1"] = task
        self.answer(request_id, {**task}, kind="task")

    def on_tasks_get(self, request_id: object, params: dict) -> None:
        task = self.jobs.get(params["taskId"])
        if task is None:
            self.fail(request_id, -32602, "Unknown task", {"taskId": params["taskId"]})
            return
        self.answer(request_id, self.details(task))

    def details(self, task: dict) -> dict:
        more: dict = {}
        if task["status"] == "input_required":
            question = {"message": "Who?", "requestedSchema": FORM, "mode": "form"}
            more["inputRequests"] = {"who": {"method": "elicitation/create", "params": question}}
        if task["status"] == "completed":
            content = [{"type": "resource", "resource": {"uri": "ui://app/main", "text": VIEW}}]
            more["result"] = {"content": content, "_meta": {"mcpgen/error": {"tool": "job"}}}
        if task["status"] == "failed":
            more["error"] = {"code": -32603, "message": "it failed", "data": {"tool": "job"}}
        return {**task, **more}

    def on_tasks_update(self, request_id: object, params: dict) -> None:
        said = params["inputResponses"]["who"]
        task = self.jobs[params["taskId"]]
        task["status"] = "failed" if said["action"] == "decline" else "completed"
        self.answer(request_id, {})
        self.tell("taskIds", params["taskId"], "notifications/tasks", self.details(task))

    def on_tasks_cancel(self, request_id: object, params: dict) -> None:
        self.jobs[params["taskId"]]["status"] = "cancelled"
        self.answer(request_id, {})


def main() -> None:
    era, *rest = sys.argv[1:]
    child = Child(era, rest[0] if rest else "2025-11-25")
    for line in sys.stdin:
        child.take(json.loads(line))


if __name__ == "__main__":
    main()
