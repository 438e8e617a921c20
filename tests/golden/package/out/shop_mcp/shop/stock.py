"""Stock."""


def count(name: str, /, *also: str) -> int:
    """Count what is in stock.

    Args:
        name: Of what.
        also: And of what else.
    """
    return 1 + len(also)
