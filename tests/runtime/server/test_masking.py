"""Secrets and paths do not leave the server in an error's text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.server.masking import MASK, mask, mask_json


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("token=sk-SECRET123", "token=***"),
        ("API_KEY: abc", "API_KEY: ***"),
        ('{"password": "two words", "user": "bo"}', '{"password": ***, "user": "bo"}'),
        ("WEATHER_TOKEN='x y'", "WEATHER_TOKEN=***"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("bearer abcdef123", "bearer ***"),
        ("postgres://bo:hunter2@db/x", "postgres://***@db/x"),
        ("key sk-proj-abc123DEF456", "key ***"),
        ("ghp_abcdefghij0123456789", "***"),
        ("AKIAIOSFODNN7EXAMPLE", "***"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "***"),
        ("digest 0123456789abcdef0123456789abcdef", "digest ***"),
        ("d41d8cd98f00b204e9800998ecf8427e", "***"),
        ("blob QWxhZGRpbjpvcGVuIHNlc2FtZTEyMzQ1Njc4OTA=", "blob ***"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "***"),
    ],
)
def test_what_looks_like_a_secret_is_masked(text, masked):
    assert mask(text) == masked


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("boom /home/user/secret", "boom secret"),
        (
            "[Errno 2] No such file or directory: '/home/me/My Files/x.txt'",
            "[Errno 2] No such file or directory: 'x.txt'",
        ),
        ("in /srv/app/main.py:12", "in main.py:12"),
        ("C:\\Users\\bo\\notes.txt is gone", "notes.txt is gone"),
        ('"C:/Users/bo/notes.txt"', '"notes.txt"'),
        ("\\\\server\\share\\x", "x"),
        ("~/.ssh/id_rsa", "id_rsa"),
        ("file:///etc/passwd", "passwd"),
        ("(/var/log/app/)", "(app)"),
    ],
)
def test_an_absolute_path_is_reduced_to_its_last_part(text, masked):
    assert mask(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "no such city: Oslo",
        "see https://example.org/docs/errors/12 and a/b",
        "expected 3/4 of km/h",
        "this_is_a_rather_long_name_of_a_function_in_a_module",
        "token is missing",
        "unknown key: days",
        "id 3f2b8c1e-1111-4222-8333-abcdefabcdef",
    ],
)
def test_ordinary_text_stays(text):
    assert mask(text) == text


def test_configured_secrets_are_masked_wherever_they_stand():
    assert mask("before hunter2after", ["hunter2"]) == f"before {MASK}after"
    assert mask("abc", ["a"]) == "abc"
    assert mask("hunter2-long", ["hunter2", "hunter2-long"]) == MASK


@given(st.text(max_size=300), st.text(min_size=8, max_size=40).filter(lambda secret: "*" not in secret))
def test_a_configured_secret_never_survives(text, secret):
    assert secret not in mask(f"{text}{secret}{text}", [secret])


PIECES = [
    "/a",
    "a/",
    "-----BEGIN ",
    "token",
    "token=",
    "a-token",
    "eyJ",
    "eyJ-",
    "\\",
    "x:",
    "a_",
    "a-",
    "password:'",
    "//",
    "Aa1",
]


@pytest.mark.parametrize("piece", [*PIECES, "http://a", "x://", "'/", "~/", "C:\\", "sk-", "bearer ", "=", "AIza-"])
def test_masking_takes_time_in_proportion_to_the_text(piece):
    begun = time.process_time()
    mask(piece * 20_000)
    assert time.process_time() - begun < 1


def test_configured_secrets_are_masked_in_all_of_a_json_value():
    value = {"hunter2x": [1, None, "a hunter2x b", {"k": "hunter2x"}]}
    assert mask_json(value, ("hunter2x",)) == {"***": [1, None, "a *** b", {"k": "***"}]}
    assert mask_json(value, ()) is value
