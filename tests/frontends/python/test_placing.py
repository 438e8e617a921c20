"""Where findings about types are shown, and what they name: the user's own parameter or result, never a library."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from generator.config import Config
from generator.diagnostics.model import Severity
from generator.frontends.python.environment import Environment, own_environment
from generator.frontends.python.read import read

from .front import front

LIBRARY = """
    import threading
    from collections.abc import Callable
    from dataclasses import dataclass
    from typing import Union

    @dataclass
    class Inner:
        lock: threading.Lock

    @dataclass
    class Client:
        name: str
        inner: Inner

    Handler = Callable[[int], int]
    Either = Union[int, Handler]
"""

ABOUT_TYPES = {"MG101", "MG102", "MG104", "MG108", "MG109", "MG111", "MG112", "MG117"}
"""Rules whose findings are about one parameter, or about the result."""


@pytest.fixture
def found(tmp_path):
    """Read a module beside an installed library `acme`, and return what is found about one function."""
    site = tmp_path / "venv" / "site-packages"
    site.mkdir(parents=True)
    (site / "acme.py").write_text(dedent(LIBRARY), encoding="utf-8")
    environment = Environment(paths=(*own_environment().paths, site))

    def find(text: str):
        module = tmp_path / "project" / "m.py"
        module.parent.mkdir()
        module.write_text(dedent(text), encoding="utf-8")
        result = read(str(module), Config(), environment)
        said = [each for each in result.diagnostics if each.rule.name in ("unsupported-type", "dropped-parameter")]
        for each in said:
            assert each.span is not None
            assert Path(each.span.path).name == "m.py"
        return said

    return find


def test_an_error_in_a_library_is_shown_at_the_parameter_with_the_way_to_it(found):
    (said,) = found("from acme import Client\ndef f(c: Client) -> int: ...")
    assert said.message == "`c` of tool `f`: `threading.Lock` of the standard library has no JSON form"
    assert (said.span.line, said.span.column, said.span.end_column) == (2, 10, 16)
    assert said.notes == ("reached through `Client.inner`, then `Inner.lock`", "the cause is at acme.py:9")


def test_an_alias_of_a_library_is_shown_at_the_parameter(found):
    (said,) = found("from acme import Handler\ndef f(c: Handler) -> int: ...")
    assert (said.span.line, said.notes) == (2, ("the cause is at acme.py:16",))


def test_a_part_of_a_union_that_is_left_out_names_its_parameter(found):
    (said,) = found("from acme import Either\ndef f(number: int, c: Either = 1) -> int: ...")
    assert said.level is Severity.WARNING
    assert said.message == "`c` of tool `f`: a callable cannot be supplied; this part of the union is left out"
    assert (said.unit, said.span.line, said.span.column) == ("f", 2, 23)


def test_a_result_is_shown_at_its_annotation(found):
    (said,) = found("from acme import Client\ndef f() -> Client: ...")
    assert said.message.startswith("the result of tool `f` has no schema: `threading.Lock`")
    assert (said.span.line, said.span.column) == (2, 12)


def test_a_parameter_that_is_left_out_says_why_and_where(found):
    (said,) = found("from acme import Client\ndef f(c: Client | None = None) -> int: ...")
    assert said.rule.name == "dropped-parameter"
    assert said.notes[-1] == "the cause is at acme.py:9"


@pytest.mark.parametrize(
    "name", ["threading.Lock", "socket.socket", "logging.Logger", "io.BytesIO", "queue.Queue[int]"]
)
def test_a_type_of_the_standard_library_goes_by_the_name_the_user_wrote(found, name):
    (said,) = found(f"import io, logging, queue, socket, threading\ndef f(x: {name}) -> int: ...")
    assert name.partition("[")[0].rpartition(".")[2] in said.message
    assert "`_" not in said.message
    assert said.span.line == 2


def test_nobody_is_told_to_change_a_class_of_a_library(found):
    (said,) = found("from logging import Logger\ndef f(x: Logger) -> int: ...")
    assert said.hint == "Take the values it is made from as parameters."
    (said,) = [
        each for each in front("class C: ...\ndef f(x: C) -> int: ...").diagnostics if each.hint and "Take" in each.hint
    ]
    assert said.hint.endswith("or make it a dataclass.")


def test_a_field_of_the_users_own_record_is_shown_itself(tmp_path):
    (tmp_path / "models.py").write_text(
        "import threading\nfrom dataclasses import dataclass\n@dataclass\nclass Job:\n    lock: threading.Lock\n",
        encoding="utf-8",
    )
    module = tmp_path / "m.py"
    module.write_text("from models import Job\ndef f(job: Job) -> int: ...\n", encoding="utf-8")
    result = read(str(module), Config(), own_environment())
    (said,) = [each for each in result.diagnostics if each.level is Severity.ERROR]
    assert (Path(said.span.path).name, said.span.line) == ("models.py", 5)
    assert said.message.startswith("`job` of tool `f`: ")
    assert said.notes == ("reached through `Job.lock`",)


def test_keys_of_an_unpacked_record_are_named():
    found = front(
        """
        from collections.abc import Callable
        from typing import TypedDict, Unpack
        class Options(TypedDict):
            key: Callable[[int], int]
        def f(**options: Unpack[Options]) -> int: ...
        """
    )
    assert found.one("unsupported-type").message.startswith("`key` of tool `f`: ")


ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted([*ROOT.glob("cases/python/*.py"), *ROOT.glob("golden/*/input.py")])
INSTALLED = ("statistics", "textwrap", "threading", "logging", "difflib", "shutil")


@pytest.mark.skipif(sys.version_info < (3, 13), reason="some cases use newer syntax")
@pytest.mark.parametrize("source", [*SOURCES, *INSTALLED], ids=str)
def test_every_finding_about_a_unit_names_it_and_findings_about_types_name_the_parameter(source):
    environment = own_environment()
    result = read(str(source), Config(), environment)
    for each in result.diagnostics:
        assert each.unit is None or f"`{each.unit}`" in each.message
        if each.rule.code in ABOUT_TYPES:
            assert each.unit is not None
            owner = rf"(?:`|the result) of (?:tool|prompt|resource|completer) `{each.unit}`"
            assert re.search(owner, each.message), each.message
