"""Names that collide or that clients refuse."""

from mcpgen import tool


@tool(name="now")
def first(a: int) -> int:
    """Do one thing.

    Args:
        a: A number.
    """
    return a


@tool(name="now")
def second(a: int) -> int:
    """Do another thing.

    Args:
        a: A number.
    """
    return -a


def größe(a: int) -> int:
    """Tell the size.

    Args:
        a: A number.
    """
    return a
