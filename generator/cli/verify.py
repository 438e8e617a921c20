"""`mcpgen verify`: check a built server, a command or a URL before hosts are told of it."""

from __future__ import annotations

import json
import math
import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import exits
from .options import Format, PythonOption, QuietOption
from .words import TextCommand

if TYPE_CHECKING:
    from ..verify.finding import Check, Finding, Report
    from ..verify.subject import NoServerError, Subject
    from .console import Console
    from .verify_words import Words

MAX_TIMEOUT = 600.0
"""Seconds; whoever waits longer for one answer has other questions."""

AFTER_DASHES = "mcpgen.command"
"""Where the words after `--` are kept until the verb runs: a folder before them and a command after are told apart."""


class VerifyCommand(TextCommand):
    """A command whose words after `--` are somebody else's."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the words after `--` out of the way of the parser."""
        if "--" in args:
            place = args.index("--")
            ctx.meta[AFTER_DASHES] = tuple(args[place + 1 :])
            args = args[:place]
        return super().parse_args(ctx, args)


def _form(value: str) -> str:
    if value in (Format.HUMAN, Format.JSON):
        return value
    message = f"{value[:60]!r} is not one of human, json"
    raise typer.BadParameter(message)


FormOption = Annotated[
    str, typer.Option("--format", callback=_form, metavar="[human|json]", help="Form of the report.")
]
TimeoutOption = Annotated[
    str | None, typer.Option("--timeout", metavar="SECONDS", help="Longest wait for one answer; default: 10.")
]
OnlyOption = Annotated[list[str] | None, typer.Option("--only", metavar="ID", help="Only this check; repeatable.")]
SkipOption = Annotated[list[str] | None, typer.Option("--skip", metavar="ID", help="Not this check; repeatable.")]


def verify(
    context: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="DIR", help="A project that mcpgen built; or `-- COMMAND ARGUMENTS...`.")
    ] = None,
    *,
    url: Annotated[str | None, typer.Option("--url", metavar="URL", help="A server that runs, over HTTP.")] = None,
    header: Annotated[
        list[str] | None, typer.Option("--header", metavar="NAME:VALUE", help="Goes with --url; repeatable.")
    ] = None,
    only: OnlyOption = None,
    skip: SkipOption = None,
    calls: Annotated[
        str | None, typer.Option("--calls", metavar="FILE", help="Golden calls; default: DIR/verify.json.")
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="FOLDER", help="The source's folder; default: looked for above DIR."),
    ] = None,
    timeout: TimeoutOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="A warning makes the run fail (exit 1).")] = False,
    python: PythonOption = None,
    form: FormOption = Format.HUMAN,
    quiet: QuietOption = False,
) -> int:
    """Check a server as clients meet it: imports, lists, schemas, transports, views, calls, ends, drift."""
    from ..verify.run import run
    from ..verify.subject import NoServerError
    from .console import Console
    from .verify_words import Words, chosen, prepared

    console = Console(form, quiet=quiet)
    words = Words(
        folder=folder, command=context.meta.get(AFTER_DASHES), url=url, headers=tuple(header or ()), calls=calls,
        source=source, python=python,
    )  # fmt: skip
    wanted, unwanted = chosen("--only", only), chosen("--skip", skip)
    seconds = _seconds(timeout)
    try:
        subject, golden, place = prepared(words)
    except NoServerError as problem:
        return _refused(console, problem)
    told = None if console.wants_json else Teller(console, strict=strict).tell
    report = run(subject, only=wanted, without=unwanted, timeout=seconds, calls=golden, source=place, told=told)
    _close(console, report, words, subject)
    failed = report.count("fail") or (strict and report.count("warn"))
    return exits.CHECK_FAILED if failed else exits.OK


def _seconds(text: str | None) -> float:
    from ..verify.context import DEFAULT_TIMEOUT

    if text is None:
        return DEFAULT_TIMEOUT
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MAX_TIMEOUT:
        message = f"--timeout is a number of seconds above 0, at most {MAX_TIMEOUT:g}"
        raise typer.BadParameter(message)
    return value


def _refused(console: Console, problem: NoServerError) -> int:
    """Say that there is nothing to check."""
    from ..diagnostics.model import Diagnostic
    from ..diagnostics.rules import rule

    console.report([Diagnostic(rule=rule("not-a-server"), message=str(problem), hint=problem.hint, unit="DIR")])
    return exits.INPUT


class Teller:
    """Prints findings as they come; with --quiet those that are all right are passed over.

    What is not looked at because of a fault that was told is one line, at the end: nobody needs the cause twenty times.
    """

    __slots__ = ("_console", "_stopped", "_strict")

    def __init__(self, console: Console, *, strict: bool) -> None:
        """Print on a console."""
        self._console = console
        self._strict = strict
        self._stopped = False

    def tell(self, check: Check, finding: Finding) -> None:
        """Print one finding."""
        from ..diagnostics.plain import plain

        self._stopped = self._stopped or finding.untried
        if self._stopped and finding.status == "skip":
            return
        loud = finding.status in ("warn", "fail")
        lines = [f"{finding.status:<5} {check.id:<20} {finding.message}"]
        if loud:
            lines += [f"        - {each}" for each in finding.details if each not in finding.message]
            lines += [f"      = hint: {finding.action}"] if finding.action else []
        always = finding.status == "fail" or (self._strict and loud)
        self._console.result("\n".join(plain(line) for line in lines), always=always)


def _left_out(report: Report) -> list[str]:
    """Return the one line for everything that was not looked at because of a fault."""
    skipped = [finding for _, finding in report.findings if finding.status == "skip"]
    first = next((number for number, each in enumerate(skipped) if each.untried), None)
    if first is None:
        return []
    count = len(skipped) - first
    checks = "1 more check was" if count == 1 else f"{count} more checks were"
    return [f"skip  {checks} not made: {skipped[first].message} (--format json names them)"]


def _close(console: Console, report: Report, words: Words, subject: Subject) -> None:
    """Print what the run came to."""
    if console.wants_json:
        from ..verify.report import document

        console.result(json.dumps(document(report), indent=2), always=True)
        return
    counts = (("ok", "ok"), ("warn", "warned"), ("fail", "failed"), ("skip", "skipped"))
    told = ", ".join(f"{report.count(status)} {word}" for status, word in counts)  # type: ignore[arg-type] # the four
    lines = [*_left_out(report), "", f"{report.name}: {told} in {report.seconds:.1f} s"]
    if report.status in ("ok", "warn") and words.folder is not None:
        lines.append(f"next: {_following(words.folder, subject)}")
    console.result("\n".join(lines), always=report.status == "fail")


def _following(folder: str, subject: Subject) -> str:
    """Return what to do after a project was found sound; the servers behind a gateway were not looked at."""
    from .launch import base_interpreter

    add = f"mcpgen registry add {folder}"
    if subject.project is None or "gateway" not in (subject.project.catalog or {}):
        return add
    doctor = [base_interpreter(), "-I", "-S", str(subject.project.folder / "server.py"), "--doctor"]
    return f"{shlex.join(doctor)} (it looks at the servers behind it) · {add}"
