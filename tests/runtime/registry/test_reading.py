"""Reading a registry file: what is used, what is passed over, what is refused, and that nothing is lost."""

from __future__ import annotations

import json
import os
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.runtime.registry.entries import Entry, fingerprint
from generator.runtime.registry.file_text import MAX_BYTES, MOST_ENTRIES
from generator.runtime.registry.names import is_name
from generator.runtime.registry.problems import RegistryError
from generator.runtime.registry.reading import read

posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no such permissions")


def refusal(path, **words):
    with pytest.raises(RegistryError) as caught:
        read(str(path), **words)
    return caught.value.problem


def test_a_file_that_is_not_there_has_no_entries(place):
    found = read()
    assert (found.path, found.entries, found.problems) == (str(place), {}, ())
    assert not place.parent.exists()


@pytest.mark.requirement("R062")
def test_entries_of_milos_form_are_read(write, command):
    """The example of Milo's documentation, and the members its own file has."""
    root = "/srv/taskman"
    write(
        {
            "version": 1,
            "clis": {
                "taskman": {"command": command, "description": "Tasks", "version": "0.1.0"},
                "notes": {
                    "command": command,
                    "description": "",
                    "version": "",
                    "project_root": root,
                    "fingerprint": fingerprint(command, root),
                    "installed_at": "2026-01-02T03:04:05Z",
                },
            },
        }
    )
    found = read()
    assert found.problems == ()
    assert list(found.entries) == ["taskman", "notes"]
    entry = found.entries["taskman"]
    assert (entry.command, entry.description, entry.version, entry.transport) == (
        tuple(command),
        "Tasks",
        "0.1.0",
        "stdio",
    )


def test_the_member_servers_is_read_as_well(write, command):
    write({"version": 1, "servers": {"a": {"command": command}}, "clis": {"b": {"url": "https://b.example/mcp"}}})
    assert set(read().entries) == {"a", "b"}


@pytest.mark.requirement("R118")
@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({}, "neither `command` nor `url`"),
        ({"command": ["/bin/true"], "url": "https://a.example"}, "both `command` and `url`"),
        ({"url": "https://a.example", "cwd": "/"}, "`cwd` goes with `command`"),
        ({"command": ["/bin/true"], "headers": {"A": "b"}}, "`headers` goes with `url`"),
        ({"command": ["/bin/true"], "transport": "http"}, "`transport` is not `stdio`"),
        ({"url": "https://a.example", "transport": "stdio"}, "`transport` is not `http`"),
        ({"command": "sh -c 'touch canary'"}, "`command` is not a list"),
        ({"command": ["true"]}, "`command` is not a list of texts that begins with an absolute path"),
        ({"command": []}, "`command`"),
        ({"command": ["/bin/echo", 1]}, "`command`"),
        ({"command": ["/bin/echo", "a\0b"]}, "`command`"),
        ({"command": ["/bin/echo", "\ud800"]}, "`command`"),
        ({"command": ["/bin/true"], "cwd": "../../"}, "`cwd` is not an absolute path"),
        ({"command": ["/bin/true"], "env": {"A\0": "b"}}, "`env`"),
        ({"command": ["/bin/true"], "env": ["A=b"]}, "`env`"),
        ({"command": ["/bin/true"], "env": {"A": 1}}, "`env`"),
        ({"command": ["/bin/true"], "digest": "md5:1"}, "`digest`"),
        ({"url": "file:///etc/passwd"}, "`url`"),
        ({"url": "https://user:secret@a.example/"}, "`url`"),
        ({"url": "https://a.example/#x"}, "`url`"),
        ({"url": "https://a.example/\r\nHost: b"}, "`url`"),
        ({"url": "https://a.example", "headers": {"A": "b\r\nC: d"}}, "`headers`"),
        ({"url": "https://a.example", "headers": {"A b": "c"}}, "`headers`"),
        ({"url": "https://a.example", "headers": {"A": "${not a name}"}}, "`headers`"),
        ("sh", "it is no object"),
        (None, "it is no object"),
        ([], "it is no object"),
    ],
)
def test_an_entry_of_another_form_is_passed_over_with_its_reason(write, command, record, reason):
    write({"version": 1, "clis": {"bad": record, "good": {"command": command}}})
    found = read()
    assert list(found.entries) == ["good"]
    (problem,) = found.problems
    assert (problem.rule, problem.entry) == ("invalid-entry", "bad")
    assert problem.message.startswith("`bad` cannot be used: ")
    assert reason in problem.message


