"""The catalog's entries of resources and prompts, and what a server carries for them."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from generator.backends.catalog import catalog
from generator.backends.runtime_files import OFFER_ROOTS, runtime_files
from generator.digests import definitions_line, digest
from generator.ir.model import PythonCall, Resource, Server, Source
from generator.passes import self_description
from generator.resources import schemas

CASES = ("offers", "error_offers")


@pytest.mark.parametrize("case", CASES)
def test_a_catalog_with_offers_obeys_its_schema(root, case):
    schema = json.loads((schemas() / "catalog.schema.json").read_text(encoding="utf-8"))
    (path,) = (root / "tests" / "golden" / case / "out").glob("*/catalog.json")
    catalog = json.loads(path.read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(catalog)] == []
    catalog["resources"][0]["definition"]["colour"] = "red"
    assert list(Draft202012Validator(schema).iter_errors(catalog))


@pytest.mark.parametrize("case", CASES)
def test_the_route_of_an_offer_has_the_definition_that_lists_show(root, case):
    folder = root / "tests" / "golden" / case / "out"
    (path,) = folder.glob("*/catalog.json")
    catalog = json.loads(path.read_text(encoding="utf-8"))
    routes = json.loads((folder / "routes.json").read_text(encoding="utf-8"))
    for kind in ("resources", "templates", "prompts"):
        shown = [entry["definition"] for entry in catalog.get(kind, ())]
        assert [route["definition"] for route in routes[kind]] == shown


def test_a_resource_that_describes_the_server_is_told_from_those_of_functions():
    server = Server(id="s", package="s_mcp", command="s-mcp", source=Source(kind="python", name="m.py"))
    server, found = self_description.apply(server, "s://schema")
    assert found == ()
    content = catalog(server)
    assert content["resources"][0]["call"] == {"kind": "schema"}
    schema = json.loads((schemas() / "catalog.schema.json").read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(content)] == []


def test_the_digest_changes_with_what_clients_see():
    bare = Server(id="s", package="s_mcp", command="s-mcp", source=Source(kind="python", name="m.py"))
    one, two = (self_description.apply(bare, uri)[0] for uri in ("s://one", "s://two"))
    contents = [catalog(each) for each in (bare, one, two)]
    assert len({digest(content, definitions_line(content)) for content in contents}) == 3


def test_a_resource_of_the_author_keeps_its_uri():
    own = Resource(uri="s://schema", kind="computed", name="own", call=PythonCall(target=".m:f"))
    source = Source(kind="python", name="m.py")
    before = Server(id="s", package="s_mcp", command="s-mcp", source=source, resources=(own,))
    after, found = self_description.apply(before, "s://schema")
    assert after.resources == (own,)
    assert [each.rule.name for each in found] == ["offer-collision"]


def test_only_a_server_with_offers_carries_what_they_need():
    without, including = runtime_files(), runtime_files(offers=True)
    assert not set(OFFER_ROOTS) & set(without)
    assert set(OFFER_ROOTS) <= set(including)
    assert {"server/uri_templates.py", "server/offers.py", "server/older.py", "wire/pages.py"} <= set(including)
