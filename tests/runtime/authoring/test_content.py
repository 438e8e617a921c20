"""Content objects become the blocks the protocol defines."""

from __future__ import annotations

import base64

import pytest

from generator.runtime.authoring import Audio, File, Image, Link, Text

PNG = b"\x89PNG\r\n\x1a\n" + bytes(8)


def test_text_carries_annotations_and_meta():
    block = Text("hi", audience=["user"], priority=0.5, meta={"a/b": 1}).to_block()
    assert block == {
        "type": "text",
        "text": "hi",
        "annotations": {"audience": ["user"], "priority": 0.5},
        "_meta": {"a/b": 1},
    }
    assert Text("hi").to_block() == {"type": "text", "text": "hi"}


@pytest.mark.parametrize("priority", [-0.1, 1.5])
def test_a_priority_outside_zero_to_one_is_refused(priority):
    with pytest.raises(ValueError, match="from 0 to 1"):
        Text("hi", priority=priority)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF0000WEBP", "image/webp"),
    ],
)
def test_an_images_format_is_found_from_its_bytes(data, kind):
    expected = {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": kind}
    assert Image(data).to_block() == expected
    assert Image(base64.b64encode(data).decode()).to_block() == expected


def test_an_unknown_format_must_be_named():
    with pytest.raises(ValueError, match="give mime_type="):
        Image(b"????")
    assert Image(b"????", mime_type="image/x").to_block()["mimeType"] == "image/x"


def test_a_string_that_is_not_base64_is_refused():
    with pytest.raises(ValueError, match=r"base64|padding"):
        Image("not base64!", mime_type="image/png").to_block()


def test_media_come_from_files_with_the_type_of_their_name(tmp_path):
    (tmp_path / "x.png").write_bytes(PNG)
    (tmp_path / "x.mp3").write_bytes(b"anything")
    assert Image.from_file(tmp_path / "x.png").to_block()["mimeType"] == "image/png"
    assert Audio.from_file(str(tmp_path / "x.mp3")).to_block() == {
        "type": "audio",
        "data": base64.b64encode(b"anything").decode(),
        "mimeType": "audio/mpeg",
    }


def test_a_file_is_text_or_data():
    assert File("memo://1", text="t", mime_type="text/plain").to_block() == {
        "type": "resource",
        "resource": {"uri": "memo://1", "mimeType": "text/plain", "text": "t"},
    }
    assert File("memo://1", data=b"\xff").to_block()["resource"] == {"uri": "memo://1", "blob": "/w=="}
    assert File("memo://1", text="").to_block()["resource"]["text"] == ""
    for wrong in ({}, {"text": "t", "data": b"d"}):
        with pytest.raises(ValueError, match="either"):
            File("memo://1", **wrong)


def test_a_file_read_from_disk_tells_nothing_of_its_folder(tmp_path):
    (tmp_path / "re port.csv").write_text("a,b", encoding="utf-8")
    (tmp_path / "x.bin").write_bytes(b"\xff\xfe\xfd")
    block = File.from_file(tmp_path / "re port.csv").to_block()
    assert block["resource"] == {"uri": "attachment:///re%20port.csv", "mimeType": "text/csv", "text": "a,b"}
    assert File.from_file(tmp_path / "x.bin").to_block()["resource"]["mimeType"] == "application/octet-stream"


def test_a_link_has_a_name_even_if_none_was_given():
    assert Link("https://x.example/a/b.txt").to_block()["name"] == "b.txt"
    assert Link("memo:", name="n", title="t", description="d", mime_type="m/t", size=3).to_block() == {
        "type": "resource_link",
        "uri": "memo:",
        "name": "n",
        "title": "t",
        "description": "d",
        "mimeType": "m/t",
        "size": 3,
    }


def test_every_content_type_carries_the_marker():
    assert all(kind.__mcp_content__ is True for kind in (Text, Image, Audio, File, Link))
