"""Find the known name a mistyped one was meant for."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 40
"""Characters of a name that is compared; the work grows with the square."""
MOST = 100
"""Names that are compared."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name closest to this one; None when more than a third of the characters would differ."""
    plain = simplified(name[: LONGEST + 1])
    if not plain or len(plain) > LONGEST:
        return None
    best, least = None, len(plain) // 3 + 1
    for candidate in list(known)[:MOST]:
        other = simplified(candidate)
        if other == plain:
            return candidate
        if len(other) > LONGEST or abs(len(other) - len(plain)) >= least:
            continue
        distance = edits(plain, other)
        if distance < least:
            best, least = candidate, distance
    return best


def simplified(name: str) -> str:
    """Return the name without case and separators."""
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "").replace(".", "")


def edits(first: str, second: str) -> int:
    """Count the insertions, deletions, replacements and swaps of neighbours that turn one text into the other."""
    before: list[int] = []
    row = list(range(len(second) + 1))
    for index, char in enumerate(first):
        earlier, before, row = before, row, [index + 1]
        for other_index, other in enumerate(second):
            cost = min(row[-1] + 1, before[other_index + 1] + 1, before[other_index] + (char != other))
            swapped = index and other_index and char == second[other_index - 1] and first[index - 1] == other
            if swapped:
                cost = min(cost, earlier[other_index - 1] + 1)
            row.append(cost)
    return row[-1]
