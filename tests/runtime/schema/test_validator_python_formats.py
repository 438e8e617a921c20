"""Formats as Python reads them: wider than RFC 3339 where a Python value may be wider."""

import pytest

from generator.runtime.schema.validator import compile_validator


@pytest.mark.parametrize(
    ("name", "text", "strict", "python"),
    [
        ("date-time", "2020-01-02T03:04:05Z", True, True),
        ("date-time", "2020-01-02T03:04:05", False, True),
        ("date-time", "2020-01-02T03:04", False, True),
        ("date-time", "2020-01-02", False, False),
        ("date-time", "yesterday", False, False),
        ("time", "03:04:05+01:00", True, True),
        ("time", "03:04", False, True),
        ("time", "3 pm", False, False),
        ("date", "2020-01-02", True, True),
        ("date", "2020-01-02T03:04:05Z", False, False),
        ("duration", "PT1H1S", False, True),
        ("duration", "-PT1.5S", False, True),
        ("duration", "P1D", True, True),
        ("duration", "P", False, False),
        ("duration", "PT", False, False),
        ("duration", "-P1DT", False, False),
        ("duration", "60", False, False),
    ],
)
def test_times_of_python_may_lack_a_zone_and_durations_have_a_sign(name, text, strict, python):
    schema = {"type": "string", "format": name}
    assert compile_validator(schema).accepts(text) is strict
    assert compile_validator(schema, python_formats=True).accepts(text) is python
    assert bool(compile_validator(schema, python_formats=True).problems(text)) is not python
