"""Looking at a registered server without starting it: is it there, is it still what was registered, is it ours alone.

The gateway looks before it starts a child, `mcpgen registry doctor` at all of them.
"""

from __future__ import annotations

import os
import stat

from .. import VERSION
from ..wire.secret_signs import is_surely_secret
from . import contents
from .file_access import CHECKS_OWNERS
from .making import Package, tools_of
from .names import shown
from .problems import Problem, RegistryError
from .secret_values import has_secret, is_secret_value
from .shape import MAX_NAMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .entries import Entry

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
MAX_TOLD = 5
"""Tools that are named where a server changed."""

REVIEW = "Look at what changed, and register it again: `mcpgen registry add {name}`."


def examine(entry: Entry, runtime: str = VERSION) -> tuple[Problem, ...]:
    """Return everything that is wrong with a server, the worst first: missing, unsafe, drifted, outdated."""
    if entry.url is not None:
        return tuple(_connection(entry))
    missing = missing_parts(entry)
    if missing:
        return missing
    return (*_writable(entry), *drifted(entry), *written_down(entry), *_outdated(entry, runtime))


def drifted(entry: Entry) -> tuple[Problem, ...]:
    """Return how a server differs from what was registered: its definitions, else its files; nothing if it does not."""
    try:
        changed = _changed(entry)
    except (OSError, RegistryError):
        changed = "its files cannot be read"
    if changed is None:
        return ()
    message = f"{shown(entry.name)} is not what was registered: {changed}"
    return (Problem("drifted-server", message, REVIEW.format(name=entry.name), entry.name),)


def _changed(entry: Entry) -> str | None:
    if entry.package is None:
        current = contents.of_command(entry.command, entry.cwd)
        return "the files of its command changed" if entry.files is not None and current != entry.files else None
    package = Package(entry.package)
    if entry.digest is not None and package.entry.get("digest") != entry.digest:
        return f"what it offers changed{_other_tools(entry, package)}"
    return "its files changed" if entry.files is not None and package.files() != entry.files else None


def _other_tools(entry: Entry, package: Package) -> str:
    """Return which tools are new and which are gone, where the entry has the names of all."""
    before = entry.tools.get("names")
    now = tools_of(package.catalog, 0)["names"]
    if not isinstance(before, list) or entry.tools.get("count") != len(before) or len(now) == MAX_NAMED:
        return ""
    new = [f"+ {shown(name)}" for name in now if name not in before]
    gone = [f"- {shown(name)}" for name in map(str, before) if name not in now]
    found = [*new, *gone]
    more = f" and {len(found) - MAX_TOLD} more" if len(found) > MAX_TOLD else ""
    return f": {', '.join(found[:MAX_TOLD])}{more}" if found else ""


def missing_parts(entry: Entry) -> tuple[Problem, ...]:
    """Return what a server needs to start and is not there; a URL needs nothing here."""
    return tuple(_missing(entry)) if entry.url is None else ()


def _missing(entry: Entry) -> Iterator[Problem]:
    wanted = [("its program", entry.command[0], os.path.isfile), ("its working folder", entry.cwd, os.path.isdir)]
    if entry.package is not None:
        wanted.append(("its package", os.path.join(entry.package, "__main__.py"), os.path.isfile))
    for what, path, there in wanted:
        if path is not None and not there(path):
            yield _gone(entry, f"{what} is not there: `{path}`")
    program = entry.command[0]
    if os.path.isfile(program) and not os.access(program, os.X_OK):
        yield _gone(entry, f"its program cannot be executed: `{program}`")


def _gone(entry: Entry, what: str) -> Problem:
    hint = f"Restore it, or remove the entry: `mcpgen registry remove {entry.name}`."
    return Problem("missing-program", f"{shown(entry.name)} cannot be started: {what}", hint, entry.name)


def _writable(entry: Entry) -> Iterator[Problem]:
    """Find programs and packages that every user of the machine may change."""
    if not CHECKS_OWNERS:
        return
    folders = [word for word in entry.command[1:] if os.path.isabs(word) and os.path.isdir(word)]
    paths = [entry.command[0], *contents.files_named(entry.command, entry.cwd).values(), *folders]
    paths += [entry.package] if entry.package is not None else []
    for path in dict.fromkeys([*paths, *map(os.path.dirname, map(os.path.realpath, paths))]):
        try:
            mode = os.stat(path).st_mode
        except OSError:
            continue  # it has just gone
        if mode & stat.S_IWOTH and not (stat.S_ISDIR(mode) and mode & stat.S_ISVTX):
            message = f"{shown(entry.name)} runs what every user may change: `{path}`"
            yield Problem("unsafe-entry", message, f"Take the right away: `chmod o-w {path}`.", entry.name)


def _outdated(entry: Entry, runtime: str) -> Iterator[Problem]:
    if entry.package is not None and entry.runtime and _numbers(entry.runtime) < _numbers(runtime):
        message = f"{shown(entry.name)} was made with version {entry.runtime}; this is {runtime}"
        hint = f"Build it again with `mcpgen build`, then register it again: `mcpgen registry add {entry.name}`."
        yield Problem("older-server", message, hint, entry.name)


def exposed(entry: Entry) -> tuple[Problem, ...]:
    """Return a problem for a secret that stands in the registry itself, in a header."""
    literal = [name for name in _secret(entry) if "${" not in entry.headers[name]]
    if not literal:
        return ()
    message = f"{shown(entry.name)} would keep a secret in the registry: the value of {shown(literal[0])}"
    hint = "Put it into the environment, and register the header with `${NAME}` in its place."
    return (Problem("unsafe-entry", message, hint, entry.name),)


def written_down(entry: Entry) -> tuple[Problem, ...]:
    """Return a problem for what looks like a secret in the command of a server, or in the values of its variables."""
    found = [variable for variable, value in entry.values.items() if is_secret_value(variable, value)]
    if found:
        message = f"the value of `{found[0]}` for {shown(entry.name)} looks like a secret, and stands in the registry"
        hint = f"Say only its name, as in `--env {found[0]}`, and set {found[0]} where the gateway is started."
        return (Problem("literal-secret", message, hint, entry.name),)
    if has_secret(entry.command):
        message = f"the command of {shown(entry.name)} has a secret in it, which stands in the registry"
        hint = "Have the server read it from a variable, and pass that on by its name, as in `--env API_KEY`."
        return (Problem("literal-secret", message, hint, entry.name),)
    return ()


def _connection(entry: Entry) -> Iterator[Problem]:
    yield from exposed(entry)
    scheme, _, rest = (entry.url or "").lower().partition("://")
    host = rest.partition("/")[0].partition("?")[0]
    bare = host if host.endswith("]") else host.rsplit(":", 1)[0]
    if scheme == "http" and bare not in LOCAL_HOSTS and any(_secret(entry)):
        message = f"{shown(entry.name)} sends a secret without encryption, to `{entry.url}`"
        yield Problem("open-connection", message, "Use its https URL, unless nobody else has that network.", entry.name)


def _secret(entry: Entry) -> Iterator[str]:
    return filter(is_surely_secret, entry.headers)


def _numbers(version: str) -> tuple[int, ...]:
    """Return a version's numbers to be compared; what is no number counts as 0."""
    return tuple(int(part) if part.isascii() and part.isdigit() else 0 for part in version.split(".")[:4])
