"""What becomes a tool: public functions, `__all__`, `expose` and `hide`, decorators, and what is only on request."""

from __future__ import annotations

import pytest

from generator.config import Config
from generator.diagnostics.model import Severity

from .front import front


def names(text: str, **settings) -> list[str]:
    return list(front(text, config=Config(**settings)).tools)


@pytest.mark.requirement("R001")
@pytest.mark.requirement("R146")
def test_public_functions_defined_in_the_module_are_tools():
    assert names(
        """
        import os
        from textwrap import dedent
        CONSTANT = 1
        class Thing: ...
        def f(a: int) -> int: ...
        async def g(a: int) -> int: ...
        def _private(a: int) -> int: ...
        """
    ) == ["f", "g"]


def test_the_last_definition_wins_and_deleted_names_are_gone():
    found = front("def f(a: int) -> int: ...\ndef f(b: str) -> str: ...\ndef g() -> int: ...\ndel g")
    assert list(found.tools) == ["f"]
    assert list(found.tools["f"].input_schema["properties"]) == ["b"]


def test_what_exists_only_for_type_checkers_or_scripts_is_no_tool():
    assert names(
        """
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            def typed(a: int) -> int: ...
        else:
            def real(a: int) -> int: ...
        if __name__ == "__main__":
            def script(a: int) -> int: ...
        """
    ) == ["real"]


def test_a_dunder_all_decides_alone_and_takes_functions_of_other_modules():
    found = front(
        """
        from helper import work as job, Other
        from helper import *
        __all__ = ["job", "mine", "more", "Other", "_odd"]
        __all__ += ["late"]
        def mine(a: int) -> int: ...
        def not_listed(a: int) -> int: ...
        def late(a: int) -> int: ...
        def _odd(a: int) -> int: ...
        """,
        files={"helper.py": "class Other: ...\ndef work(a: int) -> int: ...\ndef more(a: int) -> int: ...\n"},
    )
    assert sorted(found.tools) == ["_odd", "job", "late", "mine", "more"]
    assert found.tools["job"].call.target == ".helper:work"


def test_expose_is_a_list_of_names_and_patterns_and_hide_takes_away():
    text = (
        "def station_a() -> int: ...\ndef station_b() -> int: ...\ndef other() -> int: ...\ndef _hidden() -> int: ..."
    )
    assert names(text, expose=("station_*",)) == ["station_a", "station_b"]
    assert names(text, expose=("*",)) == ["station_a", "station_b", "other"]
    assert names(text, expose=("station_*",), hide=("*_b",)) == ["station_a"]
    assert names(text, expose=("other", "_hidden")) == ["other", "_hidden"]
    assert names(text, hide=("_*", "other")) == ["station_a", "station_b"]


def test_patterns_that_match_nothing_are_reported_with_their_place():
    found = front("def f() -> int: ...", toml='expose = ["f", "nope*"]\nhide = ["_*", "other"]\n')
    assert list(found.tools) == ["f"]
    assert found.one("unmatched-expose").span.line == 1
    assert found.one("unmatched-hide").level is Severity.ERROR


@pytest.mark.parametrize("setting", ["expose", "hide"])
@pytest.mark.parametrize(
    ("pattern", "near"), [("sation_a", "station_a"), ("sation_*", "station_a"), ("calc.ad", "calc.add"), ("zzz", None)]
)
def test_the_nearest_name_is_proposed(setting, pattern, near):
    text = (
        "class Calc:\n    def add(self) -> int: ...\ncalc = Calc()\n"
        "def station_a() -> int: ...\ndef other() -> int: ...\n"
    )
    found = front(text, toml=f'{setting} = ["other", "{pattern}"]\n').one(f"unmatched-{setting}")
    assert found.hint == (f"Did you mean `{near}`?" if near else None)


@pytest.mark.parametrize("pattern", ["double", "Box", "LIMIT", "calc.add", "wraps", "g", "_private"])
def test_hiding_what_is_no_tool_anyway_is_no_error(pattern):
    text = (
        "from functools import wraps\nLIMIT = 3\nclass Box: ...\nclass Calc:\n    def add(self) -> int: ...\n"
        "calc = Calc()\ndouble = lambda x: x\ndef f() -> int: ...\ndef g() -> int: ...\n"
    )
    found = front(text, toml=f'expose = ["f"]\nhide = ["{pattern}"]\n')
    assert [each.rule.name for each in found.diagnostics if each.rule.name == "unmatched-hide"] == []


@pytest.mark.requirement("R002")
def test_hidden_tools_do_not_reach_the_server():
    text = "from mcpgen import tool\n@tool(hidden=True)\ndef f() -> int: ...\ndef g() -> int: ..."
    assert list(front(text).tools) == ["g"]
    assert list(front(text, toml="[tools.g]\nhidden = true\n[tools.f]\nhidden = true\n").tools) == []


