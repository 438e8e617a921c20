"""Who holds a token."""


def verify(token: str) -> tuple[str, list[str]] | None:
    """Return name and scopes of whoever holds the token."""
    return ("guest", ["weather:read"]) if token == "open-sesame" else None
