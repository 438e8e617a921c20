"""Options of `mcpgen from-openapi` that decide what is in the package."""

from __future__ import annotations

import json

import pytest

HEAD = "openapi: 3.1.0\ninfo: { title: Things, version: '1' }\nservers: [{ url: 'https://things.example' }]\n"


def described(schemas: int) -> str:
    """Return a description whose operations use a number of schemas."""
    paths, components = [], []
    for number in range(schemas):
        reference = f'{{ $ref: "#/components/schemas/Thing{number}" }}'
        content = f"content: {{ application/json: {{ schema: {reference} }} }}"
        paths.append(
            f"  /things/{number}:\n    get:\n      operationId: thing{number}\n"
            f"      responses: {{ '200': {{ description: One., {content} }} }}\n"
        )
        components.append(f"    Thing{number}: {{ type: object, properties: {{ name: {{ type: string }} }} }}\n")
    return HEAD + "paths:\n" + "".join(paths) + "components:\n  schemas:\n" + "".join(components)


@pytest.fixture
def build(run, tmp_path):
    """Build a description of a number of schemas."""

    def call(schemas: int, *words: str):
        (tmp_path / "things.yaml").write_text(described(schemas), encoding="utf-8")
        return run("from-openapi", "things.yaml", "-o", "out", *words)

    return call


def test_types_are_written_for_the_schemas_unless_they_are_too_many(build, tmp_path):
    models = tmp_path / "out" / "things_mcp" / "models.py"
    assert build(3).code == 0
    assert "class Thing2(TypedDict)" in models.read_text(encoding="utf-8")
    ended = build(151)
    assert (ended.code, "MG283" in ended.err, models.exists()) == (0, True, False)
    ended = build(151, "--models", "typeddict")
    assert (ended.code, "MG283" in ended.err, models.exists()) == (0, False, True)
    assert build(3, "--models", "none").code == 0
    assert not models.exists()


def test_a_kind_of_types_that_does_not_exist_is_refused(build):
    ended = build(1, "--models", "pydantic")
    assert (ended.code, "is not one of typeddict, none" in ended.err) == (2, True)


def test_stubs_are_functions_that_say_that_they_are_to_be_filled_in(build, tmp_path):
    assert build(1, "--stubs").code == 0
    text = (tmp_path / "out" / "things_mcp" / "handlers.py").read_text(encoding="utf-8")
    assert "def thing0() -> models.Thing0:" in text
    assert '    "GET /things/0": thing0,' in text


@pytest.mark.parametrize("word", ["0", "-1", "many", "20g", "1e3"])
def test_a_budget_that_is_no_number_of_tokens_is_refused(build, word):
    ended = build(1, "--budget", word)
    assert (ended.code, "no number of tokens" in ended.err) == (2, True)


def test_a_list_that_is_long_for_a_model_says_how_to_show_less(build, monkeypatch):
    monkeypatch.setattr("generator.cli.summary.LARGE_LIST", 1000)
    assert "--budget 20k" in build(40).out
    assert "--budget" not in build(2).out
    assert "--budget" not in build(40, "--budget", "1M").out
    assert "--budget" not in build(40, "--discovery").out


@pytest.mark.parametrize("word", ["2M", "2000k", "2_000_000"])
def test_a_budget_may_be_in_thousands_or_millions(build, word):
    assert "with a budget of 2,000,000 tokens" in build(1, "--budget", word).err


def test_a_budget_and_discovery_choose_what_is_shown(build, tmp_path):
    catalog = tmp_path / "out" / "things_mcp" / "catalog.json"
    assert build(40, "--discovery").code == 0
    few = catalog.read_bytes()
    ended = build(40, "--budget", "100k")
    assert (ended.code, " tokens\n" in ended.out) == (0, True)
    assert catalog.read_bytes() != few
    ended = build(40, "--budget", "500")
    assert "(three tools, which find and call the others)" in ended.out
    assert catalog.read_bytes() == few


def test_the_settings_beside_the_description_hold(build, tmp_path):
    (tmp_path / "mcpgen.toml").write_text(
        'name = "shelf"\n[openapi]\nmodels = "none"\nbase_url = "https://shelf.example"\n'
        '[openapi.limits]\nretries = 0\n[openapi.operations.thing0]\nname = "first"\ntimeout = 3\n',
        encoding="utf-8",
    )
    assert build(2).code == 0
    package = tmp_path / "out" / "shelf_mcp"
    written = json.loads((package / "operations.json").read_text(encoding="utf-8"))
    assert written["pinned"] == "https://shelf.example"
    assert written["limits"]["retries"] == 0
    assert written["operations"]["GET /things/0"]["timeout"] == 3
    catalog = json.loads((package / "catalog.json").read_text(encoding="utf-8"))
    assert [tool["definition"]["name"] for tool in catalog["tools"]] == ["first", "thing1"]
    assert not (package / "models.py").exists()


def test_the_same_description_gives_the_same_bytes(build, tmp_path):
    def files() -> dict[str, bytes]:
        folder = tmp_path / "out"
        return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    build(5, "--stubs")
    first = files()
    build(5, "--stubs")
    assert files() == first


def test_the_environment_is_listed_without_values(build, tmp_path):
    build(1)
    text = (tmp_path / "out" / ".env.example").read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line and not line.startswith("#") and not line.endswith("=")] == []
    assert "THINGS_BASE_URL=" in text


@pytest.mark.parametrize("words", [[], ["--stubs"], ["--budget", "1k"]])
def test_the_sample_is_built_without_a_warning(run, root, tmp_path, words):
    description = root / "samples" / "petstore" / "openapi.yaml"
    ended = run("from-openapi", str(description), "-o", "out", "--strict", *words)
    assert (ended.code, "warning" in ended.err, "error" in ended.err) == (0, False, False)