@pytest.mark.parametrize("name", ["", "..", "a.b", "A", "1a", "a b", "a/b", "é", "a\n", "x" * 64, "\uff41"])
def test_a_name_that_could_be_something_else_is_passed_over(write, command, name):
    write({"version": 1, "clis": {name: {"command": command}, "good": {"command": command}}})
    found = read()
    assert list(found.entries) == ["good"]
    assert [problem.rule for problem in found.problems] == ["invalid-entry"]


@pytest.mark.parametrize(
    "document",
    [{"clis": ["a", "A"]}, {"clis": ["a"], "servers": ["a"]}, {"clis": ["a"], "servers": ["A"]}],
)
def test_names_that_differ_only_in_case_are_both_passed_over(write, command, document):
    """Nobody can tell which of the two was meant, so neither is run."""
    filled = {member: {name: {"command": command} for name in names} for member, names in document.items()}
    filled["clis"]["other"] = {"command": command}
    write({"version": 1, **filled})
    found = read()
    assert list(found.entries) == ["other"]
    assert len(found.problems) == 2
    assert all("registered twice" in problem.message for problem in found.problems)


OBEYED = ("LD_PRELOAD", "ld_library_path", "DYLD_INSERT_LIBRARIES", "PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME",
          "PYTHONWARNINGS", "NODE_OPTIONS", "BASH_ENV", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS")  # fmt: skip


@pytest.mark.parametrize("variable", OBEYED)
@pytest.mark.parametrize("literal", [True, False])
def test_a_variable_that_programs_obey_has_to_be_allowed(write, command, variable, literal):
    env = {variable: "x"} if literal else [variable]
    path = write({"version": 1, "clis": {"a": {"command": command, "env": env}}})
    found = read()
    assert found.entries == {}
    (problem,) = found.problems
    assert problem.rule == "unsafe-entry"
    assert f"--allow-env {variable}" in problem.hint
    assert list(read(str(path), allow_env=[variable]).entries) == ["a"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil"},
        {"content-LENGTH": "1"},
        {"Transfer-Encoding": "chunked"},
        {"Mcp-Session-Id": "x"},
        {"A": "", "a": ""},
    ],
)
def test_a_header_that_would_be_set_twice_is_refused(write, headers):
    url = "https://a.example/mcp"
    write({"version": 1, "clis": {"a": {"url": url, "headers": headers}, "b": {"url": url, "headers": {"X-A": "b"}}}})
    found = read()
    assert list(found.entries) == ["b"]
    assert [problem.rule for problem in found.problems] == ["invalid-entry"]


def test_a_value_of_path_has_to_be_allowed_and_passing_it_on_has_not(write, command):
    write(
        {
            "version": 1,
            "clis": {"a": {"command": command, "env": {"PATH": "/tmp"}}, "b": {"command": command, "env": ["PATH"]}},
        }
    )
    assert list(read().entries) == ["b"]


def test_harmless_variables_are_read_in_both_forms(write, command):
    named = {"command": command, "env": ["API_KEY", "PYTHONUNBUFFERED"]}
    write({"version": 1, "clis": {"a": named, "b": {"command": command, "env": {"MODE": "x"}}}})
    found = read().entries
    assert (found["a"].env, found["a"].values) == (("API_KEY", "PYTHONUNBUFFERED"), {})
    assert (found["b"].env, found["b"].values) == ((), {"MODE": "x"})


