"""What can be named as a source, and the server that is read from it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from generator.config import Config
from generator.diagnostics.model import Severity
from generator.frontends.python.environment import Environment, EnvironmentProblem, find_environment, own_environment
from generator.frontends.python.read import read

from .front import front


def of(source: Path | str, **settings):
    return read(str(source), Config(**settings), own_environment())


def test_a_module_file_becomes_a_server_that_carries_it():
    found = front(
        '"""Weather tools.\n\nMore."""\n__version__ = "1.2.3"\nimport helper\ndef f(x: int) -> int: ...',
        files={"helper.py": "X = 1\n"},
    )
    server = found.server
    assert (server.id, server.package, server.command) == ("m", "m_mcp", "m-mcp")
    assert (server.version, server.description) == ("1.2.3", "Weather tools.")
    assert [file.path for file in server.source.files] == ["helper.py", "m.py"]
    assert server.tools[0].call.target == ".m:f"
    assert (server.source.kind, server.source.name, server.source.linked) == ("python", "m.py", False)
    assert set(server.source.inputs) == {"helper.py", "m.py"}


def test_settings_name_and_describe_the_server():
    found = front(
        "def f() -> int: ...",
        toml="""
        name = "my-weather"
        package = "other_pkg"
        title = "My Weather"
        version = "2.0"
        description = "D."
        instructions = "I."
        website = "https://x.example"
        scopes = ["a"]
        [settings]
        timeout = 5
        """,
    )
    server = found.server
    assert (server.id, server.package, server.command) == ("my_weather", "other_pkg", "my-weather-mcp")
    assert (server.title, server.version, server.description, server.instructions) == ("My Weather", "2.0", "D.", "I.")
    assert (server.website, server.scopes, server.settings["timeout"]) == ("https://x.example", ("a",), 5)


@pytest.mark.requirement("R145")
def test_the_id_is_made_from_the_files_name(tmp_path):
    (tmp_path / "My-Tools 2.py").write_text("def f() -> int: ...\n", encoding="utf-8")
    server = of(tmp_path / "My-Tools 2.py").server
    assert (server.id, server.package) == ("my_tools_2", "my_tools_2_mcp")


def test_a_package_folder_is_read_by_its_init_and_targets_the_defining_modules(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("from .inner import f\n__all__ = ['f']\n", encoding="utf-8")
    (package / "inner.py").write_text("def f(x: int) -> int: ...\n", encoding="utf-8")
    for source in (package, package / "__init__.py"):
        server = of(source).server
        assert [tool.call.target for tool in server.tools] == [".pkg.inner:f"]
        assert server.id == "pkg"


def test_a_file_inside_a_package_keeps_its_relative_imports(tmp_path):
    package = tmp_path / "pkg"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "types.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n", encoding="utf-8"
    )
    (package / "tools.py").write_text("from .types import P\ndef f(p: P) -> P: ...\n", encoding="utf-8")
    (tool,) = of(package / "tools.py").server.tools
    assert tool.call.target == ".pkg.tools:f"
    assert tool.call.conversions["p"]["record"]["target"] == ".pkg.types:P"


@pytest.mark.parametrize(
    ("name", "tool"),
    [("textwrap", "wrap"), ("html", "escape"), ("json.tool", "main"), ("humanize.number", "intword")],
)
def test_a_dotted_name_is_found_without_importing_it_and_linked(name, tool):
    result = of(name)
    server = result.server
    targets = {each.name: each.call.target for each in server.tools}
    assert targets[tool] == f"{name}:{tool}"
    assert server.source.linked
    assert server.source.files == ()
    assert server.id == name.replace(".", "_")


@pytest.mark.parametrize("path", ["m.py", "space/m.py", "pack/m.py"])
def test_link_refers_to_a_file_instead_of_carrying_it(path, tmp_path):
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text("def f() -> int: ...\n", encoding="utf-8")
    if path.startswith("pack"):
        (tmp_path / "pack" / "__init__.py").touch()
    server = read(str(tmp_path / path), Config(), Environment(paths=(tmp_path,)), link=True).server
    assert server.source.files == ()
    assert server.tools[0].call.target == f"{path.removesuffix('.py').replace('/', '.')}:f"


@pytest.mark.parametrize("name", ["m.py", "statistics.py", "my-tools.py"])
def test_a_file_that_its_environment_does_not_import_is_not_linked(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("def f() -> int: ...\n", encoding="utf-8")
    result = read(name, Config(), own_environment(), link=True)
    assert result.server is None
    assert [(each.rule.name, each.level) for each in result.diagnostics] == [("unimportable-link", Severity.ERROR)]
    assert result.diagnostics[0].message.startswith(f"`{name}` cannot be linked")
    assert "Leave out --link to copy it" in result.diagnostics[0].hint


@pytest.mark.parametrize(
    "source",
    ["no_such_module_here", "no/such/file.py", "absent.py", "a\0b", "x" * 5000, "", "..", "json.nothing", "_struct"],
)
def test_what_cannot_be_found_is_one_diagnostic(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = of(source)
    assert result.server is None
    assert [each.rule.name for each in result.diagnostics] == ["source-unreadable"]


def test_paths_in_spans_are_as_the_user_wrote_them(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "m.py").write_text("from helper import P\ndef f(p: P, q) -> int: ...\n", encoding="utf-8")
    (tmp_path / "sub" / "helper.py").write_text("class P: ...\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = of("sub/m.py")
    assert {each.span.path for each in result.diagnostics if each.span} == {"sub/m.py"}
    assert of("./sub/m.py").diagnostics[0].span.path in {"sub/m.py", "./sub/m.py"}


def test_reading_twice_gives_equal_servers_wherever_the_folder_is(tmp_path):
    text = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: set[int]\ndef f(p: P) -> set[str]: ...\n"
    servers = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text(text, encoding="utf-8")
        os.chdir(tmp_path / name)
        servers.append(of("m.py").server)
    assert servers[0] == servers[1]


def test_one_broken_function_does_not_stop_the_others():
    found = front("def f(x: range) -> int: ...\ndef g(x: int) -> int: ...")
    assert list(found.tools) == ["g"]
    assert found.errors() == ["unsupported-type"]


def test_a_module_without_tools_is_a_server_without_tools():
    assert front("X = 1\n").server.tools == ()


@pytest.mark.requirement("R018")
@pytest.mark.parametrize(
    ("docstring", "title"),
    [
        ("Forecast for a city.\n\n    More.", "Forecast for a city"),
        ("Forecast for a city", "Forecast for a city"),
        ("Is it wet?", "Is it wet?"),
        ("Wind, rain etc.", "Wind, rain etc."),
        ("天気を調べる。", "天気を調べる"),
        ("", "Get Forecast"),
        ("Forecast for a city in more words than a button has.", "Get Forecast"),
        ("Usage:", "Get Forecast"),
        ("# Forecast", "Get Forecast"),
        ("A first line that goes on\n    over a second one.", "Get Forecast"),
        ("x" * 200, "Get Forecast"),
    ],
)
def test_the_title_is_the_first_docstring_line_if_that_reads_as_one_or_the_name_in_words(docstring, title):
    assert front(f'def get_forecast() -> int:\n    """{docstring}"""\n').tools["get_forecast"].title == title


@pytest.mark.requirement("R182")
def test_missing_texts_are_warnings_named_by_tool():
    found = front(
        '''
        def f(a: int, b: int) -> int:
            """Do.

            Args:
                a: One.
                c: Unknown.
            """
        def g() -> int: ...
        '''
    )
    said = {(each.unit, each.rule.name) for each in found.diagnostics}
    assert said == {("f", "undocumented-parameter"), ("f", "docstring-unknown-parameter"), ("g", "undocumented-tool")}
    assert found.errors() == []


def test_names_documented_for_further_keys_are_not_unknown():
    found = front(
        '''
        def f(**options: int) -> int:
            """Do.

            Args:
                **options: Any.
                size: One of them.
            """
        '''
    )
    assert found.rules() == []


def test_heavy_imports_are_named_per_tool():
    found = front(
        """
        import missing_heavy as mh
        from missing_light.part import thing
        def _helper(): return mh.work()
        def f(x: int) -> int: return _helper()
        def g(x: int) -> int: return thing(x)
        def h(x: int) -> int:
            import missing_late
            return missing_late.f(x)
        def k(x: int) -> int: return x
        """
    )
    assert {name: tool.call.lazy_imports for name, tool in found.tools.items()} == {
        "f": ("missing_heavy",),
        "g": ("missing_light",),
        "h": ("missing_late",),
        "k": (),
    }


def test_our_own_environment_holds_the_standard_library_and_not_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    paths = own_environment().paths
    assert any((path / "textwrap.py").is_file() for path in paths)
    assert tmp_path not in paths
    assert (own_environment().executable, own_environment().own) == (Path(sys.executable), True)


def test_a_virtual_environment_is_read_without_starting_it(tmp_path, monkeypatch):
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    home = tmp_path / ".venv"
    site = home / "lib" / f"python{version}" / "site-packages"
    site.mkdir(parents=True)
    (home / "bin").mkdir()
    (home / "bin" / "python").write_text("#!/bin/sh\ntouch ran\n", encoding="utf-8")
    (home / "bin" / "python").chmod(0o755)
    (home / "pyvenv.cfg").write_text(f"home = {tmp_path}\nversion = {version}.9\n", encoding="utf-8")
    (tmp_path / "extra").mkdir()
    (site / "more.pth").write_text(f"# comment\nimport sys; raise SystemExit\n{tmp_path / 'extra'}\n", encoding="utf-8")
    (tmp_path / "src").mkdir()
    found = find_environment(tmp_path / "src")
    assert (found.label, found.version[2]) == (".venv", 9)
    assert site in found.paths
    assert (tmp_path / "extra") in found.paths
    assert find_environment(tmp_path, str(home)).paths == found.paths
    assert found.executable == find_environment(tmp_path, str(home)).executable == home / "bin" / "python"
    assert not found.own
    assert not (tmp_path / "src" / "ran").exists()
    monkeypatch.setenv("VIRTUAL_ENV", str(home))
    assert find_environment(Path(tmp_path.anchor)).label == "VIRTUAL_ENV"


def test_a_named_interpreter_is_asked_once_in_isolation(tmp_path, monkeypatch):
    link = tmp_path / "bin" / "python"
    link.parent.mkdir()
    link.write_text(f'#!/bin/sh\nexec "{Path(sys.executable).resolve()}" "$@"\n', encoding="utf-8")
    link.chmod(0o755)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = find_environment(tmp_path, str(link))
    assert found.version == sys.version_info[:3]
    assert found.executable == link
    assert tmp_path not in found.paths


@pytest.mark.parametrize("kind", ["absent", "text", "empty folder"])
def test_what_is_no_environment_is_a_problem(kind, tmp_path):
    path = tmp_path / "named"
    if kind == "text":
        path.write_text("x", encoding="utf-8")
    elif kind == "empty folder":
        path.mkdir()
    with pytest.raises(EnvironmentProblem):
        find_environment(tmp_path, str(path))
