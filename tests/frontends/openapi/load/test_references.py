"""References: pointers, anchors, other files, bases, cycles."""

import pytest

from generator.frontends.openapi.documents import LoadProblem, ReferenceProblem, open_description
from generator.frontends.openapi.limits import MAX_REFERENCE_CHAIN, MAX_REFERENCE_LENGTH
from generator.frontends.openapi.references import tokens_of


def resolved(documents, reference, *at):
    return documents.resolve(reference, documents.entry.at(*at))


@pytest.mark.parametrize(
    ("reference", "found"),
    [
        ("#", {"paths": {"/a~b/{c}": {"get": 1, "with space": 2, "100%": 3, "": 4}}, "list": ["x", ["y"]]}),
        ("#/paths/~1a~0b~1{c}/get", 1),
        ("#/paths/~1a~0b~1%7Bc%7D/get", 1),
        ("#%2Fpaths/~1a~0b~1%7bc%7d/get", 1),
        ("#/paths/~1a~0b~1{c}/with%20space", 2),
        ("#/paths/~1a~0b~1{c}/with space", 2),
        ("#/paths/~1a~0b~1{c}/with+space", 2),
        ("#/paths/~1a~0b~1{c}/100%", 3),
        ("#/paths/~1a~0b~1{c}/100%25", 3),
        ("#/paths/~1a~0b~1{c}/", 4),
        ("#/list/0", "x"),
        ("#/list/1/0", "y"),
    ],
)
def test_pointers_are_unescaped(api, reference, found):
    documents = api({"a.yaml": "paths: {'/a~b/{c}': {get: 1, with space: 2, 100%: 3, '': 4}}\nlist: [x, [y]]\n"})
    assert resolved(documents, reference)[0] == found


def test_the_place_of_what_is_found_is_known(api):
    documents = api({"a.yaml": "components:\n  schemas:\n    'A/B':\n      type: object\n"})
    place = resolved(documents, "#/components/schemas/A~1B")[1]
    assert place.text.endswith("a.yaml#/components/schemas/A~1B")
    assert (place.span.line, place.span.column) == (3, 5)


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("#/nope", "has no `nope`"),
        ("#/list/2", "has no `2`"),
        ("#/list/01", "has no `01`"),
        ("#/list/-", "has no `-`"),
        ("#/list/²", "has no `²`"),
        ("#/list/~2", "malformed JSON pointer"),
        ("#/list/~", "malformed JSON pointer"),
        ("#anchor", "anchor that is not there"),
        ("other.yaml", "no such file"),
        ("#/text/0", "has no `0`"),
        (".", "a folder, not a file"),
        ("http://[bad/", "no address"),
        ("x" * (MAX_REFERENCE_LENGTH + 1), "longer than"),
    ],
)
def test_a_reference_to_nothing_says_what_is_missing_and_where(api, refusal, reference, said):
    diagnostic = refusal(api({"a.yaml": "list: [1, 2]\ntext: x\nx:\n  $ref: here\n"}), reference)
    assert said in diagnostic.message
    assert diagnostic.pointer.endswith("a.yaml#/x/$ref")
    assert (diagnostic.span.line, diagnostic.span.column) == (4, 3)
    assert diagnostic.advice
    assert len(diagnostic.message) < 400


def test_a_reference_that_is_no_text_is_refused(api, value):
    documents = api({"a.yaml": "x: {$ref: 12}\n"})
    with pytest.raises(ReferenceProblem, match="must be text"):
        value(documents, "x")


FILES = {
    "a.yaml": "x: {$ref: 'schemas/b.json#/B'}\ny: {$ref: './schemas/b.json'}\n",
    "schemas/b.json": '{"B": {"$ref": "../c d.yaml#/C"}, "type": "b", "back": {"$ref": "../a.yaml#/x"}}',
    "c d.yaml": "C: {type: c}\n",
}


def test_files_are_relative_to_the_file_that_refers(api, value):
    documents = api(FILES)
    found, place = value(documents, "x")
    assert found == {"type": "c"}
    assert place.text.endswith("/api/c d.yaml#/C")
    assert value(documents, "y")[0]["type"] == "b"
    found, place = documents.resolve("schemas/b.json#/back", documents.entry)
    assert documents.node(found, place)[0] == {"type": "c"}


