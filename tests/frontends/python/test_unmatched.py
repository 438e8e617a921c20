"""Settings that fit nothing of a module: a misspelt name, or another module's settings."""

import pytest

from .front import front

TEXT = "def station() -> int: ...\n"
NAMED = frozenset({"unmatched-expose", "unmatched-tool-setting"})


def hints(toml):
    return [each.hint for each in front(TEXT, toml=toml).diagnostics if each.rule.name in NAMED]


@pytest.mark.parametrize(
    "toml",
    [
        'expose = ["price", "quote*"]\n',
        "[tools.price]\ntimeout = 3\n[tools.quote]\ntimeout = 3\n",
        'expose = ["price"]\n[tools.quote]\ntimeout = 3\n',
    ],
)
def test_settings_without_one_name_of_the_module_may_be_another_modules(toml):
    first, second = hints(toml)
    assert "another module beside it" in first
    assert "--config" in first
    assert "another module" not in (second or "")


@pytest.mark.parametrize(
    "toml",
    [
        'expose = ["station", "price"]\n',
        'expose = ["price"]\n[tools.station]\ntimeout = 3\n',
        'expose = ["price", "staton"]\n',
        "[tools.staton]\ntimeout = 3\n",
    ],
)
def test_a_single_wrong_or_misspelt_name_is_not_another_module(toml):
    assert hints(toml) != []
    assert [hint for hint in hints(toml) if "another module" in (hint or "")] == []


def test_a_misspelt_table_of_a_tool_gets_the_nearest_name():
    assert hints("[tools.staton]\ntimeout = 3\n") == ["Did you mean `station`?"]
