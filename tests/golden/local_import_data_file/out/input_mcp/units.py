"""Units."""


def inches(centimetres: float) -> float:
    return centimetres / 2.54
