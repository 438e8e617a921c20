"""What of a command, an address and a variable looks like a credential, and what only sounds like one."""

import pytest

from generator.runtime.registry.secret_values import (
    concealed,
    has_secret,
    is_secret_address,
    is_secret_value,
    masked,
    masked_address,
)

KEY = "sk-" + "Ab0" * 8


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("API_KEY", "s3cr3t"),
        ("MY_API_KEY", "letmein"),
        ("DB_PASSWORD", "hunter"),
        ("TOKEN", "abcdef"),
        ("SESSION", "a81bc81b-dead-4e5d"),
        ("AUTH", "user:pass"),
        ("ANYTHING", KEY),
        ("URL", "postgres://me:hunter2@db/x"),
    ],
)
def test_a_credential_is_seen(variable, value):
    assert is_secret_value(variable, value)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("TOKEN_LIMIT", "4096"),
        ("TOKEN_FILE", "/run/secrets/token"),
        ("PASSWORD_FILE", "./password.txt"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "C:\\keys\\a.json"),
        ("AUTH_MODE", "oauth"),
        ("SORT_KEY", "created-at"),
        ("SESSION_TIMEOUT", "30s"),
        ("COOKIE", "off"),
        ("MONKEY", "banana split"),
    ],
)
def test_what_only_sounds_like_one_is_not(variable, value):
    assert not is_secret_value(variable, value)


@pytest.mark.parametrize(
    "words",
    [["x", "--api-key=abc1"], ["x", "--api-key", "abc1"], ["x", "-token", "abc"], ["x", KEY], ["--password=abc"]],
)
def test_a_credential_in_a_command_is_seen(words):
    assert has_secret(words)


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["x", "--api-key"],
        ["x", "--api-key", "--verbose"],
        ["x", "--api-key=${API_KEY}"],
        ["x", "--api-key", "${API_KEY}"],
        ["x", "--sort-key=name"],
        ["x", "--key", "/etc/tls/key.pem"],
        ["x", "--token-limit=4096"],
        ["keytool", "token"],
    ],
)
def test_a_command_without_one_is_left_in_peace(words):
    assert not has_secret(words)


def test_an_address_is_searched_too():
    assert is_secret_address("https://x.org/mcp?api_key=abc")
    assert is_secret_address("https://me:hunter2@x.org/")
    assert not is_secret_address("https://x.org/mcp?api_key=${KEY}&q=key")


def test_a_command_and_an_address_are_shown_without_their_credentials():
    words = ["x", "--api-key=abc1", "--token", "abc2", "--key", "${KEY}", "-v", KEY]
    assert masked(words) == ["x", "--api-key=***", "--token", "***", "--key", "${KEY}", "-v", "***"]
    assert (
        concealed(f"x: what is abc2? and --api-key=abc1 {KEY} -v", words) == "x: what is ***? and --api-key=*** *** -v"
    )
    assert masked_address("https://me:hunter2@x.org:8/a?b=c") == "https://x.org:8/***"
    assert masked_address("https://x.org/mcp?api_key=abc") == "https://x.org/***"
    assert masked_address("https://x.org/mcp?q=1") == "https://x.org/mcp?q=1"
