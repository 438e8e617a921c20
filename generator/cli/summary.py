"""What `build` says it made: for people a line per tool, for machines one JSON object."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from ..backends import http_text
from ..backends.hosts_text import claude_code, started
from ..diagnostics.plain import plain
from ..frontends.python.layout import SOURCE
from ..ir.model import PythonCall
from ..passes.budget import tool_tokens
from . import layout, offer_table, phrases
from .tool_table import table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..ir.model import Server, Tool
    from ..output.plan import Plan

BYTES_PER_TOKEN = 4
"""Decision 32: a token is estimated as four bytes."""

_ESCAPES = re.compile(rb"\\(?:[^u]|(u[0-9a-f]{4}(?:\\u[0-9a-f]{4})*))")
"""An escape of JSON: of one character, or in the group a run of code units. That both begin alike makes it quick."""

VENDORED = "/_runtime/"
"""The folder of the copied runtime, whose files belong together."""

SOURCE_NOTE = f"{SOURCE}/__init__.py"
"""The file that says what the folder of the author's files is; no author wrote it."""

MAX_SHOWN_TOOLS = 60
"""Tools that get a line of their own; the others are counted."""


EXPOSED = {"short": "in few words", "discovery": "three tools, which find and call the others"}
"""How tools are shown that are not shown whole."""

MAX_SHOWN_OPERATIONS = 20
"""The same for an API, which has hundreds."""

MAX_SHOWN_VARIABLES = 12
"""Environment variables that get a line of their own."""


LARGE_LIST = 25_000
"""Tokens of a list that is large: a model reads it with every request, and some hosts cut it."""

SMALLER = (
    "  that is a long list for a model: --budget 20k keeps it within so many tokens, --discovery shows three tools"
)
"""What is said of one."""


class Made(NamedTuple):
    """What a build made: the server, its folder, the words that start it, the units left out, what was written.

    With `costs` people are told about how many tokens each tool takes.
    """

    server: Server
    folder: str
    start: tuple[str, ...]
    left_out: tuple[str, ...]
    plan: Plan
    costs: bool = False


def definition_bytes(tree: Mapping[str, bytes], package: str) -> int:
    """Return how many bytes of compact JSON the tools' definitions are in UTF-8; their line in the cache is ASCII."""
    line = tree[f"{package}/catalog.cache.jsonl"].split(b"\n")[1]
    saved = 0
    for escapes in filter(None, _ESCAPES.findall(line)):
        written = b'"\\%s"' % escapes
        text = json.dumps(json.loads(written), ensure_ascii=False)
        saved += len(written) - len(text.encode("utf-8", "backslashreplace"))
    return len(line) - saved


def human(made: Made, size: int, *, every: bool = False) -> str:
    """Return the lines for people, the last of which names the next step; only that one may be long.

    With `every` all tools are shown, however many there are.
    """
    server = made.server
    tokens = size // BYTES_PER_TOKEN
    most = MAX_SHOWN_OPERATIONS if server.source.kind == "openapi" else MAX_SHOWN_TOOLS
    shown = server.tools if every else server.tools[:most]
    head = f"{server.command}  {offered(server)}"
    if server.tools:
        head += f"   {size / 1000:.1f} kB of tool definitions, about {tokens} tokens"
    if server.exposure != "full":
        head += f" ({EXPOSED[server.exposure]})"
    costs = {tool.name: tool_tokens(tool) for tool in shown} if made.costs else {}
    lines = [head, *table(shown, layout.columns(), costs)]
    if len(server.tools) > len(shown):
        shows = "--verbose" if most == MAX_SHOWN_OPERATIONS else "`mcpgen inspect`"
        lines.append(f"  … and {len(server.tools) - len(shown)} more; {shows} shows all")
    lines += offer_table.table(server, layout.columns())
    if len(copied := carried(server)) > 1:
        lines.append(f"carries {layout.listed([plain(each) for each in copied], layout.columns() - len('carries '))}")
    lines += [f"  {line}" for line in environment(server)]
    if tokens > LARGE_LIST and server.source.kind == "openapi" and server.exposure == "full" and not made.costs:
        lines.append(SMALLER)
    if http_text.is_default(server):
        needs = f"   with {', '.join(names)} in its environment" if (names := http_text.variables(server)) else ""
        lines.append(f"serves HTTP: {plain(shlex.join(made.start))}{needs}")
    return "\n".join([*lines, following(made)])


