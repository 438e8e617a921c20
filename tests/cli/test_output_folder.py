"""`-o`: folders that are refused, and what `--check` says of them."""

import pytest

from generator.output import lock


def test_the_folder_of_the_source_is_refused(run, pipeline, tmp_path):
    before = sorted(tmp_path.rglob("*"))
    for mode in ([], ["--check"], ["--diff"], ["--dry-run"]):
        ended = run("build", "weather.py", "-o", ".", *mode)
        assert (ended.code, ended.out) == (3, "")
        assert "MG607" in ended.err
        assert "-o weather-mcp" in ended.err
        assert ended.err.endswith("nothing was written\n")
    assert sorted(tmp_path.rglob("*")) == before


def test_the_root_of_the_file_system_is_refused(run, pipeline):
    ended = run("build", "weather.py", "-o", "/")
    assert (ended.code, "root of the file system" in ended.err) == (3, True)


def test_another_servers_folder_is_refused(run, pipeline, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "mcpgen.lock").write_bytes(lock.encode(lock.Lock(generator="1", runtime="1", server="snow-mcp")))
    for mode in ([], ["--check"], ["--diff"], ["--dry-run"]):
        ended = run("build", "weather.py", "-o", "out", *mode)
        assert (ended.code, ended.out) == (3, "")
        assert "`out` is the folder of another server, `snow-mcp`" in ended.err
    assert [path.name for path in out.iterdir()] == ["mcpgen.lock"]


def test_the_lock_names_the_server(run, pipeline, tmp_path):
    run("build", "weather.py")
    assert lock.read(tmp_path / "weather-mcp").server == "weather-mcp"


@pytest.mark.parametrize(("there", "said"), [(False, "does not exist"), (True, "has no mcpgen.lock")])
def test_checking_what_was_never_built_is_one_finding_without_a_diff(run, pipeline, tmp_path, there, said):
    if there:
        (tmp_path / "never").mkdir()
    ended = run("build", "weather.py", "-o", "never", "--check")
    assert (ended.code, ended.out) == (4, "")
    assert f"`never` {said}; build it first" in ended.err
    assert "\n\n1 error" in ended.err
