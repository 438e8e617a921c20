"""What the tests of loading share: folders of small files, and a watch on what is opened."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from generator.frontends.openapi.documents import LoadOptions, ReferenceProblem, open_description

_watchers = []


def _audit(event, arguments):
    for watcher in _watchers:
        watcher(event, arguments)


sys.addaudithook(_audit)  # a hook cannot be removed: this one asks whoever watches at the moment


@pytest.fixture
def watching():
    """Return a context that lists what is opened, and every use of a socket."""

    @contextmanager
    def watched():
        events = []

        def watcher(event, arguments):
            if event == "open" and isinstance(arguments[0], str | bytes):
                events.append(("open", str(arguments[0])))
            elif event.startswith("socket."):
                events.append((event, str(arguments[1:])))

        _watchers.append(watcher)
        try:
            yield events
        finally:
            _watchers.remove(watcher)

    return watched


@pytest.fixture
def api(tmp_path):
    """Return a function that writes files and opens the first as a description."""

    def opened(files, **options):
        for name, text in files.items():
            path = tmp_path / "api" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        entry = tmp_path / "api" / next(iter(files))
        return open_description(str(entry), options=LoadOptions(**options))

    return opened


@pytest.fixture
def value():
    """Return a function that gives what a reference at a pointer's value leads to."""

    def followed(documents, *pointer):
        found, place = documents.root, documents.entry
        for token in pointer:
            found = found[int(token)] if isinstance(found, list) else found[token]
            place = place.at(token)
        return documents.node(found, place)

    return followed


@pytest.fixture
def refusal():
    """Return a function that gives the diagnostic of a reference that is not followed."""

    def refused(documents, reference):
        with pytest.raises(ReferenceProblem) as caught:
            documents.resolve(reference, documents.entry.at("x"))
        return caught.value.diagnostic

    return refused


@pytest.fixture
def attacks(root) -> Path:
    """The hostile descriptions."""
    return root / "tests" / "cases" / "attacks" / "openapi"
