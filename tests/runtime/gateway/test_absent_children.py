"""Servers that cannot be started, or end before they got the call: nothing was run, and that is what is said."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.command import built, mcpgen
from tests.runtime.gateway.conversing import Client
from tests.runtime.gateway.gatewaying import gateway, tool
from tests.runtime.server.serving import waited_for
from tests.stdio_client import stub

if TYPE_CHECKING:
    from pathlib import Path

ORDERS = '''"""Orders."""


def order(item: str) -> str:
    """Order an item.

    Args:
        item: Its name.
    """
    return item
'''


RUNS = "import runpy, sys; sys.argv = ['server.py']; runpy.run_path('server.py')"
"""Starts the server of the working folder, whatever the words."""


def facts(result: dict) -> dict:
    assert result["isError"] is True
    return result["_meta"]["mcpgen/error"]


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project that is only read."""
    return built(tmp_path_factory.mktemp("orders"), "orders", ORDERS)


@pytest.fixture
def nested(orders: Path, tmp_path: Path) -> Path:
    """Return a folder with a server, a gateway over it and a gateway over that."""
    shutil.copytree(orders, tmp_path / "orders-mcp")
    for words in (("orders-mcp", "-o", "inner"), ("all=inner", "-o", "outer")):
        done = mcpgen("gateway", *words, "--quiet", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    return tmp_path


def said(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    argv = [*stub(project, sys.executable), *words]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.requirement("R066")
@pytest.mark.parametrize("origin", ["generated", "foreign"])
def test_a_server_whose_program_was_deleted_cannot_be_started_and_ran_nothing(tmp_path: Path, origin: str) -> None:
    script = tmp_path / "gone" / "server.py"
    row = {"command": ["${python}", "${base}/../gone/server.py"], "origin": origin}
    with Client(gateway(tmp_path / "made", {"shop": row}, [tool("shop", "order")])) as client:
        result = client.call("shop__order")
        text = result["content"][0]["text"]
        told = facts(result)
        assert (told["code"], told["reason"], told["child"]) == ("M-RUN-002", "cli_unavailable", "shop")
        assert f"{script}, which its command names, is not there" in text
        assert "Nothing was run. Ask the user to run the gateway with --doctor" in text
        assert "changed" not in text, "it says nothing of effects that there cannot be"
        assert "calling again before that will not help" in text
        assert told["retryable"] is False
        for _ in range(6):
            result = client.call("shop__order")
        text = result["content"][0]["text"]
        assert "is started again in" in text
        assert str(script) in text, "the cause is named as long as it lasts"
        assert facts(result)["retryable"] is False


def test_a_folder_that_is_gone_is_named_instead_of_the_program(tmp_path: Path) -> None:
    row = {"command": ["${python}", "-c", "pass"], "cwd": "${base}/nowhere"}
    with Client(gateway(tmp_path / "made", {"shop": row}, [tool("shop", "order")])) as client:
        text = client.call("shop__order")["content"][0]["text"]
    assert f"{tmp_path}/made/nowhere, which its command names, is not there" in text


@pytest.mark.requirement("R066")
@pytest.mark.parametrize(
    "row",
    [
        {"command": ["/nowhere/program"]},
        {"command": ["${python}"], "cwd": "/nowhere"},
        {"command": ["${NOT_SET_ANYWHERE}"]},
        {"url": "http://127.0.0.1:9/mcp", "headers": {"Authorization": "${NOT_SET_ANYWHERE}"}},
    ],
)
def test_what_somebody_has_to_put_right_first_is_not_to_be_called_again(tmp_path: Path, row: dict) -> None:
    with Client(gateway(tmp_path / "made", {"shop": row}, [tool("shop", "order")])) as client:
        result = client.call("shop__order")
    assert (facts(result)["reason"], facts(result)["retryable"]) == ("cli_unavailable", False)
    assert result["content"][0]["text"].endswith("calling again before that will not help.")


def test_a_server_that_keeps_ending_may_be_called_again_later(tmp_path: Path) -> None:
    row = {"command": ["${python}", "-c", "raise SystemExit(3)"]}
    with Client(gateway(tmp_path / "made", {"shop": row}, [tool("shop", "order")])) as client:
        for _ in range(8):
            result = client.call("shop__order")
            if facts(result)["reason"] == "cli_unavailable":
                break
    assert (facts(result)["reason"], facts(result)["retryable"]) == ("cli_unavailable", True)


def test_a_server_that_ends_before_it_got_the_call_ran_nothing(tmp_path: Path) -> None:
    row = {"command": ["${python}", "-c", "raise SystemExit(3)"]}
    with Client(gateway(tmp_path / "made", {"shop": row}, [tool("shop", "order")])) as client:
        result = client.call("shop__order")
    told = facts(result)
    assert (told["reason"], told["retryable"]) == ("child_disconnected", True)
    assert "it ended with exit status 3. Nothing was run." in result["content"][0]["text"]


@pytest.mark.requirement("R067")
def test_doctor_of_the_outermost_gateway_sees_a_server_missing_behind_an_inner_one(nested: Path) -> None:
    good = json.loads(said(nested / "outer", "--doctor", "--json").stdout)["servers"]
    assert [(each["name"], each["state"]) for each in good] == [("all", "ok"), ("all/orders", "ok")]
    shutil.rmtree(nested / "orders-mcp")
    done = said(nested / "outer", "--doctor")
    assert done.returncode == 1
    gateway_line, server_line, hint = done.stdout.splitlines()[1:]
    assert gateway_line.startswith("ok    all ")
    assert server_line.startswith("fail  all/orders")
    assert f"{nested}/orders-mcp/orders_mcp/__main__.py, which its command names, is not there" in server_line
    assert "= hint: Put it back" in hint


@pytest.mark.parametrize("start", ["server.py", "../inner/server.py", "-m gateway"])
def test_doctor_sees_behind_a_gateway_that_is_named_by_a_command(nested: Path, start: str) -> None:
    shutil.rmtree(nested / "orders-mcp")
    row = {"command": ["${python}", *start.split()], "cwd": "${base}/../inner"}
    done = said(gateway(nested / "made", {"all": row}, [tool("all", "orders__order")]), "--doctor", "--json")
    found = json.loads(done.stdout)["servers"]
    assert [(each["name"], each["state"]) for each in found] == [("all", "warn"), ("all/orders", "fail")]


def test_doctor_says_that_it_does_not_look_behind_the_registry(nested: Path) -> None:
    row = {"command": ["${python}", "-I", "-c", RUNS, "registry", "serve", "--mcp"], "cwd": "${base}/../inner"}
    done = said(gateway(nested / "made", {"all": row}, []), "--doctor")
    assert done.returncode == 0
    line = done.stdout.splitlines()[1]
    assert "; it serves what is registered, which was not looked at: " in line
    assert line.endswith(" registry serve --doctor does that")
    assert sys.executable in line


@pytest.mark.requirement("R112")
def test_status_of_the_outermost_gateway_shows_the_processes_of_inner_ones(
    nested: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (nested / "run").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(nested / "run"))
    monkeypatch.delenv("MCPGEN_RUNTIME_DIR", raising=False)
    assert "behind all: gateway 0.1.0: 1 server, 0 running processes" in said(nested / "outer", "--status").stdout
    shutil.rmtree(nested / "orders-mcp")
    with Client(nested / "outer") as client:
        assert facts(client.call("all__orders__order", {"item": "lamp"}))["reason"] == "cli_unavailable"

        def states() -> dict | None:
            (behind,) = json.loads(said(nested / "outer", "--status", "--json").stdout)["behind"]
            assert behind["name"] == "all"
            known = [each["servers"] for each in behind["processes"] if "orders" in each["servers"]]
            return known[0] if known else None  # it is written a moment after something changed

        assert waited_for(states)["orders"]["failures"] == 1


def test_gateways_that_lead_to_one_another_are_looked_at_once(orders: Path, tmp_path: Path) -> None:
    shutil.copytree(orders, tmp_path / "orders-mcp")
    for words in (("orders-mcp", "-o", "one"), ("one=one", "-o", "two"), ("orders-mcp", "two=two", "-o", "one")):
        done = mcpgen("gateway", *words, "--quiet", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    found = json.loads(said(tmp_path / "one", "--doctor", "--json").stdout)["servers"]
    assert [each["name"] for each in found] == ["orders", "two", "two/one"]
