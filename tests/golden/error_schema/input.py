"""One function, and tools whose schemas cannot be used."""


def fine(a: int) -> int:
    """Take a number.

    Args:
        a: The number.
    """
    return a
