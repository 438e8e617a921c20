"""Names of servers, packages and commands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.ir import names


@pytest.mark.requirement("R145")
@pytest.mark.parametrize(
    ("given_name", "identity"),
    [
        ("weather", "weather"),
        ("nested.ts", "nested_ts"),
        ("My-Module", "my_module"),
        ("_private_", "private"),
        ("3d", "server_3d"),
        ("天気", "server"),
        ("con", "server_con"),
        ("", "server"),
        ("ﬁle", "file"),
        ("ünits", "units"),
        ("u\u0308nits", "units"),
        ("ÉTÉ", "ete"),
        ("Straße", "strasse"),
        ("smörgåsbord", "smorgasbord"),
    ],
)
def test_an_id_is_the_sanitised_name(given_name, identity):
    assert names.id_of(given_name) == identity


@given(st.text(max_size=200))
def test_every_derived_name_is_acceptable(text):
    identity = names.id_of(text)
    assert names.server_problem(identity) is None
    assert names.package_problem(names.package_of(identity)) is None
    assert names.server_problem(names.command_of(identity)) is None


def test_long_names_stay_apart():
    one, two = (names.id_of("a" * 100 + end) for end in "xy")
    assert one != two
    assert len(one) <= names.MAX_NAME


@pytest.mark.parametrize(
    "name",
    ["../../evil.py", "/etc/passwd", "CON", "a\\b.py", "Weather", "json", "class", "mcpgen", "generator", "con", "",
     "1a", "a-b", "a b", "a\n", "天気", "a" * 65],
)  # fmt: skip
def test_a_package_name_that_would_do_harm_is_refused(name):
    assert names.package_problem(name)


@pytest.mark.parametrize("name", ["../../evil.py", "/etc/passwd", "CON", "a\\b.py", "a.b", "-a", "a\n", "nul", ""])
def test_a_server_name_that_would_do_harm_is_refused(name):
    assert names.server_problem(name)


@pytest.mark.parametrize("name", ["weather", "my_server", "my-server", "a1"])
def test_plain_server_names_are_accepted(name):
    assert names.server_problem(name) is None


def test_package_and_command_follow_from_the_id():
    assert (names.package_of("my_weather"), names.command_of("my_weather")) == ("my_weather_mcp", "my-weather-mcp")
    assert (names.package_of("weather_mcp"), names.command_of("weather_mcp")) == ("weather_mcp", "weather-mcp")
