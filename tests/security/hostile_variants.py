"""Descriptions made hostile in the ways of the attack corpus: the benign one, with something put into its places."""

from __future__ import annotations

import copy
import json

from .conftest import ATTACKS

BENIGN = json.loads((ATTACKS / "openapi" / "00-benign.json").read_text(encoding="utf-8"))
CODE = "__import__('pathlib').Path(__import__('os').environ['MCPGEN_CANARY']).touch()"
"""What leaves a trace when it is run."""

PATH = "/items/{item_id}"

TEXTS = {
    "nel-ls-ps": f"a\x85{CODE}\u2028{CODE}\u2029{CODE}",
    "formfeed-vt": f"a\x0c{CODE}\x0b{CODE}\x1c{CODE}",
    "fstring": "{" + CODE + "!r:>{10}}",
    "jinja": "{{ " + CODE + " }}{% import os %}{# x #}{%- endraw -%}",
    "template-literal": "${" + CODE + "}`",
    "percent": "%(x)s %s %n %%" + CODE,
    "crlf": f"a\r\n{CODE}\r\n",
    "nul": f"a\0{CODE}",
    "ansi": f"\x1b[2J\x1b]0;x\x07\x9b31m{CODE}",
    "byte-order-mark": "\ufeff" + CODE,
    "shebang": "#!/usr/bin/env python\n" + CODE,
    "doctest": f">>> {CODE}\n1",
    "escapes": f"\\N{{BULLET}}\\x41\\u0041\\\n{CODE}\\x\\u\\U\\N{{",
    "pragmas": f"# noqa\n# fmt: off\n# type: ignore\n# pragma: no cover\n{CODE}",
    "mixed-quotes": f'"""\'\'\'\\"""\n{CODE}\n\'\'\'"""',
    "backslashes": "\\" * 7,
    "yaml": f"- !!python/object/apply:os.system ['x']\n{CODE}",
    "toml": f"'''\n[project.scripts]\nx = \"os:system\"\n{CODE}",
    "environment-file": "x\nLD_PRELOAD=/x\rPATH=/x\x85HOME=/x",
    "shell": "`id`; $(id) && id | id > /x",
    "html": "</script><script>alert(1)</script><!-- ]]> -->",
    "surrogates": "\ud83d\ude00\ude00\ud83d",
    "controls": "".join(map(chr, (*range(32), *range(127, 160)))),
    "noncharacters": "\ufffe\uffff\U0010ffff",
    "brackets": "(" * 5_000 + "{" * 5_000,
    "lines": "\n" * 5_000 + CODE,
    "spaces": "   ",
    "empty": "",
}

NAMES = (
    "..", ".", "../../x", "..\\..\\x", "CON", "con.txt", "NUL", "LPT1", "a" * 64, "a" * 65, "a" * 129, "a" * 5_000,
    "%2e%2e%2f", "a/b", "a\\b", "$ref", "__proto__", "constructor", "x\x7f", "-rf", "--help", "`id`", "$(id)",
    "\u202ecba", "\ufb01", "\u0130", "print", "a.b.c", "_fields", "body", "None", "_", "a b", "a\tb", "\u200b",
    "\u200bget", "g\u0435t", "#", "?", "&a=b", "[]", "a[b]", "{x}", "{0}", "%s", "a\r\nX: y", "\xe9", "\xdf",
    "\U000e0041", "\uff23\uff2f\uff2e", "0", "true", "null", "self", "import", "sys", "_runtime", "models", "handlers",
    "os\nimport os", "'; DROP TABLE", "<b>", "\x1b[31m", " lead", "trail ", "item_id", "q", "ITEM_ID", "q__query",
    "result", "_meta", "$defs", "properties", "x-foo", "Item", "demo_mcp", "@", "~", "~1", "get_item",
)  # fmt: skip

REFERENCES = (
    "file:///etc/passwd", "FILE:/etc/passwd", "file://localhost/etc/passwd", "/etc/passwd", "/etc/passwd#/x",
    "../secret.json", "./../secret.json", "sub/../../secret.json", "..\\secret.json", "%2e%2e/secret.json",
    "..%2fsecret.json", "..%5csecret.json", "link.json", "linked/secret.json", "link.json#/description", "pipe.json",
    "loop.json", "sub", ".", "..", "/", "//evil.example/x.json", "\\\\evil\\x.json", "http://127.0.0.1:9/x.json",
    "HTTP://169.254.169.254/latest/", "https:evil", "data:application/json,{}", "gopher://x/", "jar:file:///x.jar!/y",
    "php://filter/x", "ldap://x/y", "netdoc:///etc/passwd", "urn:x:y", "javascript:1", "${HOME}/x.json", "~/x.json",
    "/dev/zero", "/dev/stdin", "/proc/self/environ", "/proc/self/fd/0", "/proc/self/root/etc/passwd", "env:HOME",
    "C:\\x.json", "c:x.json", "x.json\0", "a\nb.json", "a" * 5_000, "#/components/schemas/~2",
    "#/components/schemas/%00", "#/../../etc", "#nope", "#/", "#/components/schemas/X",
    "#/components/schemas/Item/properties/kind/enum/-1",
)  # fmt: skip


