"""`mcpgen from-openapi`: from a description to a folder, and what is said about it."""

from __future__ import annotations

import json

import pytest

DESCRIPTION = """\
openapi: 3.1.0
info: { title: Pet store, version: "1" }
servers: [{ url: "https://pets.example/v1" }]
security: [{ key: [] }]
paths:
  /pets:
    get:
      operationId: listPets
      tags: [read]
      responses:
        "200":
          description: Pets.
          content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } } }
    post:
      operationId: addPet
      tags: [write]
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } }
      responses: { "201": { description: Added. } }
  /pets/{id}:
    get:
      operationId: getPet
      tags: [read]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { "200": { description: A pet. } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Pet: { type: object, required: [name], properties: { name: { type: string } } }
"""


PARAMETERS = (
    "name: id, in: path, required: true, schema: { type: integer } }, "
    "{ name: 'ids[]', in: query, schema: { type: array, items: { type: integer } } }"
)


@pytest.fixture
def api(run, tmp_path):
    """Run the command beside a description."""
    (tmp_path / "pets.yaml").write_text(DESCRIPTION, encoding="utf-8")
    return run


def tools(folder) -> list[str]:
    (catalog,) = folder.glob("*/catalog.json")
    return [tool["definition"]["name"] for tool in json.loads(catalog.read_text(encoding="utf-8"))["tools"]]


def rename(tmp_path, old: str, new: str) -> None:
    path = tmp_path / "pets.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")


def test_a_description_becomes_a_server(api, tmp_path):
    ended = api("from-openapi", "pets.yaml", "-o", "out/pets")
    assert ended.code == 0
    folder = tmp_path / "out" / "pets"
    package = folder / "pets_mcp"
    assert tools(folder) == ["listPets", "addPet", "getPet"]
    names = {path.name for path in [*package.iterdir(), *folder.iterdir()]}
    assert names >= {"operations.json", "handlers.py", "models.py", ".env.example", "server.py"}
    lines = ended.out.splitlines()
    assert lines[0].startswith("pets-mcp  3 tools ")
    assert "environment it reads:" in ended.out
    assert "PETS_KEY " in ended.out
    assert "The base URL of the API (default: https://pets.example/v1)." in ended.out
    assert lines[-1].startswith("next: mcpgen verify out/pets · claude mcp add pets -e PETS_KEY=your-value -- ")
    assert lines[-1].endswith(f"-I -S {folder}/server.py")


def test_the_folder_is_named_after_the_description_unless_another_name_is_given(api, tmp_path):
    assert api("from-openapi", "pets.yaml").code == 0
    assert api("from-openapi", "pets.yaml", "--name", "zoo", "--package", "animals").code == 0
    assert (tmp_path / "pets-mcp" / "pets_mcp" / "catalog.json").is_file()
    assert [path.parent.name for path in tmp_path.glob("*/animals/catalog.json")]


def test_who_gives_a_python_file_is_told_the_right_command(api):
    ended = api("from-openapi", "weather.py")
    assert (ended.code, ended.out) == (2, "")
    assert "MG282" in ended.err
    assert "Use `mcpgen build weather.py`" in ended.err


def test_a_description_that_does_not_exist_is_told_by_its_name(api):
    ended = api("from-openapi", "nowhere.yaml")
    assert (ended.code, ended.out) == (2, "")
    assert "nowhere.yaml" in ended.err
    assert "nothing was written" in ended.err


@pytest.mark.parametrize(
    "address",
    [
        "pets.example",
        "ftp://pets.example",
        "https://",
        "https://me:secret@pets.example",
        "https://token@pets.example",
        "https://pets.example/v1?key=1",
        "https://pets.example/v1#top",
        "https://pets.example:port/",
        "https://pets.example/a b",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://pets.example/\nX: y",
    ],
)
def test_a_base_url_that_cannot_be_asked_is_refused_and_not_repeated(api, address):
    ended = api("from-openapi", "pets.yaml", "--base-url", address)
    assert (ended.code, ended.out) == (2, "")
    assert "MG280" in ended.err
    assert "secret" not in ended.err


