"""What a dry run shows of a request: everything but secrets, within bounds."""

import hashlib

from generator.runtime.client.masking import MAX_SHOWN_BODY, shown
from generator.runtime.client.message import Origin, Request
from tests.runtime.client.building import body_of

API = Origin("https", "api.example.com")


def view(body=None, content_type="application/json", **parts):
    headers = [("Content-Type", content_type)] if body is not None else []
    return shown(Request("POST", API, "/x?a=1", headers, body, **parts))


def test_method_url_headers_and_text_are_shown():
    assert view(b'{"a":"\xc3\xbc"}') == {
        "method": "POST",
        "url": "https://api.example.com/x?a=1",
        "headers": [["Content-Type", "application/json"]],
        "body": '{"a":"ü"}',
    }


def test_secret_headers_query_values_and_the_certificate_are_masked():
    headers = [("Authorization", "Basic eA=="), ("X-API-Key", "k1"), ("X-Other", "o")]
    request = Request(
        "GET", API, "/x?key=k2&b=1", headers, secrets=["x-api-key"], secret_query=["key"], certificate=("c", "k3")
    )
    found = shown(request)
    assert found["headers"] == [["Authorization", "***"], ["X-API-Key", "***"], ["X-Other", "o"]]
    assert found["url"] == "https://api.example.com/x?key=***&b=1"
    assert found["certificate"] == "***"
    assert "body" not in found


def test_a_binary_body_is_told_by_size_and_hash():
    body = b"\x00\xff" * 10
    assert view(body)["body"] == f"(20 bytes, sha256 {hashlib.sha256(body).hexdigest()})"
    assert view(b"")["body"] == ""


def test_a_multipart_body_is_shown_as_it_is_sent_and_binary_parts_by_size_and_hash():
    text_part = b'--B\r\nContent-Disposition: form-data; name="a"\r\n\r\ntext\r\n\r\n'
    picture = b"\x89P\x00"
    body = text_part + b"--B\r\nContent-Type: image/png\r\n\r\n" + picture + b"\r\n--B--\r\n"
    shown_as = f"(3 bytes, sha256 {hashlib.sha256(picture).hexdigest()})"
    text = view(body, "multipart/form-data; boundary=B")["body"]
    assert text.encode() == body.replace(picture, shown_as.encode())


def test_the_exact_bytes_of_a_multipart_body_of_texts_are_shown():
    content = {"type": "multipart/form-data", "kind": "multipart"}
    content_type, body = body_of({"a": "", "b": "x\r\n", "c": {"d": ["ü"]}}, **content)
    assert view(body, content_type)["body"].encode() == body


def test_a_text_is_read_in_its_charset():
    assert view(b"gr\xfc\xdfe", "text/plain; charset=iso-8859-1")["body"] == "grüße"
    assert "bytes" in view(b"gr\xfc\xdfe", "text/plain; charset=nonsense")["body"]


def test_everything_is_bounded():
    found = shown(Request("GET", API, "/" + "x" * 100_000, [("X-Long", "y" * 100_000)], b"z" * 100_000))
    assert found["body"].endswith("more characters)")
    assert len(str(found)) < MAX_SHOWN_BODY + 10_000