def following(made: Made) -> str:
    """Return the line with what to do next: look whether the server is all right, and tell a host of it."""
    verify = shlex.join(("mcpgen", "verify", made.folder))
    return f"next: {plain(verify)} · {plain(claude_code(started(made.server, made.start)))}"


def carried(server: Server) -> list[str]:
    """Return what the package copies of the author's files, the module first; the source's own folder is one item."""
    name = server.source.name
    paths = [each.path.removeprefix(f"{SOURCE}/") for each in server.source.files if each.path != SOURCE_NOTE]
    found = dict.fromkeys(f"{name}/" if path.startswith(f"{name}/") else path for path in paths)
    return sorted(found, key=lambda path: path.rstrip("/") != name)


def environment(server: Server) -> list[str]:
    """Return the environment variables that an API's server reads, a line each; they are set where it is started."""
    if server.source.kind != "openapi" or not server.config:
        return []
    size = max(len(entry.env) for entry in server.config)
    rows = [f"{entry.env:<{size}}  {plain(' '.join(entry.description.split()))}" for entry in server.config]
    shown = [layout.fitted(row.rstrip(), layout.columns() - len("    ")) for row in rows[:MAX_SHOWN_VARIABLES]]
    more = [f"… and {len(rows) - len(shown)} more; README.md has all"] if len(rows) > len(shown) else []
    return ["environment it reads:", *(f"  {row}" for row in [*shown, *more])]


def offered(server: Server) -> str:
    """Return what a server has, counted: `4 tools, 1 resource`."""
    counts = (
        (len(server.tools), "tool"),
        (len([each for each in server.resources if each.kind != "ui"]), "resource"),
        (len(server.prompts), "prompt"),
        (len([each for each in server.resources if each.kind == "ui"]), "UI view"),
    )
    return ", ".join(f"{count} {noun}{'s' if count > 1 else ''}" for count, noun in counts if count)


def steps(plan: Plan) -> str:
    """Return what writing would do, a line a file; changes of the runtime's files and all that stays are counted."""
    lines: dict[str, int] = {}
    for step in plan.steps:
        folder, vendored, _ = step.path.partition(VENDORED)
        counted = vendored and step.action in ("create", "update", "delete")
        line = f"{step.action:<9} {folder + vendored if counted else step.path}"
        if step.action == "unchanged":
            line = step.action
        lines[line] = lines.get(line, 0) + 1
    kept = lines.pop("unchanged", 0)
    rows = [f"{line}  {count} files" if line.endswith(VENDORED) else line for line, count in lines.items()]
    return "\n".join([*rows, *([f"unchanged {kept} files"] if kept else [])])


def machine(made: Made, size: int) -> str:
    """Return the result as one line of JSON."""
    server = made.server
    document: dict[str, Any] = {
        "id": server.id,
        "package": server.package,
        "command": server.command,
        "folder": made.folder,
        "start": list(made.start),
        "definitionBytes": size,
        "definitionTokens": size // BYTES_PER_TOKEN,
        "tools": [_tool(tool) for tool in server.tools],
        "resources": [each.uri for each in server.resources if each.kind != "ui"],
        "views": [each.uri for each in server.resources if each.kind == "ui"],
        "prompts": [each.name for each in server.prompts],
        "leftOut": list(made.left_out),
        "files": {step.path: step.action for step in made.plan.steps},
    }
    return json.dumps(document, separators=(",", ":"))


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "arguments": ", ".join(phrases.arguments(tool)),
        "result": phrases.result(tool),
        "annotations": phrases.stated(tool.annotations),
        "tokens": tool_tokens(tool),
        "lazyImports": list(tool.call.lazy_imports) if isinstance(tool.call, PythonCall) else [],
    }
