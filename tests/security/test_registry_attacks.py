"""Hostile registries through the real command: how it ends, what it says, and that nothing of them was run."""

from __future__ import annotations

import json
import os
import shutil
import sys

import pytest

from tests.command import mcpgen

from .conftest import ATTACKS

CASES = sorted((ATTACKS / "gateway").glob("registry-*.expect.json"))
VERBS = (["doctor"], ["add", "new", "--", sys.executable], ["remove", "a"])


@pytest.fixture
def attack(tmp_path):
    """Lay a registry out as its user would have it, and run a verb on it; returns how that ended."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    path = folder / "registry.json"
    canary = tmp_path / "canary"

    def run(content, *words):
        path.write_bytes(content)
        path.chmod(0o600)
        ended = mcpgen(
            "registry", *words, cwd=tmp_path, env={"MCPGEN_REGISTRY": str(path), "MCPGEN_CANARY": str(canary)}
        )
        assert not canary.exists()
        assert "Traceback" not in ended.stderr
        return ended, path

    return run


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name.removesuffix(".json.expect.json"))
def test_the_given_registries_end_as_expected(attack, case):
    expected = json.loads(case.read_bytes())
    content = (ATTACKS / expected["file"]).read_bytes()
    ended, path = attack(content, "list")
    assert ended.returncode == 2, "nothing that could be used remains"
    assert path.read_bytes() == content
    load = expected["expect"]["load"]
    if "naming the supported versions" in load:
        assert "supported: 1" in ended.stderr
    if load.startswith("strict schema"):
        names = json.loads(content)["servers"]
        told = json.loads(mcpgen_json(attack, content))["servers"]
        assert {each["name"] for each in told} == set(names)
        assert {each["status"] for each in told} == {"fail"}


def mcpgen_json(attack, content):
    ended, _ = attack(content, "doctor", "--format", "json")
    assert ended.returncode == 1
    return ended.stdout


def test_there_are_given_registries():
    assert {path.name.partition(".")[0] for path in CASES} >= {
        "registry-dup-keys",
        "registry-future",
        "registry-hostile",
    }


REFUSED = {
    "a key twice, deep down": b'{"version":1,"clis":{"a":{"command":["/bin/true"],"env":{"A":"1","A":"2"}}}}',
    "entries twice": b'{"version":1,"clis":{"a":{"command":["/bin/true"]}},"clis":{}}',
    "a version in words": b'{"version":"1.0","clis":{}}',
    "a version twice": b'{"version":1,"clis":{},"version":2}',
    "an older version": b'{"version":0,"clis":{}}',
    "deep": b'{"version":1,"clis":' + b'{"a":' * 50_000,
    "a huge number": b'{"version":' + b"1" * 100_000 + b"}",
    "no UTF-8": b'{"version":1,"clis":{"\xc3\x28":{}}}',
    "UTF-16": '{"version":1,"clis":{}}'.encode("utf-16"),
    "a NUL": b'{"version":1}\0',
    "two documents": b'{"version":1}{"version":1}',
    "a comment": b'{"version":1} // later',
    "HTML": b"<!doctype html>",
}


ATTEMPTS = [
    *(pytest.param(content, ["list"], id=f"{name}: list") for name, content in REFUSED.items()),
    *(pytest.param(REFUSED["entries twice"], words, id=f"entries twice: {words[0]}") for words in VERBS),
]


@pytest.mark.parametrize(("content", "verb"), ATTEMPTS)
def test_what_could_be_read_in_two_ways_is_refused_whole(attack, content, verb):
    ended, path = attack(content, *verb)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "error[MG50" in ended.stderr
    assert "= hint: " in ended.stderr
    assert path.read_bytes() == content


TOUCH = "import os, pathlib; pathlib.Path(os.environ['MCPGEN_CANARY']).touch()"
HOSTILE = {
    "a shell line": {"command": f"{sys.executable} -c '{TOUCH}'"},
    "a program of the working folder": {"command": ["./evil"]},
    "a program by its name": {"command": ["python3", "-c", TOUCH]},
    "a loader's variable": {"command": [sys.executable], "env": {"LD_PRELOAD": "/tmp/x.so"}},
    "the same in small letters": {"command": [sys.executable], "env": {"ld_preload": "/tmp/x.so"}},
    "Python's path": {"command": [sys.executable], "env": {"PYTHONPATH": "/tmp"}},
    "a hook of Python's warnings": {"command": [sys.executable], "env": {"PYTHONWARNINGS": "error::evil.Category"}},
    "another path of programs": {"command": [sys.executable], "env": {"PATH": "/tmp"}},
    "a variable with an equals sign": {"command": [sys.executable], "env": {"A=LD_PRELOAD": "x"}},
    "a file of a shell": {"command": [sys.executable], "env": ["BASH_ENV"]},
    "a command and a URL": {"command": [sys.executable], "url": "https://a.example"},
    "a script as a URL": {"url": "javascript:alert(1)"},
    "a URL with a line": {"url": "https://a.example/\r\nX: y"},
    "a header with a line": {"url": "https://a.example", "headers": {"A": "b\r\nHost: evil"}},
    "a header of the protocol's frame": {"url": "https://a.example", "headers": {"A\r\nB": "c"}},
    "a folder above": {"command": [sys.executable], "cwd": "../.."},
    "another command than was registered": {
        "command": [sys.executable, "-c", TOUCH],
        "project_root": "/srv/a",
        "fingerprint": "0" * 64,
    },
    "a list of lists": {"command": [[sys.executable]]},
    "a number": 1,
    "nothing": None,
}


@pytest.mark.parametrize("record", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_entry_is_named_and_the_others_live(attack, record):
    content = json.dumps({"version": 1, "clis": {"evil": record, "good": {"command": [sys.executable]}}}).encode()
    ended, path = attack(content, "list", "--format", "json")
    assert ended.returncode == 0
    assert [each["name"] for each in json.loads(ended.stdout)["servers"]] == ["good"]
    told = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [each["unit"] for each in told] == ["evil"]
    assert told[0]["code"] in ("MG505", "MG506")
    assert told[0]["hint"]
    assert path.read_bytes() == content


@pytest.mark.parametrize("record", HOSTILE.values(), ids=HOSTILE)
def test_nothing_hostile_comes_in_by_an_import(attack, tmp_path, record):
    """What an import mends (relative programs, another digest) it mends by looking; it runs nothing either."""
    other = tmp_path / "theirs" / "registry.json"
    other.parent.mkdir(mode=0o700)
    other.write_text(json.dumps({"version": 1, "clis": {"evil": record}}), encoding="utf-8")
    ended, path = attack(b'{"version":1,"clis":{}}', "import", str(other))
    kept = json.loads(path.read_bytes())["clis"]
    if ended.returncode == 0:
        assert os.path.isabs(kept["evil"]["command"][0])  # noqa: PTH117
        assert "env" not in kept["evil"]
    else:
        assert kept == {}


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such permissions")
def test_a_registry_that_others_write_is_not_even_parsed(attack, tmp_path):
    ended, path = attack(b"{", "list")
    shutil.rmtree(path.parent)
    path.parent.mkdir(mode=0o700)
    path.write_bytes(b'{"version":1,"clis":{}}')
    path.chmod(0o666)
    ended = mcpgen("registry", "list", cwd=tmp_path, env={"MCPGEN_REGISTRY": str(path)})
    assert ended.returncode == 2
    assert "error[MG503] unsafe-registry" in ended.stderr