@pytest.mark.parametrize(
    "decorator",
    [
        "contextmanager",
        "contextlib.contextmanager",
        "asynccontextmanager",
        "property",
        "functools.cached_property",
        "pytest.fixture",
        "pytest.fixture()",
    ],
)
def test_decorators_that_make_no_function_make_no_tool(decorator):
    imports = "import contextlib, functools, pytest\nfrom contextlib import asynccontextmanager, contextmanager"
    text = f"{imports}\n@{decorator}\ndef f(a: int) -> int:\n    yield a\n"
    found = front(text)
    assert found.tools == {}
    assert found.errors() == []


def test_a_decorator_in_the_module_is_no_tool_but_what_it_decorates_is():
    assert names(
        """
        import functools
        def logged(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                return function(*args, **kwargs)
            return inner
        def repeated(times: int):
            def decorate(function):
                def inner(*args, **kwargs):
                    return function(*args, **kwargs)
                return inner
            return decorate
        @logged
        @repeated(3)
        def f(a: int) -> int: ...
        """
    ) == ["f"]


TRANSPARENT = {
    "wraps": "def d(f):\n    @functools.wraps(f)\n    def g(*a, **k): return f(*a, **k)\n    return g",
    "wraps, called": "def d(f):\n    def g(*a, **k): return f(*a, **k)\n    return functools.wraps(f)(g)",
    "update_wrapper": "def d(f):\n    def g(x): return f(x)\n    return functools.update_wrapper(g, f)",
    "passes everything": "def d(f):\n    def g(*a, **k): return f(*a, **k)\n    return g",
    "returns the function": "def d(f):\n    REGISTRY.append(f)\n    return f",
    "ParamSpec": "def d(f: Callable[P, R]) -> Callable[P, list[R]]:\n    return wrapped(f)",
    "one type": "def d(f: F) -> F:\n    return wrapped(f)",
    "optional arguments": """
def d(f=None, *, n=1):
    def w(f):
        @functools.wraps(f)
        def g(*a): return f(*a)
        return g
    if f is None:
        return w
    return w(f)
""",
}


@pytest.mark.parametrize("text", TRANSPARENT.values(), ids=TRANSPARENT)
def test_a_decorator_that_keeps_the_signature_says_nothing(text):
    imports = "import functools\nfrom typing import Callable, ParamSpec, TypeVar"
    head = f"{imports}\nP = ParamSpec('P')\nR = TypeVar('R')\nF = TypeVar('F')\n"
    found = front(f"{head}{text}\n@d\ndef f(x: int) -> int: ...\n")
    assert list(found.tools["f"].input_schema["properties"]) == ["x"]
    assert found.rules("f") == []


@pytest.mark.parametrize(
    "text",
    [
        "def d(f):\n    def g(x: int, extra: str) -> str: return extra\n    return g",
        "class d:\n    def __init__(self, f): ...\n    def __call__(self, y): ...",
        "from missing import d",
        "d = make()",
    ],
)
def test_a_decorator_that_may_change_the_signature_is_reported_and_the_written_one_used(text):
    found = front(f"{text}\n@d\ndef f(x: int) -> int: ...\n")
    assert list(found.tools["f"].input_schema["properties"]) == ["x"]
    assert found.rules("f") == ["unknown-decorator"]


def test_a_decorator_of_another_file_is_read_there():
    helper = """
        import functools
        def logged(f):
            @functools.wraps(f)
            def inner(*a, **k): return f(*a, **k)
            return inner
        """
    found = front("import helper\n@helper.logged\ndef f(x: int) -> int: ...", files={"helper.py": helper})
    assert found.rules("f") == []


@pytest.mark.parametrize("decorator", ["functools.cache", "functools.lru_cache", "functools.lru_cache(maxsize=None)"])
def test_a_cached_function_is_a_tool_with_a_warning(decorator):
    found = front(f"import functools\n@{decorator}\ndef f(x: int) -> int: ...")
    assert found.rules("f") == ["cached-tool"]


def test_the_first_argument_of_a_dispatching_function_goes_by_position():
    found = front("import functools\n@functools.singledispatch\ndef f(x: object, y: int) -> str: ...")
    assert found.tools["f"].call.positional == ("x",)
    assert found.rules("f") == ["unknown-decorator"]


@pytest.mark.parametrize("module", ["warnings", "typing_extensions"])
def test_a_deprecated_function_says_so_first(module):
    tool = front(
        f'from {module} import deprecated\n@deprecated("Use g.")\ndef f(x: int) -> int:\n    """Old."""'
    ).tools["f"]
    assert (tool.description, tool.deprecated, tool.title) == ("Deprecated: Use g.\n\nOld.", "Use g.", "Old")


ON_REQUEST = """
    import functools
    class Calc:
        def __init__(self, start: int = 0): ...
        def add(self, n: int) -> int: ...
        async def later(self, n: int) -> int: ...
        @classmethod
        def make(cls, n: int) -> int: ...
        @staticmethod
        def double(n: int) -> int: ...
        @property
        def value(self) -> int: ...
        def _hidden(self) -> int: ...
        def __call__(self, n: str) -> str: ...
    class Child(Calc):
        def twice(self, n: int) -> int: ...
    def base(a: int, b: str, c: float = 1.0) -> str: ...
    calc = Calc()
    child = Child()
    bound = calc.add
    other = base
    part = functools.partial(base, 1)
    keyed = functools.partial(base, b="x")
    lam = lambda x, y=2: x + y
    """


