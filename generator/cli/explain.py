"""`mcpgen explain`: what a rule means and what to do about it."""

from __future__ import annotations

import json
import re
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from . import exits
from .options import Format, FormatOption

if TYPE_CHECKING:
    from ..diagnostics.model import Rule
    from .console import Console

RUNTIME_CODE = re.compile(r"M-[A-Z]{2,8}(-\d{1,4})?", re.ASCII)
"""Codes in the answers and logs of servers."""

WIDTH = 88
"""Columns of the wrapped explanation."""


def explain(
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="A code (MG101) or a name.")] = None,
    form: FormatOption = Format.HUMAN,
) -> int:
    """Explain a rule, or list all of them."""
    from ..diagnostics.rules import RULES
    from .console import Console

    console = Console(form)
    if rule is None:
        console.result(_records(RULES) if console.wants_json else _listed(RULES), always=True)
        return exits.OK
    wanted = next((each for each in RULES if rule.upper() == each.code or rule.lower() == each.name), None)
    if wanted is None:
        return _unknown(console, rule)
    console.result(_records([wanted])[1:-2] if console.wants_json else _explained(wanted), always=True)
    return exits.OK


def _explained(rule: Rule) -> str:
    head = f"{rule.code} {rule.name} ({rule.severity})"
    paragraphs = [textwrap.fill(text, WIDTH) for text in (rule.summary, rule.explanation) if text]
    return "\n\n".join([head, *paragraphs])


def _listed(rules: tuple[Rule, ...]) -> str:
    size = max(len(rule.name) for rule in rules)
    return "\n".join(f"{rule.code}  {rule.name:<{size}}  {rule.severity:<7}  {rule.summary}" for rule in rules)


def _records(rules: tuple[Rule, ...] | list[Rule]) -> str:
    """Return the rules as a JSON array in one line."""
    fields = ("code", "name", "severity", "summary", "explanation")
    return json.dumps([{field: str(getattr(rule, field)) for field in fields} for rule in rules]) + "\n"


def _unknown(console: Console, wanted: str) -> int:
    import difflib

    from ..diagnostics.model import Diagnostic
    from ..diagnostics.rules import BY_CODE, BY_NAME
    from ..diagnostics.rules import rule as rule_named

    if RUNTIME_CODE.fullmatch(wanted.upper()):
        text = f"`{wanted.upper()[:60]}` is a code that a running server gives, not a rule of a build"
        hint = "Read docs/runtime.md: it lists them with what each means."
    else:
        near = difflib.get_close_matches(wanted, [*BY_CODE, *BY_NAME], n=1)
        text = f"there is no rule `{wanted[:60]}`"
        hint = f"Did you mean `{near[0]}`?" if near else "See all of them with `mcpgen explain`."
    console.report([Diagnostic(rule=rule_named("wrong-usage"), message=text, hint=hint, unit="RULE")])
    return exits.INPUT