def test_a_command_that_was_exchanged_is_not_run(write, command):
    kept = {"project_root": "/srv/a", "fingerprint": fingerprint(command, "/srv/a")}
    write({"version": 1, "clis": {"a": {"command": ["/bin/evil"], **kept}, "b": {"command": command, **kept}}})
    found = read()
    assert list(found.entries) == ["b"]
    assert [(problem.rule, problem.entry) for problem in found.problems] == [("unsafe-entry", "a")]


BROKEN = {
    "no JSON": b"{nope",
    "cut off": b'{"version":1,"clis":{"a"',
    "empty": b"",
    "no UTF-8": b'{"version":1,"clis":{"\xff":{}}}',
    "an array": b"[]",
    "a text": b'"registry"',
    "null": b"null",
    "no version": b'{"clis":{}}',
    "entries in a list": b'{"version":1,"clis":[]}',
    "servers in a list": b'{"version":1,"servers":[]}',
    "NaN": b'{"version":1,"x":NaN}',
    "a number without an end": b'{"version":1,"x":' + b"9" * 6000 + b"}",
    "a number beyond all": b'{"version":1,"x":1e999}',
    "deep": b'{"version":1,"x":' + b"[" * 100_000,
    "two keys": b'{"version":1,"clis":{"a":{"command":["/good"]},"a":{"command":["/evil"]}}}',
    "two keys, one escaped": b'{"version":1,"clis":{"a":{"command":["/good"]},"\\u0061":{"command":["/evil"]}}}',
    "two keys inside": b'{"version":1,"clis":{"a":{"command":["/good"],"command":["/evil"]}}}',
    "two members": b'{"version":1,"clis":{},"clis":{"a":{"command":["/evil"]}}}',
    "two versions": b'{"version":99,"version":1}',
    "too large": b" " * (MAX_BYTES + 1),
    "too many entries": json.dumps({"version": 1, "clis": {f"a{n}": {} for n in range(MOST_ENTRIES + 1)}}).encode(),
}


@pytest.mark.requirement("R061")
@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_kept_aside_and_refused(write, content):
    path = write(content)
    problem = refusal(path)
    assert problem.rule == "broken-registry"
    assert path.read_bytes() == content
    copies = sorted(path.parent.glob("*.corrupt-*"))
    if len(content) > MAX_BYTES:
        assert copies == [], "the file itself is still there, whole"
        return
    assert [copy.name for copy in copies] == ["registry.json.corrupt-1"]
    assert copies[0].read_bytes() == content
    assert str(copies[0]) in problem.message


def test_copies_are_numbered_and_none_is_made_twice(write):
    for content in (b"{", b"[", b"{", b"["):
        refusal(write(content))
    path = write(b"]")
    refusal(path)
    assert {copy.name: copy.read_bytes() for copy in path.parent.glob("*.corrupt-*")} == {
        "registry.json.corrupt-1": b"{",
        "registry.json.corrupt-2": b"[",
        "registry.json.corrupt-3": b"]",
    }


@posix
def test_a_copy_is_the_users_alone_and_follows_no_link(write, tmp_path):
    path = write(b"{")
    victim = tmp_path / "victim"
    path.with_name("registry.json.corrupt-1").symlink_to(victim)
    refusal(path)
    assert not victim.exists()
    copy = path.with_name("registry.json.corrupt-2")
    assert copy.read_bytes() == b"{"
    assert copy.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("version", [2, 999, 0, -1, 1.5, "1", True, [], {}])
def test_an_unknown_version_is_refused_and_names_the_supported_ones(write, version):
    content = json.dumps({"version": version, "clis": {}}).encode()
    path = write(content)
    problem = refusal(path)
    assert problem.rule == "unknown-registry-version"
    assert problem.message.endswith("supported: 1")
    assert path.read_bytes() == content
    assert [each.name for each in path.parent.iterdir()] == ["registry.json"]


