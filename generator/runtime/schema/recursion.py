"""Keep recursive unions from taking exponential time.

Where a union's arms lead back to it (an untagged tree), each arm walks the same parts again, at every level twice as
often. Within one validation a part cannot change, so what a union said of it once is kept until the outermost call
returns.
"""

from __future__ import annotations

from _thread import get_ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .kinds import Check


def remembered(check: Check) -> Check:
    """Return the check with a memory that lasts for one validation in one thread."""
    memories: dict[int, dict[int, bool]] = {}

    def union(value: object) -> bool:
        if type(value) is not dict and type(value) is not list:
            return check(value)
        thread = get_ident()
        memory = memories.get(thread)
        if memory is None:
            memories[thread] = {}
            try:
                return check(value)
            finally:
                del memories[thread]
        key = id(value)  # a part is alive, and so its identity its own, while the whole is being checked
        answer = memory.get(key)
        if answer is None:
            answer = memory[key] = check(value)
        return answer

    return union
