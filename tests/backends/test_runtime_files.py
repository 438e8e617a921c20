"""The runtime in a package: a verbatim copy of what is needed."""

from __future__ import annotations

import ast
import sys

from generator.backends.runtime_files import HTTP_ROOTS, ROOTS, TASK_ROOTS, runtime_files
from generator.backends.server import render
from generator.resources import runtime


def test_every_file_is_copied_byte_for_byte(server):
    copied = {
        path.removeprefix("weather_mcp/_runtime/"): content
        for path, content in render(server).tree.items()
        if path.startswith("weather_mcp/_runtime/")
    }
    marker = copied.pop("py.typed")
    assert marker == b""
    assert set(ROOTS) <= set(copied)
    assert copied == {path: (runtime() / path).read_bytes() for path in copied}


def test_only_python_files_and_the_typing_marker_are_copied():
    assert {path.rpartition(".")[2] for path in runtime_files()} == {"py", "typed"}


def test_every_relative_import_of_a_copied_file_is_copied_too():
    files = runtime_files()
    for path, source in files.items():
        package = path.split("/")[:-1]
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.level and node.module:
                parts = package[: len(package) - node.level + 1] + node.module.split(".")
                name = "/".join(parts)
                assert f"{name}.py" in files or f"{name}/__init__.py" in files, f"{path} imports {name}"


def test_what_is_copied_imports_the_standard_library_only():
    for path, source in runtime_files().items():
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in names:
                assert name.partition(".")[0] in sys.stdlib_module_names, f"{path} imports {name}"


def test_the_same_files_come_in_the_same_order():
    assert list(runtime_files()) == sorted(runtime_files())


def test_only_a_server_of_http_operations_carries_the_client():
    plain, http = runtime_files(), runtime_files(http=True)
    assert not any(path.startswith("client/") for path in plain)
    assert {path: http[path] for path in plain} == plain
    assert {path.partition("/")[0] for path in set(http) - set(plain)} == {"client"}
    assert set(HTTP_ROOTS) <= set(http)


def test_every_relative_import_of_the_client_is_copied_too():
    files = runtime_files(http=True)
    for path, source in files.items():
        package = path.split("/")[:-1]
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom) and node.level and node.module:
                name = "/".join(package[: len(package) - node.level + 1] + node.module.split("."))
                assert f"{name}.py" in files or f"{name}/__init__.py" in files, f"{path} imports {name}"


def test_only_a_server_with_tasks_carries_the_methods_about_them():
    assert not set(TASK_ROOTS) & set(runtime_files())
    assert set(TASK_ROOTS) <= set(runtime_files(tasks=True))
