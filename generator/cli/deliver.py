"""What is done with a built tree: written, compared with a folder, or only told about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from . import exits

if TYPE_CHECKING:
    from pathlib import Path

    from ..build_values import BuildResult
    from ..diagnostics.model import Diagnostic
    from ..frontends.python.environment import Environment
    from ..ir.model import Server
    from ..ir.routes import RoutingTable
    from ..output.lock import Lock
    from ..output.plan import Plan
    from ..output.write import Written
    from .console import Console

Mode = Literal["write", "check", "diff", "dry-run"]


class Delivery(NamedTuple):
    """A build that may go on: of which sources, for which folder, all as the user wrote them.

    `environment` is where a Python source was looked up in; the server of an API needs none. `stubs` were asked for,
    or the `costs` of each tool. A gateway has a `table` in place of tools of its own.
    """

    console: Console
    sources: tuple[str, ...]
    result: BuildResult
    server: Server
    output: str
    environment: Environment | None = None
    stubs: bool = False
    costs: bool = False
    table: RoutingTable | None = None

    @property
    def folder(self) -> Path:
        """The folder as a path."""
        from pathlib import Path

        return Path(self.output)


def mode_of(*, check: bool, diff: bool, dry_run: bool) -> Mode:
    """Return what the user wants done; raises typer.BadParameter when that is more than one thing."""
    if check + diff + dry_run > 1:
        import typer

        raise typer.BadParameter("--check, --diff and --dry-run exclude one another")
    return "check" if check else "diff" if diff else "dry-run" if dry_run else "write"


def output_problems(output: str | None) -> tuple[Diagnostic, ...]:
    """Refuse an output folder that some system cannot hold; one outside the working folder is fine when it is named."""
    from ..diagnostics.model import Diagnostic
    from ..diagnostics.rules import rule
    from ..output.tree import folder_problem

    if output is None or (reason := folder_problem(output)) is None:
        return ()
    message = f"--output `{output[:60]}` is not acceptable: {reason}"
    hint = "Choose another folder with -o, for example `-o out/weather-mcp`."
    return (Diagnostic(rule=rule("illegal-server-name"), message=message, hint=hint, unit="-o"),)


def deliver(delivery: Delivery, mode: Mode) -> int:
    """Write the tree, or compare it, and return the exit code; diagnostics of all stages come in one report."""
    if (unsuitable := _unsuitable(delivery)) is not None:
        return unsuitable
    if mode == "check":
        return _check(delivery)
    from ..output.write import write

    console, result = delivery.console, delivery.result
    lock = _lock(delivery)
    written = write(
        result.tree,
        delivery.folder,
        lock,
        owners=result.owners,
        executable=result.executable,
        begun=result.begun,
        dry_run=mode != "write",
    )
    found = [*result.diagnostics, *written.diagnostics, *_kept(delivery, written.plan)]
    console.report(found, _closing(delivery, written, mode))
    if written.plan is None:
        return exits.REFUSED if written.refused else exits.INPUT
    if mode == "write":
        if not console.quiet:
            _tell(delivery, written.plan)
        return exits.REFUSED if written.refused else exits.OK
    if mode == "diff":
        console.result(_difference(written.plan, result, delivery.server), always=True)
    else:
        from . import summary

        console.result(summary.steps(written.plan), always=True)
    return exits.OK


def _unsuitable(delivery: Delivery) -> int | None:
    """Refuse a folder that is no place for a server, before anything in it is looked at."""
    from pathlib import Path

    from ..output.place import place_problem
    from ..request import is_path
    from .verdict import NOTHING_WRITTEN

    paths: list[Path | None] = [None, *(Path(source) for source in delivery.sources if is_path(source))]
    problems = (place_problem(delivery.folder, delivery.server.command, path) for path in paths)
    found = next((each for each in problems if each is not None), None)
    if found is None:
        return None
    delivery.console.report([*delivery.result.diagnostics, found], NOTHING_WRITTEN)
    return exits.REFUSED


def _closing(delivery: Delivery, written: Written, mode: Mode) -> str:
    """Return what the run came to, as far as it is not what was asked for."""
    from .verdict import NOTHING_WRITTEN, left_out

    told = [left_out(delivery.result.left_out, delivery.server.source.kind)]
    if written.plan is None:
        told.append("some files are new and some old: build again" if written.partial else NOTHING_WRITTEN)
    elif written.refused:
        kept = len(written.plan.of("edited", "foreign"))
        number = "1 file" if kept == 1 else f"{kept} files"
        was = "was" if kept == 1 else "were"
        wrote = f"{number} {was} kept, everything else was written"
        told.append(wrote if mode == "write" else f"a build would keep {number} (exit 3)")
    return "; ".join(filter(None, told))


def _kept(delivery: Delivery, plan: Plan | None) -> tuple[Diagnostic, ...]:
    """Tell what is to be told of a file that is the user's by now: it cannot be read, or gets no more functions."""
    from ..diagnostics.model import Diagnostic
    from ..diagnostics.rules import rule
    from ..output.handlers_check import syntax_problem

    kept = [step for step in plan.of("yours") if step.path in delivery.result.begun] if plan else []
    shown = [(delivery.folder / step.path).as_posix() for step in kept]
    problems = [syntax_problem(path, step.current) for path, step in zip(shown, kept, strict=True) if step.current]
    found = [each for each in problems if each is not None]
    if delivery.stubs and kept:
        message = f"`{kept[0].path}` was edited, so it is yours and is kept as it is: it gets no further functions"
        found.append(Diagnostic(rule=rule("kept-handlers"), message=message, unit=kept[0].path))
    return tuple(found)


