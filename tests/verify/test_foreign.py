"""What each check over the wire finds in a server of somebody else, and that it finds nothing in a right one."""

from __future__ import annotations

import sys

import pytest

from generator.verify.golden import GoldenCall
from generator.verify.run import run
from generator.verify.subject import of_command
from generator.verify.table import CHECKS

from .foreign import LEGACY_ONLY, VIEWS, script

ON_THE_WIRE = [each.id for each in CHECKS if "command" in each.kinds]


@pytest.fixture
def foreign(tmp_path):
    """A function that writes the server with something wrong and returns what starts it."""
    return lambda wrong="", end="": [sys.executable, "-I", "-S", str(script(tmp_path, wrong, end))]


def test_a_right_server_passes_every_check_or_skips_it_with_a_reason(foreign):
    report = run(of_command(tuple(foreign())), timeout=20)
    assert {check.id: finding.message for check, finding in report.findings if finding.status in ("warn", "fail")} == {}
    assert all(finding.message for _, finding in report.findings)
    skipped = {check.id for check, finding in report.findings if finding.status == "skip"}
    assert skipped >= {check.id for check in CHECKS if "command" not in check.kinds}
    assert not skipped & {"mcp_transport", "mcp_list_tools", "mcp_discover", "host_rules", "golden_calls"}


def test_a_server_of_before_2026_is_no_worse_for_it(foreign):
    report = run(of_command(tuple(foreign(LEGACY_ONLY))), timeout=20)
    assert [check.id for check, finding in report.findings if finding.status in ("warn", "fail")] == []
    found = {check.id: finding for check, finding in report.findings}
    assert found["mcp_discover"].status == "skip"
    assert "2025-11-25" in found["mcp_transport"].message


