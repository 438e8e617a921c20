"""Golden cases: a folder with an input, and everything that a build of it must give.

A case is a folder with `case.toml`, the input, and what is expected: `ir.json`, `out/` and `stderr.txt` where there is
any. `case.toml` may have `source` (default `input.py`, or `openapi.yaml` where there is one), `arguments` of the build,
`exit` (default 0), `calls` (tool, arguments, `meta` and the structured result or text) and `requests` of other methods
(method, params and the result or the error's code). `--update-golden` writes the expected files. `out/` leaves out
`_runtime/`, which another test proves to be verbatim, and `mcpgen.lock`, which holds digests of it.
"""

from __future__ import annotations

import difflib
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from generator.backends.runtime_files import runtime_files
from generator.runtime.server.catalog import shown

HERE = Path(__file__).resolve().parent
CASES = sorted(path.parent for path in HERE.glob("*/case.toml"))
SERVED = [case for case in CASES if (case / "out").is_dir()]
EXPECTED = ("case.toml", "ir.json", "out", "stderr.txt")
SECONDS = 60
HINT = "run `pytest tests/golden --update-golden -k {}` and review the change"


def settings(case: Path) -> dict:
    source = "openapi.yaml" if (case / "openapi.yaml").is_file() else "input.py"
    return {"source": source, "arguments": [], "exit": 0, "calls": [], "requests": []} | tomllib.loads(
        (case / "case.toml").read_text(encoding="utf-8")
    )


def is_api(case: Path) -> bool:
    return settings(case)["source"].endswith((".yaml", ".json"))


def copied(case: Path, folder: Path) -> Path:
    """Copy the input of a case, so that nothing is written beside it."""
    place = folder / case.name
    ignored = shutil.ignore_patterns("__pycache__", *EXPECTED)
    shutil.copytree(case, place, ignore=ignored)
    # The walk for settings ends here, whatever lies above the temporary folder.
    (place / ".git").mkdir()
    return place


def run(*words: str):
    from generator.cli.app import app

    return CliRunner(env={"NO_COLOR": "1", "COLUMNS": "100"}).invoke(app, list(words))


def build(case: Path, folder: Path, monkeypatch) -> dict[str, bytes]:
    """Build a case and return everything that came of it by the name of the expected file."""
    wanted = settings(case)
    monkeypatch.chdir(copied(case, folder))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    verb = "from-openapi" if is_api(case) else "build"
    result = run(verb, wanted["source"], "-o", "made", *wanted["arguments"])
    assert result.exit_code == wanted["exit"], result.stderr
    made = {"stderr.txt": result.stderr.encode("utf-8")} if result.stderr else {}
    if Path("made").is_dir():
        made |= {f"out/{path}": content for path, content in files(Path("made")).items() if kept(path)}
        inspected = run("inspect", wanted["source"], "--ir", *([] if is_api(case) else wanted["arguments"]))
        made["ir.json"] = portable(json.loads(inspected.stdout))
    return made


def portable(ir: dict) -> bytes:
    """Return the IR without what differs between machines, or stands in `out/` anyway."""
    source = ir["server"]["source"]
    source.pop("environment", None)
    source.pop("inputs", None)
    for carried in source.get("files", []):
        carried.pop("content")
    return json.dumps(ir, indent=1).encode("ascii") + b"\n"


def kept(path: str) -> bool:
    return "/_runtime/" not in path and path != "mcpgen.lock"


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def expected(case: Path) -> dict[str, bytes]:
    return {path: content for path, content in files(case).items() if path.startswith("out/") or path in EXPECTED[1:]}


def update(case: Path, made: dict[str, bytes]) -> None:
    shutil.rmtree(case / "out", ignore_errors=True)
    for name in ("ir.json", "stderr.txt"):
        (case / name).unlink(missing_ok=True)
    for path, content in made.items():
        (case / path).parent.mkdir(parents=True, exist_ok=True)
        (case / path).write_bytes(content)


def difference(case: Path, wanted: dict[str, bytes], made: dict[str, bytes]) -> str:
    lines = []
    for path in sorted({*wanted, *made}):
        if wanted.get(path) != made.get(path):
            before, after = (tree.get(path, b"").decode("utf-8", "replace") for tree in (wanted, made))
            lines += difflib.unified_diff(
                before.splitlines(),
                after.splitlines(),
                f"expected/{path}" if path in wanted else "nothing",
                f"made/{path}" if path in made else "nothing",
                lineterm="",
            )
    return "\n".join([*lines, HINT.format(case.name)])


def assembled(case: Path, folder: Path) -> Path:
    """Return the expected project of a case with its runtime, in a folder of its own."""
    place = folder / "project"
    shutil.copytree(case / "out", place)
    catalog = json.loads((case / "out" / package(case) / "catalog.json").read_text(encoding="utf-8"))
    offers = any(catalog.get(kind) for kind in ("resources", "templates", "prompts", "views"))
    tasks = any("task" in entry for entry in catalog["tools"])
    needed = {
        "http": is_api(case),
        "offers": offers,
        "changes": "changes" in catalog,
        "tasks": tasks,
        "views": bool(catalog.get("views")),
    }
    for path, content in runtime_files(**needed).items():
        target = place / package(case) / "_runtime" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return place


def package(case: Path) -> str:
    (catalog,) = (case / "out").glob("*/catalog.json")
    return catalog.parent.name


def templated(case: Path) -> list[Path]:
    """Return the Python files of a case that we made, not the ones its author wrote."""
    folder = case / "out"
    return [folder / "server.py", folder / package(case) / "__init__.py", folder / package(case) / "__main__.py"]


