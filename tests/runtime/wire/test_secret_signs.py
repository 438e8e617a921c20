"""What looks like a secret: whatever is sure is doubtful as well, and plain names and texts are neither."""

import re

import pytest

from generator.runtime.server.masking import mask
from generator.runtime.wire.secret_signs import MASK, SURE_VALUES, is_marked_secret, is_surely_secret, may_be_secret

A = "Ab0" * 16

SURE = [
    "-----BEGIN RSA PRIVATE KEY-----",
    "AKIA" + "A1B2" * 4,
    f"github_pat_{A}",
    f"glpat-{A}",
    f"xoxb-{A}",
    f"AIza{A}",
    f"sk_live_{A}",
    f"sk-{A}",
    f"hf_{A}",
    f"eyJ{A}.eyJ{A}.{A}",
    f"Bearer {A}",
    "postgres://me:hunter2@db/x",
]


@pytest.mark.parametrize(("sign", "text"), [*zip(SURE_VALUES, SURE, strict=True)], ids=lambda each: str(each)[:20])
def test_each_sure_sign_is_seen_and_masked_too(sign, text):
    kind, pattern = sign
    assert re.search(pattern, f"x = {text}"), kind
    assert MASK in mask(f"it said {text} there")
    assert text not in mask(f"it said {text} there")


@pytest.mark.parametrize(
    "text", ["a key of AWS", "https://example.org:8080/a@b", "sk-folding-cube", "Bearer of news", "eyJust", "glpat-1"]
)
def test_plain_texts_are_no_sure_secrets(text):
    assert [kind for kind, pattern in SURE_VALUES if re.search(pattern, text)] == []


@pytest.mark.parametrize(
    "name", ["Authorization", "X-Api-Key", "x_auth_token", "API_KEY2", "COOKIE", "MY_PAT", "APIKEY"]
)
def test_names_with_a_word_for_a_secret_are_sure(name):
    assert is_surely_secret(name)


@pytest.mark.parametrize("name", ["Accept", "X-Author", "MONKEY", "PATTERN", "KEYBOARD_LAYOUT", "TOKENIZER", ""])
def test_other_names_are_not(name):
    assert not is_surely_secret(name)


@pytest.mark.parametrize("name", ["accessKey", "session-id", "client_secret", "idToken", "X-Signature", "bearer"])
def test_names_that_speak_of_a_secret_are_doubtful(name):
    assert may_be_secret(name)
    assert not may_be_secret("city")


def test_a_schema_marks_its_values_as_secret():
    assert is_marked_secret({"format": "password"})
    assert is_marked_secret({"writeOnly": True})
    assert not any(map(is_marked_secret, ({"format": "uri"}, {"writeOnly": 1}, True, None)))
