"""What a server says of itself on the command line: `--list` prints what it has, `--doctor` whether it could run.

Both end before anything is served, so standard output is theirs. The doctor does what the first calls would: it looks
values up and imports the author's modules, whose own prints go to standard error.
"""

from __future__ import annotations

import os
import sys

from ..wire import jsonrpc
from . import system
from .catalog import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from .catalog import Catalog
    from .options import Options
    from .tool import Tool

OK_EXIT, FAILED_EXIT = 0, 1

OK, WARN, FAIL = "ok", "warn", "fail"

KINDS = (
    ("tools", "tool", "name"),
    ("resources", "resource", "uri"),
    ("templates", "template", "uriTemplate"),
    ("prompts", "prompt", "name"),
    ("views", "view", "uri"),
)
"""What a catalog has, what one of each is called, and the member of its definition that it goes by."""

LONGEST_LINE = 100
"""Characters of a description that are shown."""

ENTRY = "registry-entry.json"
"""Says which variables have to be set."""

MODULES = {
    "install": "Install the package that provides `{module}` where this server runs.",
    "link": "Make the module `{module}` that it links to importable where it runs, or build it without --link.",
    "repair": "Repair the module, then build the server again.",
}
"""What to do about a module that cannot be imported."""


def list_all(catalog: Catalog, *, as_json: bool) -> int:
    """Print what the server has, a line each; nothing of it is imported."""
    found = {kind: _entries(catalog, kind) for kind, _, _ in KINDS}
    server, data = catalog.header["server"], catalog.data
    hidden = len(data["tools"]) - len(found["tools"])
    if as_json:
        told = {kind: list(map(_described, entries)) for kind, entries in found.items() if entries or kind == "tools"}
        return _print([jsonrpc.text({"server": server, **told, **({"unlisted": hidden} if hidden else {})})])
    rows = [
        (word, str(entry["definition"][member]), _line(entry["definition"]))
        for kind, word, member in KINDS
        for entry in found[kind]
    ]
    kinds, names = (max((len(row[place]) for row in rows), default=0) for place in (0, 1))
    lines = [f"{server['name']} {server['version']}: {_counted(found)}"]
    lines += [f"  {kind:<{kinds}}  {name:<{names}}  {line}".rstrip() for kind, name, line in rows]
    if hidden:
        lines.append(f"  and {hidden} more tool{'' if hidden == 1 else 's'} that can be called and no list shows")
    return _print(lines)


def _entries(catalog: Catalog, kind: str) -> list[dict[str, Any]]:
    return shown(catalog.data) if kind == "tools" else list(catalog.data.get(kind) or ())


def _described(entry: dict[str, Any]) -> dict[str, Any]:
    members = ("name", "uri", "uriTemplate", "title", "description")
    return {member: entry["definition"][member] for member in members if member in entry["definition"]}


def _line(definition: dict[str, Any]) -> str:
    """Return the first line of what is said of something."""
    text = str(definition.get("description") or definition.get("title") or "").strip()
    line = text.partition("\n")[0].rstrip()
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1]}…"


def _counted(found: dict[str, list[dict[str, Any]]]) -> str:
    said = [
        f"{len(found[kind])} {word}{'' if len(found[kind]) == 1 else 's'}" for kind, word, _ in KINDS if found[kind]
    ]
    return ", ".join(said) or "nothing"


class Finding:
    """One thing that was looked at: `state` is ok, warn or fail."""

    __slots__ = ("hint", "name", "state", "text")

    def __init__(self, state: str, name: str, text: str, hint: str = "") -> None:
        self.state, self.name, self.text, self.hint = state, name, text, hint

    def facts(self) -> dict[str, str]:
        """Return it as JSON values."""
        return {"name": self.name, "state": self.state, "text": self.text, "hint": self.hint}


def examine(catalog: Catalog, options: Options, *, as_json: bool) -> int:
    """Look whether the server has what it needs, print that and return the exit code: 1 when something fails."""
    _let_signals_end_it()
    out = system.dup(1)
    system.dup2(2, 1)  # what modules print is no part of the report
    found = [*_settings(catalog, options), *_values(catalog), *_handlers(catalog)]
    if sys.stdout is not None:
        sys.stdout.flush()
    system.dup2(out, 1)
    code = FAILED_EXIT if any(each.state == FAIL for each in found) else OK_EXIT
    if as_json:
        server = catalog.header["server"]
        _print([jsonrpc.text({"server": server, "findings": [each.facts() for each in found]})])
        return code
    width = max(len(each.name) for each in found)
    lines = [f"{catalog.header['server']['name']} {catalog.header['server']['version']}"]
    for each in found:
        lines.append(f"{each.state:<4}  {each.name:<{width}}  {each.text}")
        lines += [f"      {' ' * width}  = hint: {each.hint}"] if each.hint else []
    _print(lines)
    return code


