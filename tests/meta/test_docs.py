"""The documents say what the code says: rules, settings, limits, codes, files; and what they point at exists."""

import ast
import importlib
import itertools
import json
import re
import tomllib
from pathlib import Path

import pytest

from generator import __version__
from generator.backends.catalog import DEFAULT_SETTINGS
from generator.config import Config, load_config
from generator.config.fields import LATER, TOP, Kind, Named
from generator.diagnostics.explanations import EXPLANATIONS
from generator.diagnostics.rules import RULES
from generator.runtime.server.options import USAGE
from generator.runtime.server.session import DEFAULT_TTL_MS
from generator.runtime.wire.dialects import DIALECTS

from .documents import blocks
from .kind_words import TYPE_WORDS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
RUNTIME = ROOT / "generator" / "runtime"

GROUPS = {
    "MG1": "The Python front end",
    "MG2": "OpenAPI documents",
    "MG3": "Names and schemas",
    "MG4": "Views",
    "MG5": "Registry and gateway",
    "MG6": "Output",
    "MG7": "Configuration",
    "MG9": "Faults of mcpgen",
}
"""What the hundreds of the codes are."""

LIMIT_FILES = {
    **dict.fromkeys(
        f"{name}.py" for name in ("wire/limits", "server/http_limits", "server/farm", "server/drain", "server/capture")
    ),
    "server/hub.py": ("MAX_WATCHED",),
    "server/listening.py": ("MAX_WATCHED", "MAX_LISTENS"),
    "server/login_shell.py": ("TIMEOUT_SECONDS", "MAX_BYTES"),
    "server/settings.py": ("MAX_FILE_BYTES",),
    "server/logs.py": ("MAX_LINE",),
    "server/faults.py": ("MAX_MESSAGE",),
    "server/intake.py": ("REPORTED",),
    "server/uri_templates.py": ("LONGEST_URI",),
    "server/messages.py": ("MOST_MESSAGES",),
    "server/completions.py": ("MOST_VALUES",),
    "schema/results_problem.py": ("MAX_DEPTH", "MAX_VALUES"),
    "server/watch.py": ("DEADLINE_SECONDS", "PARENT_SECONDS"),
    "client/caps.py": None,
    "client/files.py": ("MAX_FILE_BYTES",),
    "client/service.py": ("DEFAULT_TIMEOUT",),
    "server/asking.py": ("MAX_ATTEMPTS", "MAX_QUESTIONS"),
    "server/asking_replay.py": ("STATE_SECONDS", "MAX_ROUNDS"),
    "server/sealing.py": ("LEAST_KEY", "MAX_STATE"),
    "client/http_plan.py": ("MAX_RESULT_BYTES",),
    "client/answer.py": ("MAX_EMBEDDED_BYTES",),
    "client/error_answer.py": ("MAX_BODY",),
    "client/stream_text.py": ("MAX_VALUES",),
    "client/projection.py": ("MOST_FIELDS",),
    "client/store.py": ("MAX_ANSWERS", "MAX_BYTES"),
}
"""Files of the runtime whose limits users may meet; None takes every constant that has a reason."""


def between(text: str, name: str) -> tuple[str, str, str]:
    """Split a document at the part that is written by a test."""
    begin = re.search(rf"<!-- {name}: .*? -->\n", text)
    end = text.index("<!-- end -->", begin.end())
    return text[: begin.end()], text[begin.end() : end], text[end:]


