"""The table `serve`: what it takes, what it refuses, and where the refusal points."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.config import load_config
from generator.config.fields import check, json_schema
from generator.config.serve import SERVE, scope_problem


def load(folder, text):
    (folder / "mcpgen.toml").write_text(text, encoding="utf-8")
    return load_config(folder, base=folder)


def serve(folder, line):
    return load(folder, f"[serve]\n{line}\n")


@pytest.mark.requirement("R129")
@pytest.mark.parametrize(
    "line",
    [
        'transport = "http"',
        'host = "::1"',
        'host = "${HOST}"',
        "port = 0",
        'port = "${PORT}"',
        'path = "/${NAME}/mcp"',
        'tokens = "tokens.json"',
        'tokens = "${FOLDER}/tokens.json"',
        'tokens = ["${TOKEN}"]',
        'tokens = [{ name = "a", token = "${TOKEN}", scopes = ["read"] }]',
        f'tokens = [{{ name = "a", sha256 = "{"0" * 64}" }}]',
        'verify = "auth.check:verify"',
        'workers = "${WORKERS}"',
        'tokens = "t"\nauthorization_servers = ["https://auth.example", "${ISSUER}"]',
        'resource = "https://weather.example/mcp"',
        'allow_hosts = ["weather.example", "[::1]"]',
        'allow_origins = ["https://app.example:8443"]',
        'tool_rate_limits = { "*" = { per_second = 0.5, burst = 3 } }',
        "limits = { max_nesting = 500, shutdown_seconds = 9 }",
    ],
)
def test_what_the_table_takes(tmp_path, line):
    loaded = serve(tmp_path, line)
    assert [each.message for each in loaded.diagnostics] == []
    assert loaded.config.served["serve"] == loaded.config.serve


@pytest.mark.requirement("R126")
@pytest.mark.parametrize(
    ("line", "key", "said"),
    [
        ('transport = "sse"', "transport", "must be one of"),
        ("port = 65536", "port", "a port"),
        ('port = "8000"', "port", "a port"),
        ("port = true", "port", "a port"),
        ('host = "a b"', "host", "a host name or an address"),
        ('host = "${HOST"', "host", "begins no variable"),
        ('host = "${1}"', "host", "begins no variable"),
        ('path = "mcp"', "path", "a slash"),
        ('path = "/health"', "path", "the server itself answers"),
        ('path = "/.well-known/x"', "path", "the server itself answers"),
        ("tokens = []", "tokens", "it is empty"),
        ('tokens = ["plain-secret"]', "tokens", "a variable"),
        ('tokens = [{ name = "a", token = "plain-secret" }]', "tokens", "a secret does not stand"),
        ('tokens = [{ name = "a", token = "x${TOKEN}" }]', "tokens", "a secret does not stand"),
        ('tokens = [{ token = "${TOKEN}" }]', "tokens", "has a `name`"),
        ('tokens = [{ name = "a" }]', "tokens", "either `token` or `sha256`"),
        ('tokens = [{ name = "a", sha256 = "12" }]', "tokens", "64 hexadecimal digits"),
        ('tokens = [{ name = "a", token = "${T}", scopes = ["two words"] }]', "tokens", "array of scopes"),
        ('tokens = [{ name = "a", token = "${T}", role = "x" }]', "tokens", "each has `name`"),
        ('tokens = "t"\ntoken_env = "T"', "token_env", "excludes `tokens`"),
        ('token_env = "${T}"', "token_env", "an environment variable's name"),
        ('verify = "auth.check"', "verify", "an import string"),
        ('authorization_servers = ["https://auth.example"]', "authorization_servers", "servers with tokens"),
        ('tokens = "t"\nauthorization_servers = ["auth"]', "authorization_servers", "an http or https URL"),
        ('resource = "https://user:pass@weather.example"', "resource", "URL"),
        ('resource = "https://weather.example/?q=1"', "resource", "URL"),
        ('allow_hosts = ["a/b"]', "allow_hosts", "a host name"),
        ('allow_origins = ["app.example"]', "allow_origins", "a scheme and a host"),
        ('allow_origins = ["*"]', "allow_origins", "a scheme and a host"),
        ("rate_limit = { burst = 2 }", "rate_limit", "needs `per_second`"),
        ("rate_limit = { per_second = 0 }", "rate_limit.per_second", "above 0"),
        ("limits = { max_nesting = 501 }", "limits.max_nesting", "from 1 to 500"),
        ("limits = { shutdown_seconds = 10 }", "limits.shutdown_seconds", "from 0 to 9"),
        ("limits = { max_calls = 0 }", "limits.max_calls", "at least 1"),
        ("workers = 65", "workers", "from 0 to 64"),
        ('host = "0.0.0.0"', "host", "lets other machines in"),
        ('host = "192.0.2.1"', "host", "lets other machines in"),
    ],
)
def test_what_it_refuses_and_never_shows(tmp_path, line, key, said):
    (found,) = serve(tmp_path, line).diagnostics
    assert (found.rule.name, found.unit) == ("invalid-setting", f"serve.{key}")
    assert said in found.message
    assert "plain-secret" not in found.message
    assert found.span.line >= 2


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost", "::1", "${HOST}"])
def test_a_host_of_this_machine_needs_no_token(tmp_path, host):
    assert serve(tmp_path, f'host = "{host}"').diagnostics == ()


@pytest.mark.parametrize("way", ['tokens = "t"', 'token_env = "T"', 'verify = "a:b"'])
def test_a_host_that_others_reach_is_accepted_with_a_token(tmp_path, way):
    assert serve(tmp_path, f'host = "0.0.0.0"\n{way}').diagnostics == ()


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ('hots = "a"', "`host`"),
        ('allow_host = ["a"]', "`allow_hosts`"),
        ('token = "a"', "`tokens`"),
        ("limits = { max_call = 1 }", "`max_calls`"),
    ],
)
def test_a_misspelt_key_is_told_with_the_nearest_and_its_place(tmp_path, line, meant):
    (found,) = serve(tmp_path, line).diagnostics
    assert (found.rule.name, found.span.line) == ("unknown-setting", 2)
    assert f"Did you mean {meant}" in found.hint


@pytest.mark.requirement("R097")
@pytest.mark.parametrize("scope", ["read", "weather:read", "https://auth.example/read", "a.b-c_d~", "!"])
def test_a_scope_is_what_fits_in_a_header(scope):
    assert scope_problem(scope) is None


@pytest.mark.parametrize("scope", ["", "*", "two words", 'a"b', "a\\b", "ü", "a\r\nb", "a\x7f"])
def test_anything_else_is_no_scope(scope):
    assert scope_problem(scope) is not None


_texts = st.sampled_from(
    ["http", "/mcp", "${A}", "a${A}b", "${", "${a b}", "$", "a", "https://a.example", "127.0.0.1", "x:y", "", "0" * 64]
)
# Whole numbers with a point are integers to JSON Schema and none in TOML, which no schema can say.
_fractions = st.floats(0, 20).filter(lambda number: not number.is_integer())
_values = st.recursive(
    st.booleans() | st.integers(-1, 70000) | _texts | _fractions,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["name", "token", "sha256", "scopes", "per_second", "burst", "max_nesting", "*"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*SERVE.fields, "other"]), _values, min_size=1, max_size=3))
def test_the_schema_and_the_check_agree(table):
    problems = []
    check(table, SERVE, (), lambda path, reason, unknown: problems.append((path, reason, unknown)))
    assert Draft202012Validator(json_schema(SERVE)).is_valid(json.loads(json.dumps(table))) == (not problems)
