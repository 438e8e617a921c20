"""What a gateway's command line prints about it: on standard output, for people or as JSON."""

from __future__ import annotations

import os
import sys

from ..server.catalog import Catalog, CatalogError
from ..wire import jsonrpc
from .spawning import BASE, PYTHON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

OK_EXIT, FAILED_EXIT, USAGE_EXIT = 0, 1, 2

COUNTED = (("tools", "tool"), ("resources", "resource"), ("templates", "template"), ("prompts", "prompt"))
"""What is counted of each server, and what one of them is called."""


def report(package: str, folder: str, words: list[str]) -> int:
    """Print what is asked for and return the exit code: 1 when a server is not well, 2 for words that make no sense."""
    asked = [word for word in words if word != "--json"]
    if len(asked) != 1 or asked[0] not in ACTIONS:
        return _complain(
            f"{package}: give one of {', '.join(ACTIONS)}, and --json if you like; nothing else goes with it"
        )
    try:
        catalog = Catalog(package, folder)
        answer, lines, code = ACTIONS[asked[0]](catalog)
    except CatalogError as error:
        return _complain(f"{package}: {error}")
    if "--json" in words:
        lines = [jsonrpc.text(answer)]
    shown = [jsonrpc.printable(line) for line in "\n".join(lines).split("\n")]  # no terminal is to obey a table
    sys.stdout.write("\n".join(shown) + "\n")
    return code


def _complain(text: str) -> int:
    sys.stderr.write(f"{text}\n")
    return USAGE_EXIT


def counts(catalog: Catalog, server: str) -> dict[str, int]:
    """Return how many things of each kind a server has in the table."""
    return {
        kind: sum(entry["call"].get("server") == server for entry in catalog.data.get(kind) or ())
        for kind, _ in COUNTED
    }


def counted(found: dict[str, int]) -> str:
    """Return the counts in words, without what there is none of."""
    said = [f"{found[kind]} {word}{'' if found[kind] == 1 else 's'}" for kind, word in COUNTED if found.get(kind)]
    return ", ".join(said) or "nothing"


def heading(catalog: Catalog) -> str:
    """Return the gateway's name and how many servers are behind it."""
    server, rows = catalog.header["server"], catalog.data["gateway"]["servers"]
    return f"{server['name']} {server['version']}: {len(rows)} server{'' if len(rows) == 1 else 's'}"


def place(row: dict[str, Any], base: str) -> str:
    """Return how a server is reached: what will be run, or its address. No header and no value of a variable is in it.

    Interpreter and folders are filled in; other variables, which may hold secrets, keep their names. What was written
    into the command although it looks like a secret is not shown.
    """
    from ..registry.secret_values import masked, masked_address

    if "url" in row:
        return masked_address(str(row["url"]))
    from shlex import join

    return join(
        os.path.normpath(word.replace(BASE, base)) if word.startswith(BASE) else word.replace(PYTHON, sys.executable)
        for word in masked(row["command"])
    )


def _list(catalog: Catalog) -> tuple[Any, list[str], int]:
    rows = catalog.data["gateway"]["servers"]
    width = max(map(len, rows), default=0)
    base = os.path.dirname(os.path.abspath(catalog.folder))
    answer, lines = [], [heading(catalog)]
    for name, row in rows.items():
        found = counts(catalog, name)
        transport = "http" if "url" in row else "stdio"
        reached = place(row, base)
        told = {"url": reached} if "url" in row else {"command": reached}
        answer.append({"name": name, "transport": transport, "era": row.get("era", "dual"), **found, **told})
        lines.append(f"  {name:<{width}}  {transport:<5}  {counted(found)}  {reached}")
    return {"server": catalog.header["server"], "servers": answer}, lines, OK_EXIT


def _status(catalog: Catalog) -> tuple[Any, list[str], int]:
    from ..server.carried import gateway_of
    from .inner import gateways_behind, place_of

    found, lines = _running(catalog, os.environ)
    if not found:
        lines.append("  A process is shown from its first call of a tool on.")
    answer: dict[str, Any] = {"processes": found}
    rows = catalog.data["gateway"]["servers"]
    for name, gateway in gateways_behind(rows, gateway_of(catalog).ground, (place_of(catalog),)):
        processes, told = _running(gateway.catalog, gateway.ground.environment)
        answer.setdefault("behind", []).append({"name": name, "processes": processes})
        lines += ["", f"behind {name}: {told[0]}", *told[1:]]
    return answer, lines, OK_EXIT


def _running(catalog: Catalog, variables: Mapping[str, str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return what the running processes of a gateway tell, and that in words."""
    from .state_files import AVAILABLE, folder, read_all, stem

    below = folder(variables) if AVAILABLE else None
    found = read_all(below, stem(catalog.header["id"], catalog.folder)) if below is not None else []
    lines = [f"{heading(catalog)}, {len(found)} running process{'' if len(found) == 1 else 'es'}"]
    for state in found:
        lines.append(f"  process {state.get('pid')}")
        lines += [f"    {name}: {_in_words(server)}" for name, server in (state.get("servers") or {}).items()]
    return found, lines


def _in_words(server: dict[str, Any]) -> str:
    calls, failures = server.get("calls", 0), server.get("failures")
    said = [str(server.get("state")), f"{calls} call{'' if calls == 1 else 's'}"]
    if server.get("running"):
        said.append(f"{server['running']} running")
    if server.get("starts", 0) > 1:
        said.append(f"started {server['starts']} times")
    if failures:
        said.append("it failed the last time" if failures == 1 else f"it failed {failures} times in a row")
    return ", ".join(said) + (f"; last: {server['last']}" if server.get("last") else "")


def _doctor(catalog: Catalog) -> tuple[Any, list[str], int]:
    from .doctor import examine

    findings = examine(catalog)
    width = max((len(each.server) for each in findings), default=0)
    lines = [heading(catalog)]
    for each in findings:
        lines.append(f"{each.state:<4}  {each.server:<{width}}  {each.text}")
        lines += [f"      {' ' * width}  = hint: {each.hint}"] if each.hint else []
    worst = FAILED_EXIT if any(each.state == "fail" for each in findings) else OK_EXIT
    return {"servers": [each.facts() for each in findings]}, lines, worst


ACTIONS = {"--list": _list, "--status": _status, "--doctor": _doctor}