def keep_equal(path: Path, wanted: str, update: bool) -> None:
    if update:
        path.write_text(wanted, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == wanted, "run `pytest tests/meta --update-golden` and review the change"


# -- rules.md


def rules_document() -> str:
    lines = [
        "# Rules",
        "",
        "<!-- written by pytest tests/meta --update-golden from generator/diagnostics/rules.py -->",
        "",
        "Everything a build may say. An *error* means that something was left out or refused, a *warning* that",
        "something is served otherwise than it might look, a *note* is worth knowing. `mcpgen explain CODE` says the",
        "same; codes are never reused.",
        "",
        "A function that cannot be served is an error and is left out; the rest is built (exit 0), unless the function",
        "was named in `expose`, nothing is left, or `--strict` makes every error and warning count (exit 2).",
    ]
    for prefix, title in GROUPS.items():
        group = [rule for rule in RULES if rule.code.startswith(prefix)]
        if group:
            lines += ["", f"## {prefix}xx: {title}", "", "| code | name | | |", "|---|---|---|---|"]
            lines += [f"| {rule.code} | `{rule.name}` | {rule.severity} | {_told(rule)} |" for rule in group]
    return "\n".join(lines) + "\n"


def _told(rule) -> str:
    return f"{rule.summary} {rule.explanation}".strip().replace("|", "\\|")


def test_rules_md_is_the_table_of_rules(update_golden):
    assert {rule.code[:3] for rule in RULES} <= set(GROUPS)
    keep_equal(DOCS / "rules.md", rules_document(), update_golden)


# -- configuration.md


def settings(shape, path=()):
    """Yield every setting's path and kind; `*` stands for a name the user chooses."""
    if isinstance(shape, Kind):
        yield ".".join(path), shape
    elif isinstance(shape, Named):
        yield from settings(shape.item, (*path, "*"))
    else:
        for key, field in shape.fields.items():
            yield from settings(field, (*path, key))
        if shape.named is not None:
            yield from settings(shape.named, path)


@pytest.fixture(scope="module")
def described():
    """Return type and default of each setting as configuration.md has them."""
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w.*]+)` \| (.+?) \| (.+?) \| .+ \|$", text, re.MULTILINE)
    assert len(rows) == len({key for key, _, _ in rows})
    return {key: (kind, default) for key, kind, default in rows}


def test_configuration_md_describes_every_setting_and_no_other(described):
    assert set(described) == {path for path, _ in settings(TOP)}


def test_configuration_md_calls_the_types_by_their_names(described):
    places = [importlib.import_module(f"generator.config.{name}") for name in ("kinds", "serve", "verify", "gateway")]
    kinds = {name: next(getattr(place, name) for place in places if hasattr(place, name)) for name in TYPE_WORDS}
    words = {id(kinds[name]): word for name, word in TYPE_WORDS.items()}
    for path, kind in settings(TOP):
        wanted = words.get(id(kind)) or _choices(kind.schema)
        assert described[path][0] == wanted, path


def _choices(schema: dict) -> str:
    several = schema.get("type") == "array"
    shown = [f"`{json.dumps(value)}`" for value in (schema["items"] if several else schema)["enum"]]
    return f"{'array of ' if several else ''}{', '.join(shown[:-1])} or {shown[-1]}"


def test_configuration_md_has_the_defaults_of_the_code(described):
    defaults = {f"settings.{key}": json.dumps(value) for key, value in DEFAULT_SETTINGS.items()}
    defaults |= {"settings.ttl_ms": str(DEFAULT_TTL_MS), "settings.log_format": '"text"'}
    defaults |= {key: json.dumps(getattr(Config(), key)) for key in ("enabled", "strict")}
    for key, default in defaults.items():
        assert described[key][1] == f"`{default}`", key


def test_the_examples_of_configuration_md_are_read_and_use_every_setting(tmp_path):
    used = set()
    for number, block in enumerate(blocks(DOCS / "configuration.md")):
        assert block.language == "toml"
        place = tmp_path / str(number)
        place.mkdir()
        (place / str(block.file)).write_text(block.text, encoding="utf-8")
        assert load_config(place, explicit=place / str(block.file)).diagnostics == ()
        used |= _paths(tomllib.loads(block.text)["tool"]["mcpgen"], TOP)
    assert used == {path for path, _ in settings(TOP)}


def _paths(value, shape, path=()) -> set[str]:
    if isinstance(shape, Kind):
        return {".".join(path)}
    if isinstance(shape, Named):
        return {found for item in value.values() for found in _paths(item, shape.item, (*path, "*"))}
    return {
        found
        for key, item in value.items()
        for found in _paths(item, shape.field(key), (*path, key if key in shape.fields else "*"))
    }


def test_configuration_md_names_the_tables_of_later(described):
    text = (DOCS / "configuration.md").read_text(encoding="utf-8")
    assert {name for name in LATER if f"`{name}`" not in text} == set()


# -- runtime.md


def limits_table() -> str:
    lines = ["| limit | | reason |", "|---|---|---|"]
    for path, wanted in LIMIT_FILES.items():
        module = importlib.import_module(f"generator.runtime.{path.removesuffix('.py').replace('/', '.')}")
        told = constants(RUNTIME / path)
        for name in wanted or [each for each in told if each.isupper()]:
            value = getattr(module, name)
            if isinstance(value, int | float):
                reason = re.sub(r" \(decision \d+\)", "", told[name])
                lines.append(f"| `{path.removesuffix('.py')}.{name}` | {amount(name, value)} | {reason} |")
    return "\n".join(lines) + "\n"


def constants(path: Path) -> dict[str, str]:
    """Return the reason that stands below each constant of a file, as one line."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    found = {}
    for node, following in itertools.pairwise(body):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(following, ast.Expr):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and isinstance(following.value, ast.Constant):
                found[target.id] = " ".join(str(following.value.value).split())
    return found


def amount(name: str, value: float) -> str:
    """Write a limit for people: with its unit where its name has one."""
    if "BYTES" in name or name == "MAX_LINE":
        for unit, bits in (("MiB", 20), ("KiB", 10)):
            if value >= 1 << bits and not value % (1 << bits):
                return f"{value >> bits} {unit}"
        return f"{value:,} bytes"
    if "SECONDS" in name or "TIMEOUT" in name:
        return f"{value:g} s"
    if "CHARACTERS" in name and value >= 1 << 20:
        return f"{value >> 20} Mi"
    return f"{value:,}"


def test_runtime_md_has_the_limits_with_their_reasons(update_golden):
    path = DOCS / "runtime.md"
    before, _, after = between(path.read_text(encoding="utf-8"), "limits")
    keep_equal(path, before + limits_table() + after, update_golden)


def test_runtime_md_explains_every_code_that_the_runtime_sends():
    sent = set()
    for path in sorted(RUNTIME.rglob("*.py")):
        if "__pycache__" not in path.parts:
            sent |= set(re.findall(r"\"(M-[A-Z]+-\d{3})\"", path.read_text(encoding="utf-8")))
    text = (DOCS / "runtime.md").read_text(encoding="utf-8")
    assert len(sent) > 5
    assert sent == set(re.findall(r"^\| (M-[A-Z]+-\d{3}) \|", text, re.MULTILINE))


def test_runtime_md_explains_every_option_and_revision():
    text = (DOCS / "runtime.md").read_text(encoding="utf-8")
    options = set(re.findall(r"(--[a-z-]+)", USAGE))
    assert {option for option in options if f"`{option}" not in text} == set()
    assert {version for version in DIALECTS if version not in text} == set()


