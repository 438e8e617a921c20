"""What a project's README says of serving over HTTP."""

from __future__ import annotations

from generator.backends import http_text
from generator.backends.server import render

SERVE = {
    "transport": "http",
    "port": "${PORT}",
    "tokens": [{"name": "desk", "token": "${DESK_TOKEN}"}],
    "events": "${STATE}/events-${PORT}.jsonl",
}


def readme(server) -> str:
    return render(server).tree["README.md"].decode("utf-8")


def test_a_server_is_started_over_http_by_an_option(server):
    assert "\npython3 -I -S server.py --http\n" in readme(server)
    assert "--mcp" not in readme(server)


def test_a_server_whose_settings_say_http_keeps_to_stdio_only_if_told(make):
    text = readme(make(settings={"serve": SERVE}))
    assert "\npython3 -I -S server.py --mcp\n" in text
    assert "| python3 -I -S server.py --mcp\n" in text
    assert "\npython3 -I -S server.py\n" in text
    assert "`DESK_TOKEN`, `PORT`, `STATE`" in text


def test_the_variable_of_a_token_is_among_those_that_serving_names(make):
    assert http_text.variables(make(settings={"serve": {"token_env": "TOKEN"}})) == ("TOKEN",)
    assert http_text.variables(make()) == ()