def test_every_file_read_is_named_with_its_hash(api, value, tmp_path, monkeypatch):
    import hashlib

    api(FILES)
    monkeypatch.chdir(tmp_path)
    documents = open_description("api/a.yaml")
    value(documents, "x")
    hashes = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in FILES.items()}
    assert documents.inputs == {f"api/{name}": each for name, each in hashes.items()}
    monkeypatch.chdir(tmp_path / "api")
    documents = open_description("a.yaml")
    value(documents, "x")
    assert documents.inputs == hashes


def test_each_file_is_read_once_whatever_it_is_called(api, value, watching):
    documents = api(FILES)
    with watching() as events:
        for reference in ("schemas/b.json", "./schemas/../schemas/b.json", "schemas/b.json#/B", "a.yaml#/x"):
            documents.resolve(reference, documents.entry)
    assert [path.rpartition("/")[2] for _, path in events] == ["b.json"]


def test_a_file_with_spaces_is_found_encoded_or_not(api):
    documents = api(FILES)
    assert resolved(documents, "c d.yaml#/C")[0] == resolved(documents, "c%20d.yaml#/C")[0] == {"type": "c"}


def test_a_percent_sign_may_be_part_of_a_name(api):
    documents = api({"a.yaml": "{}", "100%25.yaml": "a: 1\n"})
    assert resolved(documents, "100%25.yaml#/a")[0] == 1
    assert resolved(documents, "100%2525.yaml#/a")[0] == 1


def test_names_are_case_sensitive(api, refusal):
    documents = api({"a.yaml": "A: 1\n", "b.yaml": "B: 1\n"})
    assert "has no `a`" in refusal(documents, "#/a").message
    assert "no such file" in refusal(documents, "B.yaml").message


def test_a_broken_file_is_told_with_its_own_place_and_who_refers_to_it(api, refusal):
    diagnostic = refusal(api({"a.yaml": "x: 1\n", "b.yaml": "a: 1\nb: [\n"}), "b.yaml")
    assert diagnostic.span.path.endswith("b.yaml")
    assert diagnostic.pointer.endswith("a.yaml#/x")
    assert "b.yaml" in diagnostic.notes[0]


def test_a_pointer_leads_through_references(api):
    documents = api(
        {
            "a.yaml": "A: {$ref: '#/B'}\nB: {$ref: 'b.yaml'}\nx: {$ref: '#/A/C/D'}\n",
            "b.yaml": "C: {$ref: '#/E'}\nE: {D: 1}\n",
        }
    )
    found, place = resolved(documents, "#/A/C/D")
    assert found == 1
    assert place.text.endswith("b.yaml#/E/D")


def test_a_fragment_of_a_description_may_refer_to_the_description(api, value):
    documents = api(
        {"a.yaml": "paths: {/a: {$ref: a/path.yaml}}\nD: {U: 1}\n", "a/path.yaml": "get: {$ref: '#/D/U'}\n"}
    )
    found, place = value(documents, "paths", "/a")
    assert documents.node(found["get"], place.at("get"))[0] == 1


@pytest.mark.parametrize(
    "text", ["x: {$ref: '#/x'}", "x: {$ref: '#/y'}\ny: {$ref: '#/x'}", "x: {$ref: '#/x/y'}", "x: {$ref: 'a.yaml#/x'}"]
)
def test_a_cycle_is_told(api, value, text):
    documents = api({"a.yaml": text})
    with pytest.raises(ReferenceProblem) as caught:
        value(documents, "x")
    assert caught.value.diagnostic.rule.name == "circular-reference"


def test_a_chain_has_an_end(api, value):
    def chain(length):
        steps = "".join(f"s{n}: {{$ref: '#/s{n + 1}'}}\n" for n in range(length))
        return api({"a.yaml": f"{steps}s{length}: end\n"})

    assert value(chain(MAX_REFERENCE_CHAIN), "s0")[0] == "end"
    with pytest.raises(ReferenceProblem, match=f"longer than {MAX_REFERENCE_CHAIN}"):
        value(chain(MAX_REFERENCE_CHAIN + 2), "s0")