def _tell(delivery: Delivery, plan: Plan) -> None:
    from . import summary
    from .launch import launch

    start = launch(delivery.server, delivery.environment, delivery.folder)
    made = summary.Made(delivery.server, delivery.output, start, delivery.result.left_out, plan, delivery.costs)
    size = summary.definition_bytes(delivery.result.tree, delivery.server.package)
    if delivery.table is not None:
        from . import gateway_summary

        told = gateway_summary.machine if delivery.console.wants_json else gateway_summary.human
        delivery.console.result(told(made, delivery.table, size))
        return
    machine = delivery.console.wants_json
    every = delivery.console.verbose
    delivery.console.result(summary.machine(made, size) if machine else summary.human(made, size, every=every))


def _difference(plan: Plan, result: BuildResult, server: Server) -> str:
    """Return the unified diff and below it what changes for clients, as comments that `patch` passes over."""
    from ..output import diff

    catalog = f"{server.package}/catalog.json"
    current = next((step.current for step in plan.steps if step.path == catalog), None)
    lines = diff.semantic(current, result.tree[catalog])
    return diff.unified(plan, result.tree) + "".join(f"# {line}\n" for line in lines)


def _check(delivery: Delivery) -> int:
    import sys

    from ..output.check import check, import_problem
    from .verdict import left_out

    result, server = delivery.result, delivery.server
    checked = check(result.tree, delivery.folder, _lock(delivery), owners=result.owners, begun=result.begun)
    broken = import_problem(result.tree, server.package, sys.executable)
    found = [*checked.diagnostics, *([broken] if broken else []), *(() if checked.refused else _handlers(delivery))]
    delivery.console.report([*result.diagnostics, *found], left_out(result.left_out, server.source.kind))
    delivery.console.result(checked.difference, always=True)
    if checked.refused:
        return exits.REFUSED
    return exits.DRIFT if found else exits.OK


def _handlers(delivery: Delivery) -> tuple[Diagnostic, ...]:
    """Return what is wrong with the user's part of an API's server."""
    from ..output.handlers_check import handlers_problems
    from .launch import launch

    if delivery.server.http is None:
        return ()
    words = launch(delivery.server, delivery.environment, delivery.folder)
    return handlers_problems(delivery.folder, delivery.server.package, words[:-1])


def _lock(delivery: Delivery) -> Lock:
    """Return the lock without its files, which writing fills in."""
    from .. import __version__
    from ..ir.model import PythonCall
    from ..output.lock import Lock
    from ..output.origin import origin
    from ..runtime import VERSION

    server = delivery.server
    # A name that somebody asked for is that of the settings: once it is taken back, it is not to be kept.
    calls = [(tool, tool.call) for tool in server.tools if isinstance(tool.call, PythonCall) or not tool.call.named]
    names = {call.target if isinstance(call, PythonCall) else call.operation: tool.name for tool, call in calls}
    return Lock(
        generator=__version__,
        runtime=VERSION,
        server=server.command,
        source=origin(delivery.folder, delivery.sources[0]) if server.source.kind != "servers" else "",
        inputs=server.source.inputs,
        environment=server.source.environment,
        names=names,
    )
