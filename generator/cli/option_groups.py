"""Options that go together in several verbs, declared once: a verb takes each group as one value.

`spread` shows typer the options of a verb's groups in the groups' places, as if the verb had named each.
"""

from __future__ import annotations

from functools import wraps
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, NamedTuple, get_type_hints

from .console import Console
from .options import (
    CheckOption,
    Colour,
    ColourOption,
    ConfigOption,
    DiffOption,
    DryRunOption,
    Format,
    FormatOption,
    QuietOption,
    StrictOption,
    VerboseOption,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from .deliver import Mode


class Writing(NamedTuple):
    """What is to be done with the folder, and whether a warning keeps it from being done."""

    check: CheckOption = False
    diff: DiffOption = False
    dry_run: DryRunOption = False
    strict: StrictOption = False

    @property
    def mode(self) -> Mode:
        """What the user wants done; raises typer.BadParameter when that is more than one thing."""
        from .deliver import mode_of

        return mode_of(check=self.check, diff=self.diff, dry_run=self.dry_run)


class Telling(NamedTuple):
    """Where the settings are, and how results and findings are told."""

    config: ConfigOption = None
    form: FormatOption = Format.HUMAN
    colour: ColourOption = Colour.AUTO
    verbose: VerboseOption = False
    quiet: QuietOption = False

    def console(self, *, sarif_is_result: bool) -> Console:
        """Return what prints; `sarif_is_result`: a SARIF document replaces the result for people."""
        return Console(self.form, self.colour, quiet=self.quiet, verbose=self.verbose, sarif_is_result=sarif_is_result)


GROUPS: tuple[type[Any], ...] = (Writing, Telling)


def spread(verb: Callable[..., int]) -> Callable[..., int]:
    """Return a verb that takes the options of its groups one by one."""
    hints = get_type_hints(verb, include_extras=True)
    groups = {name: hint for name, hint in hints.items() if hint in GROUPS}
    parameters: list[Parameter] = []
    for each in signature(verb).parameters.values():
        parameters += (
            _options(groups[each.name]) if each.name in groups else [each.replace(annotation=hints[each.name])]
        )

    @wraps(verb)
    def spread_verb(*arguments: Any, **options: Any) -> int:
        for name, group in groups.items():
            options[name] = group(**{member: options.pop(member) for member in group._fields if member in options})
        return verb(*arguments, **options)

    spread_verb.__signature__ = signature(verb).replace(parameters=parameters)  # type: ignore[attr-defined] # read by inspect
    spread_verb.__annotations__ = {each.name: each.annotation for each in parameters}
    return spread_verb


def _options(group: type[Any]) -> list[Parameter]:
    hints, defaults = get_type_hints(group, include_extras=True), group._field_defaults
    return [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hints[name])
        for name in group._fields
    ]
