"""What was probably meant by a key that is not a setting, and a settings file that is not there."""

from pathlib import Path

import pytest

from generator.config import load_config


def loaded(folder, text):
    (folder / "mcpgen.toml").write_text(text, encoding="utf-8")
    return load_config(folder, base=folder)


@pytest.mark.parametrize(
    ("key", "annotation"),
    [
        ("read_only", "read_only"),
        ("readOnly", "read_only"),
        ("readOnlyHint", "read_only"),
        ("read-only", "read_only"),
        ("destructive", "destructive"),
        ("idempotentHint", "idempotent"),
        ("open_world", "open_world"),
    ],
)
def test_an_annotation_beside_its_table_is_shown_inside_it(tmp_path, key, annotation):
    (found,) = loaded(tmp_path, f"[tools.f]\n{key} = true\n").diagnostics
    assert (found.rule.code, found.hint) == ("MG701", f"Did you mean `annotations = {{ {annotation} = true }}`?")


@pytest.mark.parametrize("table", ["", "[tools.f]\n"])
def test_an_id_is_a_name(tmp_path, table):
    (found,) = loaded(tmp_path, f'{table}id = "x"\n').diagnostics
    assert (found.rule.code, found.hint) == ("MG701", "Did you mean `name`?")


def test_other_words_are_proposed_only_where_they_are_settings(tmp_path):
    (found,) = loaded(tmp_path, "[settings]\nid = 1\nread_only = true\n").diagnostics[:1]
    assert found.hint.startswith("Use one of coerce, ")


def test_a_settings_file_that_is_not_there_is_said_to_be_absent(tmp_path):
    (found,) = load_config(tmp_path, explicit=Path("nope.toml"), base=tmp_path).diagnostics
    assert (found.rule.code, found.message, found.span) == ("MG705", "there is no such file: `nope.toml`", None)
    assert "--config" in found.hint


def test_the_table_of_views_takes_settings_and_uris(tmp_path):
    text = '[ui]\nadvertize = "always"\n[ui."ui:/x"]\nfile = "x.html"\n[ui."ui://x"]\nfiel = "x.html"\n'
    (tmp_path / "mcpgen.toml").write_text(text, encoding="utf-8")
    hints = [each.hint for each in load_config(tmp_path, base=tmp_path).diagnostics]
    assert hints == [
        "Did you mean `advertise`?",
        "Use one of advertise, flat_key, a key that begins with `ui://`, or remove it.",
        "Did you mean `file`?",
    ]
