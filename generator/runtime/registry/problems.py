"""What may be wrong with a registry: values with the name of a rule, and the error that ends the use of a file."""

from __future__ import annotations


class Problem:
    """One finding: `rule` is a name of the generator's table of rules, `entry` the name it is about, if any.

    The message has no full stop, the hint is a sentence with the next action.
    """

    __slots__ = ("entry", "hint", "message", "rule")

    def __init__(self, rule: str, message: str, hint: str, entry: str | None = None) -> None:
        self.rule = rule
        self.message = message
        self.hint = hint
        self.entry = entry

    def __repr__(self) -> str:
        return f"Problem({self.rule!r}, {self.message!r}, entry={self.entry!r})"

    def told(self) -> str:
        """Return message and hint as text for a terminal, which nothing in them can command."""
        text = f"{self.message}\n  = hint: {self.hint}"
        return "".join(each if each.isprintable() or each == "\n" else "\N{REPLACEMENT CHARACTER}" for each in text)


class RegistryError(Exception):
    """The registry cannot be used, or what was asked for is refused; `problem` says why and what to do."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem

    @property
    def is_refusal(self) -> bool:
        """Whether another server would have been overwritten: exit code 3."""
        return self.problem.rule == "name-taken"


def failure(rule: str, message: str, hint: str, entry: str | None = None) -> RegistryError:
    """Return the error of a problem, to be raised."""
    return RegistryError(Problem(rule, message, hint, entry))
