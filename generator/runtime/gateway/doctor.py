"""Starting every server of a gateway to see how it is: whether it runs, and whether it is what the table says."""

from __future__ import annotations

from _thread import start_new_thread
from threading import Event, Semaphore
from time import monotonic

from . import failures
from .drift_compare import CHANGED, GONE, differences
from .inner import BETWEEN, inner, its_doctor, place_of, serves_registry
from .inspecting import Inspection
from .lacking import lacking
from .links import make_link
from .reports import counted, counts, place
from .spawning import missing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..server.catalog import Catalog
    from .links import Ground, Link

AT_ONCE = 8
"""Servers that are started side by side: starting is mostly waiting for the disk."""

LIST_SECONDS = 20.0
"""How long a server that runs may take for all its lists."""

END_SECONDS = 5.0
"""How long it may take to end."""

MAX_NAMED = 5
"""Differences that are named; the log of a gateway has more."""

PUT_BACK = "Put it back; if it was moved, build the gateway again with where it is now."

BUILD_AGAIN = "Look at the change, then build the gateway again."

SET_VALUES = "Set it in the `env` of the gateway in the host's settings, or in {file}; a host may have set it already."

HINTS = {
    failures.UNAVAILABLE: "Check the command, the folder and the variables that the gateway's table names for it.",
    failures.BUSY: "The system has no room for another process: end what is not needed, or raise its limits.",
    failures.TIMEOUT: "Start the server by hand; if it is only slow, give it a longer start_timeout.",
    failures.DISCONNECTED: "Start the server by hand to see why it ends.",
    failures.BROKEN: "It has to write messages of MCP on standard output and nothing else: start it by hand to see.",
    failures.TRANSPORT: "Check that the server runs, and where: no answer came, or none that a server of MCP gives.",
}
"""What to do about a server that does not start."""


class Finding:
    """How one server is: `state` is ok, warn or fail."""

    __slots__ = ("differences", "era", "hint", "milliseconds", "server", "state", "text")

    def __init__(self, server: str) -> None:
        self.server = server
        self.state = "fail"
        self.text = "it was not looked at"
        self.hint = self.era = ""
        self.milliseconds = 0
        self.differences: list[str] = []

    def facts(self) -> dict[str, Any]:
        """Return it as JSON values."""
        told = {"name": self.server, "state": self.state, "text": self.text, "hint": self.hint}
        return {**told, "era": self.era, "ms": self.milliseconds, "differences": self.differences}


def examine(catalog: Catalog) -> list[Finding]:
    """Start all servers, a few at a time, and return what was found, in the table's order.

    Behind each gateway come the servers behind it, which it says nothing of itself: it has started, and they have not.
    """
    from ..server.carried import gateway_of

    return _examined(catalog, catalog.data["gateway"]["servers"], gateway_of(catalog).ground, (place_of(catalog),))


def _examined(
    catalog: Catalog, rows: Mapping[str, dict[str, Any]], ground: Ground, above: tuple[str, ...]
) -> list[Finding]:
    """Return the findings of one table; `above` are the places of the gateways in front of it, each looked at once."""
    findings = {name: Finding(name) for name in rows}
    places, done = Semaphore(AT_ONCE), {name: Event() for name in rows}

    def look(name: str) -> None:
        with places:
            try:
                _Examination(catalog, make_link(name, rows[name], ground), findings[name]).run(rows[name], ground)
            except Exception as error:  # noqa: BLE001 # one server must not keep the others from being looked at
                findings[name].text = f"it could not be looked at ({type(error).__name__}: {error})"
            finally:
                done[name].set()

    for name in rows:
        start_new_thread(look, (name,))
    for each in done.values():
        each.wait()
    found = []
    for name, finding in findings.items():
        found += [finding, *(_behind(finding, rows[name], ground, above) if finding.state != "fail" else ())]
    return found


def _behind(finding: Finding, row: dict[str, Any], ground: Ground, above: tuple[str, ...]) -> list[Finding]:
    """Look at the servers behind a server that is a gateway itself."""
    from ..server.catalog import CatalogError

    try:
        gateway = inner(row, ground)
    except CatalogError as error:
        finding.text += f"; what is behind it was not looked at: {error}"
        return []
    if gateway is None and serves_registry(row):
        command = place(its_doctor(row), ground.base)
        finding.text += f"; it serves what is registered, which was not looked at: {command} does that"
    if gateway is None or gateway.place in above:
        return []
    found = _examined(gateway.catalog, gateway.rows, gateway.ground, (*above, gateway.place))
    for each in found:
        each.server = f"{finding.server}{BETWEEN}{each.server}"
    return found