WRONG = {
    "cli_located": [("", "missing", "can be run")],
    "commands_registered": [("TOOLS = []", "", "no tool")],
    "mcp_list_tools": [
        ("TOOLS.append(TOOLS[0])", "", "listed twice"),
        ('TOOLS.append({"name": "x"})', "", "no `inputSchema`"),
        ('TOOLS.append("x")', "", "no object"),
    ],
    "mcp_discover": [
        ('old = greeting\ndef greeting(m, p): return {**old(m, p), "ttlMs": -1}', "", "ttlMs"),
        ('old = greeting\ndef greeting(m, p): return {**old(m, p), "capabilities": {}}', "", "not declared"),
        (
            'old = greeting\ndef greeting(m, p): return {**old(m, p), "supportedVersions": [MODERN, "2025-11-25"]}',
            "",
            "handshake",
        ),
    ],
    "mcp_transport": [
        ("print('hello', flush=True)", "", "not JSON"),
        ("def send(m): print(json.dumps(m), json.dumps(m), flush=True)", "", "no answer to initialize"),
        ("def send(m):\n    for _ in range(2): print(json.dumps(m), flush=True)", "", "second answer"),
        ("def send(m): print(json.dumps({**m, 'jsonrpc': '1.0'}), flush=True)", "", "jsonrpc"),
        ("sys.exit(3)", "", "status 3"),
        ("sys.exit('the port is taken')", "", "the port is taken"),
    ],
    "mcp_apps_transport": [
        (VIEWS + "VIEW = 'text/html'", "", "media type"),
        (VIEWS + "PAGE = 'no page'", "", "no document"),
        (
            VIEWS
            + "old = answer\ndef answer(m, p):\n    if m == 'resources/read': refuse(-32602)\n    return old(m, p)",
            "",
            "-32602",
        ),
        (VIEWS + "del CAPABILITIES['extensions']", "", "not among the extensions"),
    ],
    "mcp_apps_gateway": [
        (VIEWS + "PAGE = 'no page'", "", "no document"),
        ("TOOLS.append({**TOOLS[0], 'name': 'no name for a gateway'})", "", "is not listed"),
    ],
    "ui_links": [
        (VIEWS + "TOOLS[0]['_meta']['ui']['resourceUri'] = 'https://x'", "", "no `ui://` URI"),
        (VIEWS + "TOOLS[0]['_meta']['ui']['visibility'] = ['all']", "", "visibility"),
        (
            VIEWS + "old = answer\ndef answer(m, p):\n    r = old(m, p)\n    if m == 'resources/read':\n"
            "        r['contents'][0]['_meta'] = {'ui': {'csp': {'connectDomains': ['https://a b']}}}\n    return r",
            "",
            "more than one origin",
        ),
        (VIEWS + "PAGE += '<script src=https://cdn.example.com/x.js></script>'", "", "block"),
    ],
    "schemas_valid": [
        ('TOOLS[0]["inputSchema"]["properties"]["a"] = {"type": "wrong"}', "", "JSON Schema"),
        ('TOOLS[0]["outputSchema"]["$ref"] = "#/$defs/none"', "", "JSON Schema"),
    ],
    "golden_calls": [
        ('def call(p): return {"content": [], "structuredContent": {"sum": "3"}}', "", "outputSchema"),
        ('def call(p): return {"content": []}', "", "no structuredContent"),
        ('def call(p): return {"content": [], "isError": True}', "", "no error is expected"),
        ("def call(p): os._exit(5)", "", "status 5"),
        (
            'def call(p): print("hi", flush=True); return {"content": [], "structuredContent": {"sum": 3}}',
            "",
            "not JSON",
        ),
    ],
    "host_rules": [
        ('TOOLS[0]["name"] = "a.b"', "", "Claude Desktop"),
        ('TOOLS[0]["outputSchema"] = {"type": "string"}', "", "Python SDK"),
        (
            'old = greeting\ndef greeting(m, p):\n    r = old(m, p)\n    r["serverInfo"] = "x"\n    return r',
            "",
            "serverInfo",
        ),
        (
            (
                'old = answer\ndef answer(m, p):\n    r = old(m, p)\n    if m == "tools/list" and not p.get("cursor"): '
                'r = {**r, "nextCursor": "2"}\n    return r'
            ),
            "",
            "2 pages",
        ),
    ],
    "client_openings": [
        (
            LEGACY_ONLY
            + "older = answer\ndef answer(m, p):\n    if m == 'ping': refuse(-32601)\n    return older(m, p)",
            "",
            "Gemini",
        ),
        (
            "old = take\ndef take(m):\n    if m['method'] == 'prompts/list': sys.exit(1)\n    old(m)",
            "",
            "Claude Desktop",
        ),
    ],
    "unknown_answers": [
        (
            'old = answer\ndef answer(m, p):\n    return {} if m.startswith("mcpgen/") else old(m, p)',
            "",
            "unknown method",
        ),
        ('def call(p): return {"content": [], "isError": True}', "", "unknown tool"),
        ("old = take\ndef take(m):\n    if m['method'].startswith('mcpgen/'): sys.exit(1)\n    old(m)", "", "status 1"),
    ],
    "list_order": [
        (
            (
                "TOOLS.append({**TOOLS[0], 'name': 'b'})\nold = answer\ndef answer(m, p):\n"
                "    if m == 'tools/list': TOOLS.reverse()\n    return old(m, p)"
            ),
            "",
            "order",
        ),
        ("TOOLS[0]['description'] = str(os.getpid())", "", "content"),
    ],
    "stdout_purity": [("print('hello', flush=True)", "", "not JSON")],
    "exit_on_eof": [("", "time.sleep(3600)", "still ran")],
    "exit_on_sigterm": [("signal.signal(signal.SIGTERM, signal.SIG_IGN)", "", "still ran")],
    "documentation": [
        ('del TOOLS[0]["description"]', "", "1 description"),
        ('del TOOLS[0]["inputSchema"]["properties"]["a"]["description"]', "", "`a` of `add`"),
    ],
}
"""For each check: what is wrong, what comes after the loop, and a part of what is told of it."""

MILD = {"documentation", "list_order"}
QUICK = {"exit_on_eof": 2, "exit_on_sigterm": 2, "mcp_transport": 5}
"""Seconds for checks some of whose cases wait for something that does not happen."""


@pytest.mark.parametrize(
    ("wanted", "wrong", "end", "told"),
    [(wanted, *case) for wanted, cases in WRONG.items() for case in cases],
    ids=[f"{wanted}-{number}" for wanted, cases in WRONG.items() for number, _ in enumerate(cases)],
)
def test_what_is_wrong_is_found_with_its_cause_and_the_next_action(foreign, check, wanted, wrong, end, told):
    command = ["no-such-command-of-anybody"] if end == "missing" else foreign(wrong, end)
    finding = check(command, wanted, timeout=QUICK.get(wanted, 20))
    assert finding.status in (("warn",) if wanted in MILD else ("warn", "fail")), finding
    assert told in " ".join((finding.message, *finding.details)), finding
    assert finding.action


