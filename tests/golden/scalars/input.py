"""Arithmetic on scalars."""


def add(a: int, b: int) -> int:
    """Add two integers.

    Args:
        a: The first one.
        b: The second one.
    """
    return a + b


def half(x: float) -> float:
    """Halve a number.

    Args:
        x: Any number.
    """
    return x / 2


def shout(text: str, loud: bool) -> str:
    """Say something.

    Args:
        text: What is said.
        loud: Whether to shout.
    """
    return text.upper() if loud else text


def size(data: bytes) -> int:
    """Count bytes.

    Args:
        data: The bytes.
    """
    return len(data)


def forget(text: str) -> None:
    """Take something and give nothing back.

    Args:
        text: Anything.
    """


def _helper() -> int:
    return 1
