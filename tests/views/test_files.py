"""Which files a view may be read from."""

import pytest

from generator.views import files
from generator.views.files import read_view

PAGE = "<!doctype html>\r\n<p>\N{SNOWMAN}\n"


@pytest.fixture
def folder(tmp_path):
    inner = tmp_path / "module"
    (inner / "pages").mkdir(parents=True)
    (inner / "pages" / "view.html").write_bytes(b"\xef\xbb\xbf" + PAGE.encode())
    (tmp_path / "outside.html").write_text(PAGE, encoding="utf-8")
    return inner


@pytest.mark.parametrize("name", ["pages/view.html", "./pages/view.html", "pages\\view.html"])
def test_a_file_below_the_folder_is_read_as_it_is_without_its_mark(folder, name):
    found = read_view(name, folder)
    assert (found.problem, found.text) == (None, PAGE)


@pytest.mark.parametrize(
    "name",
    [
        "../outside.html",
        "pages/../../outside.html",
        "/etc/passwd",
        "C:/x.html",
        "pages",
        "none.html",
        "x.py",
        "",
        ".html/x",
    ],
)
def test_any_other_is_refused(folder, name):
    assert read_view(name, folder).problem


def test_a_link_out_of_the_folder_is_refused(folder):
    (folder / "link.html").symlink_to(folder.parent / "outside.html")
    assert "link" in read_view("link.html", folder).problem


def test_a_file_that_is_no_text_or_too_large_is_refused(folder, monkeypatch):
    (folder / "latin.html").write_bytes(b"\xe5")
    assert "UTF-8" in read_view("latin.html", folder).problem
    monkeypatch.setattr(files, "MAX_VIEW_BYTES", 10)
    assert "larger" in read_view("pages/view.html", folder).problem


@pytest.mark.parametrize("name", ["../out.html", "nowhere.html", "page.txt", "latin.html"])
def test_what_is_wrong_with_a_file_comes_with_what_to_do_about_it(folder, name):
    (folder / "latin.html").write_bytes(b"<!doctype html>\xe9")
    assert read_view(name, folder).advice
