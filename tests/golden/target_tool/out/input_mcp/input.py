"""One function, and a tool from elsewhere."""


def hello(name: str) -> str:
    """Greet somebody.

    Args:
        name: Whom.
    """
    return f"Hello {name}"
