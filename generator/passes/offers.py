"""Resources and prompts: one URI or name means one thing (R157), prompts have names hosts accept, texts are clean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.names import TOOL_NAME
from .offer_texts import cleaned

if TYPE_CHECKING:
    from ..diagnostics.model import Span
    from ..ir.model import Prompt, Resource, Server


def apply(server: Server) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server without the resources and prompts that cannot be told apart or named, and what was found."""
    server, in_texts = cleaned(server)
    found: list[Diagnostic] = []
    resources: dict[str, Resource] = {}
    for resource in server.resources:
        if resource.uri in resources:
            found.append(
                _collision(
                    f"resource `{resource.uri[:80]}`", resource.name, resource.span, resources[resource.uri].span
                )
            )
        else:
            resources[resource.uri] = resource
    prompts: dict[str, Prompt] = {}
    for prompt in server.prompts:
        if not TOOL_NAME.fullmatch(prompt.name):
            message = f"`{prompt.name[:80]}` cannot be a prompt's name: clients accept {TOOL_NAME.pattern} only"
            hint = 'Give it another name with `@prompt(name="...")`.'
            found.append(
                Diagnostic(
                    rule=rule("illegal-tool-name"), message=message, span=prompt.span, unit=prompt.name, hint=hint
                )
            )
        elif prompt.name in prompts:
            found.append(_collision(f"prompt `{prompt.name}`", prompt.name, prompt.span, prompts[prompt.name].span))
        else:
            prompts[prompt.name] = prompt
    kept = replace(server, resources=tuple(resources.values()), prompts=tuple(prompts.values()))
    return kept, (*in_texts, *found)


def _collision(what: str, unit: str, span: Span | None, first: Span | None) -> Diagnostic:
    where = f" (line {first.line})" if first else ""
    message = f"there is another {what}{where}; this one is left out"
    return Diagnostic(rule=rule("offer-collision"), message=message, span=span, unit=unit)
