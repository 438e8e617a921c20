"""What a server says of itself on the command line, instead of serving: what it has, and whether it could run."""

import json
import os
import subprocess
import sys

import pytest

from tests.command import built, mcpgen

MODULE = '''"""Weather."""

import os

from mcpgen import prompt, resource

print("the module is imported")


def forecast(city: str) -> str:
    """Return what comes.

    And more about it.
    """
    return f"sunny in {city}"


def record(city: str) -> str:
    """Write it down."""
    return city


@resource("weather://stations")
def stations() -> str:
    """Every station."""
    return "Oslo"


@prompt
def briefing(city: str) -> str:
    """Ask for a briefing."""
    return city
'''
CONFIG = """
[config.token]
env = "WEATHER_TOKEN"
sensitive = true
required_by = ["record"]
[serve]
port = "${WEATHER_PORT}"
"""
ABSENT = "import no_such_thing_here\n\ndef first(a: int) -> int:\n    '''First.'''\n    return a\n\nsecond = first\n"
ABSENT += "def other(a: int) -> int:\n    '''Other.'''\n    return a\n"
API = """
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example/v1"}]
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
security: [{key: []}]
paths: {/pets: {get: {operationId: listPets, responses: {"200": {description: ok}}}}}
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return built(tmp_path_factory.mktemp("weather"), "weather", MODULE, CONFIG)


@pytest.fixture
def ask(tmp_path):
    def asked(project, *words, **env):
        return subprocess.run(
            [sys.executable, "-I", "-S", str(project / "server.py"), *words],
            env={"PATH": os.defpath, "HOME": str(tmp_path), **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return asked


def test_what_a_server_has_is_listed_without_importing_it(project, ask):
    done = ask(project, "--list")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "weather 0.1.0: 2 tools, 1 resource, 1 prompt",
        "  tool      forecast            Return what comes.",
        "  tool      record              Write it down.",
        "  resource  weather://stations  Every station.",
        "  prompt    briefing            Ask for a briefing.",
    ]
    told = json.loads(ask(project, "--json", "--list").stdout)
    assert [tool["name"] for tool in told["tools"]] == ["forecast", "record"]
    assert [each["uri"] for each in told["resources"]] == ["weather://stations"]


def test_the_doctor_names_what_is_not_set_and_shows_no_value(project, ask):
    done = ask(project, "--doctor")
    assert done.returncode == 1
    assert "fail  WEATHER_TOKEN  it is not set, and record cannot run\n" in done.stdout
    assert (
        "= hint: Set it in the `env` of this server in the host's settings, or put `token` into ~/.config/"
        in done.stdout
    )
    assert "ok    handlers       4 of 4 can be imported\n" in done.stdout
    assert "the module is imported" not in done.stdout
    assert "the module is imported" in done.stderr
    well = ask(project, "--doctor", WEATHER_TOKEN="very-private")
    assert well.returncode == 0
    assert "very-private" not in well.stdout + well.stderr
    assert "ok    values    all that have to be set are; 1 of 1 are set\n" in well.stdout
    facts = json.loads(ask(project, "--doctor", "--json").stdout)["findings"]
    assert [(each["name"], each["state"]) for each in facts] == [
        ("settings", "ok"),
        ("WEATHER_TOKEN", "fail"),
        ("handlers", "ok"),
    ]


def test_the_doctor_reads_the_settings_of_serving(tmp_path, ask):
    settings = '[serve]\ntransport = "http"\nport = "${WEATHER_PORT}"\n'
    project = built(tmp_path, "weather", MODULE, settings)
    done = ask(project, "--doctor")
    assert done.returncode == 1
    assert (
        "fail  settings  environment variables that the settings name are not set: WEATHER_PORT (for port)"
        in done.stdout
    )
    assert ask(project, "--doctor", WEATHER_PORT="8001").returncode == 0


def test_a_module_that_cannot_be_imported_is_told_once(tmp_path, ask):
    done = ask(built(tmp_path, "absent", ABSENT), "--doctor")
    assert done.returncode == 1
    assert done.stdout.count("No module named 'no_such_thing_here'") == 1
    assert "and 1 more for the same reason" in done.stdout
    assert "= hint: Install the package that provides `no_such_thing_here` where this server runs.\n" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_credential_that_another_may_stand_for_is_no_failure(tmp_path, ask):
    (tmp_path / "api.yaml").write_text(API, encoding="utf-8")
    assert mcpgen("from-openapi", "api.yaml", "-o", "pets", "--quiet", cwd=tmp_path).returncode == 0
    done = ask(tmp_path / "pets", "--doctor")
    assert done.returncode == 0
    assert "warn  PETS_KEY  it is not set; calls that need it are refused\n" in done.stdout
    assert "ok    handlers  1 of 1 can be imported\n" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--status",), "--status is for a gateway"),
        (("--status",), "--list prints what it has, --doctor says whether it can run"),
        (("--list", "--http"), "--list does not serve, and --http does not go with it"),
        (("--mcp", "--doctor"), "--doctor does not serve, and --mcp does not go with it"),
        (("--list", "--doctor"), "--doctor does not serve, and --list does not go with it"),
        (("--json",), "--json goes with --list or --doctor"),
        (("--lists",), "did you mean --list?"),
    ],
)
def test_words_that_ask_nothing_are_refused_with_those_that_do(project, ask, words, said):
    done = ask(project, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_help_has_the_words(project, ask):
    text = ask(project, "--help").stdout
    assert all(f"  {word} " in text for word in ("--list", "--doctor", "--json"))
    assert "--status" not in text