def test_runtime_md_explains_every_json_rpc_error_the_runtime_sends():
    source = (RUNTIME / "wire" / "jsonrpc.py").read_text(encoding="utf-8")
    text = (DOCS / "runtime.md").read_text(encoding="utf-8")
    assert set(re.findall(r" = (-32\d{3})$", source, re.MULTILINE)) == set(
        re.findall(r"^\| (-32\d{3}) \|", text, re.MULTILINE)
    )


# -- catalog.md


@pytest.mark.parametrize("name", ["catalog", "operations", "registry", "routes", "lock"])
def test_catalog_md_names_every_member_of_a_file(name):
    schema = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    members = set(schema["properties"])
    if name == "catalog":
        members |= set(schema["$defs"]["tool"]["properties"])
    text = (DOCS / "catalog.md").read_text(encoding="utf-8")
    assert {member for member in members if f"`{member}`" not in text} == set()


# -- all of them


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_the_paths_that_are_named_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:\.ci|generator|templates|schemas|samples|tests|docs|benchmarks)/[\w./-]*)`", text))
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_contributing_shows_every_folder_of_the_code():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    folders = {path for path in (ROOT / "generator").iterdir() if (path / "__init__.py").is_file()}
    folders |= {path for path in RUNTIME.iterdir() if (path / "__init__.py").is_file()}
    folders |= {path for path in (ROOT / "generator" / "frontends").iterdir() if (path / "__init__.py").is_file()}
    relative = {f"`{path.relative_to(ROOT).as_posix()}/`" for path in folders}
    assert len(relative) > 10
    assert {path for path in relative if path not in text} == set()


def test_the_changelog_has_this_version_and_the_form_of_keep_a_changelog():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## \[?([^\]\s]+)\]?", text, re.MULTILINE)
    assert versions[0] == "Unreleased" or versions[0] == __version__
    assert __version__ in text
    sections = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert sections <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_every_decision_that_the_code_cites_is_written_down():
    cited = set()
    for folder in ("generator", "templates"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".jinja"):
                text = path.read_text(encoding="utf-8")
                for numbers in re.findall(r"[Dd]ecisions? (\d+(?:(?:, | and )\d+)*)", text):
                    cited |= set(re.findall(r"\d+", numbers))
    written = set(re.findall(r"^- \*\*(\d+)\*\* ", (DOCS / "decisions.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert len(cited) > 5
    assert cited <= written


def test_every_rule_says_what_to_do_about_it():
    assert [rule.name for rule in RULES if not rule.explanation] == []
    assert set(EXPLANATIONS) <= {rule.name for rule in RULES}
