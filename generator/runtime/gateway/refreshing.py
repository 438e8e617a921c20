"""Putting a child's new definitions into the table of this process (drift = "refresh").

Names are made as the build makes them: the child's prefix, dots and slashes as `_`. A name that another child has, that
no model API takes, or that the build was told to leave out is not taken over; the table on disk stays as it is.
"""

from __future__ import annotations

from ..server import logs
from ..server.catalog import header_of
from .cleaning import cleaned
from .drift_compare import KEYS, first_of
from .names import is_chosen
from .translate_uris import is_view
from .view_links import unlinked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .dispatch import Gateway
    from .names import Names

MAX_NAME = 64
"""Characters of a name that every model API accepts (decision 20)."""

LIST_OF = {"templates": "resources"}
"""The list that clients are told of, for kinds that have none of their own."""

_LEGAL = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")


def refresh(gateway: Gateway, server: str, found: dict[str, list[Any]]) -> list[str]:
    """Replace what the table has of a child by what it lists now; return the kinds of lists that changed."""
    catalog = gateway.catalog
    data = catalog.data
    changed = {kind: _entries(gateway, server, kind, live) for kind, live in found.items()}
    kinds: dict[str, None] = {}
    for kind, entries in changed.items():
        if entries != [entry for entry in data.get(kind) or () if entry["call"].get("server") == server]:
            kinds[LIST_OF.get(kind, kind)] = None
        others = data.get(kind) or []
        place = next((at for at, entry in enumerate(others) if entry["call"].get("server") == server), len(others))
        before = [entry for entry in others[:place] if entry["call"].get("server") != server]
        after = [entry for entry in others[place:] if entry["call"].get("server") != server]
        data[kind] = [*before, *entries, *after]
    header = header_of(data)
    catalog.replaced({**catalog.header, "tools": header["tools"]})
    gateway.forget_routing()
    return [*kinds]


def _entries(gateway: Gateway, server: str, kind: str, live: list[Any]) -> list[dict[str, Any]]:
    data, row = gateway.catalog.data, gateway.catalog.data["gateway"]["servers"][server]
    every = data.get(kind) or []
    own = {entry["call"]["original"]: entry for entry in every if entry["call"].get("server") == server}
    taken = {name for entry in every if entry["call"].get("server") != server for name in _names_of(entry)}
    common = _common_scopes([*own.values()])
    names, prefix = gateway.routing.names(server), prefix_of(data, server)
    made = []
    for original, definition in first_of(kind, live).items():
        if (kind == "resources" and is_view(original)) or not is_chosen(row, server, original):
            continue
        fit = cleaned(kind, definition)
        if fit.definition is None:
            logs.write(f"child {server}: {kind} {original[:80]!r} cannot be taken over: {fit.complaints[0]}")
            continue
        entry = _entry(kind, server, original, fit.definition, names, prefix)
        if fit.was:
            entry["was"] = fit.was
        mine = set(_names_of(entry))
        if mine & taken or (kind in ("tools", "prompts") and not is_legal(entry["definition"]["name"])):
            logs.write(f"child {server}: {kind} {original[:80]!r} cannot be taken over: its name is taken or illegal")
            continue
        taken |= mine
        known = own.get(original, {})
        entry |= {name: known[name] for name in ("limits", "scopes", "completions") if known.get(name)}
        if not known and common:
            entry["scopes"] = common
        made.append(entry)
    return made


def _entry(
    kind: str, server: str, original: str, definition: dict[str, Any], names: Names, prefix: str
) -> dict[str, Any]:
    """Return a table's entry for a definition."""
    call = {"kind": "proxy", "server": server, "original": original}
    key = KEYS[kind]
    given = names.before + original
    if key == "name":
        given = prefix + original.replace(".", "_").replace("/", "_")
    if kind != "tools":
        return {"definition": {**definition, key: given}, "call": call}
    uri, ui, shown = unlinked(definition)
    shown[key] = given
    if type(uri) is str and uri in names.uris:  # a link to a view that the table has not is taken off (R051)
        ui = {"resourceUri": names.uri(uri), **ui}
    dotted = f"{server}.{original}"
    aliases = [dotted] if dotted != given else []
    return {"definition": shown, "ui": ui or None, "aliases": aliases, "call": call, "result": {}}


def prefix_of(data: dict[str, Any], server: str) -> str:
    """Return what comes before a child's names: as its row says, else as a name that the table has shows."""
    row = data["gateway"]["servers"][server]
    if "prefix" in row:
        return str(row["prefix"])
    for entry in (*data["tools"], *(data.get("prompts") or ())):
        if entry["call"].get("server") == server:
            tail = entry["call"]["original"].replace(".", "_").replace("/", "_")
            name: str = entry["definition"]["name"]
            if name.endswith(tail):
                return name[: len(name) - len(tail)]
    return f"{server}{data['gateway'].get('separator', '__')}"


def is_legal(name: str) -> bool:
    """Say whether every model API takes a name."""
    return 0 < len(name) <= MAX_NAME and _LEGAL.issuperset(name)


def _names_of(entry: dict[str, Any]) -> list[str]:
    definition = entry["definition"]
    own = definition.get("uri") or definition.get("uriTemplate") or definition["name"]
    return [own, *(entry.get("aliases") or ())]


def _common_scopes(entries: list[dict[str, Any]]) -> list[str]:
    """Return the scopes that everything of a child needs: what is new needs them, too."""
    if not entries:
        return []
    first, *others = [entry.get("scopes") or [] for entry in entries]
    return [scope for scope in first if all(scope in each for each in others)]
