"""What a server is called, and what it says of itself."""

from __future__ import annotations

import pytest

from generator.config import Config

from .described import description, operation

PATHS = {"/p": {"get": operation()}}


@pytest.mark.parametrize(
    ("file", "title", "identity"),
    [
        ("petstore.yaml", "Swagger Petstore - OpenAPI 3.0", "petstore"),
        ("api.github.com.json", "GitHub v3 REST API", "api_github_com"),
        ("openapi.json", "Train Travel API", "train_travel_api"),
        ("swagger.yaml", "Café - Ünits & more!", "cafe_units_more"),
        ("spec.json", "x" * 90, "x" * 32),
        ("v1.json", "A very long title of an interface that nobody can remember", "a_very_long_title_of_an"),
    ],
)
def test_the_name_is_the_files_or_the_titles(reader, file, title, identity):
    result = reader(description(PATHS, info={"title": title, "version": "1"}), file=file)
    assert result.server.id == identity
    assert result.server.package == f"{identity}_mcp"


def test_given_names_win(reader):
    result = reader(description(PATHS), name="my-api", package="other_package")
    assert (result.server.id, result.server.package, result.server.command) == ("my_api", "other_package", "my-api-mcp")
    assert reader(description(PATHS), config=Config(name="settled")).server.id == "settled"


@pytest.mark.parametrize(
    ("written", "version"),
    [
        ("1.2.3", "1.2.3"),
        ("v2", "2"),
        ("1", "1"),
        ("2.0.0rc1", "2.0.0rc1"),
        ("2024-01-01", "0.1.0"),
        ("latest", "0.1.0"),
        ("1.0\n[project]", "0.1.0"),
        ("", "0.1.0"),
    ],
)
def test_the_version_is_the_apis_where_a_package_can_have_it(reader, written, version):
    assert reader(description(PATHS, info={"title": "t", "version": written})).server.version == version


def test_title_description_and_website_are_the_apis(reader):
    info = {"title": "Pets", "version": "1", "description": "All about pets.\n\nMuch more."}
    docs = {"url": "https://docs.example.com"}
    server = reader(description(PATHS, info=info, externalDocs=docs)).server
    assert (server.title, server.description, server.website) == ("Pets", "All about pets.", "https://docs.example.com")
    assert server.instructions == "Tools that call the API `Pets`.\n\nAll about pets.\n\nMuch more."


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "https://user@evil.example", "https://[x", "/docs", "https://a b"]
)
def test_a_website_that_is_none_is_not_shown(reader, url):
    assert reader(description(PATHS, externalDocs={"url": url})).server.website is None


def test_the_source_is_named_without_its_folder_and_its_digest_is_kept(reader):
    source = reader(description(PATHS)).server.source
    assert (source.kind, source.name) == ("openapi", "pets.json")
    assert [len(digest) for digest in source.inputs.values()] == [64]
