"""A module that is configured from outside."""

import os


def deploy(target: str) -> str:
    """Deploy something.

    Args:
        target: Where to.
    """
    return f"{target} with {os.environ['DEPLOY_REGION']}"


def status(verbose: bool = False) -> str:
    """Tell the status.

    Args:
        verbose: Whether to say more.
    """
    return "all well" if verbose else "well"


def debug_dump() -> str:
    """Dump everything."""
    return ""
