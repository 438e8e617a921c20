"""Links refer to installed code and carry nothing."""

from pathlib import Path

from generator.frontends.python.carry import carry
from generator.frontends.python.environment import Environment

from .carrying import EMPTY, codes, write


def test_a_link_copies_nothing_and_names_the_distribution(tmp_path: Path) -> None:
    site = write(
        tmp_path / "site-packages",
        {
            "humane/__init__.py": "",
            "humane/number.py": "",
            "humane_kit-2.1.dist-info/METADATA": "Metadata-Version: 2.1\nName: Humane_Kit\nVersion: 2.1\n",
            "humane_kit-2.1.dist-info/RECORD": "humane/__init__.py,,\nhumane/number.py,,\n",
        },
    )
    environment = Environment(paths=(site,))
    result = carry(site / "humane/number.py", package="number_mcp", environment=environment, link=True)
    assert result.files == ()
    assert result.module_targets == {"humane.number": "humane.number"}
    assert (result.dependencies, result.resolved, result.needs_site) == (("humane-kit",), {"humane-kit": "2.1"}, True)


def test_a_link_into_the_standard_library_needs_no_site(tmp_path: Path) -> None:
    import statistics

    result = carry(
        Path(statistics.__file__), package="statistics_mcp", environment=EMPTY, link=True, module="statistics"
    )
    assert (result.module_targets, result.needs_site, codes(result)) == ({"statistics": "statistics"}, False, [])


def test_a_link_to_something_no_distribution_provides_is_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"loose.py": ""})
    result = carry(tmp_path / "loose.py", package="loose_mcp", environment=Environment(paths=(tmp_path,)), link=True)
    assert (codes(result), result.needs_site) == (["MG133"], True)
