"""Reading [tool.mcpgen] and mcpgen.toml."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from generator.config import Config, ConfigSetting, LoadedConfig, load_config
from generator.config.fields import TOP, check, json_schema


def load(folder: Path, text: str, name: str = "mcpgen.toml") -> LoadedConfig:
    (folder / name).write_text(text, encoding="utf-8")
    return load_config(folder, base=folder)


def found(loaded: LoadedConfig) -> list[tuple[str, int, int]]:
    return [(each.rule.code, each.span.line, each.span.column) for each in loaded.diagnostics if each.span]


def test_without_a_file_the_defaults_hold(tmp_path):
    assert load_config(tmp_path, explicit=None, base=tmp_path).config.expose == ()


def test_a_pyproject_without_our_table_changes_nothing(tmp_path):
    loaded = load(tmp_path, '[project]\nname = "theirs"\n', "pyproject.toml")
    assert (loaded.config, loaded.diagnostics) == (Config(folder=tmp_path), ())


def test_all_settings_of_the_authoring_guide_are_read(tmp_path):
    text = """
[tool.mcpgen]
name = "weather"
expose = ["forecast", "station_*"]
hide = ["_*", "debug*"]
strict = true

[tool.mcpgen.tools.forecast]
title = "Forecast"
annotations = { read_only = true }
timeout = 10

[tool.mcpgen.config.api_token]
env = "WEATHER_TOKEN"
sensitive = true
required_by = ["forecast"]

[tool.mcpgen.tools.deploy]
target = "myapp.deploy:run_deploy"
input_schema = { type = "object", properties = { target = { type = "string" } }, required = ["target"] }