def test_a_base_url_is_where_requests_go(api, tmp_path):
    assert api("from-openapi", "pets.yaml", "-o", "out", "--base-url", "https://other.example/v2").code == 0
    written = json.loads((tmp_path / "out" / "pets_mcp" / "operations.json").read_text(encoding="utf-8"))
    assert written["pinned"] == "https://other.example/v2"


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["--include-tag", "read"], ["listPets", "getPet"]),
        (["--exclude-tag", "read"], ["addPet"]),
        (["--include-path", "/pets"], ["listPets", "addPet"]),
        (["--exclude-path", "/pets/*"], ["listPets", "addPet"]),
        (["--methods", "post"], ["addPet"]),
        (["--methods", "POST,get"], ["listPets", "addPet", "getPet"]),
        (["--operation", "getPet"], ["getPet"]),
        (["--operation", "POST /pets", "--operation", "get*"], ["addPet", "getPet"]),
    ],
)
def test_operations_are_chosen_by_tag_path_method_and_name(api, tmp_path, words, left):
    assert api("from-openapi", "pets.yaml", "-o", "out", *words).code == 0
    assert sorted(tools(tmp_path / "out")) == sorted(left)


def test_tables_of_no_operation_are_told_with_their_places(api, tmp_path):
    lines = (
        "[tools.nope]",
        'title = "x"',
        "[tools.getPet]",
        "capture_output = true",
        "[openapi.operations.'GET /cats']",
        "hide = true",
    )
    (tmp_path / "mcpgen.toml").write_text("\n".join(lines), encoding="utf-8")
    ended = api("from-openapi", "pets.yaml", "-o", "out")
    assert ended.code == 2
    assert [line.split()[1] for line in ended.err.splitlines() if "-->" in line] == [
        "mcpgen.toml:1:8",
        "mcpgen.toml:4:1",
        "mcpgen.toml:5:21",
    ]


@pytest.mark.parametrize("word", ["get post", "g3t", "get,,post"])
def test_a_method_that_is_none_is_refused(api, word):
    ended = api("from-openapi", "pets.yaml", "--methods", word)
    assert (ended.code, "MG281" in ended.err) == (2, True)


def test_a_root_of_references_that_is_no_folder_is_refused(api, tmp_path):
    ended = api("from-openapi", "pets.yaml", "--ref-root", "nowhere")
    assert (ended.code, "MG281" in ended.err) == (2, True)
    (tmp_path / "mcpgen.toml").write_text('[openapi]\nref_root = "nowhere"\n', encoding="utf-8")
    ended = api("from-openapi", "pets.yaml")
    assert (ended.code, "mcpgen.toml:2:1" in ended.err) == (2, True)


def test_a_folder_that_contains_the_description_is_refused(api, tmp_path):
    ended = api("from-openapi", "pets.yaml", "-o", ".")
    assert (ended.code, "contains the source" in ended.err) == (3, True)


@pytest.mark.requirement("R121")
def test_an_operation_that_was_asked_for_and_does_not_exist_fails_the_build(api, tmp_path):
    ended = api("from-openapi", "pets.yaml", "-o", "out", "--operation", "feedPet")
    assert ended.code == 2
    assert "feedPet" in ended.err
    assert not (tmp_path / "out").exists()


@pytest.mark.requirement("R121")
def test_an_expose_list_chooses_the_operations(api, tmp_path):
    (tmp_path / "mcpgen.toml").write_text('expose = ["get*"]\n', encoding="utf-8")
    assert api("from-openapi", "pets.yaml", "-o", "out").code == 0
    assert tools(tmp_path / "out") == ["getPet"]
    (tmp_path / "mcpgen.toml").write_text('expose = ["feed*"]\n', encoding="utf-8")
    assert api("from-openapi", "pets.yaml", "-o", "out").code == 2


def test_an_operation_that_cannot_be_served_is_named_and_the_rest_is_served(api, tmp_path):
    rename(tmp_path, "schema: { type: integer }", 'schema: { $ref: "#/nowhere" }')
    ended = api("from-openapi", "pets.yaml", "-o", "out")
    assert (ended.code, tools(tmp_path / "out")) == (0, ["listPets", "addPet"])
    assert "1 operation was left out, the rest is served" in ended.err
    for asked in (
        ["--strict"],
        ["--operation", "getPet", "--operation", "listPets"],
        ["--operation", "GET /pets/{id}"],
    ):
        assert api("from-openapi", "pets.yaml", "-o", "out", *asked).code == 2


def test_names_stay_when_the_description_renames_its_operations(api, tmp_path):
    api("from-openapi", "pets.yaml", "-o", "out")
    api("from-openapi", "pets.yaml")
    rename(tmp_path, "operationId: getPet", "operationId: fetchPet")
    api("from-openapi", "pets.yaml", "-o", "out")
    api("from-openapi", "pets.yaml")
    assert tools(tmp_path / "out") == tools(tmp_path / "pets-mcp") == ["listPets", "addPet", "getPet"]


