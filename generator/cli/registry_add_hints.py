"""What to do about a refusal of `mcpgen registry add`, where the runtime's own hint is for an entry that is there."""

from __future__ import annotations

from ..runtime.registry.entries import AGAIN
from ..runtime.registry.installing import NAMES, RENAME
from ..runtime.registry.problems import RegistryError, failure
from ..runtime.registry.registering import TAKEN

REPLACE = "Choose another name, or take this one over with --replace."
CORRECT = "Correct that on the command line; nothing was registered."


def fitting(error: RegistryError, *, foreign: bool) -> RegistryError:
    """Return the refusal with a hint that fits; `foreign` is a server added by its command or URL."""
    hints = {TAKEN: REPLACE}
    if foreign:  # its name is the first word, and its entry is what was typed
        hints |= {AGAIN: CORRECT, RENAME: f"Choose another one: {NAMES}"}
    problem = error.problem
    return failure(problem.rule, problem.message, hints.get(problem.hint, problem.hint), problem.entry)
