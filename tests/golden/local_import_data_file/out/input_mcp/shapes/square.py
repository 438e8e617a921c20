from .round import PI


def area(side: float) -> float:
    return side * side + 0 * PI
