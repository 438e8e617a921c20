from __future__ import annotations

import ast

import pytest

from generator.frontends.python.import_statements import imports_of


def found(text: str) -> list[tuple[str, bool, bool]]:
    return [("." * one.level + one.module, one.typing_only, one.optional) for one in imports_of(ast.parse(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a.b, c", [("a.b", False, False), ("c", False, False)]),
        ("from ..x import y", [("..x", False, False)]),
        ("def f():\n async def g():\n  import a", [("a", False, False)]),
        ("if TYPE_CHECKING:\n import a\nelse:\n import b", [("a", True, False), ("b", False, False)]),
        ("if not typing.TYPE_CHECKING: import a\nelse: import b", [("a", False, False), ("b", True, False)]),
        ("try:\n import a\nexcept ImportError:\n import b", [("a", False, True), ("b", False, True)]),
        ("try:\n import a\nexcept (ValueError, ModuleNotFoundError): pass", [("a", False, True)]),
        ("try:\n import a\nexcept ValueError: pass\nfinally:\n import b", [("a", False, False), ("b", False, False)]),
        ("try:\n import a\nexcept ImportError:\n raise", [("a", False, False)]),
        ("def f():\n try:\n  import a\n except ImportError as e:\n  raise Extra('a') from e", [("a", False, True)]),
        ("with contextlib.suppress(ImportError):\n import a", [("a", False, True)]),
        ("with open(x):\n import a", [("a", False, False)]),
        ("if sys.version_info >= (3, 11): import a\nelse: import b", [("a", False, False)]),
        ("if sys.version_info < (3, 9): import a\nelse: import b", [("b", False, False)]),
        ("if sys.version_info >= (3, 13): import a\nelse: import b", [("a", False, False), ("b", False, False)]),
        ("match x:\n case 1:\n  import a", [("a", False, False)]),
    ],
)
def test_imports_are_found_with_their_circumstances(text: str, expected: list[tuple[str, bool, bool]]) -> None:
    assert found(text) == expected


def test_a_chain_of_thousands_of_statements_needs_no_recursion() -> None:
    assert len(found("".join(f"def f{n}():\n    import a\n" for n in range(5_000)))) == 5_000


@pytest.mark.parametrize(
    ("text", "conditional"),
    [
        ("if sys.platform == 'win32': import a", True),
        ("if os.name == 'nt':\n pass\nelse:\n import a", True),
        ("if platform.system() == 'Darwin': import a", True),
        ("if sys.version_info < (3, 13): import a", True),
        ("if sys.version_info >= (3, 9): import a", False),
        ("if DEBUG: import a", False),
    ],
)
def test_what_only_some_systems_import_is_marked(text: str, conditional: bool) -> None:
    (one,) = imports_of(ast.parse(text))
    assert one.conditional is conditional