class _Examination:
    """One server, looked at on a thread that waits."""

    __slots__ = ("_begun", "_catalog", "_finding", "_link", "_name", "_problem", "_ready")

    def __init__(self, catalog: Catalog, link: Link, finding: Finding) -> None:
        self._catalog = catalog
        self._name = finding.server
        self._finding = finding
        self._link = link
        self._ready = Event()
        self._problem: tuple[str, str] | None = None
        self._begun = monotonic()

    def run(self, row: dict[str, Any], ground: Ground) -> None:
        try:
            self._link.start(self._ready.set, self._ended)
            self._ready.wait()  # the link bounds the start
            if self._problem is None:
                self._compare(row)
                self._look_at_values(row, ground)
            else:
                self._failed(*self._problem, gone=bool(missing(row, ground.environment, ground.base)))
        finally:
            self._link.close()
            self._link.join(END_SECONDS)

    def _ended(self, reason: str, detail: str) -> None:
        if not self._ready.is_set():
            self._problem = reason, detail
            self._ready.set()

    def _failed(self, reason: str, detail: str, *, gone: bool) -> None:
        said = self._link.stderr_tail().splitlines()
        tail = f" Its last words: {said[-1]}" if said and not gone else ""
        self._finding.text = f"{reason}: {detail or failures.CAUSES[reason]}.{tail}"
        self._finding.hint = PUT_BACK if gone else HINTS.get(reason, "Start the server by hand to see.")

    def _compare(self, row: dict[str, Any]) -> None:
        finding, peer = self._finding, self._link.peer
        finding.era = peer.era
        finding.milliseconds = round((monotonic() - self._begun) * 1000.0)
        found, problem = self._lists()
        if found is None:
            finding.text = f"it started, but its lists could not be read: {problem}"
            finding.hint = "Ask it for its lists by hand; a gateway cannot tell whether it is still the same."
            return
        changes = [
            difference
            for kind, live in found.items()
            if kind != "resources"
            for difference in differences(kind, self._entries(kind), live, peer.dialect, (self._name, row))
        ]
        finding.differences = [str(each) for each in changes]
        serious = any(each.what in (CHANGED, GONE) for each in changes)
        finding.state = "warn" if serious else "ok"
        told = f"speaks {peer.dialect.version}, started in {finding.milliseconds} ms"
        finding.text = f"{told}, {counted(counts(self._catalog, self._name))}"
        if changes:
            more = f" and {len(changes) - MAX_NAMED} more" if len(changes) > MAX_NAMED else ""
            finding.text += f"; not in the table as it is now: {'; '.join(finding.differences[:MAX_NAMED])}{more}"
            finding.hint = BUILD_AGAIN

    def _look_at_values(self, row: dict[str, Any], ground: Ground) -> None:
        """Say which values are not set: the server starts without them, and refuses the calls that need them."""
        finding = self._finding
        names, file = lacking(row, ground)
        if not names:
            return
        more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
        verb = "is" if len(names) == 1 else "are"
        finding.state = "warn"
        finding.text += f"; {', '.join(names[:MAX_NAMED])}{more} {verb} not set, and calls that need that are refused"
        finding.hint = f"{finding.hint} {SET_VALUES.format(file=file)}".strip()

    def _lists(self) -> tuple[dict[str, list[Any]] | None, str]:
        over = Event()
        outcome: list[tuple[dict[str, list[Any]] | None, str]] = []

        def done(found: dict[str, list[Any]] | None, problem: str) -> None:
            outcome.append((found, problem))
            over.set()

        Inspection(self._link, done).begin()
        if not over.wait(LIST_SECONDS):
            return None, f"it did not answer within {LIST_SECONDS:g} s"
        return outcome[0]

    def _entries(self, kind: str) -> list[dict[str, Any]]:
        entries = self._catalog.data.get(kind) or ()
        return [entry for entry in entries if entry["call"].get("server") == self._name]
