"""Nothing is opened outside of the folder, nothing that is no regular file, and no socket is made."""

import os

import pytest

from generator.frontends.openapi import load_library
from generator.frontends.openapi.documents import LoadProblem, open_description

SECRET = "canary-4f1d"

REFUSED = [
    "/etc/passwd", "../secret.yaml", "../secret.yaml#/a", "..%2Fsecret.yaml", "%2e%2e/secret.yaml",
    "sub/../../secret.yaml", "file:///etc/passwd", "FILE:///etc/passwd", "file://localhost/etc/passwd",
    "file://evil.example/etc/passwd", "file:/etc/passwd", "file:../secret.yaml", "/dev/zero", "/proc/self/environ",
    "//evil.example/x.json", "\\\\evil.example\\x.yaml", "/\\evil.example/x", "C:\\secret.yaml", "c:/secret.yaml",
    "data:application/json,{}", "ftp://evil.example/x", "https://evil.example/x.yaml#/A",
    "http://169.254.169.254/latest/meta-data/", "HTTP://127.0.0.1/x", "javascript:alert(1)", "urn:example:x",
    "jar:file:/x.jar!/y", "link.yaml", "linked/secret.yaml", "gopher://x/", "x%00.yaml", "x\n.yaml",
]  # fmt: skip


@pytest.fixture
def documents(api, tmp_path):
    (tmp_path / "secret.yaml").write_text(f"a: {SECRET}\n", encoding="utf-8")
    documents = api({"a.yaml": "x: {$ref: x}\n", "sub/b.yaml": "b: 1\n"})
    (tmp_path / "api" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (tmp_path / "api" / "linked").symlink_to(tmp_path)
    return documents


@pytest.mark.parametrize("reference", REFUSED)
def test_what_leads_out_is_refused_unread(documents, refusal, watching, reference):
    with watching() as events:
        diagnostic = refusal(documents, reference)
        shown = diagnostic.message + str(diagnostic.span) + str(diagnostic.notes)
    assert events == []
    assert diagnostic.rule.name == "refused-reference"
    assert diagnostic.pointer.endswith("a.yaml#/x/$ref")
    assert SECRET not in shown
    assert diagnostic.message.isprintable()


@pytest.mark.parametrize(
    "reference", ["$HOME/.ssh/id_rsa", "~/.ssh/id_rsa", "~root/x", "${HOME}", "..\\secret.yaml", "x|cat", "`id`"]
)
def test_nothing_is_expanded(documents, refusal, watching, reference):
    with watching() as events:
        assert refusal(documents, reference).rule.name == "unresolved-reference"
    assert events == []


def test_a_long_target_is_cut_and_controls_are_escaped(documents, refusal):
    message = refusal(documents, "https://evil.example/\x1b[31m\u202e" + "x" * 5_000).message
    assert message.isprintable()
    assert len(message) < 400


def test_a_link_inside_of_the_folder_is_followed(documents, tmp_path):
    (tmp_path / "api" / "inner.yaml").symlink_to("sub/b.yaml")
    assert documents.resolve("inner.yaml#/b", documents.entry)[0] == 1


def test_the_root_can_be_widened(api, tmp_path):
    files = {"specs/a.yaml": "x: 1\n", "common/b.yaml": "b: {$ref: ../specs/a.yaml#/x}\n"}
    api(files)
    documents = api({"specs/a.yaml": "x: 1\n"}, ref_root=tmp_path / "api")
    found, place = documents.resolve("../common/b.yaml#/b", documents.entry)
    assert documents.node(found, place)[0] == 1
    assert place.file.shown.endswith("api/common/b.yaml")


def test_an_overlay_read_from_elsewhere_is_not_referred_to(documents, refusal, tmp_path):
    assert documents.read_beside(str(tmp_path / "secret.yaml")).value == {"a": SECRET}
    assert refusal(documents, "../secret.yaml#/a").rule.name == "refused-reference"


def test_a_neighbour_whose_name_begins_the_same_is_outside(api, refusal, tmp_path):
    (tmp_path / "api-private").mkdir()
    (tmp_path / "api-private" / "b.yaml").write_text("b: 1\n", encoding="utf-8")
    assert refusal(api({"a.yaml": "x: 1\n"}), "../api-private/b.yaml").rule.name == "refused-reference"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no named pipes in folders")
def test_a_pipe_is_not_opened(documents, refusal, tmp_path, watching):
    os.mkfifo(tmp_path / "api" / "pipe")
    with watching() as events:
        assert "not a regular file" in refusal(documents, "pipe").message
        with pytest.raises(LoadProblem, match="not a regular file"):
            open_description(str(tmp_path / "api" / "pipe"))
    assert events == []


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/"])
def test_a_description_must_be_a_regular_file(path):
    with pytest.raises(LoadProblem) as caught:
        open_description(path)
    assert caught.value.diagnostics[0].rule.name == "unreadable-description"


@pytest.mark.parametrize("source", ["https://10.0.0.1/openapi.yaml", "HTTP://169.254.169.254/openapi.yaml"])
def test_a_description_on_a_private_host_needs_permission(source, watching):
    with watching() as events, pytest.raises(LoadProblem, match="private address") as caught:
        open_description(source)
    assert not [event for event, _ in events if event == "socket.connect"]
    assert caught.value.diagnostics[0].hint == "Add --allow-private-hosts if the host is meant."


def test_a_file_over_the_limit_is_refused(api, monkeypatch):
    monkeypatch.setattr(load_library, "MAX_FILE_BYTES", 10)
    with pytest.raises(LoadProblem, match="more than 10 bytes"):
        api({"a.yaml": "x: 1234567890\n"})


def test_all_files_share_a_limit_on_bytes(api, refusal, monkeypatch):
    documents = api({"a.yaml": "x: 1\n", "b.yaml": "x: 1\n", "c.yaml": "x: 1\n"})
    monkeypatch.setattr(load_library, "MAX_TOTAL_BYTES", 12)
    assert documents.resolve("b.yaml#/x", documents.entry)[0] == 1
    assert refusal(documents, "c.yaml").rule.name == "loading-limit"


def test_the_number_of_files_has_a_limit(api, refusal, monkeypatch):
    documents = api({"a.yaml": "x: 1\n", "b.yaml": "x: 1\n"})
    monkeypatch.setattr(load_library, "MAX_FILES", 1)
    assert refusal(documents, "b.yaml").rule.name == "loading-limit"


def test_reading_has_a_limit_on_time(api, refusal, monkeypatch):
    documents = api({"a.yaml": "x: 1\n", "b.yaml": "x: 1\n"})
    monkeypatch.setattr(load_library.time, "monotonic", lambda: 1e12)
    assert refusal(documents, "b.yaml").rule.name == "loading-limit"
