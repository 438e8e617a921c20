"""Globs over `server.name` taken apart: what is left of one for the names of a certain server.

A gateway that meets a new name of a server at run time has only the server's own patterns to judge it by, so those of
the whole gateway are handed on to each server they are about.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

Token = tuple[str, int]
"""A part of a glob that stands for one character, or for any number (`*`), and where the next part begins."""


def remainders(pattern: str, beginning: str) -> tuple[str, ...]:
    """Return the globs of which one matches a text exactly if `pattern` matches `beginning` and the text."""
    places = _closure(pattern, {0})
    for character in beginning:
        reached = set()
        for place in places:
            part, after = _token(pattern, place)
            if part == "*":
                reached.add(place)
            elif part and fnmatchcase(character, part):
                reached.add(after)
        places = _closure(pattern, reached)
    # What is left behind a star matches less than with the star.
    return tuple(pattern[at:] for at in sorted(places) if at - 1 not in places or pattern[at - 1] != "*")


def _closure(pattern: str, places: set[int]) -> set[int]:
    """Add the places behind stars, which may stand for nothing."""
    found = set(places)
    for place in places:
        while pattern[place : place + 1] == "*":
            place += 1  # noqa: PLW2901 # the place moves on
            found.add(place)
    return found


def _token(pattern: str, place: int) -> Token:
    """Return the part of a glob at a place; empty at its end."""
    if pattern[place : place + 1] == "[":
        end = pattern.find("]", place + (3 if pattern[place + 1 : place + 2] == "!" else 2))
        if end >= 0:
            return pattern[place : end + 1], end + 1
        return "[[]", place + 1  # a bracket that is not closed stands for itself
    return pattern[place : place + 1], place + 1
