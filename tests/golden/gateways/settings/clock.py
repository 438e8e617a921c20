"""Times of the day."""


def noon() -> dict[str, int]:
    """Return the middle of the day."""
    return {"hour": 12, "minute": 0}


def midnight() -> dict[str, int]:
    """Return the beginning of the day."""
    return {"hour": 0, "minute": 0}
