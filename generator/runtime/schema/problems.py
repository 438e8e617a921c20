"""What is wrong with a value, as data; texts are made only when somebody reads them, and never hold a whole value."""

from __future__ import annotations

from .kinds import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Path = tuple[str | int, ...]
    Step = Callable[[Any, Path, "Report"], None]
    """Looks at a value at a path and adds its problems to the report."""

SHOWN = 60
"""Characters of a client's string that a message may repeat: enough to recognise a typo, too few to leak a document."""


class Problem:
    """One problem: where (`path`), which keyword, what that keyword asks for, and the value it was said of.

    `schema` is the schema that holds the keyword, or the one a missing member would have. `value` is the client's own
    value: use `shown` in messages. `names` are names known at that place: the declared properties beside an unknown
    one, the types a union would take, the member that makes another one required.
    """

    __slots__ = ("constraint", "keyword", "names", "path", "schema", "value")

    def __init__(
        self, path: Path, keyword: str, constraint: Any, value: Any, schema: Any, names: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.keyword = keyword
        self.constraint = constraint
        self.value = value
        self.schema = schema
        self.names = names

    @property
    def message(self) -> str:
        """Say what is wrong."""
        from .wording import message_of

        return message_of(self)

    @property
    def code(self) -> str:
        """Name the error code, M-INP-004 to M-INP-007."""
        from .wording import code_of

        return code_of(self)

    @property
    def reason(self) -> str:
        """Name the code's reason, `type_mismatch` for example."""
        from .wording import REASONS

        return REASONS[self.code]

    def __repr__(self) -> str:
        return f"Problem({self.path!r}, {self.keyword!r})"


class Report:
    """Collects problems while there is `room`, and nodes may be walked while there is `budget`."""

    __slots__ = ("budget", "problems", "room")

    def __init__(self, room: int, budget: int) -> None:
        self.room = room
        self.budget = budget
        self.problems: list[Problem] = []

    def add(self, problem: Problem) -> None:
        """Add a problem if there is room."""
        if self.room > 0:
            self.room -= 1
            self.problems.append(problem)


def shown(value: Any) -> str:
    """Describe a value by its type, with its content only if that is short."""
    name = kind(value)
    if name == "string":
        return f'string "{printable(value)}"' if len(value) <= SHOWN else f"a string of {len(value)} characters"
    if name in ("integer", "number"):
        if type(value) is int and value.bit_length() > 200:
            return "a very large integer"
        text = str(value)
        return f"{name} {text}" if len(text) <= SHOWN else f"a long {name}"
    if name == "boolean":
        return "true" if value else "false"
    if name == "array":
        return f"array of {len(value)}" if value else "an empty array"
    return name


def printable(text: str) -> str:
    """Escape what would break a line or a quotation, lone surrogates included."""
    return "".join(
        char if char.isprintable() and char not in '"\\' else char.encode("unicode_escape").decode("ascii")
        if char not in '"\\' else "\\" + char
        for char in text
    )  # fmt: skip
