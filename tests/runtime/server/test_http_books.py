"""Where calls of HTTP clients are written down: what leaves the books has its answer on the way."""

from __future__ import annotations

import pytest

from generator.runtime.server.http_runner import Books, HttpRunner
from generator.runtime.server.session import Cancel


class Call:
    """What the books need of a call."""

    batch = None
    task = None


class Core:
    """Answers a call once, with the line it was made with."""

    def __init__(self, line=b"answer\n"):
        self.lines = [line]

    def finish(self, *_):
        return self.lines.pop() if self.lines else None


class Exchange:
    """Notes what it is told."""

    reading = False
    takes_answers = True

    def __init__(self, line=b"answer\n"):
        self.core, self.pending, self.told = Core(line), set(), []

    def answer(self, line):
        self.told.append(line)

    def nothing(self):
        self.told.append(None)


class Server:
    """Calls at once, after a look at the books as another thread would find them."""

    def __init__(self, look=lambda: None):
        self.look = look

    def tell(self, function, *arguments):
        self.look()
        function(*arguments)


def test_a_call_is_open_until_its_answer_is_told():
    books, exchange, call, seen = Books(), Exchange(), Call(), []
    books.server = Server(lambda: seen.append(call in books.open))
    books.enter(call, exchange)
    assert books.finish(call, {}) == b""
    assert exchange.told == [b"answer\n"]
    assert seen == [True], "a server that ends would not have waited for this answer"
    assert not books.open
    assert not exchange.pending


def test_a_call_leaves_the_books_also_when_its_answer_cannot_be_told():
    def fail():
        raise ConnectionError("gone")

    books, exchange, call = Books(), Exchange(), Call()
    books.server = Server(fail)
    books.enter(call, exchange)
    with pytest.raises(ConnectionError, match="gone"):
        books.finish(call, {})
    assert not books.open


def test_a_batch_whose_last_answer_is_on_its_way_does_not_end_without_it_when_another_call_is_cancelled(monkeypatch):
    books, exchange, answered, cancelled = Books(), Exchange(), Call(), Call()
    runner = HttpRunner(books)
    monkeypatch.setattr("generator.runtime.server.runner.Runner.cancel", lambda *_: None)
    books.server = Server()
    books.enter(answered, exchange)
    books.enter(cancelled, exchange)

    def cancel_meanwhile():  # as the holder of the role, while a worker brings the answer
        books.server.look = lambda: None
        runner.cancel(Cancel(cancelled))

    books.server.look = cancel_meanwhile
    books.finish(answered, {})
    assert exchange.told == [b"answer\n"]