def test_a_check_compares_and_writes_nothing(api, tmp_path):
    assert api("from-openapi", "pets.yaml", "-o", "out", "--check").code == 4
    assert not (tmp_path / "out").exists()
    api("from-openapi", "pets.yaml", "-o", "out")
    assert api("from-openapi", "pets.yaml", "-o", "out", "--check").code == 0
    rename(tmp_path, "operationId: addPet", "operationId: addPet\n      summary: Take a pet in")
    ended = api("from-openapi", "pets.yaml", "-o", "out", "--diff")
    assert (ended.code, "# ~ tool addPet: title, description" in ended.out) == (0, True)
    assert api("from-openapi", "pets.yaml", "-o", "out", "--check").code == 4


def test_only_one_of_check_diff_and_dry_run_is_possible(api):
    assert api("from-openapi", "pets.yaml", "--check", "--diff").code == 2


def test_a_dry_run_lists_the_files(api, tmp_path):
    ended = api("from-openapi", "pets.yaml", "-o", "out", "--dry-run")
    assert (ended.code, "create    pets_mcp/operations.json" in ended.out) == (0, True)
    assert not (tmp_path / "out").exists()


def test_handlers_are_their_owners(api, tmp_path):
    api("from-openapi", "pets.yaml", "-o", "out")
    handlers = tmp_path / "out" / "pets_mcp" / "handlers.py"
    handlers.write_text('"""Mine."""\n', encoding="utf-8")
    ended = api("from-openapi", "pets.yaml", "-o", "out", "--stubs")
    assert (ended.code, "MG289" in ended.err) == (0, True)
    assert handlers.read_text(encoding="utf-8") == '"""Mine."""\n'
    assert api("from-openapi", "pets.yaml", "-o", "out", "--check").code == 0


def test_handlers_that_nobody_edited_are_written_anew(api, tmp_path):
    api("from-openapi", "pets.yaml", "-o", "out")
    handlers = tmp_path / "out" / "pets_mcp" / "handlers.py"
    ended = api("from-openapi", "pets.yaml", "-o", "out", "--stubs")
    assert (ended.code, "MG289" in ended.err) == (0, False)
    assert "def get_pet(" in handlers.read_text(encoding="utf-8")
    handlers.unlink()
    assert api("from-openapi", "pets.yaml", "-o", "out").code == 0
    assert "def get_pet(" not in handlers.read_text(encoding="utf-8")


def test_many_tools_are_told_in_few_lines_unless_all_are_wanted(api, tmp_path):
    paths = "".join(
        f"  /things/{number}:\n"
        f"    get: {{ operationId: thing{number}, responses: {{ '200': {{ description: One. }} }} }}\n"
        for number in range(100)
    )
    rename(tmp_path, "paths:\n", f"paths:\n{paths}")
    short = api("from-openapi", "pets.yaml", "-o", "out").out.splitlines()
    assert len(short) < 50
    assert any("… and 83 more" in line for line in short)
    every = api("from-openapi", "pets.yaml", "-o", "out", "--verbose").out
    assert "thing99" in every


def test_machines_get_one_line(api):
    ended = api("from-openapi", "pets.yaml", "-o", "out", "--format", "json")
    document = json.loads(ended.out)
    assert [tool["name"] for tool in document["tools"]] == ["listPets", "addPet", "getPet"]
    assert ended.out.count("\n") == 1


def test_inspect_reads_descriptions_too(api):
    ended = api("inspect", "pets.yaml")
    assert (ended.code, "listPets" in ended.out) == (0, True)
    listed = json.loads(api("inspect", "pets.yaml", "--format", "json").out)
    assert [each["target"] for each in listed] == ["GET /pets", "POST /pets", "GET /pets/{id}"]
    assert api("inspect", "pets.yaml", "--link").code == 2
    assert api("inspect", "pets.yaml", "--python", "x").code == 2


def test_inspect_shows_the_tools_that_are_asked_for(api):
    assert [
        each["name"] for each in json.loads(api("inspect", "pets.yaml", "--tool", "*Pet", "--format", "json").out)
    ] == [
        "addPet",
        "getPet",
    ]
    ended = api("inspect", "pets.yaml", "--tool", "getPets")
    assert (ended.code, "did you mean getPet?" in ended.err) == (2, True)


