"""The hostile descriptions of the security cases, at the level of loading."""

import sys

import pytest

from generator.frontends.openapi.documents import LoadProblem, ReferenceProblem, open_description

UNREADABLE = {
    "empty.yaml": ("invalid-syntax", "empty"),
    "enc-latin1.yaml": ("unknown-encoding", "byte 32"),
    "json-bigint.json": ("loading-limit", "5000 digits"),
    "json-deep.json": ("loading-limit", "nested deeper than"),
    "json-dup-keys.json": ("duplicate-key", "`paths`"),
    "json-nan.json": ("invalid-syntax", "NaN is not JSON"),
    "yaml-billion-laughs.yaml": ("loading-limit", "alias expansion over"),
    "yaml-deep.yaml": ("loading-limit", "nested deeper than"),
    "yaml-dup-keys.yaml": ("duplicate-key", "lines 4 and 5"),
    "yaml-multi-doc.yaml": ("unsupported-yaml", "more than one document"),
}

READABLE = ("00-benign.json", "enc-utf16.json", "yaml-merge-bomb.yaml", "text-lone-surrogate.json", "not-openapi.json")

REFUSED = {
    "ref-abs": "/etc/passwd", "ref-data": "data:", "ref-dev": "/dev/zero", "ref-file": "file:",
    "ref-file-upper": "FILE:", "ref-ftp": "ftp:", "ref-https": "evil.example", "ref-metadata": "169.254.169.254",
    "ref-proc": "/proc/self/environ", "ref-proto-rel": "//evil.example", "ref-unc": "evil.example",
}  # fmt: skip

UNRESOLVED = {"ref-anchor": "#nope", "ref-bad-pointer": "~2", "ref-env": "$HOME", "ref-missing": "Nope"}


def references(documents, *, across_files=False):
    """Follow every reference, if wanted also those of what other files are referred to for; return the diagnostics."""
    problems = []
    waiting = [(documents.root, documents.entry)]
    seen = set()
    while waiting:
        value, place = waiting.pop()
        if isinstance(value, dict):
            if isinstance(value.get("$ref"), str) and place.pointer[-1:] != ("properties",):
                try:
                    target = documents.resolve(value["$ref"], place)
                except ReferenceProblem as problem:
                    problems.append(problem.diagnostic)
                else:
                    if across_files and target[1].file is not documents.entry.file and target[1].text not in seen:
                        seen.add(target[1].text)
                        waiting.append(target)
            waiting += [(item, place.at(key)) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [(item, place.at(index)) for index, item in enumerate(value)]
    return problems


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_read_says_why_and_where(attacks, name):
    with pytest.raises(LoadProblem) as caught:
        open_description(str(attacks / name))
    (diagnostic,) = caught.value.diagnostics
    rule, said = UNREADABLE[name]
    assert (diagnostic.rule.name, said in diagnostic.message) == (rule, True)
    assert diagnostic.span is not None
    assert diagnostic.advice


@pytest.mark.parametrize("name", READABLE)
def test_what_only_looks_dangerous_is_read(attacks, name):
    documents = open_description(str(attacks / name))
    assert isinstance(documents.root, dict)
    assert len(documents.notices) == (name == "text-lone-surrogate.json")


@pytest.mark.parametrize("name", [*REFUSED, *UNRESOLVED])
def test_references_are_refused_unread_with_their_place_and_target(attacks, watching, name):
    documents = open_description(str(attacks / f"{name}.json"))
    with watching() as events:
        found = references(documents)
    assert events == []
    assert found
    for diagnostic in found:
        assert diagnostic.rule.name == ("refused-reference" if name in REFUSED else "unresolved-reference")
        assert (REFUSED | UNRESOLVED)[name] in diagnostic.message
        assert diagnostic.pointer.startswith(str(attacks))
        assert diagnostic.span is not None
        assert "root:" not in diagnostic.message


@pytest.mark.parametrize("name", ["ref-cycle", "ref-exponential", "ref-chain-2000"])
def test_recursive_and_long_chains_are_followed_one_step_at_a_time(attacks, name):
    limit = sys.getrecursionlimit()
    assert references(open_description(str(attacks / f"{name}.json"))) == []
    assert sys.getrecursionlimit() == limit


def test_every_hostile_description_is_loaded_or_refused(attacks):
    unread = set()
    for path in sorted(each for each in attacks.iterdir() if not each.name.endswith(".expect.json")):
        try:
            open_description(str(path))
        except LoadProblem:
            unread.add(path.name)
    assert unread == set(UNREADABLE)