[tool.mcpgen.settings]
shell_env = "path"
coerce = false
"""
    loaded = load(tmp_path, text, "pyproject.toml")
    config = loaded.config
    assert loaded.diagnostics == ()
    assert (config.name, config.expose, config.hide, config.strict) == (
        "weather",
        ("forecast", "station_*"),
        ("_*", "debug*"),
        True,
    )
    assert config.tools["forecast"].annotations.read_only is True
    assert config.tools["forecast"].annotations.destructive is None
    assert config.tools["deploy"].target == "myapp.deploy:run_deploy"
    assert config.tools["deploy"].input_schema["required"] == ["target"]
    assert config.config == {
        "api_token": ConfigSetting(env="WEATHER_TOKEN", sensitive=True, required_by=("forecast",)),
    }
    assert config.settings == {"shell_env": "path", "coerce": False}


@pytest.mark.requirement("R144")
@pytest.mark.parametrize("key", ["prompts", "resources", "targets"])
def test_a_table_of_a_later_version_is_refused_with_that_reason(tmp_path, key):
    loaded = load(tmp_path, f"[{key}]\nx = 1\n")
    assert found(loaded) == [("MG701", 1, 2)]
    assert "does not read it yet" in loaded.diagnostics[0].hint


@pytest.mark.requirement("R144")
@pytest.mark.parametrize(("written", "value"), [("false", False), ("true", True), ('"path"', "path")])
def test_the_login_shell_is_asked_only_as_far_as_the_setting_says(tmp_path, written, value):
    loaded = load(tmp_path, f"[settings]\nshell_env = {written}\n")
    assert (loaded.config.settings, loaded.diagnostics) == ({"shell_env": value}, ())


@pytest.mark.requirement("R140")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", "[tool.mcpgen]\n"),
        ("pyproject.toml", "[tool]\nmcpgen = {}\n"),
        ("mcpgen.toml", "[tools.forecast]\n"),
        ("mcpgen.toml", "tools = {}\n"),
    ],
)
def test_an_empty_table_is_refused(tmp_path, name, text):
    loaded = load(tmp_path, text, name)
    assert [each.rule.name for each in loaded.diagnostics] == ["invalid-setting"]
    assert "empty table" in loaded.diagnostics[0].message


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_an_own_file_without_a_setting_is_as_good_as_none(tmp_path, text):
    loaded = load(tmp_path, text, "mcpgen.toml")
    assert loaded.diagnostics == ()
    assert loaded.config == Config(folder=tmp_path)


@pytest.mark.requirement("R140")
def test_all_unknown_keys_are_refused_in_one_run_with_their_places(tmp_path):
    text = (
        'nam = "x"\n[tools.a]\nannotations = { read_only = true, destructve = false }\n'
        '[config.k]\nenv = "K"\nsecret = 1\n'
    )
    loaded = load(tmp_path, text)
    assert found(loaded) == [("MG701", 1, 1), ("MG701", 3, 35), ("MG701", 6, 1)]
    assert [each.hint for each in loaded.diagnostics][:2] == ["Did you mean `name`?", "Did you mean `destructive`?"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('name = "Has Space"', (1, 8)),
        ('package = "json"', (1, 11)),
        ('package = "../evil"', (1, 11)),
        ('strict = "yes"', (1, 10)),
        ("title = 3", (1, 9)),
        ('version = "latest"', (1, 11)),
        ('website = "javascript:alert(1)"', (1, 11)),
        ("hide = [1]", (1, 8)),
        ("[tools.a]\ntimeout = 0", (2, 11)),
        ("[tools.a]\ntimeout = nan", (2, 11)),
        ("[tools.a]\nmax_concurrent = true", (2, 18)),
        ('[tools.a]\ntarget = "no function"', (2, 10)),
        ('[tools.a]\nname = "a.b"', (2, 8)),
        ("[tools.a]\ninput_schema = { default = 2020-01-01 }", (2, 16)),
        ('[tools.a]\nconfig = ["missing"]', (2, 11)),
        ("[config.a]\nsensitive = true", (1, 9)),
        ('[config.a]\nenv = "A-B"', (2, 7)),
        ("tools = 1", (1, 9)),
        ('[settings]\nvalidate_results = "maybe"', (2, 20)),
        ("[settings]\nshell_env = 1", (2, 13)),
    ],
)
def test_a_wrong_value_is_refused_at_its_place(tmp_path, text, place):
    assert found(load(tmp_path, text)) == [("MG702", *place)]


@pytest.mark.requirement("R126", "R121")
def test_an_empty_expose_list_is_refused(tmp_path):
    loaded = load(tmp_path, "expose = []\n")
    assert found(loaded) == [("MG702", 1, 10)]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"a = \n", (1, 5)),
        (b'ok = 1\nname = "a\n', (2, 10)),
        (b"x = 1\ntitle = '\xff'\n", (2, 10)),
        (b"a = 1\na = 2\n", (2, 6)),
    ],
)
def test_a_file_that_is_not_toml_is_refused_at_the_place(tmp_path, data, place):
    (tmp_path / "mcpgen.toml").write_bytes(data)
    assert found(load_config(tmp_path, base=tmp_path)) == [("MG705", *place)]


def test_a_huge_or_deep_file_is_refused_without_a_crash(tmp_path):
    deep = load(tmp_path, "a = " + "[" * 20_000 + "]" * 20_000)
    digits = load(tmp_path, "a = " + "9" * 10_000)
    huge = load(tmp_path, "#" * (1 << 20) + "\n")
    assert [each.diagnostics[0].rule.code for each in (deep, digits, huge)] == ["MG705"] * 3


def test_both_files_side_by_side_are_an_error(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.mcpgen]\nname = "a"\n', encoding="utf-8")
    loaded = load(tmp_path, 'name = "b"\n')
    assert [each.rule.name for each in loaded.diagnostics] == ["broken-configuration"]


def test_a_pyproject_without_our_table_may_stand_beside_our_file(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    loaded = load(tmp_path, 'name = "b"\n')
    assert (loaded.config.name, loaded.diagnostics) == ("b", ())


def test_the_nearest_file_above_the_source_is_used_up_to_the_repository_root(tmp_path):
    inner = tmp_path / "repository" / "src" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "mcpgen.toml").write_text('name = "outside"\n', encoding="utf-8")
    (tmp_path / "repository" / ".git").mkdir()
    assert load_config(inner, base=tmp_path).config.name is None
    (tmp_path / "repository" / "mcpgen.toml").write_text('name = "inside"\n', encoding="utf-8")
    assert load_config(inner, base=tmp_path).config.name == "inside"


def test_places_are_kept_for_later_diagnostics(tmp_path):
    config = load(tmp_path, 'expose = [\n  "a",\n  "b*",\n]\n').config
    span = config.span("expose", 1)
    assert (span.path, span.line, span.column, span.end_column) == ("mcpgen.toml", 3, 3, 7)
    assert config.span("tools", "a") is None


def test_windows_line_ends_do_not_move_places(tmp_path):
    (tmp_path / "mcpgen.toml").write_bytes(b'title = "a"\r\nbad = 1\r\n')
    assert found(load_config(tmp_path, base=tmp_path)) == [("MG701", 2, 1)]


def test_the_written_schema_is_the_table(root, update_golden):
    path = root / "schemas" / "config.schema.json"
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:mcpgen:config",
        "title": "Settings of mcpgen",
    }
    if update_golden:
        path.write_text(json.dumps(head | json_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    assert json.loads(path.read_text(encoding="utf-8")) == head | json_schema()


_names = st.sampled_from(["name", "expose", "strict", "tools", "settings", "timeout", "a", "env", "annotations"])
_values = st.recursive(
    st.booleans() | st.integers(-5, 5) | st.sampled_from(["weather", "", " ", "A_B", "x:y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(_names, _values, min_size=1, max_size=4))
def test_the_schema_and_the_check_agree_on_every_document(document):
    problems = []
    check(document, TOP, (), lambda path, reason, unknown: problems.append((path, reason, unknown)))
    assert Draft202012Validator(json_schema()).is_valid(document) == (not problems)