def test_inspect_shows_only_the_table_of_a_large_api(api, tmp_path):
    paths = "".join(f"  /t{number}: {{ get: {{ responses: {{}} }} }}\n" for number in range(70))
    text = f'openapi: 3.1.0\ninfo: {{ title: Many, version: "1" }}\npaths:\n{paths}'
    (tmp_path / "many.yaml").write_text(text, encoding="utf-8")
    lines = api("inspect", "many.yaml").out.splitlines()
    assert len(lines) == 72
    assert "--tool NAME shows a tool" in lines[-1]
    assert "input schema" in api("inspect", "many.yaml", "--verbose").out
    assert "input schema" in api("inspect", "many.yaml", "--tool", "get_t1").out


def test_check_says_what_is_wrong_with_the_users_handlers(api, tmp_path):
    words = ("from-openapi", "pets.yaml", "-o", "out/pets")
    assert api(*words).code == 0
    assert api(*words, "--check").code == 0
    handlers = tmp_path / "out" / "pets" / "pets_mcp" / "handlers.py"
    handlers.write_text("operations = {'GET /pet/{id}': print}\n", encoding="utf-8")
    ended = api(*words, "--check")
    assert ended.code == 4
    assert "`GET /pet/{id}` in `operations` is no operation of this server" in ended.err
    assert "Did you mean `GET /pets/{id}`?" in ended.err
    handlers.write_text("def f(:\n", encoding="utf-8")
    ended = api(*words)
    assert (ended.code, "warning[MG291]" in ended.err) == (0, True)


def test_a_selection_of_the_settings_is_named_with_its_place(api, tmp_path):
    (tmp_path / "mcpgen.toml").write_text('[openapi]\nmethods = ["get", "put"]\n', encoding="utf-8")
    ended = api("from-openapi", "pets.yaml")
    assert ended.code == 2
    assert "`put` in `openapi.methods` fits no operation" in ended.err
    assert "mcpgen.toml:2:" in ended.err
    assert "`put` in `--methods` fits no operation" in api("from-openapi", "pets.yaml", "--methods", "put").err


def test_names_that_are_only_adapted_are_no_reason_to_fail(api, tmp_path):
    rename(tmp_path, "operationId: getPet", "operationId: pets/get")
    rename(tmp_path, "name: id, in: path, required: true, schema: { type: integer } }", PARAMETERS)
    ended = api("from-openapi", "pets.yaml", "--strict")
    assert (ended.code, ended.err.count("note[MG250]"), ended.err.count("note[MG303]")) == (0, 1, 1)
    assert "the query parameter `ids[]` of `GET /pets/{id}` is the argument `ids`" in ended.err


def test_writing_is_spoken_of_only_where_nothing_was_chosen(api):
    assert "MG260" in api("from-openapi", "pets.yaml").err
    assert "MG260" not in api("from-openapi", "pets.yaml", "--operation", "addPet").err


def test_long_names_of_an_api_are_one_line(api, tmp_path):
    rename(tmp_path, "operationId: getPet", f"operationId: {'get' * 18}")
    rename(tmp_path, "operationId: addPet", f"operationId: {'add' * 18}")
    ended = api("from-openapi", "pets.yaml", "--name", "pet_store")
    assert ended.err.count("MG309") == 1
    assert "more than 60; 1 more are like this one" in ended.err
    assert "--name" in ended.err


def test_a_value_that_a_tool_requires_is_enforced(api, tmp_path):
    text = '[config.account]\nenv = "PETS_ACCOUNT"\nrequired_by = ["getPet", "GET /pets"]\n'
    (tmp_path / "mcpgen.toml").write_text(text, encoding="utf-8")
    assert api("from-openapi", "pets.yaml", "-o", "out").code == 0
    catalog = json.loads((tmp_path / "out" / "pets_mcp" / "catalog.json").read_text(encoding="utf-8"))
    assert catalog["config"]["account"]["required_by"] == ["getPet", "listPets"]
    (tmp_path / "mcpgen.toml").write_text(text.replace("getPet", "getPets"), encoding="utf-8")
    said = api("from-openapi", "pets.yaml").err
    assert "`getPets` in `required_by` of `account` is no tool" in said
    assert "= hint: Did you mean `getPet`?" in said
    (tmp_path / "mcpgen.toml").write_text(text.replace("getPet", "xyz"), encoding="utf-8")
    assert "take the name out of `required_by`" in api("from-openapi", "pets.yaml").err
