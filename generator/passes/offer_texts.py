"""Texts of resources and prompts, which models and people read: treated as those of tools are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from .descriptions import prose_of

if TYPE_CHECKING:
    from ..diagnostics.model import Diagnostic
    from ..ir.model import Prompt, PromptArgument, Resource, Server
    from .descriptions import Report

    Offer = TypeVar("Offer", Prompt, Resource)


def cleaned(server: Server) -> tuple[Server, tuple[Diagnostic, ...]]:
    """Return the server with clean texts of its resources and prompts, and what was found in them."""
    found: list[Diagnostic] = []
    resources = tuple(
        replace(
            _cleaned(each, "resource", found.append),
            variables=_arguments(each.variables, each, f"resource `{each.name}`", found.append),
        )
        for each in server.resources
    )
    prompts = tuple(
        replace(
            _cleaned(each, "prompt", found.append),
            arguments=_arguments(each.arguments, each, f"prompt `{each.name}`", found.append),
        )
        for each in server.prompts
    )
    return replace(server, resources=resources, prompts=prompts), tuple(found)


def _cleaned(offer: Offer, kind: str, report: Report) -> Offer:
    of = f"of {kind} `{offer.name}`"
    return replace(
        offer,
        title=prose_of(offer.title, f"the title {of}", None, offer.span, report),
        description=prose_of(offer.description, f"the description {of}", None, offer.span, report) or "",
    )


def _arguments(
    arguments: tuple[PromptArgument, ...], offer: Prompt | Resource, of: str, report: Report
) -> tuple[PromptArgument, ...]:
    return tuple(
        replace(
            each,
            description=prose_of(
                each.description, f"the description of `{each.name}` of {of}", None, offer.span, report
            )
            or "",
        )
        for each in arguments
    )
