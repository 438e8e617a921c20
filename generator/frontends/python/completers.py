"""`@completer(briefing, "city")`: which argument of which prompt or template a function completes."""

from __future__ import annotations

import ast
import difflib
from dataclasses import replace
from typing import TYPE_CHECKING

from .constants import Unevaluable, evaluate
from .markers import marker_problem, read_marker
from .offer_functions import OfferFunction, offer_finding, read_function, with_way_out
from .offer_options import COMPLETER
from .reading import Scope
from .resolve import Defined

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...diagnostics.model import Diagnostic
    from ...ir.model import Prompt, PromptArgument, PythonCall, Resource
    from .python_calls import Surroundings
    from .resolve import Resolution
    from .selection import Chosen

MOST_TAKEN = 2
"""What was typed, and the arguments chosen so far."""

HOW = 'Write it like `@completer(briefing, "city")`.'


class Completers:
    """Gathers completers, and gives them to the offers they complete."""

    __slots__ = ("_around", "_found", "_nodes", "diagnostics", "left_out")

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._nodes: dict[int, list[str]] = {}
        self._found: dict[tuple[str, str], tuple[Chosen, ast.expr, PythonCall]] = {}
        self.diagnostics: list[Diagnostic] = []
        self.left_out: list[str] = []

    def know(self, chosen: Chosen, key: str) -> None:
        """Tell of an offer by its function, which completers refer to."""
        self._nodes.setdefault(id(chosen.subject.node), []).append(key)

    def take(self, chosen: Chosen, expression: ast.expr) -> None:
        """Read one `@completer` expression; what is wrong with it is kept."""
        subject, reading = chosen.subject, self._around.types.reading
        scope = Scope(module=subject.module, owners=subject.owners)
        self.diagnostics += read_marker(expression, subject.unit, scope, reading, COMPLETER).diagnostics
        arguments = expression.args if isinstance(expression, ast.Call) else []
        if len(arguments) != 2:  # the function and the name
            message = "`completer` takes a prompt or a resource, and the name of an argument"
            self._refuse(chosen, marker_problem(message, expression, subject.unit, subject.module, hint=HOW))
            return
        try:
            name = evaluate(arguments[1], scope, reading)
        except Unevaluable:
            name = None
        if not isinstance(name, str):
            message = "the argument's name cannot be read; it must be a literal"
            self._refuse(chosen, marker_problem(message, arguments[1], subject.unit, subject.module, hint=HOW))
            return
        resolved = reading.resolver.expression(arguments[0], subject.module, subject.owners)
        keys = self._nodes.get(id(resolved.binding.node), []) if isinstance(resolved, Defined) else []
        if not keys:
            self._refuse(chosen, _unknown(arguments[0], resolved, chosen))
            return
        call = self._call(chosen)
        if call is not None:
            for key in keys:
                self._add((key, name), chosen, expression, call)

    def _add(self, place: tuple[str, str], chosen: Chosen, expression: ast.expr, call: PythonCall) -> None:
        if place in self._found:
            message = f"`{place[1][:60]}` has another completer than `{chosen.subject.unit}`"
            self._refuse(chosen, offer_finding("unmatched-completer", message, chosen.subject, expression))
            return
        self._found[place] = (chosen, expression, call)

    def _call(self, chosen: Chosen) -> PythonCall | None:
        """Return how a completer is called: with what was typed, and if it takes two with what was chosen so far."""
        function = read_function(chosen, "completer", self._around)
        self.diagnostics += function.diagnostics
        if function.refused:
            self._refuse(chosen, *function.refused)
            return None
        problem = _unsuitable(function)
        if problem is not None:
            hint = "Write it like `def cities(typed: str) -> list[str]`; a second parameter gets the other arguments."
            self._refuse(chosen, offer_finding("unmatched-completer", problem, chosen.subject, hint=hint))
            return None
        taken = function.signature.properties[:MOST_TAKEN]
        taken = [one for position, one in enumerate(taken) if position == 0 or one.required]
        function.keep(one.wire for one in taken)
        call = function.call(function.schemas(self._around), self._around)
        names = tuple(one.name for one in taken)
        return replace(call, positional=names, conversions={}, definitions={}, prepare={}, names={}, star=None)

    def completed(self, key: str, arguments: Iterable[PromptArgument]) -> tuple[PromptArgument, ...]:
        """Return the arguments of an offer with their completers."""
        known = tuple(arguments)
        for (owner, name), (chosen, expression, _) in self._found.items():
            if owner == key and all(each.name != name for each in known):
                near = difflib.get_close_matches(name, [each.name for each in known], n=1)
                hint = f"Did you mean `{near[0]}`?" if near else "Use the name of a parameter that clients fill."
                unit, offer = chosen.subject.unit, key.partition(":")[2]
                message = f"`{name[:60]}`, which `{unit}` completes, is no argument of `{offer}`"
                found = offer_finding("unmatched-completer", message, chosen.subject, expression, hint=hint)
                self._refuse(chosen, found)
        calls = {name: call for (owner, name), (_, _, call) in self._found.items() if owner == key}
        return tuple(replace(each, completer=calls.get(each.name)) for each in known)

    def _refuse(self, chosen: Chosen, *found: Diagnostic) -> None:
        self.diagnostics += with_way_out(found, chosen.subject.unit)
        if chosen.subject.unit not in self.left_out:
            self.left_out.append(chosen.subject.unit)


def _unknown(argument: ast.expr, resolved: Resolution | None, chosen: Chosen) -> Diagnostic:
    """Return the finding about something that is completed and not served; what is no function fails at import."""
    written, unit = ast.unparse(argument)[:60], chosen.subject.unit
    message = f"`{written}`, which `{unit}` completes, is no prompt or resource that is served"
    node = resolved.binding.node if isinstance(resolved, Defined) else None
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return offer_finding("unmatched-completer", message, chosen.subject, argument)
    return marker_problem(message, argument, chosen.subject.unit, chosen.subject.module, hint=HOW)


def _unsuitable(function: OfferFunction) -> str | None:
    """Return why a function cannot be given a text, or a text and the arguments by name."""
    properties = function.signature.properties
    unit = function.subject.unit
    required = [one for one in properties if one.required]
    if not properties or len(required) > MOST_TAKEN:
        return f"`{unit}` takes {len(required)} arguments; a completer takes what was typed, or that and the others"
    by_keyword = {each.arg for each in function.written.node.args.kwonlyargs}
    if any(one.name in by_keyword for one in (properties[0], *required)):
        return f"`{unit}` takes its arguments by keyword; a completer gets them by position"
    return None


def complete(
    completers: Completers, resources: dict[str, Resource], prompts: dict[str, Prompt]
) -> tuple[tuple[Resource, ...], tuple[Prompt, ...]]:
    """Return the resources and prompts, by the keys completers know, with what completes their arguments."""
    return (
        tuple(replace(each, variables=completers.completed(key, each.variables)) for key, each in resources.items()),
        tuple(replace(each, arguments=completers.completed(key, each.arguments)) for key, each in prompts.items()),
    )
