"""Templates write checked values and nothing else."""

from __future__ import annotations

import jinja2
import pytest

from generator.backends import env
from generator.backends import identifiers as checked


@pytest.fixture
def template(monkeypatch):
    """Render a template given as text."""

    def render(source: str, allowed=env.PYTHON, **values: object) -> str:
        monkeypatch.setattr(env, "_source", lambda name: source)
        env._environment.cache_clear()
        try:
            return env.render("made", allowed, values).decode("utf-8")
        finally:
            env._environment.cache_clear()

    return render


def test_a_checked_value_is_written(template):
    assert template("import {{ name }}\n", name=checked.Identifier("weather")) == "import weather\n"


@pytest.mark.parametrize("value", ["weather", 1, None, True, ["a"], b"x", checked.MarkdownText("x")])
def test_every_other_value_is_refused(template, value):
    with pytest.raises(checked.UncheckedValueError):
        template("{{ name }}", name=value)


@pytest.mark.parametrize("expression", ["'x'", "1 + 1", "name ~ name", "name.text", "name|upper", "loop"])
def test_a_template_cannot_compute_text(template, expression):
    with pytest.raises((checked.UncheckedValueError, jinja2.UndefinedError)):
        template("{{ " + expression + " }}", name=checked.Identifier("weather"))


def test_an_undefined_name_is_an_error(template):
    with pytest.raises(jinja2.UndefinedError):
        template("{{ nobody }}")


def test_a_value_of_another_language_is_refused(template):
    with pytest.raises(checked.UncheckedValueError):
        template("{{ name }}", allowed=env.PYTHON, name=checked.TomlText("x"))


def test_a_checked_value_that_looks_like_a_template_stays_text(template):
    text = checked.TomlText("{{ 7 * 7 }}{% include 'x' %}")
    assert template("{{ text }}", allowed=env.TOML, text=text) == text.text
