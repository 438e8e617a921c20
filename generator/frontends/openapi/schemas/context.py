"""What every conversion of one description shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cycles import Cycles
from .findings import Findings

if TYPE_CHECKING:
    from ..room import Room
    from .follow import References
    from .naming import Names


class Context:
    """Who follows references, names definitions, knows the cycles, collects what is wrong, and has room for schemas."""

    __slots__ = ("cycles", "findings", "names", "references", "room")

    def __init__(self, references: References, names: Names, room: Room) -> None:
        self.room = room
        self.references = references
        self.names = names
        self.cycles = Cycles(references)
        self.findings = Findings()