def _let_signals_end_it() -> None:
    """Have Ctrl-C end the process while modules are imported: as an exception it would be taken for one of theirs."""
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _settings(catalog: Catalog, options: Options) -> Iterator[Finding]:
    """Yield what is wrong with the settings of serving: variables that they name and nobody set."""
    serve = catalog.settings.get("serve") or {}
    if not serve:
        return
    from .serve_settings import SettingsError, settle

    try:
        settle(options, serve, system.environ)
    except SettingsError as error:
        yield Finding(FAIL, "settings", str(error), "Set them where the server is started.")
    else:
        yield Finding(OK, "settings", "what is said of serving can be used")


def _values(catalog: Catalog) -> Iterator[Finding]:
    """Yield the values that have to be set and are not; no value is shown."""
    from .surroundings import surroundings_of

    entries = catalog.data.get("config") or {}
    if not entries:
        return
    settings = surroundings_of(catalog).settings
    values, needs = settings.values(), needs_of(catalog)
    lacking = [name for name, entry in entries.items() if is_needed(entry, needs) and name not in values]
    for name in lacking:
        entry = entries[name]
        required = bool(entry.get("required", True))
        users = [tool.name for tool in catalog.tools.values() if name in settings.needed_by(tool.name, _named(tool))]
        whom = f", and {', '.join(users[:5])}{' and others' if len(users) > 5 else ''} cannot run" if users else ""
        text = f"it is not set{whom}" if required else "it is not set; calls that need it are refused"
        hint = f"Set it in the `env` of this server in the host's settings, or put `{name}` into {settings.file}."
        yield Finding(FAIL if required else WARN, str(entry["env"]), text, hint)
    if not lacking:
        count = len(values)
        yield Finding(OK, "values", f"all that have to be set are; {count} of {len(entries)} are set")


def is_needed(entry: dict[str, Any], needs: frozenset[str]) -> bool:
    """Say whether a value has to be set."""
    return bool(entry.get("required", True)) or entry["env"] in needs


def _named(tool: Tool) -> tuple[str, ...]:
    return tuple(tool.entry.get("config") or ())


def needs_of(catalog: Catalog) -> frozenset[str]:
    """Return the variables that a package's registry entry says have to be set."""
    try:
        with open(os.path.join(catalog.folder, ENTRY), "rb") as file:
            found = jsonrpc.parse(file.read())
    except (OSError, jsonrpc.ParseFailure):
        return frozenset()
    return frozenset(map(str, found.get("needs") or ())) if isinstance(found, dict) else frozenset()


def _handlers(catalog: Catalog) -> Iterator[Finding]:
    """Yield each reason why something cannot run, once, with how much it stops."""
    prepared = 0
    failures: dict[str, tuple[list[str], str]] = {}
    for name, prepare in _targets(catalog):
        try:
            prepare()
        except Exception as error:  # noqa: BLE001 # whatever a module does when it is imported
            reason, hint = _reason(catalog, error)
            failures.setdefault(reason, ([], hint))[0].append(name)
        else:
            prepared += 1
    for reason, (names, hint) in failures.items():
        more = f", and {len(names) - 1} more for the same reason" if len(names) > 1 else ""
        yield Finding(FAIL, names[0], f"{reason}{more}", hint)
    if not failures:
        told = f"{prepared} of {prepared} can be imported" if prepared else "there is nothing to import"
        yield Finding(OK, "handlers", told)


def _targets(catalog: Catalog) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what can be prepared, by what people call it."""
    for tool in dict.fromkeys(catalog.tools.values()):
        yield tool.name, tool.prepare
    if not {"resources", "templates", "prompts"}.intersection(catalog.header.get("offers", ())):
        return
    from importlib import import_module

    offers = import_module(".offers", __package__).offers_of(catalog)
    for offer in (*offers.resources.values(), *(each for _, each in offers.templates), *offers.prompts.values()):
        if "target" in offer.entry["call"]:
            yield f"{offer.kind} {offer.definition.get('name')}", offer.prepare


def _reason(catalog: Catalog, error: Exception) -> tuple[str, str]:
    """Return why something could not be imported, and what to do about it."""
    from ..schema.exception_text import exception_text, type_name
    from ..schema.imports import ImportProblem

    if not isinstance(error, ImportProblem):
        return f"{type_name(type(error))}: {exception_text(error)}", MODULES["repair"]
    missing = (error.missing or "").partition(".")[0]
    own = error.target.partition(":")[0].partition(".")[0]
    what = "repair" if not missing or missing == catalog.package else "link" if missing == own else "install"
    return error.message, MODULES[what].format(module=error.missing if what == "link" else missing)


def _print(lines: list[str]) -> int:
    """Write lines that no terminal obeys; returns the exit code of what went well."""
    text = "".join(f"{jsonrpc.printable(line)}\n" for line in lines)
    data = text.encode("utf-8", "replace")
    while data:
        data = data[system.write(1, data) :]
    return OK_EXIT
