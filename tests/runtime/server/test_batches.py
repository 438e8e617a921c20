"""What each call of a batch keeps of the batch's text: its own piece, with every digit of its numbers."""

from __future__ import annotations

import json
import sys

import pytest

from generator.runtime.server.batch import judged
from generator.runtime.server.session import Session
from generator.runtime.wire import jsonrpc
from tests.command import built
from tests.http_client import HttpServer
from tests.runtime.server.behaviour import line, piped
from tests.stdio_client import stub

from .test_session import FakeCatalog

MODULE = '''"""Money."""

from decimal import Decimal


def exact(amount: Decimal) -> str:
    """Give every digit back."""
    return str(amount)
'''
DIGITS = ["0.123456789012345678901234567890", "12345678901234567890.1234567890", "1e-7"]
CALL = '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":{"amount":%s}}}'
BATCH = (
    "[ " + " ,\t".join(CALL % (number, "exact", digits) for number, digits in enumerate(DIGITS, 1)) + ' , {"x":[1]} ]'
)


def test_each_call_of_a_batch_has_its_own_text():
    calls = [CALL % (number, "echo", f'"é]}}{number}"') for number in (1, 2)]
    raw = b"\xef\xbb\xbf \r\n[" + f"[[]], 5,{calls[0]} ,\n {calls[1]},null ] ".encode()
    batch = judged(Session(FakeCatalog()), jsonrpc.parse(raw), raw)
    assert [call.raw.decode() for call in batch.effects] == calls


def test_a_batch_without_its_text_is_judged_all_the_same():
    batch = judged(Session(FakeCatalog()), [json.loads(CALL % (1, "echo", "1.5"))])
    assert [(call.raw, call.arguments) for call in batch.effects] == [(b"", {"amount": 1.5})]


@pytest.fixture(scope="module")
def argv(tmp_path_factory):
    return stub(built(tmp_path_factory.mktemp("money"), "money", MODULE), sys.executable)


def amounts(answers):
    return [each["result"]["content"][0]["text"] for each in sorted(answers, key=lambda one: one.get("id") or 9)[:-1]]


def test_every_digit_of_a_number_in_a_batch_reaches_a_function_over_a_pipe(argv):
    code, answers, _ = piped(argv, line(0, "initialize", protocolVersion="2025-03-26") + BATCH.encode() + b"\n")
    assert code == 0
    (array,) = (answer for answer in answers if isinstance(answer, list))
    assert amounts(array) == [DIGITS[0], DIGITS[1], "1E-7"]


@pytest.mark.parametrize("options", [(), ("--workers", "1")])
def test_every_digit_of_a_number_in_a_batch_reaches_a_function_over_http(argv, options):
    with HttpServer(argv, *options) as server:
        answer = server.post(BATCH.encode(), server.session("2025-03-26"))
        assert amounts(answer.json) == [DIGITS[0], DIGITS[1], "1E-7"]
