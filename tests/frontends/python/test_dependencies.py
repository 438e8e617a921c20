from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.diagnostics.model import Severity
from generator.frontends.python.carry import Carried, carry
from generator.frontends.python.environment import Environment
from generator.frontends.python.requirement_text import normalised, requirement, requirement_name

if TYPE_CHECKING:
    from pathlib import Path


def install(site: Path, name: str, files: list[str], version: str = "1.0", **extra: str) -> None:
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "RECORD").write_text("".join(f"{file},sha256=x,1\n" for file in files))
    for key, text in extra.items():
        (info / {"tops": "top_level.txt", "direct": "direct_url.json"}[key]).write_text(text)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site-packages"
    install(folder, "httpx", ["httpx/__init__.py"], "0.28.1")
    install(folder, "PyYAML", ["yaml/__init__.py", "_yaml/__init__.py"])
    install(folder, "google-cloud-storage", ["google/cloud/storage/__init__.py"])
    install(folder, "google-cloud-pubsub", ["google/cloud/pubsub/__init__.py", "google/cloud/pubsub_v1/__init__.py"])
    install(folder, "six", ["six.py"])
    install(folder, "fast.ext", ["fastext.cpython-313-x86_64-linux-gnu.so"])
    install(folder, "old-style", [], tops="oldstyle\n_old\n")
    return folder


def carried(site: Path, code: str, entry: str = "proj/weather.py", **files: str) -> Carried:
    base = site.parent
    for name, text in {entry: code, **files}.items():
        target = base / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return carry(base / entry, package="weather_mcp", environment=Environment(paths=(site,)))


def notes(result: Carried) -> list[tuple[str, Severity]]:
    return [(one.rule.code, one.level) for one in result.diagnostics]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import httpx", ("httpx",)),
        ("import yaml\nfrom httpx import get", ("httpx", "pyyaml")),
        ("from google.cloud import storage", ("google-cloud-storage",)),
        ("import google.cloud.pubsub_v1", ("google-cloud-pubsub",)),
        ("import six, fastext, oldstyle", ("fast-ext", "old-style", "six")),
        ("def f():\n    import httpx", ("httpx",)),
        ("import os, json, tomllib, asyncio.events, annotationlib, distutils", ()),
        ("from mcpgen import tool", ()),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import httpx", ()),
    ],
)
def test_imports_are_mapped_to_the_distributions_that_hold_them(
    site: Path, code: str, expected: tuple[str, ...]
) -> None:
    result = carried(site, code + "\n")
    assert (result.dependencies, notes(result)) == (expected, [])
    assert result.needs_site is bool(expected)


def test_imports_of_local_modules_count_too(site: Path) -> None:
    assert carried(site, "import helper\n", **{"proj/helper.py": "import httpx\n"}).dependencies == ("httpx",)


def test_what_is_not_installed_is_a_warning_and_never_guessed(site: Path) -> None:
    result = carried(site, "import sklearn.linear_model\nimport sklearn\n")
    assert (result.dependencies, notes(result), result.needs_site) == ((), [("MG133", Severity.WARNING)], True)
    assert result.diagnostics[0].span is not None


def test_an_optional_import_is_left_out_with_a_note(site: Path) -> None:
    result = carried(site, "try:\n    import httpx\nexcept ImportError:\n    httpx = None\n")
    assert (result.dependencies, notes(result), result.needs_site) == ((), [("MG133", Severity.NOTE)], True)


def test_versions_found_are_recorded_for_the_lock(site: Path) -> None:
    assert carried(site, "import httpx\n").resolved == {"httpx": "0.28.1"}


SCRIPT = """# a comment
# /// script
# requires-python = ">=3.12"
# dependencies = [
#   "HTTPX[http2] >=0.27, <1",
#   "rich ; python_version < '3.13'",
#   "mcpgen",
# ]
# ///
import httpx
"""


def test_a_script_block_is_taken_as_it_is(site: Path) -> None:
    result = carried(site, SCRIPT)
    assert result.dependencies == ("httpx[http2]>=0.27,<1", "rich; python_version < '3.13'")
    assert (result.requires_python, notes(result)) == (">=3.12", [])


