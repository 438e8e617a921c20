"""Application configuration: where values come from, and that secrets stay out of every text."""

from __future__ import annotations

import json
import os

import pytest

from generator.runtime.server.invoke import run
from generator.runtime.server.settings import Settings

ENTRIES = {
    "api_token": {"env": "WEATHER_TOKEN", "description": "from the dashboard", "sensitive": True, "required": True},
    "region": {"env": "WEATHER_REGION", "sensitive": False, "required": False, "default": "eu"},
    "retries": {"env": "WEATHER_RETRIES", "sensitive": False, "required": False},
}


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for entry in ENTRIES.values():
        monkeypatch.setenv(entry["env"], "x")  # so that what the code sets is undone afterwards
        monkeypatch.delenv(entry["env"])


@pytest.fixture
def write(tmp_path):
    def write_file(content, mode=0o600):
        path = tmp_path / "mcpgen" / "weather" / "config.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        path.chmod(mode)

    return write_file


@pytest.mark.requirement("R162")
def test_the_environment_wins_over_the_file_and_the_file_over_the_default(monkeypatch, write):
    monkeypatch.setenv("WEATHER_TOKEN", "from-env")
    write({"api_token": "from-file", "region": "us", "retries": 3})
    assert Settings("weather", ENTRIES).values() == {"api_token": "from-env", "region": "us", "retries": "3"}


@pytest.mark.parametrize("nothing", ["", "${user_config.token}"])
def test_an_empty_variable_or_an_unfilled_placeholder_counts_as_not_set(monkeypatch, nothing):
    monkeypatch.setenv("WEATHER_TOKEN", nothing)
    assert Settings("weather", ENTRIES).values() == {"region": "eu"}


def test_plain_modules_find_the_values_in_the_environment(write):
    write({"api_token": "t"})
    Settings("weather", ENTRIES).values()
    assert (os.environ["WEATHER_TOKEN"], os.environ["WEATHER_REGION"]) == ("t", "eu")


@pytest.mark.requirement("R162")
def test_a_missing_value_is_an_error_of_the_tools_that_need_it_only(bench):
    needs = bench.tool(lambda: "ok", config=["api_token"], data={"config": ENTRIES})
    result = run(bench.call(needs))
    assert result["_meta"]["mcpgen/error"]["code"] == result["errorData"]["errorCode"] == "M-CFG-004"
    assert result["_meta"]["mcpgen/error"]["missing"] == ["api_token"]
    text = result["content"][0]["text"]
    assert "api_token (environment variable WEATHER_TOKEN: from the dashboard)" in text
    assert "$XDG_CONFIG_HOME/mcpgen/weather/config.json" in text
    assert "isError" not in bench.run(lambda: "ok", data={"config": ENTRIES})


def test_an_entry_may_name_its_tools_instead(bench):
    entries = {"api_token": {**ENTRIES["api_token"], "required_by": ["forecast"]}}
    assert bench.run(lambda: "ok", data={"config": entries})["isError"] is True


def test_the_file_may_be_written_while_the_server_runs(bench, write):
    tool = bench.tool(lambda: "ok", config=["api_token"], data={"config": ENTRIES})
    assert run(bench.call(tool))["isError"] is True
    write({"api_token": "t"})
    assert run(bench.call(tool)) == {"content": [{"type": "text", "text": "ok"}]}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"api_tokem": "topsecret"}, "unknown keys api_tokem; known are api_token, region, retries"),
        ({"api_token": ["topsecret"]}, "`api_token` must be a string"),
        (b"topsecret", "not one flat JSON object"),
        (b'["topsecret"]', "not one flat JSON object"),
    ],
)
def test_what_is_wrong_with_the_file_is_said_once_without_its_values(write, log, content, said):
    write(content)
    settings = Settings("weather", ENTRIES)
    settings.missing(("api_token",))
    settings.missing(("api_token",))
    lines = log()
    assert [said in line for line in lines] == [True]
    assert "topsecret" not in str(lines)


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")
def test_a_file_with_secrets_that_others_can_read_is_warned_about(write, log):
    write({"api_token": "t"}, mode=0o644)
    Settings("weather", ENTRIES).values()
    assert "open to others; run: chmod 600" in log()[0]


def test_secrets_are_in_no_error_no_log_and_no_text_form(bench, monkeypatch, log):
    monkeypatch.setenv("WEATHER_TOKEN", "hunter-two")
    log(dev=True)

    def tool(ctx):
        raise ValueError(f"refused hunter-two for {ctx.config!r}")

    call = {"inject": {"ctx": "sync"}}
    result = bench.run(tool, config=["api_token"], data={"config": ENTRIES}, call=call)
    assert "refused *** for Configuration(api_token, region)" in result["content"][0]["text"]
    assert "hunter-two" not in str(result) + str(log()) + repr(Settings("weather", ENTRIES))


def test_a_context_gives_the_values_by_name(bench, monkeypatch):
    monkeypatch.setenv("WEATHER_TOKEN", "t")

    def tool(ctx):
        return [ctx.config["api_token"], ctx.config.region, ctx.config.get("retries"), sorted(ctx.config)]

    result = bench.run(tool, data={"config": ENTRIES}, call={"inject": {"ctx": "sync"}})
    assert result["content"][0]["text"] == '["t","eu",null,["api_token","region"]]'