def test_a_description_beside_a_reference_holds_from_3_1_on(api, value):
    text = (
        "openapi: {}\nx: {{$ref: '#/y', summary: s, other: 1}}\n"
        "y: {{$ref: '#/z', summary: t, description: d}}\nz: {{type: z}}\n"
    )
    assert value(api({"a.yaml": text.format("3.1.0")}), "x")[0] == {"type": "z", "summary": "s", "description": "d"}
    assert value(api({"a.yaml": text.format("3.0.3")}), "x")[0] == {"type": "z"}


IDS = """\
openapi: {version}
components:
  schemas:
    A:
      $id: https://example.com/schemas/a
      $defs: {{inner: {{$anchor: here, const: 1}}}}
      properties: {{x: {{$ref: '#/$defs/inner'}}}}
    B: {{$id: https://example.com/schemas/b, const: 2}}
    C: {{$dynamicAnchor: there, const: 3}}
    D: {{example: {{$id: https://example.com/data, $anchor: data}}, properties: {{default: {{$anchor: named}}}}}}
"""


def test_ids_are_bases_of_what_is_inside(api):
    documents = api({"a.yaml": IDS.format(version="3.1.0")})
    inside = ("components", "schemas", "A", "properties", "x")
    assert resolved(documents, "#/$defs/inner", *inside)[0]["const"] == 1
    assert resolved(documents, "#here", *inside)[0]["const"] == 1
    assert resolved(documents, "b", *inside)[0]["const"] == 2
    assert resolved(documents, "#/components/schemas/B", *inside)[0]["const"] == 2
    assert resolved(documents, "https://example.com/schemas/a#here")[0]["const"] == 1
    assert resolved(documents, "#there")[0]["const"] == 3
    assert resolved(documents, "#there", *inside)[0]["const"] == 3
    assert resolved(documents, "#named")[1].text.endswith("D/properties/default")


def test_data_declares_nothing(api, refusal):
    documents = api({"a.yaml": IDS.format(version="3.1.0")})
    assert refusal(documents, "#data").rule.name == "unresolved-reference"
    assert refusal(documents, "https://example.com/data").rule.name == "refused-reference"


def test_openapi_3_0_knows_no_ids(api, refusal):
    documents = api({"a.yaml": IDS.format(version="3.0.3")})
    assert resolved(documents, "#/components/schemas/B", "components", "schemas", "A")[0]["const"] == 2
    assert refusal(documents, "#there").rule.name == "unresolved-reference"


def test_self_is_the_base_and_files_beside_stand_for_what_is_beside_it(api, watching):
    documents = api(
        {
            "a.yaml": "openapi: 3.2.0\n$self: https://example.com/api/openapi.yaml\nx: 1\n",
            "shared/b.yaml": "$self: https://example.com/api/shared/b.yaml\ny: {$ref: 'c.yaml#/z'}\n",
            "shared/c.yaml": "z: 2\n",
        }
    )
    with watching() as events:
        assert resolved(documents, "https://example.com/api/openapi.yaml#/x")[0] == 1
        assert resolved(documents, "openapi.yaml#/x")[0] == 1
        found, place = resolved(documents, "https://example.com/api/shared/b.yaml#/y")
        assert documents.node(found, place)[0] == 2
        assert resolved(documents, "shared/c.yaml#/z")[0] == 2
    assert {name for name, _ in events} == {"open"}


def test_a_replaced_root_is_what_references_find(api):
    documents = api({"a.yaml": "x: 1\n"})
    assert resolved(documents, "#/x")[0] == 1
    documents.replace_root({"x": 2})
    assert documents.root == {"x": 2}
    assert resolved(documents, "#/x")[0] == 2


def test_a_missing_description_is_told(tmp_path):
    with pytest.raises(LoadProblem) as caught:
        open_description(str(tmp_path / "none.yaml"))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.rule.name == "unreadable-description"
    assert diagnostic.message.endswith("none.yaml: no such file")


@pytest.mark.parametrize("fragment", ["/a~", "/~2", "a/b", "/a~2b"])
def test_a_malformed_pointer_is_none(fragment):
    assert tokens_of(fragment) is None