def with_text(text: str) -> dict:
    """Put a text into every place for free text, and for an address of a page."""
    document = copy.deepcopy(BENIGN)
    document["info"] |= {
        "title": text, "version": text, "description": text, "summary": text, "termsOfService": text,
        "contact": {"name": text, "url": text, "email": text}, "license": {"name": text, "url": text},
    }  # fmt: skip
    document["servers"][0]["description"] = text
    document["tags"] = [{"name": "t", "description": text}]
    document["externalDocs"] = {"url": text, "description": text}
    item, schema = document["paths"][PATH], document["components"]["schemas"]["Item"]
    item |= {"summary": text, "description": text}
    item["get"] |= {"summary": text, "description": text, "tags": [text], "security": [{"k": []}, {"o": [text]}]}
    item["get"]["responses"]["200"] |= {
        "description": text,
        "headers": {"X-A": {"description": text, "schema": {"type": "string", "default": text}}},
        "links": {"l": {"operationId": text, "description": text}},
    }
    for parameter in item["get"]["parameters"]:
        parameter |= {"description": text, "example": text}
    item["get"]["parameters"][1]["schema"] |= {"default": text, "examples": [text], "title": text, "$comment": text}
    schema |= {"description": text, "title": text, "externalDocs": {"url": text}, "xml": {"name": text, "prefix": text}}
    schema["discriminator"] = {"propertyName": text, "mapping": {text: text}}
    schema["properties"]["name"] |= {"description": text, "default": text, "const": text}
    schema["properties"]["kind"]["enum"] = ["a", text]
    flows = {"clientCredentials": {"tokenUrl": "https://api.example.com/token", "scopes": {text: text}}}
    document["components"]["securitySchemes"] = {
        "k": {"type": "apiKey", "in": "header", "name": "X-Key", "description": text},
        "o": {"type": "oauth2", "description": text, "flows": flows},
    }
    return document


def with_name(name: str) -> dict:
    """Use a name for operations, a tag, a parameter, members and a schema."""
    document = copy.deepcopy(BENIGN)
    reference = {"$ref": "#/components/schemas/" + name.replace("~", "~0").replace("/", "~1").replace("%", "%25")}
    get = document["paths"][PATH]["get"]
    get |= {"operationId": name, "tags": [name]}
    get["parameters"].append({"name": name, "in": "query", "schema": {"type": "string"}})
    item = document["components"]["schemas"].pop("Item")
    item["properties"][name] = {"type": "string"}
    document["components"]["schemas"] |= {"Item": item, name: copy.deepcopy(item)}
    body = {"type": "object", "required": [name], "additionalProperties": False, "properties": {name: reference}}
    document["paths"]["/more"] = {
        "post": {
            "operationId": name,
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": reference}}}},
        }
    }
    return document


def with_reference(target: object) -> dict:
    """Let the answer's schema lead to a target."""
    document = copy.deepcopy(BENIGN)
    document["components"]["schemas"]["X"] = {"$ref": target}
    answer = document["paths"][PATH]["get"]["responses"]["200"]
    answer["content"]["application/json"]["schema"] = {"$ref": "#/components/schemas/X"}
    return document


def with_pattern(pattern: str) -> dict:
    """Give the query parameter a pattern."""
    document = copy.deepcopy(BENIGN)
    document["paths"][PATH]["get"]["parameters"][1]["schema"] = {"type": "string", "pattern": pattern}
    return document


def with_server(url: object) -> dict:
    """Name another server."""
    document = copy.deepcopy(BENIGN)
    document["servers"] = [{"url": url}]
    return document


def with_path(template: str) -> dict:
    """Serve the operation at another path."""
    document = copy.deepcopy(BENIGN)
    document["paths"] = {template: document["paths"][PATH]}
    return document


def with_scheme(scheme: dict) -> dict:
    """Protect the operation by a security scheme."""
    document = copy.deepcopy(BENIGN)
    document["components"]["securitySchemes"] = {"k": scheme}
    document["security"] = [{"k": []}]
    return document
