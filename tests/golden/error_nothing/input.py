"""Nothing to serve."""

VALUE = 1


def _private() -> int:
    return VALUE
