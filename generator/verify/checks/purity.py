"""`stdout_purity`: every byte on standard output is JSON-RPC, at good starts and failing ones, whatever tools do.

What tools do is tried in a copy of the package: its runtime, its settings, and a module of ours with a tool that prints
in every way there is, and one whose module cannot be imported.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import noisy
from ..conversation import Broken, Refused
from ..eras import LEGACY_ERA, MODERN
from ..finding import PROCESS, Check, Finding, fail, ok, plural, shown

if TYPE_CHECKING:
    from ..context import Context

NO_OPTION = "--mcpgen-verify-no-such-option"

COPIED = "mcpgen_verify_noisy"
"""Name of our module in the copy."""

MEND = "Write nothing but JSON-RPC to standard output; everything else goes to standard error."

SCHEMA = {"type": "object", "additionalProperties": False}


def stdout_purity(context: Context) -> Finding:
    """Look at all that came so far, then at starts that fail and tools that misbehave."""
    surveys = [context.survey(LEGACY_ERA)]
    surveys += [context.survey(MODERN)] if context.answers_at_all() else []
    if context.cannot_start and not any(each.served for each in surveys):
        return context.blocked()
    faults = [f"{each.era}: {fault}" for each in surveys for fault in each.impure]
    tried = ["a good start"]
    if context.subject.project is not None and context.project.catalog is not None:
        faults += _bad_option(context)
        faults += _misbehaviour(context)
        tried += ["a bad option", "a broken module", "a tool that prints"]
    elif not faults and not any(each.served for each in surveys):
        return context.blocked()
    if faults:
        return fail(f"{plural(len(faults), 'fault')} on standard output; the first: {faults[0]}", MEND, faults)
    return ok(f"nothing but messages came from {', '.join(tried)}")


def _bad_option(context: Context) -> list[str]:
    """Start it with an option that it does not have: it says so on standard error and ends."""
    try:
        with context.child([*context.words(), NO_OPTION]) as child:
            child.close_input()
            ended = child.wait(context.timeout)
            line = child.first_line(context.timeout if ended is not None else 0.0)
            if line is not None:
                return [f"a bad option: {shown(line.decode('utf-8', 'replace').strip(), 100)}"]
            if ended is None:
                return [f"a bad option: it still ran after {context.timeout:g} s"]
            return [] if child.status and child.stderr.strip() else ["a bad option: it ends without saying why"]
    except Broken as broken:
        return [str(broken)]


def _misbehaviour(context: Context) -> list[str]:
    """Call the two tools in a copy of the package."""
    try:
        argv = _copied(context)
    except OSError as failure:
        return [f"the package cannot be copied: {failure.strerror}"]
    try:
        with context.spoken(argv, cwd=context.scratch) as conversation:
            conversation.initialize()
            printed = conversation.request("tools/call", {"name": "prints", "arguments": {}})
            broken = conversation.request("tools/call", {"name": "broken", "arguments": {}})
            conversation.request("ping")
            conversation.child.close_input()
            conversation.drain(context.timeout)
    except (Broken, Refused) as problem:
        return [f"a tool that prints: {problem}"]
    faults = [f"a tool that prints: {fault}" for fault in conversation.faults]
    faults += ["a tool that prints: its result is an error"] if printed.get("isError") else []
    return faults + (
        [] if broken.get("isError") else ["a broken module: the call is answered as if nothing were wrong"]
    )


def _copied(context: Context) -> list[str]:
    """Copy the package with two tools in the place of its own; return what starts the copy."""
    project = context.project
    target = context.scratch / "noisy" / project.package
    shutil.copytree(
        project.home, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__", "catalog.cache.jsonl")
    )
    (target / f"{COPIED}.py").write_bytes(Path(noisy.__file__).read_bytes())
    (target / f"{COPIED}_broken.py").write_text("raise RuntimeError('verify: broken on purpose')\n", encoding="utf-8")
    kept = ("format", "runtime", "id", "needs_site", "server", "settings", "config")
    catalog = {name: value for name, value in (project.catalog or {}).items() if name in kept}
    settings = {name: value for name, value in catalog.get("settings", {}).items() if name not in ("middleware", "ui")}
    catalog |= {"settings": settings, "tools": [_tool("prints", COPIED), _tool("broken", f"{COPIED}_broken")]}
    (target / "catalog.json").write_text(json.dumps(catalog), encoding="utf-8")
    home = str(project.home)
    return [word.replace(home, str(target)) for word in context.words()]


def _tool(name: str, module: str) -> dict[str, Any]:
    return {
        "definition": {"name": name, "description": "A tool of `mcpgen verify`.", "inputSchema": SCHEMA},
        "ui": None,
        "call": {"kind": "python", "target": f".{module}:{name}", "async": False},
        "result": {"kind": "none"},
    }


CHECKS = (Check(id="stdout_purity", title="Standard output has messages alone", run=stdout_purity, kinds=PROCESS),)
