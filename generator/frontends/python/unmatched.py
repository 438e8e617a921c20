"""Settings of what does not exist: a name without effect is an error, never passed over (MG703, MG704, MG706)."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ...config import Config
    from .subjects import Subjects

WANTED = frozenset({"unmatched-expose", "unmatched-tool-setting"})
"""Findings about names that should be served; a pattern of `hide` may well be meant for several modules."""

ANOTHER_MODULE = (
    "The module has none of these names: the settings may be for another module beside it. Name a file with this "
    "module's settings by --config."
)


def candidates_of(subjects: Subjects, pattern: str) -> list[str]:
    """Return the names of functions that a pattern could have meant: methods for `owner.name`, else the module's."""
    owner, dot, _ = pattern.partition(".")
    if dot:
        return [subject.unit for subject in subjects.members(owner)]
    return [name for name in subjects.names() if subjects.find(name) is not None]


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return `Did you mean ...?` for the nearest of the known names, or None when none is near."""
    near = difflib.get_close_matches(name.strip("*"), list(known), n=1)
    return f"Did you mean `{near[0][:60]}`?" if near else None


def unmatched_settings(config: Config, exists: Callable[[str], bool], subjects: Subjects) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each `tools.NAME` that names nothing in the module and has no `target`."""
    for unit, setting in config.tools.items():
        if setting.target is None and not exists(unit):
            message = f"`tools.{unit[:60]}` names nothing in the module that could be a tool"
            near = nearest(unit, candidates_of(subjects, unit))
            hint = near or "Use the function's name, or give the table a `target`."
            span = config.span("tools", unit)
            yield Diagnostic(rule=rule("unmatched-tool-setting"), message=message, span=span, hint=hint, unit=unit)


def settings_of_offers(config: Config, offered: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each `tools.NAME` that names a function whose marker makes it something else."""
    for unit in dict.fromkeys(offered):
        if unit in config.tools:
            message = f"`tools.{unit[:60]}` names no tool: a marker makes `{unit[:60]}` a resource, prompt or completer"
            hint = "Give its options to the marker, and remove the table."
            span = config.span("tools", unit)
            yield Diagnostic(rule=rule("unmatched-tool-setting"), message=message, span=span, hint=hint, unit=unit)


def for_another_module(config: Config, found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Tell with the first of them when all names of the settings match nothing, and none is nearly one that exists."""
    unmatched = [each for each in found if each.rule.name in WANTED]
    wanted = len(set(config.expose)) + len(config.tools)
    spelt = any(each.hint is not None and each.hint.startswith("Did you mean") for each in unmatched)
    if not unmatched or len({(each.rule.name, each.message) for each in unmatched}) < wanted or spelt:
        return tuple(found)
    first = min(unmatched, key=lambda each: each.span.line if each.span is not None else 0)
    return tuple(replace(each, hint=ANOTHER_MODULE) if each is first else each for each in found)
