"""What a child is started with."""

import sys
import time

import pytest

from generator.runtime.gateway.overhearing import KEPT_CHARACTERS, KEPT_LINES, Overheard
from generator.runtime.gateway.spawning import Unavailable, environment, filled, folder, words
from tests.runtime.gateway.linking import SECONDS, connected, speaking

VARIABLES = {"TOKEN": "se${python}cret", "PATH": "/bin", "EMPTY": ""}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("${python}", sys.executable),
        ("${base}/../x", "/project/../x"),
        ("Bearer ${TOKEN}", "Bearer se${python}cret"),
        ("${EMPTY}|${PATH}", "|/bin"),
        ("$TOKEN ${ ${} $", "$TOKEN ${ ${} $"),
    ],
)
def test_a_text_is_filled_in_once(text, expected):
    assert filled(text, VARIABLES, "/project") == expected


def test_a_variable_that_is_not_set_is_named_and_its_neighbours_are_not_shown():
    with pytest.raises(Unavailable, match="the environment variable MISSING is not set") as caught:
        filled("${TOKEN} ${MISSING}", VARIABLES, "/project")
    assert "cret" not in str(caught.value)


def test_a_row_says_words_and_folder():
    row = {"command": ["${python}", "-c", "${PATH}"], "cwd": "${base}/in"}
    assert words(row, VARIABLES, "/project") == [sys.executable, "-c", "/bin"]
    assert folder(row, VARIABLES, "/project") == "/project/in"
    assert folder({"command": []}, VARIABLES, "/project") is None


def test_a_child_gets_no_variable_that_is_not_named():
    assert environment({"command": []}, VARIABLES) == {"PATH": "/bin"}
    assert environment({"command": [], "env": ["TOKEN", "NOT_SET"]}, VARIABLES) == {
        "PATH": "/bin",
        "TOKEN": VARIABLES["TOKEN"],
    }


def test_values_of_the_row_win_and_are_taken_as_they_are():
    row = {"command": [], "env": ["TOKEN"], "values": {"TOKEN": "${PATH}", "PATH": "/own"}}
    assert environment(row, VARIABLES) == {"TOKEN": "${PATH}", "PATH": "/own"}


def test_the_last_lines_of_standard_error_are_kept_clean_and_short():
    kept = Overheard(None)
    for number in range(1000):
        kept.feed(f"line {number}\n".encode())
    kept.feed(b"\x1b[31mred\x1b[0m \xe2\x80\xaetxt\xff\r\n" + b"x" * 100_000)
    kept.feed(b"y" * 100_000 + b"\n\n")
    lines = kept.tail().split("\n")
    assert len(lines) == KEPT_LINES
    assert lines[-2:] == ["[31mred[0m txt\ufffd", "x" * KEPT_CHARACTERS]
    assert lines[-3] == "line 999"


def test_a_listener_hears_every_line_once():
    heard = []
    kept = Overheard(heard.append)
    for piece in (b"a", b"b\nc", b"\n\n", b"d"):
        kept.feed(piece)
    kept.feed(b"\n")
    assert heard == ["ab", "c", "d"]


def test_of_a_flood_of_short_lines_the_last_ones_are_kept():
    kept = Overheard(None)
    kept.feed(b"begun")
    kept.feed(b" here\n" + b"\n" * 60_000 + b"".join(b"line %d\n" % number for number in range(KEPT_LINES)) + b"on")
    kept.feed(b"ward\n")
    assert kept.tail().split("\n") == [*(f"line {number}" for number in range(1, KEPT_LINES)), "onward"]


def test_a_child_that_logs_very_much_is_not_held_up():
    """Twenty megabytes: at one piece in 50 ms that took 15 s."""
    body = """
    elif method == "tools/call":
        for _ in range(20):
            sys.stderr.write(("x" * 99 + "\\n") * 10_000)
        sys.stderr.write("the last\\n")
        sys.stderr.flush()
        answer(message, {})
    """
    with connected(speaking(body)) as child:
        begun = time.monotonic()
        assert child.call("t").result == {}
        assert time.monotonic() - begun < 5
        until = time.monotonic() + SECONDS
        while not child.link.stderr_tail().endswith("the last"):
            assert time.monotonic() < until
            time.sleep(0.01)