def test_every_check_over_the_wire_has_a_test_that_it_fails():
    assert set(ON_THE_WIRE) - {"http_start"} == set(WRONG)


@pytest.mark.parametrize("wanted", ["mcp_list_tools", "schemas_valid", "golden_calls", "host_rules", "exit_on_eof"])
def test_a_check_that_is_asked_for_alone_fails_when_nothing_answers(foreign, check, wanted):
    finding = check(foreign("sys.exit(1)"), wanted)
    assert (finding.status, "status 1" in finding.message) == ("fail", True)


def test_what_a_dead_server_cannot_be_asked_is_skipped_beside_the_failure(foreign):
    report = run(of_command(tuple(foreign("sys.exit(1)"))), timeout=20)
    found = {check.id: finding.status for check, finding in report.findings}
    assert [name for name, status in found.items() if status == "fail"] == ["mcp_transport"]


def test_an_opening_against_the_specification_is_a_warning_for_a_server_of_somebody_else(foreign, check):
    """The Python SDK's servers keep the era that a connection began with."""
    wrong = (
        "seen = []\nold = answer\ndef answer(m, p):\n    seen.append(m)\n"
        "    if m == 'initialize' and 'server/discover' in seen: refuse(-32022, 'the era is settled')\n"
        "    return old(m, p)"
    )
    finding = check(foreign(wrong), "client_openings")
    assert finding.status == "warn"
    assert finding.details == ("Claude Code 2.1 (probing): initialize is refused: error -32022: the era is settled",)


def test_a_server_may_list_more_to_a_client_that_can_be_asked(foreign, check):
    """A gateway is built as one that can: what it lists beside is no fault."""
    wrong = (
        "old = answer\ndef answer(m, p):\n    if m == 'server/discover': refuse(-32601)\n"
        "    if m == 'initialize' and 'roots' in p['capabilities']: TOOLS.append({**TOOLS[0], 'name': 'roots'})\n"
        "    return old(m, p)"
    )
    finding = check(foreign(wrong), "mcp_apps_gateway")
    assert (finding.status, finding.message) == ("ok", "through a gateway of its own: 2 tools listed")


def test_processes_that_outlive_the_server_are_found_and_ended(foreign, check, tmp_path):
    wrong = (
        "import subprocess\n"
        "kept = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(3600)'], stdout=subprocess.DEVNULL)\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(kept.pid))"
    )
    finding = check(foreign(wrong), "exit_on_eof")
    assert (finding.status, "outlived" in finding.message) == ("fail", True)
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        _alive(pid)


def _alive(pid: int) -> None:
    """Raise ProcessLookupError when a process is gone, or only waits to be looked after by its new parent."""
    import os
    from pathlib import Path

    os.kill(pid, 0)
    if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
        raise ProcessLookupError


def test_golden_calls_compare_what_is_stated(foreign, check):
    good = GoldenCall(
        tool="add", arguments={"a": 2, "b": 3}, text=("sum is 5",), structured={"sum": 5}, origin="call 1"
    )
    assert check(foreign(), "golden_calls", calls=[good]).message == "2 calls answered as expected"
    for wrong, told in (
        (GoldenCall(tool="add", arguments={"a": 2, "b": 3}, text=("6",), origin="call 1"), "its text has no `6`"),
        (GoldenCall(tool="add", arguments={"a": 2, "b": 3}, structured={"sum": 6}, origin="call 1"), "{'sum': 5}"),
        (GoldenCall(tool="add", arguments={"a": 2, "b": 3}, error=True, origin="call 1"), "an error is expected"),
        (GoldenCall(tool="sub", arguments={}, origin="call 1"), "-32602"),
    ):
        finding = check(foreign(), "golden_calls", calls=[wrong])
        assert finding.status == "fail"
        assert told in finding.details[0]


def test_the_calls_after_one_that_ends_the_server_are_made_all_the_same(foreign, check):
    wrong = "old = call\ndef call(p):\n    if p['arguments']['a'] == 9: os._exit(5)\n    return old(p)"
    calls = [
        GoldenCall(tool="add", arguments={"a": a, "b": 0}, structured={"sum": a}, origin=f"call {a}") for a in (9, 1)
    ]
    finding = check(foreign(wrong), "golden_calls", calls=calls)
    assert finding.message.startswith("1 call of 3 went otherwise")
    assert "call 9" in finding.details[0]