def names(case: Path) -> str:
    return case.name


@pytest.mark.parametrize("case", CASES, ids=names)
def test_a_build_gives_exactly_what_is_expected(case, tmp_path, monkeypatch, update_golden):
    made = build(case, tmp_path, monkeypatch)
    if update_golden:
        update(case, made)
    wanted = expected(case)
    assert wanted == made, difference(case, wanted, made)


@pytest.mark.parametrize("case", SERVED, ids=names)
def test_what_is_expected_serves_and_answers(case, tmp_path):
    project = assembled(case, tmp_path)
    calls = settings(case)["calls"]
    requests = [{"jsonrpc": "2.0", "id": 0, "method": "tools/list"}] + [
        {
            "jsonrpc": "2.0",
            "id": number,
            "method": "tools/call",
            "params": {"name": call["tool"], "arguments": sent(call), "_meta": call.get("meta", {})},
        }
        for number, call in enumerate(calls, 1)
    ]
    asked = settings(case)["requests"]
    requests += [
        {"jsonrpc": "2.0", "id": f"r{number}", "method": each["method"], "params": each["params"]}
        for number, each in enumerate(asked)
    ]
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(project / "server.py"), "--mcp"],
        input="".join(json.dumps(request) + "\n" for request in requests).encode(),
        capture_output=True,
        cwd=tmp_path,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    replies = {message["id"]: message for message in messages if "id" in message}
    catalog = json.loads((project / package(case) / "catalog.json").read_text(encoding="utf-8"))
    assert replies[0]["result"]["tools"] == [tool["definition"] for tool in shown(catalog)]
    for number, call in enumerate(calls, 1):
        result = replies[number]["result"]
        assert result.get("isError", False) is call.get("error", False), result
        if "result" in call:
            assert result["structuredContent"] == call["result"]
        if "text" in call:
            assert call["text"] in result["content"][0]["text"]

    for number, each in enumerate(asked):
        reply = replies[f"r{number}"]
        assert reply["error"]["code"] == each["error"] if "error" in each else reply["result"] == each["result"], reply


def sent(call: dict) -> dict:
    return call.get("arguments", {})


@pytest.mark.parametrize("case", SERVED, ids=names)
def test_every_case_is_called_at_least_once(case):
    assert settings(case)["calls"]


@pytest.mark.parametrize("case", SERVED, ids=names)
def test_every_python_file_compiles(case):
    for path in (case / "out").rglob("*.py"):
        compile(path.read_bytes(), str(path), "exec", dont_inherit=True)


LINT = {
    "COM812": "the formatter's business",
    "CPY001": "the notice is the project's business",
    "D203": "clashes with D211",
    "D213": "clashes with D212",
    "INP001": "a project folder is no package",
    "PLC0415": "the runtime is imported when it is needed",
}
"""What `ruff --select ALL` may not say about generated files, and why."""


def ruff(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *words], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    return done.stdout if done.returncode else ""


def test_generated_files_are_clean_for_every_lint_rule():
    paths = [str(path) for case in SERVED for path in templated(case)]
    options = ("--isolated", "--no-cache", "--quiet", "--target-version", "py311")
    assert not ruff("check", *options, "--select", "ALL", "--ignore", ",".join(LINT), *paths)
    assert not ruff("format", "--check", *options, *paths)


def test_generated_projects_are_clean_by_their_own_settings(tmp_path):
    project = assembled(SERVED[0], tmp_path)
    assert not ruff("check", "--no-cache", "--quiet", str(project))
    assert not ruff("format", "--check", "--no-cache", "--quiet", str(project))


def masked(path: Path, name: str) -> str:
    """Return a templated file without what may differ: the names of the package and the command, and the version."""
    text = path.read_text(encoding="utf-8").replace(name, "NAME")
    text = re.sub(r'"[\w-]+ needs Python', '"COMMAND needs Python', text)
    return re.sub(r'__version__ = "[^"]+"', "VERSION", text)


def test_generated_files_have_strict_types(tmp_path):
    """One case is checked; the others are the same text but for the package's name."""
    case = SERVED[0]
    project = assembled(case, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "--no-incremental"]
        + [path.relative_to(case / "out").as_posix() for path in templated(case)],
        capture_output=True,
        text=True,
        cwd=project,
        timeout=SECONDS * 2,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    for other in SERVED[1:]:
        for ours, theirs in zip(templated(case), templated(other), strict=True):
            assert masked(theirs, package(other)) == masked(ours, package(case))


APIS = [case for case in SERVED if is_api(case)]


@pytest.mark.parametrize("case", APIS, ids=names)
def test_the_package_of_an_api_is_clean_and_has_strict_types(case, tmp_path):
    project = assembled(case, tmp_path)
    assert not ruff("check", "--no-cache", "--quiet", str(project))
    handlers = project / package(case) / "handlers.py"
    paths = [str(path) for path in (handlers, handlers.with_name("models.py")) if path.exists()]
    # The settings leave handlers.py to its owner; as we write it it is formatted, too.
    assert not ruff("format", "--isolated", "--line-length", "100", "--check", "--no-cache", "--quiet", *paths)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file=", "--no-incremental"]
        + [str(Path(path).relative_to(project)) for path in paths],
        capture_output=True,
        text=True,
        cwd=project,
        timeout=SECONDS * 2,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("case", APIS, ids=names)
def test_the_operations_of_an_api_are_as_their_schema_says(case):
    folder = Path(__file__).resolve().parents[2] / "schemas"
    schema = json.loads((folder / "operations.schema.json").read_text(encoding="utf-8"))
    written = json.loads((case / "out" / package(case) / "operations.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(written)
