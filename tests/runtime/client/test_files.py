"""File arguments: base64 and paths, and that no path leads out of the folder."""

import base64
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.runtime.client.files import MAX_FILENAME_BYTES, Files, clean_name
from generator.runtime.client.values import ArgumentProblem

SECRET = b"secret"


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a.txt").write_bytes(b"hello")
    (tmp_path / "outside.txt").write_bytes(SECRET)
    (tmp_path / "root-2").mkdir()
    (tmp_path / "root-2" / "b.txt").write_bytes(SECRET)
    return folder


def problem_of(files, value):
    with pytest.raises(ArgumentProblem) as caught:
        files.read(value)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "AAH+/w==",
        "AAH-_w==",
        "AAH+/w",
        "AAH-_w\n",
        "AAH+\r\n/w==",
        "data:image/png;base64,AAH+/w==",
        "data:;base64,AAH-_w",
    ],
)
def test_base64_is_read_in_each_of_its_forms(text):
    assert Files(None).read(text).data == b"\x00\x01\xfe\xff"


def test_a_data_url_and_an_object_name_the_type():
    assert Files(None).read("data:image/png;base64,AAH+").media_type == "image/png"
    content = Files(None).read({"data": "AAH+", "filename": "x.bin", "mimeType": "a/b"})
    assert (content.filename, content.media_type) == ("x.bin", "a/b")


@pytest.mark.parametrize(
    "text",
    ["AAH+/x", "AAH+/w=", "AAH+/", "AAH+ /w", "report", "hello world", "é", "data:text/plain,abc", "/etc/passwd?"],
)
def test_what_is_not_base64_is_refused(text):
    assert "base64" in problem_of(Files(None), text).message


@pytest.mark.parametrize("value", [5, {}, {"data": "AAH+", "path": "a"}, {"filename": "a"}, {"data": 5}])
def test_a_file_has_either_data_or_a_path(value):
    assert "data" in problem_of(Files(None), value).message


def test_a_path_below_the_root_is_read_with_its_name(root):
    content = Files(str(root)).read({"path": "inner/a.txt"})
    assert (content.data, content.filename, content.media_type) == (b"hello", "a.txt", None)
    assert Files(str(root)).read({"path": str(root / "inner" / "a.txt"), "filename": "b.txt"}).filename == "b.txt"


def test_a_path_without_a_configured_folder_is_refused_with_what_to_do():
    problem = problem_of(Files(None), {"path": "a.txt"})
    assert problem.path == ("path",)
    assert "`files`" in problem.message
    assert "base64" in problem.message


@pytest.mark.parametrize(
    "path", ["../outside.txt", "inner/../../outside.txt", "/etc/passwd", "../root-2/b.txt", ".", "inner", ""]
)
def test_a_path_out_of_the_root_or_to_a_folder_is_refused(root, path):
    problem = problem_of(Files(str(root)), {"path": path})
    assert problem.path == ("path",)
    assert str(root) not in problem.message


@pytest.mark.parametrize("path", ["nothing.txt", "a\0b", "inner/a.txt/b", "x" * 5000])
def test_a_file_that_cannot_be_opened_is_told(root, path):
    assert problem_of(Files(str(root)), {"path": path}).path == ("path",)


def test_a_link_inside_may_stay_inside_but_not_lead_out(root):
    (root / "in.txt").symlink_to(root / "inner" / "a.txt")
    (root / "out.txt").symlink_to(root.parent / "outside.txt")
    (root / "up").symlink_to(root.parent)
    assert Files(str(root)).read({"path": "in.txt"}).data == b"hello"
    assert "leads out" in problem_of(Files(str(root)), {"path": "out.txt"}).message
    assert "leads out" in problem_of(Files(str(root)), {"path": "up/outside.txt"}).message


def test_a_link_that_appears_after_the_check_is_not_followed(root, monkeypatch):
    (root / "out.txt").symlink_to(root.parent / "outside.txt")
    (root / "up").symlink_to(root.parent)
    real = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", lambda path: real(path) if path == str(root) else path)
    for path in ("out.txt", "up/outside.txt"):
        assert problem_of(Files(str(root)), {"path": path}).path == ("path",)


def test_a_pipe_is_refused_without_waiting_for_it(root):
    os.mkfifo(root / "pipe")
    assert "regular" in problem_of(Files(str(root)), {"path": "pipe"}).message


def test_a_file_over_the_limit_is_refused(root):
    assert "larger" in problem_of(Files(str(root), max_bytes=4), {"path": "inner/a.txt"}).message
    assert Files(str(root), max_bytes=5).read({"path": "inner/a.txt"}).data == b"hello"


@pytest.mark.parametrize("media_type", ["image", "a/b\r\nX: 1", "é/b", "/b", "a/"])
def test_a_media_type_that_is_none_is_refused(media_type):
    assert problem_of(Files(None), {"data": "AAH+", "mimeType": media_type}).path == ("mimeType",)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("a.txt", "a.txt"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\y.txt", "y.txt"),
        ('a"b;c.txt', "a_b_c.txt"),
        ("..", "file"),
        ("", "file"),
        ("con.txt", "_con.txt"),
        ("grüße.txt", "grüße.txt"),
    ],
)
def test_a_name_is_cleaned(name, clean):
    assert clean_name(name) == clean


def test_saved_files_have_clean_names_of_their_own_and_are_private(root):
    files = Files(str(root))
    first, second = Path(files.save("../../a.txt", b"1")), Path(files.save("a.txt", b"2"))
    assert (first.parent, first.name, second.name) == (root.resolve(), "a.txt", "a-2.txt")
    assert second.read_bytes() == b"2"
    assert second.stat().st_mode & 0o077 == 0
    assert Path(files.save("report", b"")).name == "report"


def test_a_file_is_not_saved_through_a_link_that_is_already_there(root):
    (root / "a.txt").symlink_to(root.parent / "outside.txt")
    assert Path(Files(str(root)).save("a.txt", b"new")).name == "a-2.txt"
    assert (root.parent / "outside.txt").read_bytes() == SECRET


def test_saving_without_a_folder_is_refused(tmp_path):
    assert not Files(None).configured
    for files in (Files(None), Files(str(tmp_path / "none"))):
        with pytest.raises(ArgumentProblem, match="files"):
            files.save("a.txt", b"")


@given(st.text(max_size=300))
def test_a_clean_name_is_one_bounded_printable_name(name):
    clean = clean_name(name)
    assert clean
    assert clean not in (".", "..")
    assert clean.isprintable()
    assert not set(clean) & set('/\\:*?"<>|;')
    assert len(clean.encode()) <= MAX_FILENAME_BYTES + 1
    assert clean_name(clean) == clean


@given(st.binary(max_size=60))
def test_bytes_are_read_back_from_both_alphabets(data):
    assert Files(None).read(base64.b64encode(data).decode()).data == data
    assert Files(None).read(base64.urlsafe_b64encode(data).decode()).data == data
    assert Files(None).read(base64.urlsafe_b64encode(data).decode().rstrip("=")).data == data
