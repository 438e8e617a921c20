"""Real descriptions: loaded, and everything they refer to found; what cannot be is named."""

import csv
import os
from pathlib import Path

import pytest

from generator.frontends.openapi.documents import LoadOptions, LoadProblem, open_description

from .test_attacks import references

REFUSED = {
    "tricky/swparser-issue_998.yaml": "unsupported-yaml",
    "tricky/goopenapi-bugs-1602-fixture-1602-full.yaml": "duplicate-key",
    "tricky/malicious-yamlbomb.yaml": "unsupported-yaml",
    "invalid/swparser-issue-1119.yaml": "unknown-encoding",
}
"""Files of the corpus that are not read, each for a fault of its own."""

ENTRIES = {
    "digitalocean": "DigitalOcean-public.v2.yaml", "dmcg-all_of_with_relative_ref": "openapi.yaml",
    "dmcg-discriminator_external_mapping": "openapi.yaml",
    "dmcg-external_ref_with_transitive_local_ref": "openapi.yaml", "dmcg-paths_external_ref": "openapi.yaml",
    "dmcg-paths_ref_with_external_schema": "openapi.yaml", "goopenapi-1621": "fixture-1621.yaml",
    "goopenapi-1851": "fixture-1851.yaml", "heyapi-external-3.0": "external.yaml", "kin-circularRef": "base.yml",
    "kin-refInLocalRefInParentsSubdir": "spec/openapi.json", "kin-refInRefInProperty": "openapi.yaml",
    "kin-relativeDocsUseDocumentPath": "openapi/openapi.yml", "multi-file-swagger": "index.yaml",
    "oai-petstore-separate": "spec/swagger.json", "ogen-file-ref": "file_reference.yml",
    "redocly-bundle-bundle-oas3_2": "openapi.yaml", "redocly-bundle-discriminator-mapping": "main.yaml",
    "redocly-bundle-resolve-refs-from-x-attributes": "openapi.yaml",
    "redocly-bundle-sibling-refs-oas": "openapi.yaml", "swparser-issue-1886": "openapi.yaml",
    "swparser-oas3-refs-test": "openapi.json", "swparser-relative-upper-directory": "swagger.yaml",
    "swparser-space in name": "issue-1572.yaml",
    "swparser-discriminator-mapping-resolution": "main-external-mapping-3files.yaml",
}  # fmt: skip


@pytest.fixture
def corpus(shared) -> Path:
    return shared / "corpus" / "openapi"


def test_every_file_is_read_or_named(corpus):
    with (corpus / "index.tsv").open(encoding="utf-8", newline="") as stream:
        names = [row["file"] for row in csv.DictReader(stream, delimiter="\t")]
    limit = None if os.environ.get("CI") else 200_000
    read, refused = 0, {}
    for name in names:
        path = corpus / name
        if path.is_dir() or (limit and path.stat().st_size > limit and name not in REFUSED):
            continue
        try:
            open_description(str(path))
            read += 1
        except LoadProblem as problem:
            refused[name] = problem.diagnostics[0].rule.name
    assert refused == REFUSED
    assert read > 250


@pytest.mark.parametrize("case", ENTRIES)
def test_descriptions_of_many_files_are_followed_to_the_end(corpus, case):
    folder = corpus / "multifile" / case
    documents = open_description(str(folder / ENTRIES[case]), options=LoadOptions(ref_root=folder))
    assert [each.message for each in references(documents, across_files=True)] == []
    assert len(documents.inputs) > (case in ("goopenapi-1851", "swparser-oas3-refs-test"))
