"""Descriptions from files: places in the text, references between files, and the documents of the corpus."""

import csv

import pytest

from generator.frontends.openapi.documents import LoadOptions, LoadProblem, open_description
from generator.frontends.openapi.upgrade import read_api

MAX_SAMPLE_BYTES = 400_000
"""Documents of the corpus up to this size are read here; a script reads all of them."""

LESS_THAN_THE_INDEX = {
    "real/apig-notion.json": 1,  # a header parameter without a name
}
"""Operations of real documents that cannot be served, each for a reason that a diagnostic names."""


def read(path):
    diagnostics = []
    return read_api(open_description(str(path), options=LoadOptions()), diagnostics.append), diagnostics


def test_a_diagnostic_names_line_and_pointer(tmp_path):
    description = tmp_path / "api.yaml"
    description.write_text(
        "openapi: 3.1.0\n"
        "info: {title: t, version: '1'}\n"
        "paths:\n"
        "  /x:\n"
        "    get:\n"
        "      parameters: {}\n"
        "      responses: {}\n"
        "    put: {responses: {}}\n",
        encoding="utf-8",
    )
    api, (found,) = read(description)
    assert [each.key for each in api.operations] == ["PUT /x"]
    assert (found.span.line, found.unit) == (6, "GET /x")
    assert found.pointer.endswith("api.yaml#/paths/~1x/get/parameters")


def test_paths_path_items_operations_and_parameters_may_stand_in_other_files(tmp_path):
    files = {
        "api.yaml": "openapi: 3.0.3\npaths: {$ref: parts/paths.yaml}\n",
        "parts/paths.yaml": "/x/{id}: {$ref: item.yaml}\n/y: {get: {$ref: 'operation.yaml#/read'}}\n",
        "parts/item.yaml": "parameters: [{$ref: 'parameters.yaml#/id'}]\nget: {responses: {}}\n",
        "parts/operation.yaml": "read: {parameters: [{$ref: 'parameters.yaml#/q'}]}\n",
        "parts/parameters.yaml": "id: {name: id, in: path, schema: {$ref: '#/s'}}\nq: {name: q, in: query}\ns: {}\n",
    }
    (tmp_path / "parts").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    api, diagnostics = read(tmp_path / "api.yaml")
    assert [each.key for each in api.operations] == ["GET /x/{id}", "GET /y"]
    assert api.operations[0].parameters[0].schema.place.file.shown.endswith("parameters.yaml")
    assert diagnostics == []


def test_real_documents_are_read_whole(shared):
    folder = shared / "corpus" / "openapi"
    with (folder / "index.tsv").open(encoding="utf-8", newline="") as index:
        rows = [row for row in csv.reader(index, delimiter="\t", quoting=csv.QUOTE_NONE) if row[0].startswith("real/")]
    sample = [row for row in rows if int(row[4]) <= MAX_SAMPLE_BYTES]
    assert len(sample) > 20
    for row in sample:
        api, diagnostics = read(folder / row[0])
        lost = LESS_THAN_THE_INDEX.get(row[0], 0)
        assert len(api.operations) == int(row[5]) - lost, row[0]
        assert len([each for each in diagnostics if each.level == "error"]) == lost, row[0]


def test_hostile_and_broken_documents_end_in_diagnostics(shared):
    found = sorted((shared / "corpus" / "openapi" / "invalid").iterdir())
    found += [each for each in (shared / "cases/attacks/openapi").iterdir() if not each.name.endswith(".expect.json")]
    outcomes = {}
    for path in found:
        try:
            api, diagnostics = read(path)
        except LoadProblem:
            continue
        outcomes[path.name] = {each.rule.name for each in diagnostics}
        assert api is not None or outcomes[path.name], path.name
        assert bool(api and api.unreadable) <= any(each.level == "error" for each in diagnostics), path.name
    assert len(outcomes) > 100


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("path-authority", ["unsafe-path"]),
        ("path-newline", ["unsafe-path"]),
        ("path-traversal", ["unsafe-path"]),
        ("path-unclosed", ["unsafe-path"]),
        ("path-code", []),
        ("path-query", []),
        ("security-empty", ["unsendable-name"]),
        ("security-space", ["unsendable-name", "unsendable-name"]),
        ("security-hop", ["unusable-security", "reserved-header"]),
        ("security-host", ["unusable-security", "reserved-header"]),
        ("not-openapi", ["not-an-api-description"]),
        ("wrong-types", ["version-not-text", "wrong-type", "wrong-type", "wrong-type", "wrong-type"]),
    ],
)
def test_attacks_are_refused_or_disarmed(shared, name, rules):
    api, diagnostics = read(shared / "cases" / "attacks" / "openapi" / f"{name}.json")
    assert [each.rule.name for each in diagnostics] == rules
    refused = {"unsafe-path", "unsendable-name", "not-an-api-description", "wrong-type"} & set(rules)
    assert bool(api and api.operations) is not bool(refused)
    assert all(each.span and each.pointer for each in diagnostics)
