"""The command as a process ends at once, and nothing that Python does at an end is missed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS = 60
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | {
    "PYTHONDONTWRITEBYTECODE": "1"
}
FULL = Path("/dev/full")
PROGRAM = """
import atexit, os, sys
import generator.cli.app as app
from generator.cli.process import main

leave = os._exit

def told(code):
    print("left at once", flush=True)
    leave(code)

os._exit = told
atexit.register(print, "at exit")

def run():
    {run}

app.main = run
main()
"""


def run(body, root, *options, before="", stdout=subprocess.PIPE):
    command = [sys.executable, *options, "-c", before + PROGRAM.format(run=body)]
    environment = ENVIRONMENT | {"PYTHONPATH": str(root)}
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, env=environment, timeout=SECONDS, check=False
    )


@pytest.mark.parametrize("code", [0, 2, 70])
def test_the_exit_code_and_all_output_come_through(root, code):
    done = run(f"print('said'); print('told', file=sys.stderr); sys.exit({code})", root)
    assert (done.returncode, done.stdout, done.stderr) == (code, "said\nat exit\nleft at once\n", "told\n")


def test_a_message_in_the_place_of_a_code_is_printed_by_python(root):
    done = run("sys.exit('a message')", root)
    assert (done.returncode, done.stderr, "left at once" in done.stdout) == (1, "a message\n", False)


def test_a_failure_is_told_by_python(root):
    done = run("raise LookupError('gone')", root)
    assert (done.returncode, "LookupError: gone" in done.stderr, "left at once" in done.stdout) == (1, True, False)


@pytest.mark.parametrize(
    "before",
    ["import sys; sys.setprofile(lambda *_: None)", "import sys; sys.settrace(lambda *_: None)"],
    ids=["profiler", "debugger"],
)
def test_who_watches_the_run_sees_its_end(root, before):
    done = run("sys.exit(3)", root, before=before)
    assert (done.returncode, "left at once" in done.stdout) == (3, False)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is new in Python 3.12")
def test_a_tool_of_sys_monitoring_sees_the_end(root):
    done = run("sys.exit(3)", root, before="import sys; sys.monitoring.use_tool_id(1, 'coverage')")
    assert (done.returncode, "left at once" in done.stdout) == (3, False)


def test_a_thread_is_waited_for(root):
    done = run("import threading; threading.Timer(0.05, print, ['the thread']).start(); sys.exit(0)", root)
    assert (done.returncode, "the thread" in done.stdout) == (0, True)


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
def test_output_that_cannot_be_written_is_told_by_python(root):
    with FULL.open("w", encoding="utf-8") as full:
        done = run("print('said'); sys.exit(0)", root, stdout=full)
    assert (done.returncode, "No space left" in done.stderr) == (120, True)


def test_a_closed_standard_output_does_no_harm(root):
    assert run("sys.stdout.close(); sys.exit(4)", root).returncode == 4


def test_a_run_needs_neither_pydantic_nor_a_yaml_parser_for_json(root, tmp_path):
    (tmp_path / "api.json").write_text(
        '{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://a.example"}],'
        ' "paths": {"/pets": {"get": {"responses": {}}}}}',
        encoding="utf-8",
    )
    code = (
        "import atexit, sys; from generator.cli.process import main;"
        "atexit.register(lambda: print(sorted({'pydantic', 'yaml'} & sys.modules.keys())));"
        "sys.argv = ['mcpgen', 'from-openapi', 'api.json', '-o', 'pets', '--models', 'none', '--quiet']; main()"
    )
    environment = ENVIRONMENT | {"PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
