"""Hostile descriptions of the kinds of the corpus that are not in it: texts, names, references, servers and so on."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import time
from typing import TYPE_CHECKING

import pytest

from generator import from_openapi
from generator.runtime.schema.validator import compile_validator
from tests.command import ROOT

from . import hostile_variants as variants

if TYPE_CHECKING:
    from pathlib import Path

    from generator.build_values import BuildResult

SECONDS = 5.0
"""Of work, for any description under 1 MB."""

NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
SECRET = "content-of-a-file-outside"


def built(folder: Path, document: object, *, models: str = "typeddict", name: str = "api.json") -> BuildResult:
    """Build a description, given as JSON or as bytes, within the time."""
    path = folder / name
    path.write_bytes(document if isinstance(document, bytes) else json.dumps(document).encode("ascii"))
    began = time.process_time()
    result = from_openapi(str(path), name="demo", models=models)
    assert time.process_time() - began < SECONDS
    return result


def shape(result: BuildResult) -> dict[str, str]:
    """Return the shape of each Python file that was made, constants masked."""
    found = {}
    for name, content in result.tree.items():
        if name.endswith(".py") and "/_runtime/" not in name:
            tree = ast.parse(content)
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant):
                    node.value = "x"
            found[name] = ast.dump(tree)
    return found


def data(result: BuildResult, name: str) -> dict:
    return json.loads(result.tree[f"demo_mcp/{name}"])


def said(result: BuildResult) -> str:
    return "\n".join(one.message for one in result.diagnostics)


def places(result: BuildResult) -> list[object]:
    return [one.pointer or one.span for one in result.diagnostics]


@pytest.fixture(scope="module")
def twin(tmp_path_factory) -> dict[str, str]:
    return shape(built(tmp_path_factory.mktemp("twin"), variants.with_text("x")))


@pytest.mark.parametrize("kind", variants.TEXTS)
def test_a_text_stays_a_text(kind, twin, tmp_path):
    result = built(tmp_path, variants.with_text(variants.TEXTS[kind]))
    assert result.server is not None, said(result)
    assert shape(result) == twin
    tool = data(result, "catalog.json")["tools"][0]["definition"]
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202e]", tool["description"])
    for line in result.tree[".env.example"].decode("utf-8").splitlines():
        assert not line or line.startswith("#") or re.fullmatch(r"DEMO_[A-Z_]+=", line)


def test_a_text_arrives_as_it_was_written(tmp_path):
    text = "{{ x }} ${y} %s {z!r} \"\"\" ''' \\N{BULLET} \\u0041 <b> `id` # noqa"
    tool = data(built(tmp_path, variants.with_text(text)), "catalog.json")["tools"][0]["definition"]
    schema = tool["inputSchema"]["properties"]["q"]
    assert (tool["description"], schema["description"], schema["default"]) == (text, text, text)


@pytest.mark.parametrize("name", variants.NAMES, ids=lambda name: ascii(name)[:30])
def test_a_name_is_made_harmless_and_kept_for_the_api(name, tmp_path):
    result = built(tmp_path, variants.with_name(name))
    assert result.server is not None, said(result)
    shape(result)
    tools = [tool["definition"] for tool in data(result, "catalog.json")["tools"]]
    names = [tool["name"] for tool in tools]
    arguments = [argument for tool in tools for argument in tool["inputSchema"]["properties"]]
    assert all(NAME.fullmatch(each) for each in (*names, *arguments))
    assert len({each.casefold() for each in names}) == 2
    get, post = data(result, "operations.json")["operations"].values()
    assert name in [parameter["name"] for parameter in get["parameters"]]
    assert name in post["body"]["fields"].values()
    assert all(".." not in path and path.isascii() and not path.startswith("/") for path in result.tree)


@pytest.fixture
def outside(tmp_path):
    """A folder with ways out of it, and what was opened or asked meanwhile."""
    (tmp_path / "secret.json").write_text(json.dumps({"type": "string", "description": SECRET}), encoding="utf-8")
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    (folder / "linked").symlink_to(tmp_path, target_is_directory=True)
    (folder / "loop.json").symlink_to(folder / "loop.json")
    os.mkfifo(folder / "pipe.json")
    return folder


TRAIL: list[str] | None = None
_HOOKED = []


def _look(event: str, arguments: tuple) -> None:
    if TRAIL is not None and event == "open" and isinstance(arguments[0], str):
        TRAIL.append(os.path.realpath(arguments[0]))
    elif TRAIL is not None and event.startswith(("socket.", "subprocess.", "os.system")):
        TRAIL.append(event)


@pytest.fixture
def trail(monkeypatch):
    """What is opened; a hook cannot be taken away again, so there is one that looks only while a test wants it."""
    if not _HOOKED:
        sys.addaudithook(_look)
        _HOOKED.append(_look)
    found: list[str] = []
    monkeypatch.setattr(sys.modules[__name__], "TRAIL", found)
    return found


@pytest.mark.parametrize("target", variants.REFERENCES, ids=lambda target: ascii(target)[:30])
def test_a_reference_leads_nowhere_else(target, outside, trail):
    result = built(outside, variants.with_reference(target))
    assert result.server is None
    assert "/components/schemas/" in str(places(result)) or "/paths/" in str(places(result))
    assert SECRET not in said(result)
    ours = (os.path.realpath(outside), sys.prefix, sys.base_prefix, str(ROOT))
    assert [place for place in trail if not place.startswith(ours)] == []


REFUSED_SERVERS = (
    "http://user:pw@api.example.com", "http://@api.example.com", "http://a.example:80@evil.example",
    "http://a.example\\@evil.example", "https://a.example/\r\nX: y", "https://a.example/\nv1", "https:/\\evil.example",
    "\\\\evil\\x", "FILE:///etc/passwd", "gopher://x:70/_a", "javascript:alert(1)", "data:text/plain,x",
    "jar:http://x!/", "ws://x", "unix:///run/x.sock", "http+unix://%2Frun", "http://a.example\0.evil",
)  # fmt: skip
UNUSABLE_SERVERS = (
    "http://[fe80::1%25eth0]/", "http://a.example%40evil.example", "http://a.example:0", "http://a.example:65536",
    "http://a.example:abc", "http://a.example:-1", "https:evil.example", "https:///evil.example/x", "http://[::1",
    "http://a.example\u202e", "https://a.example/../../x", "https://a.example/%2e%2e/x", "https://{host}/", "", "/v1",
    "https://\uff11\uff12\uff17.0.0.1/", "http://127\u30020\u30020\u30021", "http://." , "http://" + "a" * 300,
)  # fmt: skip
PRIVATE_SERVERS = (
    "http://2130706433/", "http://0177.0.0.1/", "http://0x7f.0.0.1/", "http://0x7f000001", "http://127.1", "http://0",
    "http://0.0.0.0", "http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]", "http://[64:ff9b::a9fe:a9fe]/",
    "http://[64:ff9b::10.0.0.1]", "http://[2002:a9fe:a9fe::]/", "http://[2002:a00:1::1]", "http://[::169.254.169.254]",
    "http://[fe80::1]", "http://[fc00::1]", "http://[::]", "http://169.254.169.254.", "http://10.0.0.1",
    "http://100.64.0.1", "http://198.18.0.1", "http://192.88.99.1", "http://168.63.129.16", "http://100.100.100.200",
    "http://METADATA.google.internal.", "http://a.local", "http://0xA9.0xFE.0xA9.0xFE", "http://0251.0376.0251.0376",
    "http://169.0xfe.43518", "http://2852039166", "http://[::ffff:0:169.254.169.254]", "http://[2001:0:a9fe:a9fe::]",
    "http://[64:ff9b:1::a9fe:a9fe]", "http://224.0.0.1", "http://255.255.255.255", "http://[5f00::1]",
)  # fmt: skip


@pytest.mark.parametrize("url", REFUSED_SERVERS, ids=ascii)
def test_a_dangerous_server_is_refused(url, tmp_path):
    result = built(tmp_path, variants.with_server(url), models="none")
    assert result.server is None
    assert "/servers/0/url" in str(places(result))
    assert "user" not in said(result).replace("a user name", "")


@pytest.mark.parametrize("url", UNUSABLE_SERVERS, ids=lambda url: ascii(url)[:30])
def test_a_server_that_cannot_be_asked_is_named_and_not_asked(url, tmp_path):
    result = built(tmp_path, variants.with_server(url), models="none")
    assert data(result, "operations.json")["servers"] == []
    assert "cannot be asked" in said(result)


@pytest.mark.parametrize("url", PRIVATE_SERVERS, ids=ascii)
def test_a_private_server_is_told_however_it_is_written(url, tmp_path):
    result = built(tmp_path, variants.with_server(url), models="none")
    assert "it is asked only if the operator names it" in said(result)


REFUSED_PATHS = (
    "/../x/{item_id}", "/a/./{item_id}", "/%2e%2e/{item_id}", "/a/..;x/{item_id}", "/a\\..\\{item_id}", "/a//{item_id}",
    "//evil.example/{item_id}", "/a\r\nX: y/{item_id}", "/a\0/{item_id}", "/a\u2028/{item_id}", "/a%2f%2e%2e/{item_id}",
    "/a/{item_id", "/a/item_id}", "/a/{}", "a/{item_id}", "https://evil.example/{item_id}", "/a/ .. /{item_id}",
    "@evil.example/{item_id}",
)  # fmt: skip


@pytest.mark.parametrize("template", REFUSED_PATHS, ids=ascii)
def test_a_path_that_would_lead_elsewhere_is_refused(template, tmp_path):
    result = built(tmp_path, variants.with_path(template), models="none")
    assert result.server is None
    assert "/paths/" in str(places(result))


SLOW = (
    "^(a+)+$", "(a|aa)+$", "^(.*a){20}$", "(x+x+)+y", "a*a*a*a*b", "(a{0,30}){0,30}$", "(.*)*=(.*)*", "^(a+)\\1+$",
    "^(?:(?=a*b)a)*c", "^(.+)\\1$", "^(?=(a+)+$)b", "(?:a?){40}a{40}", "^(\\w+\\s?)+$",
)  # fmt: skip
ODD = (
    "[a-", "*", "(", "\\", "(?P<n>a)", "\\k<n>", "(?i)a", "a++", "\\Aa\\Z", "(?<=a+)b", "\\p{Nope}", "\\h", "a{5,2}",
    "(" * 5_000 + ")" * 5_000, "a|" * 5_000, "x" * 100_000, "^.{1,4294967296}$", "\\Q..\\E", "(?(1)a|b)", "(?>a)",
)  # fmt: skip
FINE = ("\\s+$", "a+b", ".*x$", "(a)\\1+$", "(?=.*a)(?=.*b)^.*$", "^abc$", "abc$", "^[a-z]+$", "\\p{L}+", "(?<n>a)")


@pytest.mark.parametrize("pattern", [*SLOW, *ODD, *FINE], ids=lambda pattern: ascii(pattern)[:30])
def test_a_pattern_is_shown_and_takes_no_time(pattern, tmp_path):
    result = built(tmp_path, variants.with_pattern(pattern), models="none")
    entry = data(result, "catalog.json")["tools"][0]
    assert entry["definition"]["inputSchema"]["properties"]["q"]["pattern"] == pattern
    skipped = entry.get("unenforced_patterns", [])
    assert skipped == ([] if pattern in FINE else [pattern])
    assert ("not enforced" in said(result)) == (pattern not in FINE)
    accepts = compile_validator(entry["definition"]["inputSchema"], skip_patterns=skipped).accepts
    for text in ("a" * 40 + "!", "a" * 8_000 + "!", " " * 8_000 + "x", "a" * 1_000_000 + "!", "abc\n"):
        began = time.process_time()
        accepts({"item_id": "a", "q": text})
        assert time.process_time() - began < 1


@pytest.mark.parametrize("pattern", ["^abc$", "abc$", "^[a-z]+$"])
def test_the_end_of_a_pattern_is_not_before_a_line_break(pattern, tmp_path):
    result = built(tmp_path, variants.with_pattern(pattern), models="none")
    accepts = compile_validator(data(result, "catalog.json")["tools"][0]["definition"]["inputSchema"]).accepts
    assert accepts({"item_id": "a", "q": "abc"})
    assert not accepts({"item_id": "a", "q": "abc\n"})


def test_many_slow_patterns_cost_no_more_than_a_few(tmp_path):
    document = variants.with_pattern("a")
    document["paths"][variants.PATH]["get"]["parameters"] += [
        {"name": f"p{number}", "in": "query", "schema": {"type": "string", "pattern": "(a|b|c|d)*" * 48 + f"{number}"}}
        for number in range(500)
    ]
    result = built(tmp_path, document, models="none")
    assert len(data(result, "catalog.json")["tools"][0]["unenforced_patterns"]) == 500


def test_schemas_that_refer_twice_to_the_next_are_looked_at_once(tmp_path):
    document = variants.with_pattern("a")
    schemas = document["components"]["schemas"]
    for number in range(60):
        following = {"$ref": f"#/components/schemas/S{number + 1}"}
        schemas[f"S{number}"] = {"allOf": [following, following]}
    schemas["S60"] = {"type": "object", "properties": {"a": {"type": "string"}}}
    schema = {"$ref": "#/components/schemas/S0"}
    document["paths"][variants.PATH]["get"]["parameters"][1]["schema"] = schema
    assert built(tmp_path, document, models="none").server is not None


LOADED = {
    "tag.yaml": b"x: !!python/object/apply:os.system [x]\n",
    "tag-name.yaml": b"x: !!python/name:os.system\n",
    "tag-handle.yaml": b"%TAG ! tag:yaml.org,2002:python/\n---\nx: !name:os.system\n",
    "tag-own.yaml": b"x: !own y\n",
    "set.yaml": b"x: !!set {a, b}\n",
    "self.yaml": b"x: &a [*a]\n",
    "self-merge.yaml": b"x: &a {<<: *a}\n",
    "keys.yaml": b"x: {? [1, 2] : 3}\n",
    "nul.yaml": b"x: a\0b\n",
    "escape.yaml": b"x: \x1b[31m\n",
    "two.yaml": b"a: b\n---\nc: d\n",
    "digits.yaml": b"x: " + b"9" * 5_000 + b"\n",
    "deep.yaml": b"x: " + b"[" * 20_000 + b"\n",
    "trailing.json": b"{}x",
    "infinite.json": b'{"x": -Infinity}',
    "exponent.json": b'{"x": 1e99999999999999999999}',
    "digits.json": b'{"x": ' + b"9" * 900_000 + b"}",
    "deep.json": b'{"a":' * 40_000,
    "duplicate.json": b'{"x-a": 1, "x-\\u0061": 2}',
    "utf-8.json": b'{"x": "\xc0\xaf"}',
    "surrogate.json": b'{"x": "\xed\xa0\x80"}',
    "number.json": b"5",
    "packed.json": b"\x1f\x8b\x08\0",
    "bytes.json": bytes(range(256)) * 100,
}


@pytest.mark.parametrize("name", LOADED)
def test_a_file_that_cannot_be_read_is_refused_with_its_place(name, tmp_path):
    result = built(tmp_path, LOADED[name], name=name)
    assert result.server is None
    assert all(one.span is not None for one in result.diagnostics[:1])


SCHEMES = (
    {"type": "apiKey", "in": "header", "name": "A B"}, {"type": "apiKey", "in": "header", "name": "A\r\nX"},
    {"type": "apiKey", "in": "header", "name": ""}, {"type": "apiKey", "in": "cookie", "name": "a;b"},
    {"type": "apiKey", "in": "body", "name": "a"}, {"type": "http", "scheme": "a\r\nb"}, {"type": "nope"},
    {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "file:///etc/passwd", "scopes": {}}}},
)  # fmt: skip


@pytest.mark.parametrize("scheme", SCHEMES, ids=str)
def test_a_scheme_that_cannot_be_sent_is_refused_or_only_takes_a_given_token(scheme, tmp_path):
    result = built(tmp_path, variants.with_scheme(scheme), models="none")
    if result.server is None:
        assert "/components/securitySchemes" in str(places(result)) or "/paths/" in str(places(result))
    else:
        assert "file:" not in json.dumps(data(result, "operations.json"))
