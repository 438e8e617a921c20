"""Servers that run already, over HTTP: right ones, wrong ones, and ones that do not let go."""

from __future__ import annotations

import sys
import time

import pytest

from generator.verify.run import run
from generator.verify.subject import of_url
from generator.verify.table import CHECKS
from tests.command import mcpgen
from tests.http_client import HttpServer
from tests.stdio_client import stub

from .web import endpoint


@pytest.mark.parametrize("way", ["json", "events"])
def test_a_right_endpoint_passes_every_check_that_makes_sense_for_it(way):
    with endpoint(way) as url:
        report = run(of_url(url, {}), timeout=20)
    assert {check.id: finding.message for check, finding in report.findings if finding.status in ("warn", "fail")} == {}
    found = {check.id: finding for check, finding in report.findings}
    assert {check.id for check in CHECKS if "url" not in check.kinds} <= {
        n for n, f in found.items() if f.status == "skip"
    }
    assert found["http_start"].status == found["golden_calls"].status == found["mcp_transport"].status == "ok"
    assert found["mcp_apps_gateway"].status == "ok"


def test_a_project_that_serves_http_is_verified_by_its_address(built_samples, tmp_path):
    with HttpServer(stub(built_samples["weather"], sys.executable)) as server:
        done = mcpgen("verify", "--url", server.url, "--timeout", "20", cwd=tmp_path)
    assert done.returncode == 0, done.stdout


WRONG = {
    "garbage": "JSONDecodeError",
    "html": "without a JSON-RPC message",
    "error": "HTTP 500",
    "cut": "the exchange failed",
    "token": "HTTP 401",
}


@pytest.mark.parametrize("way", WRONG)
def test_an_answer_that_is_none_is_a_failure_with_its_cause(check, way):
    with endpoint(way) as url:
        finding = check(of_url(url, {}), "mcp_transport", timeout=10)
    assert (finding.status, bool(finding.action)) == ("fail", True)
    assert WRONG[way] in finding.message


def test_a_header_goes_with_every_request_and_is_never_told(tmp_path):
    with endpoint("token") as url:
        words = ["--url", url, "--header", "Authorization: Bearer sesame", "--timeout", "10"]
        done = mcpgen("verify", *words, "--skip", "mcp_apps_gateway", cwd=tmp_path)
        assert done.returncode == 0, done.stdout
        assert "sesame" not in done.stdout + done.stderr


def test_an_endpoint_that_lets_strangers_in_is_a_failure(check):
    with endpoint("open") as url:
        finding = check(of_url(url, {}), "http_start")
    assert (finding.status, "200, not 403" in finding.message) == ("fail", True)


def test_an_answer_that_comes_byte_by_byte_is_given_up_in_time(check):
    with endpoint("drip") as url:
        begun = time.monotonic()
        finding = check(of_url(url, {}), "mcp_transport", timeout=2)
    assert (finding.status, time.monotonic() - begun < 20) == ("fail", True)


@pytest.mark.parametrize("url", ["ftp://x/mcp", "http://", "nonsense", "http://127.0.0.1:1/mcp", "http://[::1"])
def test_an_address_without_a_server_is_a_failure(check, url):
    assert check(of_url(url, {}), "mcp_transport", timeout=5).status == "fail"


def test_an_address_that_nothing_answers_is_told_with_what_can_be_done_about_an_address(tmp_path):
    done = mcpgen("verify", "--url", "http://127.0.0.1:9/mcp", "--timeout", "5", cwd=tmp_path)
    hints = {line for line in done.stdout.splitlines() if "= hint:" in line}
    assert done.returncode == 1
    assert [hint.strip() for hint in hints] == [
        "= hint: Look at the address, at whether the server runs, and at what it asks for by --header."
    ]


@pytest.mark.parametrize("url", ["foo", "ftp://a.example", "http://a:x/", "http://"])
def test_what_is_no_address_is_refused_before_anything_is_checked(tmp_path, url):
    done = mcpgen("verify", "--url", url, cwd=tmp_path)
    assert (done.returncode, done.stdout, "--url:" in done.stderr) == (2, "", True), done.stderr
