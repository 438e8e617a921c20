"""Reading [tool.mcpgen.openapi]."""

from __future__ import annotations

import pytest

from generator.api_request import ApiWords, prepared_api
from generator.config import load_config
from generator.config.kinds import address_problem

WHOLE = """
[openapi]
base_url = "https://pets.example/v2"
methods = ["get", "post"]
overlays = ["one.yaml", "https://pets.example/two.yaml"]
ref_root = "shared"
budget = 500

[openapi.operations."GET /pets"]
name = "pets"
annotations = { read_only = false }
defaults = { limit = 5, tags = ["a"] }

[openapi.limits]
retries = 0
rate_limit = { per_second = 0.5, burst = 2 }
"""


@pytest.fixture
def request_of(tmp_path, monkeypatch):
    """Return what the words and the settings ask for."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "api" / "shared").mkdir(parents=True)
    (tmp_path / "api" / "pets.yaml").write_text("{}", encoding="utf-8")

    def call(settings: str, **words: object):
        (tmp_path / "api" / "mcpgen.toml").write_text(settings, encoding="utf-8")
        return prepared_api(ApiWords(**({"source": "api/pets.yaml"} | words)))

    return call


def test_settings_beside_the_description_hold(request_of, tmp_path):
    request, problems = request_of(WHOLE)
    assert problems == ()
    reading = request.reading
    assert (reading.base_url, reading.methods, request.budget) == ("https://pets.example/v2", ("get", "post"), 500)
    assert reading.ref_root == tmp_path / "api" / "shared"
    assert reading.overlays == (str(tmp_path / "api" / "one.yaml"), "https://pets.example/two.yaml")
    assert reading.limits == {"retries": 0, "rate_limit": {"per_second": 0.5, "burst": 2}}
    rule = reading.rules["GET /pets"]
    assert (rule.name, rule.annotations.read_only, rule.annotations.destructive) == ("pets", False, None)
    assert rule.defaults == {"limit": 5, "tags": ["a"]}


def test_words_win_over_settings(request_of):
    request, _ = request_of(WHOLE, base_url="http://localhost:1", methods=("delete",), overlays=("x.yaml",), budget=9)
    reading = request.reading
    assert (reading.base_url, reading.methods) == ("http://localhost:1", ("delete",))
    assert (reading.overlays, request.budget) == (("x.yaml",), 9)


def test_discovery_of_the_settings_gives_way_to_a_budget_of_the_command(request_of):
    assert request_of("[openapi]\ndiscovery = true\n")[0].exposure == "discovery"
    assert request_of("[openapi]\ndiscovery = true\n", budget=9)[0].exposure is None


def test_an_expose_list_that_is_not_given_is_told_from_one_that_is(request_of):
    assert request_of('hide = ["x*"]\n')[0].reading.expose is None
    assert request_of('expose = ["get*"]\n')[0].reading.expose == ("get*",)


@pytest.mark.parametrize(
    "line",
    [
        'base_url = "pets.example"',
        'base_url = "https://me:pw@pets.example"',
        'methods = ["get post"]',
        'models = "pydantic"',
        "budget = 0",
        "limits = { retries = -1 }",
        "limits = { rate_limit = { burst = 1 } }",
        "limits = { breaker = {} }",
        'operations = { getPet = { nmae = "x" } }',
        "operations = { getPet = { read_only = true } }",
        "operations = { getPet = { defaults = { since = 2020-01-01 } } }",
    ],
)
def test_wrong_settings_are_refused_with_their_place(tmp_path, line):
    (tmp_path / "mcpgen.toml").write_text(f"[openapi]\n{line}\n", encoding="utf-8")
    found = load_config(tmp_path, base=tmp_path).diagnostics
    assert [each.rule.code[:3] for each in found] == ["MG7"] * len(found)
    assert [each.span.line for each in found] == [2] * len(found) != []


def test_an_annotation_beside_the_others_is_told_where_it_belongs(tmp_path):
    (tmp_path / "mcpgen.toml").write_text("[openapi.operations.x]\nreadOnly = true\n", encoding="utf-8")
    (found,) = load_config(tmp_path, base=tmp_path).diagnostics
    assert found.hint == "Did you mean `annotations = { read_only = true }`?"


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost",
        "https://pets.example",
        "HTTPS://pets.example:8443/v1/",
        "http://[::1]:80/a%20b",
        "http://10.0.0.1",
    ],
)
def test_an_address_of_an_api_is_accepted(text):
    assert address_problem(text) is None


@pytest.mark.parametrize(
    "text",
    ["", "pets", "ftp://x", "http://", "http://@", "http://a@b", "http://a?b", "http://a#b", "http://a b", "http://a\n",
     "http://[::1", "http://a:b", "http://a:99999", "https:///x", "http://\u00e9.example"],
)  # fmt: skip
def test_what_is_no_address_of_an_api_has_a_reason(text):
    assert address_problem(text)
