"""`mcp_transport` and `client_openings`: a real process (or the URL), opened as real clients open it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..conversation import Broken, Conversation, Refused
from ..eras import LEGACY, LEGACY_ERA, MODERN
from ..finding import PROCESS, Check, Finding, fail, ok, plural, shown, warn
from ..openings import OPENINGS, Opening

if TYPE_CHECKING:
    from ..context import Context

STDOUT = "Write nothing but JSON-RPC to standard output; everything else goes to standard error."


def mcp_transport(context: Context) -> Finding:
    """Open the server in both eras: it answers, its lists agree, and nothing but messages comes."""
    legacy = context.survey(LEGACY_ERA)
    modern = context.survey(MODERN) if context.answers_at_all() else legacy
    surveys = [each for each in (legacy, modern) if each.served]
    if not surveys and context.cannot_start:
        return context.blocked()
    if not surveys:
        return fail(f"it cannot be talked to: {legacy.problem or modern.problem or legacy.refused}", context.remedy)
    faults = [f"{each.era}: {fault}" for each in (legacy, modern) for fault in each.faults]
    if faults:
        return fail(f"not all that it sends are answers; the first: {faults[0]}", STDOUT, faults)
    broken = [f"{each.era}: {each.problem}" for each in (legacy, modern) if each.problem is not None]
    if broken:
        return fail(broken[0], context.remedy, broken)
    if context.subject.kind == "project" and len(surveys) == 1:
        other = modern if legacy.served else legacy
        return fail(f"{other.era} is not served: {other.refused}", "Build the project again.")
    version = legacy.greeting.get("protocolVersion")
    if legacy.served and version != LEGACY and context.subject.kind == "project":
        return fail(f"initialize with {LEGACY} is answered with {shown(version, 40)}", "Build the project again.")
    if len(surveys) == 2 and [each.get("name") for each in legacy.tools] != [each.get("name") for each in modern.tools]:
        return warn("the two eras list different tools", "List the same tools in both.")
    served = [LEGACY if each.era == LEGACY_ERA else MODERN for each in surveys]
    return ok(f"served: {' and '.join(str(version) if each == LEGACY else each for each in served)}")


def client_openings(context: Context) -> Finding:
    """Begin as each client in the table does, in a process of its own."""
    if not context.best().served:
        return context.blocked()
    failed: list[str] = []
    severe = False
    for opening in OPENINGS:
        problem = _opened(context, opening)
        if problem is not None:
            failed.append(f"{opening.client}: {problem}")
            severe = severe or not opening.odd or context.subject.kind == "project"
    if failed:
        action = "Answer what the client begins with; docs/verify.md lists the openings."
        finding = fail if severe else warn
        return finding(f"{plural(len(failed), 'client')} of {len(OPENINGS)} cannot connect", action, failed)
    return ok(f"{plural(len(OPENINGS), 'opening')} of real clients are answered")


def _opened(context: Context, opening: Opening) -> str | None:
    """Play one opening; return what went wrong."""
    try:
        with context.spoken() as conversation:
            for step in opening.steps:
                problem = _step(conversation, step.method, step.any_answer, step.version, opening)
                if problem is not None:
                    return problem
            return conversation.faults[0] if conversation.faults else None
    except Broken as broken:
        return str(broken)


def _step(conversation: Conversation, method: str, any_answer: bool, version: str, opening: Opening) -> str | None:  # noqa: FBT001 - a row of the table
    """Take one step of an opening; a client that probes goes on after a refusal as one of the other era."""
    try:
        if method == "initialize":
            conversation.initialize(version)
        elif method == "server/discover":
            conversation.discover()
        else:
            conversation.request(method, {"level": "debug"} if method == "logging/setLevel" else {})
    except Refused as refused:
        if method == "server/discover" and opening.falls_back:
            conversation.initialize(LEGACY)
            return None
        return None if any_answer else f"{method} is refused: {refused}"
    return None


CHECKS = (Check(id="mcp_transport", title="The transport works in both eras", run=mcp_transport),)
OWN_CHECKS = (Check(id="client_openings", title="Real clients can connect", run=client_openings, kinds=PROCESS),)
