"""Wrong words on the command line are told what they are, before anything is read."""

import json

import pytest


def environment(folder, version):
    """Make a virtual environment of an invented Python, with no interpreter in it."""
    library = f"lib/python{version}"
    for path in (f"base/{library}/os.py", f"env/{library}/site-packages/x.py"):
        (folder / path).parent.mkdir(parents=True)
        (folder / path).write_bytes(b"")
    text = f"home = {folder / 'base' / 'bin'}\nversion = {version}.1\n"
    (folder / "env" / "pyvenv.cfg").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("version", "code"), [("3.9", 2), ("3.10", 2), ("3.11", 0), ("3.13", 0)])
def test_a_named_python_that_cannot_run_a_server_is_refused(run, pipeline, tmp_path, version, code):
    environment(tmp_path, version)
    ended = run("build", "weather.py", "--python", "env")
    assert ended.code == code
    assert ("MG707" in ended.err, f"is {version}; a server needs 3.11 or newer" in ended.err) == (code == 2, code == 2)


@pytest.mark.parametrize("name", ["README.md", "lib.so"])
def test_a_file_that_is_not_python_is_said_to_be_none(run, pipeline, tmp_path, name):
    (tmp_path / name).write_text("{}", encoding="utf-8")
    for verb in ("build", "inspect"):
        ended = run(verb, name)
        assert (ended.code, f"`{name}` is not a Python file" in ended.err) == (2, True)
    assert pipeline.requests == []


@pytest.mark.parametrize("name", ["notes.json", "api.yaml", "API.YML"])
def test_who_builds_a_description_of_an_api_is_told_the_right_command(run, pipeline, tmp_path, name):
    (tmp_path / name).write_text("{}", encoding="utf-8")
    ended = run("build", name)
    assert (ended.code, f"Use `mcpgen from-openapi {name}`" in ended.err) == (2, True)
    assert pipeline.requests == []


@pytest.mark.parametrize("name", ["script", "types.pyi", "window.pyw", "LOUD.PY", "dotted.folder"])
def test_what_may_be_python_is_read(run, pipeline, tmp_path, name):
    if name == "dotted.folder":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_text("", encoding="utf-8")
    assert run("inspect", name).code == 0


def test_a_settings_file_that_does_not_exist_is_said_to_be_absent(run, pipeline):
    ended = run("build", "weather.py", "--config", "nope.toml")
    assert (ended.code, "there is no such file: `nope.toml`" in ended.err, "-->" in ended.err) == (2, True, False)


@pytest.mark.parametrize("words", [(), ("registry",)])
def test_help_says_what_each_verb_does_to_the_end_of_the_sentence(run, monkeypatch, words):
    monkeypatch.setenv("COLUMNS", "60")
    verbs = run(*words, "--help").out.partition("Commands:")[2]
    assert "..." not in verbs
    summaries = " ".join(verbs.split()).count(".")
    assert summaries == verbs.count("\n  ") - verbs.count("\n   ")


def test_help_names_both_settings_files(run):
    assert "mcpgen.toml or pyproject.toml" in " ".join(run("build", "--help").out.split())


@pytest.mark.parametrize("code", ["M-INP-006", "m-cmd-001", "M-RUN"])
def test_a_code_of_a_running_server_is_told_from_a_rule(run, code):
    ended = run("explain", code)
    assert (ended.code, ended.out) == (2, "")
    assert f"`{code.upper()}` is a code that a running server gives" in ended.err
    assert "docs/runtime.md" in ended.err


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (("build", ""), "SOURCE"),
        (("build", "weather.py", "-o", ""), "--output"),
        (("build", "weather.py", "--config="), "--config"),
        (("build", "weather.py", "--python", ""), "--python"),
        (("inspect", ""), "SOURCE"),
        (("from-openapi", ""), "DESCRIPTION"),
        (("from-openapi", "api.yaml", "--overlay", "a", "--overlay", ""), "--overlay"),
        (("gateway", "weather-mcp", ""), "SOURCE"),
        (("gateway", "weather-mcp", "-o", ""), "--output"),
        (("verify", ""), "DIR"),
        (("verify", "--url", ""), "--url"),
        (("explain", ""), "RULE"),
        (("registry", "add", ""), "DIR|NAME"),
        (("registry", "remove", ""), "NAME"),
        (("registry", "import", ""), "FILE"),
        (("registry", "export", "--milo", ""), "--milo"),
    ],
)
def test_an_empty_word_is_not_taken_for_the_working_folder(run, pipeline, monkeypatch, tmp_path, words, word):
    monkeypatch.setenv("MCPGEN_REGISTRY", str(tmp_path / "own" / "registry.json"))
    before = sorted(tmp_path.rglob("*"))
    ended = run(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"error[MG710] wrong-usage: invalid value for '{word}'")
    assert ": it is empty\n" in ended.err
    assert "= hint: Give it a value or leave it out" in ended.err
    assert sorted(tmp_path.rglob("*")) == before


def test_an_empty_word_of_another_program_is_its_own(run, monkeypatch, tmp_path):
    monkeypatch.setenv("MCPGEN_REGISTRY", str(tmp_path / "own" / "registry.json"))
    assert run("registry", "add", "a", "--", "/bin/echo", "", "b").code == 0
    entries = json.loads((tmp_path / "own" / "registry.json").read_text(encoding="utf-8"))["clis"]
    assert entries["a"]["command"] == ["/bin/echo", "", "b"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("buidl",), "no such command 'buidl'"),
        (("build",), "missing argument 'SOURCE'\n"),
        (("build", "a", "b"), "unexpected extra argument"),
        (("build", "a", "-o"), "option '-o' requires an argument\n"),
        (("build", "a", "--check", "--diff"), "--check, --diff and --dry-run exclude one another\n"),
        (("verify", ".", "--timeout", "soon"), "--timeout is a number of seconds above 0"),
        (("registry", "ad"), "no such command 'ad'"),
    ],
)
def test_wrong_usage_is_told_as_any_other_finding(run, words, said):
    ended = run(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("error[MG710] wrong-usage: ")
    assert (
        words == ("build", "a", "-o") or "= note: Usage: mcpgen" in ended.err
    )  # typer does not say whose option it is
    assert said in ended.err
    assert "= hint: See `mcpgen" in ended.err


def test_machines_are_told_of_wrong_usage_in_their_form(run):
    for form in (("--format", "json"), ("--format=json",)):
        told = json.loads(run("build", "--nonsense", *form).err)
        assert (told["code"], told["unit"]) == ("MG710", "mcpgen build")
    assert run("build", "--format", "github", "--nonsense").err.startswith("::error ")
