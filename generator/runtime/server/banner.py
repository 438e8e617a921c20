"""What a person sees who starts the server in a terminal: what it is, and how to try it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHOWN_NAMES = 20
"""Tool names listed by name; more are counted."""

MOST_LOOKED_AT = 20
"""Tools among which one to try is looked for: a schema is compiled for each, and a person waits."""

LONGEST_TRIAL = 300
"""Characters of a call that is still easily pasted."""


OFFERS = (("resources", "uri"), ("templates", "uriTemplate"), ("prompts", "name"))
"""What else there may be, and what it goes by."""


def banner(
    header: dict[str, Any], entries: list[dict[str, Any]], versions: list[str], data: dict[str, Any] | None = None
) -> str:
    """Return the text for standard error; `entries` are the catalog's tools, `data` has what else it offers."""
    server = header["server"]
    found = {kind: [entry["definition"][name] for entry in (data or {}).get(kind, ())] for kind, name in OFFERS}
    offers = {kind: names for kind, names in found.items() if names}
    listed = {"tools": [entry["definition"]["name"] for entry in entries]} if entries or not offers else {}
    listed |= offers
    servers = list(((data or {}).get("gateway") or {}).get("servers") or ())
    behind = f"  {'CLIs:':<10} {len(servers)} ({_shown(servers)})\n" if servers else ""
    lines = behind + "".join(
        f"  {(kind.capitalize() + ':'):<10} {len(names)} ({_shown(names)})\n" for kind, names in listed.items()
    )
    method = f"{'resources/templates' if 'templates' in list(listed)[:1] else next(iter(listed))}/list"
    return f"""MCP server ready: {server.get("title") or server["name"]} {server["version"]}
  Protocol:  {", ".join(versions)}
{lines}  Transport: stdio, one JSON-RPC message a line
Try it by pasting:
  {{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{}}}}
  {{"jsonrpc":"2.0","id":2,"method":"{method}"}}
{trial(entries)}or pipe a file of such lines into this command. Ctrl+C ends the server.
"""


def _shown(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return ", ".join(names[:SHOWN_NAMES]) + more


def trial(entries: list[dict[str, Any]]) -> str:
    """Return a line with a call whose arguments are accepted, or nothing where none is found.

    Tools without required arguments come first; tools that destroy or that need configuration are left alone.
    """
    from ..wire import jsonrpc

    harmless = [entry for entry in entries if not entry.get("config") and not _destroys(entry["definition"])]
    harmless.sort(key=lambda entry: bool(entry["definition"]["inputSchema"].get("required")))
    for entry in harmless[:MOST_LOOKED_AT]:
        arguments = _accepted(entry)
        if arguments is None:
            continue
        params = {"name": entry["definition"]["name"], "arguments": arguments}
        line = jsonrpc.encode({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}).decode("ascii")
        if len(line) <= LONGEST_TRIAL:
            return f"  {line}\n"
    return ""


def _destroys(definition: dict[str, Any]) -> bool:
    return bool((definition.get("annotations") or {}).get("destructiveHint"))


def _accepted(entry: dict[str, Any]) -> dict[str, Any] | None:
    """Return arguments that the tool's schema accepts, made of its examples, defaults and choices; None if none are."""
    from ..schema.examples import example_of
    from ..schema.kinds import SchemaError
    from ..schema.repair import site_of
    from ..schema.validator import compile_validator

    schema = entry["definition"]["inputSchema"]
    skipped = tuple(entry.get("unenforced_patterns") or ())
    try:
        accepts = compile_validator(schema, skip_patterns=skipped, python_formats=True).accepts
        if accepts({}):
            return {}
        made = example_of(schema, site_of(schema, frozenset(skipped)))
        return made if isinstance(made, dict) and accepts(made) else None
    except SchemaError:
        return None  # a call of the tool says what is wrong with it