def test_a_script_block_with_windows_line_ends_is_read(site: Path) -> None:
    (site.parent / "proj").mkdir()
    (site.parent / "proj/weather.py").write_bytes(SCRIPT.replace("\n", "\r\n").encode())
    result = carry(site.parent / "proj/weather.py", package="weather_mcp", environment=Environment(paths=(site,)))
    assert result.requires_python == ">=3.12"


@pytest.mark.parametrize("block", ["# /// script\n# dependencies = [\n# ///\n", "# /// script\n# x = 1\n# ///\n" * 2])
def test_a_broken_script_block_is_an_error(site: Path, block: str) -> None:
    assert ("MG705", Severity.ERROR) in notes(carried(site, block))


def test_a_requirement_by_url_is_listed_by_name_with_a_warning(site: Path) -> None:
    block = "# /// script\n# dependencies = ['thing @ file:///home/me/thing', '?']\n# ///\n"
    result = carried(site, block)
    assert (result.dependencies, notes(result)) == (("thing",), [("MG133", Severity.WARNING)] * 2)


PROJECT = '[project]\nname = "My.Shop"\nrequires-python = ">=3.11"\ndependencies = ["httpx>=0.27", "My-Shop[extra]"]\n'


@pytest.mark.parametrize("entry", ["proj/weather.py", "proj/src/weather.py", "proj/src/shop/weather.py"])
def test_the_project_of_a_module_says_what_it_needs(site: Path, entry: str) -> None:
    files = {"proj/pyproject.toml": PROJECT, "proj/src/shop/__init__.py": ""}
    result = carried(
        site, "import httpx, yaml\nfrom . import *\n" if "shop" in entry else "import httpx, yaml\n", entry, **files
    )
    assert (result.dependencies, notes(result)) == (("httpx>=0.27", "pyyaml"), [])
    assert result.requires_python == ">=3.11"
    assert "pyproject.toml" in result.inputs


def test_a_project_further_up_is_somebody_elses(site: Path) -> None:
    result = carried(site, "import yaml\n", "proj/samples/weather/weather.py", **{"proj/pyproject.toml": PROJECT})
    assert result.dependencies == ("pyyaml",)


@pytest.mark.parametrize("text", ["[tool.mcpgen]\n", '[project]\nname = "x"\ndynamic = ["dependencies"]\n', "broken ="])
def test_a_project_that_does_not_say_leaves_it_to_the_imports(site: Path, text: str) -> None:
    assert carried(site, "import httpx\n", **{"proj/pyproject.toml": text}).dependencies == ("httpx",)


def test_an_import_that_is_not_installed_but_may_be_declared_is_only_a_note(site: Path) -> None:
    result = carried(site, "import absent\n", **{"proj/pyproject.toml": PROJECT})
    assert notes(result) == [("MG133", Severity.NOTE)]


def test_an_editable_distribution_is_found_by_its_folder(site: Path) -> None:
    (site.parent / "dev/src/tools_kit").mkdir(parents=True)
    url = (site.parent / "dev").as_uri()
    install(site, "my-dev-tools", ["_my_dev_tools.pth"], direct=f'{{"url": "{url}", "dir_info": {{"editable": true}}}}')
    assert carried(site, "import tools_kit\n").dependencies == ("my-dev-tools",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HTTPX", "httpx"),
        ("a.B_c>=1", "a-b-c>=1"),
        ("a [x, y] (>=1, <2)", "a[x,y]>=1,<2"),
        ("a==1.*", "a==1.*"),
        ('a~=2.0 ; sys_platform == "win32"', 'a~=2.0; sys_platform == "win32"'),
        ("a @ https://x.example/a.whl", None),
        ("a 1.0", None),
        ("-e .", None),
        ("a>=1\nb", None),
        ("a; x\u2028", None),
        ("", None),
    ],
)
def test_requirements_are_normalised_or_refused(text: str, expected: str | None) -> None:
    assert requirement(text) == expected


@given(st.text(max_size=80))
def test_no_text_makes_a_requirement_of_two_lines_or_without_a_name(text: str) -> None:
    found = requirement(text)
    if found is not None:
        assert len(found.splitlines()) == 1
        assert requirement_name(found) is not None
        assert requirement(found) == found
        assert normalised(found.split(";")[0]) is not None
