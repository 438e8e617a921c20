"""Every document by itself: what it points at exists, its tables are whole, its code can be read."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest

from .documents import blocks

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DOCUMENTS = sorted([*DOCS.glob("*.md"), *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"))])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_points_at_exists(path):
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        place, _, anchor = target.partition("#")
        found = path if not place else path.parent / place
        assert found.exists(), target
        if anchor:
            assert anchor in anchors(found), target


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_readme_leads_to_every_document():
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## More\n")[2]
    assert {path.name for path in DOCS.glob("*.md")} == set(re.findall(r"\]\(docs/([\w-]+\.md)\)", text))


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_tables_of_a_document_are_whole(path):
    """A row that stands alone after an empty line is text to a reader, not part of the table above it."""
    lines = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE).splitlines()
    for number, line in enumerate(lines[:-1]):
        if line.startswith("|") and (not number or not lines[number - 1].startswith("|")):
            assert re.fullmatch(r"\|(?: ?:?-+:? ?\|)+", lines[number + 1]), line


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_the_code_of_a_document_can_be_read(path):
    for block in blocks(path):
        if block.language == "python":
            ast.parse(block.text)
        elif block.language == "toml":
            tomllib.loads(block.text)
        elif block.language == "json":
            json.loads(block.text)
