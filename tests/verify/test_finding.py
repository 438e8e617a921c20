"""How findings count."""

import pytest

from generator.verify.finding import several


@pytest.mark.parametrize(("count", "said"), [(0, "0 schemas are"), (1, "1 schema is"), (2, "2 schemas are")])
def test_a_count_agrees_with_its_verb(count, said):
    assert several(count, "schema") == said
