"""Run in a child by its path, under the server's interpreter: prepares everything a server would at its first calls.

    python -I -S probe.py PROJECT PACKAGE

Each target is told before it is prepared and after, a line of JSON each, so that whoever reads knows what hung or ended
the process. Nothing of the generator is imported: only the standard library, and the package's own runtime.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

UNPREPARED = "proxy"
"""The kind of calls that run no code of the package."""

PREPARED_OFFERS = frozenset({"target", "path"})
"""Members of the calls that do, for what is offered besides tools."""


def main() -> None:
    """Prepare every target and tell how it went."""
    project, package = sys.argv[1:3]
    out = os.dup(1)
    os.dup2(2, 1)  # what modules print is no line of ours
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.path.insert(0, project)

    def tell(**line: Any) -> None:
        os.write(out, json.dumps(line).encode() + b"\n")

    tell(begin="the runtime")
    server = f"{package}._runtime.server"
    folder = importlib.import_module(package).__path__[0]
    catalog = importlib.import_module(f"{server}.catalog").Catalog(package, folder)
    surroundings = importlib.import_module(f"{server}.surroundings").surroundings_of(catalog)
    surroundings.lay()
    tell(done="the runtime")
    for name, prepare in _targets(server, catalog, surroundings):
        tell(begin=name)
        try:
            prepare()
        except BaseException as error:  # noqa: BLE001 - whatever a module does when it is imported
            tell(failed=name, reason=_reason(error), missing=getattr(error, "missing", None))
        else:
            tell(done=name)
    tell(end=True)
    os._exit(0)  # threads that a module started wait for nobody


def _targets(server: str, catalog: Any, surroundings: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what can be prepared, by what people call it."""
    for tool in dict.fromkeys(catalog.tools.values()):
        if tool.entry["call"].get("kind") != UNPREPARED:
            yield f"tool `{tool.name}`", tool.prepare
    verify = (catalog.settings.get("serve") or {}).get("verify")
    if verify:
        yield f"setting `verify` ({verify})", lambda: surroundings.load(verify)
    if not any(catalog.data.get(kind) for kind in ("resources", "templates", "prompts", "views")):
        return
    offers = importlib.import_module(f"{server}.offers").offers_of(catalog)
    every = [*offers.resources.values(), *(offer for _, offer in offers.templates), *offers.prompts.values()]
    if catalog.data.get("views"):
        view = importlib.import_module(f"{server}.view_plan").View
        every += [view("view", each["definition"]["name"], each, catalog) for each in catalog.data["views"]]
    for offer in every:
        if not PREPARED_OFFERS.intersection(offer.entry["call"]):
            continue
        yield f"{offer.kind} `{offer.definition.get('name')}`", offer.prepare
        for completer in offer.completers.values():
            yield completer.name, completer.prepare


def _reason(error: BaseException) -> str:
    try:
        return f"{error}" if type(error).__name__ == "ImportProblem" else f"{type(error).__name__}: {error}"
    except BaseException:  # noqa: BLE001 - an exception without a text
        return type(error).__name__


if __name__ == "__main__":
    main()