def test_what_is_only_on_request_is_not_taken_by_itself():
    found = front(ON_REQUEST)
    assert list(found.tools) == ["base"]
    assert {each.unit for each in found.diagnostics if each.rule.name == "opt-in"} == {"part", "keyed", "lam"}
    assert found.errors() == []


@pytest.mark.parametrize(
    ("expose", "properties", "required"),
    [
        ("calc.add", ["n"], ["n"]),
        ("bound", ["n"], ["n"]),
        ("calc", ["n"], ["n"]),
        ("other", ["a", "b", "c"], ["a", "b"]),
        ("part", ["b", "c"], ["b"]),
        ("keyed", ["a", "b", "c"], ["a"]),
        ("lam", ["x", "y"], ["x"]),
        ("Calc.make", ["n"], ["n"]),
        ("Calc.double", ["n"], ["n"]),
        ("child.twice", ["n"], ["n"]),
    ],
)
def test_what_is_named_becomes_a_tool_with_what_is_left_of_its_signature(expose, properties, required):
    found = front(ON_REQUEST, config=Config(expose=(expose,)))
    (tool,) = found.tools.values()
    assert tool.name == expose.replace(".", "_")
    assert tool.call.target == f".m:{expose}"
    assert list(tool.input_schema["properties"]) == properties
    assert tool.input_schema["required"] == required
    assert found.errors() == []


def test_a_pattern_names_the_methods_of_an_instance():
    found = front(ON_REQUEST, config=Config(expose=("child.*",)))
    assert set(found.tools) == {"child_add", "child_later", "child_make", "child_double", "child_twice"}
    assert found.tools["child_later"].call.is_async


def test_a_method_without_an_instance_is_named_and_explained():
    found = front(ON_REQUEST, config=Config(expose=("Calc.add",)))
    assert found.tools == {}
    assert found.one("unsupported-feature").unit == "Calc.add"


@pytest.mark.requirement("R003")
@pytest.mark.parametrize(
    "text",
    [
        "def serve(port: int) -> None: ...",
        "def run_forever() -> None: ...",
        "def f() -> None:\n    while True:\n        work()\n",
    ],
)
def test_a_function_that_seems_never_to_return_is_reported(text):
    found = front(text)
    assert len(found.tools) == 1
    assert found.one("serving-function").hint


@pytest.mark.requirement("R003")
@pytest.mark.parametrize("end", ["return 1", "break", "raise StopIteration", "yield 1", "sys.exit()"])
def test_a_loop_with_a_way_out_is_not_reported(end):
    found = front(f"import sys\ndef f():\n    while True:\n        {end}\n")
    assert "serving-function" not in found.rules("f")


def test_a_listed_name_without_source_is_a_note():
    found = front("from _struct import pack\n__all__ = ['pack', 'f', 'VALUE']\nVALUE = 1\ndef f() -> int: ...")
    assert list(found.tools) == ["f"]
    assert found.one("unsupported-feature").level is Severity.NOTE
    assert found.errors() == []


def test_a_list_of_exports_may_be_made_of_itself_and_of_a_constant():
    text = "__all__ = ['f']\nMORE = ['g']\n__all__ = __all__ + MORE + ['h']\n" + "".join(
        f"def {name}() -> int: ...\n" for name in "fghi"
    )
    assert list(front(text).tools) == ["f", "g", "h"]


def test_a_computed_list_of_exports_does_not_decide_and_is_told():
    found = front("__all__ = [name for name in globals()]\ndef f() -> int: ...\ndef _g() -> int: ...")
    assert list(found.tools) == ["f"]
    assert found.one("undecidable-definition").hint


@pytest.mark.parametrize(
    ("target", "served"), [("m:verify", ["f"]), ("p.m:verify", ["f"]), ("n:verify", ["f", "verify"])]
)
def test_the_function_that_judges_tokens_is_no_tool(target, served):
    text = "def f() -> int: ...\ndef verify(token: str) -> str | None: ...\n"
    assert list(front(text, toml=f'[serve]\nverify = "{target}"\n', files={"n.py": ""}).tools) == served


@pytest.mark.parametrize(
    ("target", "reason"),
    [("m:verfy", "`m` has no `verfy`"), ("nowhere:verify", "there is no module `nowhere`")],
)
def test_a_function_that_judges_tokens_and_is_not_there_fails_the_build(target, reason):
    text = "def f() -> int: ...\ndef verify(token: str) -> str | None: ...\n"
    found = front(text, toml=f'[serve]\nverify = "{target}"\n').one("invalid-setting")
    assert found.message == f"`serve.verify` names `{target}`, and {reason}"
    assert found.span.line == 2