def test_a_byte_order_mark_is_no_reason_to_refuse(write, command):
    write(b"\xef\xbb\xbf" + json.dumps({"version": 1, "clis": {"a": {"command": command}}}).encode())
    assert list(read().entries) == ["a"]


@posix
@pytest.mark.parametrize("mode", [0o602, 0o620, 0o666, 0o777])
def test_a_file_that_others_may_write_is_refused(write, mode):
    problem = refusal(write({"version": 1}, mode))
    assert problem.rule == "unsafe-registry"
    assert "chmod go-w" in problem.hint


@posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o400])
def test_a_file_that_others_may_only_read_is_used(write, mode):
    assert read(str(write({"version": 1}, mode))).entries == {}


@posix
def test_a_folder_in_which_others_may_exchange_the_file_is_refused(write):
    path = write({"version": 1})
    path.parent.chmod(0o777)
    assert refusal(path).rule == "unsafe-registry"
    path.parent.chmod(0o1777)  # as /tmp: nobody else may remove or rename it
    assert read(str(path)).entries == {}


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root may give files away on Linux")
def test_a_file_of_another_user_is_refused(write):
    path = write({"version": 1})
    os.chown(path, 12345, -1)
    assert refusal(path).rule == "unsafe-registry"
    os.chown(path, 0, -1)
    os.chown(path.parent, 12345, -1)
    assert refusal(path).rule == "unsafe-registry"


@posix
def test_what_is_no_file_is_refused_at_once(place):
    place.parent.mkdir(parents=True)
    place.mkdir()
    assert refusal(place).rule == "broken-registry"
    place.rmdir()
    os.mkfifo(place, 0o600)
    assert refusal(place).rule == "broken-registry"


def test_an_entry_without_all_members_has_empty_ones():
    entry = Entry("a", {"command": ["/bin/true"]})
    assert (entry.cwd, entry.env, entry.values, entry.headers, entry.tools, entry.python) == (None, (), {}, {}, {}, "")


# -- whatever the bytes


def outcome(data, tmp_path_factory):
    """Read bytes as a registry: a set of names with the number of problems, or the rule of the refusal."""
    path = tmp_path_factory.mktemp("fuzz") / "registry.json"
    path.write_bytes(data)
    path.chmod(0o600)
    try:
        found = read(str(path))
    except RegistryError as error:
        return error.problem.rule
    finally:
        assert path.read_bytes() == data
    assert all(is_name(name) and (entry.command or entry.url) for name, entry in found.entries.items())
    assert all(problem.message and problem.hint for problem in found.problems)
    return frozenset(found.entries), len(found.problems)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=400))
def test_any_bytes_are_refused_or_read(tmp_path_factory, data):
    assert outcome(data, tmp_path_factory)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "command": st.lists(st.text(max_size=4), max_size=3).map(lambda words: [sys.executable, *words]) | JSON,
        "url": st.just("https://a.example/mcp") | JSON,
        "env": st.lists(st.sampled_from(["A", "LD_PRELOAD", "", "é"]), max_size=3) | JSON,
        "cwd": st.just("/") | JSON,
        "headers": JSON,
        "tools": JSON,
        "fingerprint": JSON,
        "project_root": JSON,
    },
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    entries=st.dictionaries(st.sampled_from(["a", "A", "b", "..", "é", "x-1"]) | st.text(max_size=5), RECORDS | JSON),
    others=st.dictionaries(st.sampled_from(["a", "b", "c"]), RECORDS | JSON, max_size=3),
)
def test_every_entry_is_read_or_told_of(tmp_path_factory, entries, others):
    document = {"version": 1, "clis": entries, "servers": others}
    found = outcome(json.dumps(document).encode(), tmp_path_factory)
    assert not isinstance(found, str)
    assert len(found[0]) + found[1] == len(entries) + len(others)
