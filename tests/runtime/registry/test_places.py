"""Where the registry is, by system and environment."""

from __future__ import annotations

import os

import pytest

from generator.runtime.registry.places import milo_path, registry_path

posix = pytest.mark.skipif(os.name != "posix", reason="paths of Linux and macOS are not absolute on Windows")


@posix
@pytest.mark.requirement("R061")
@pytest.mark.parametrize(
    ("environ", "platform", "path"),
    [
        ({"HOME": "/home/a"}, "linux", "/home/a/.mcpgen/registry.json"),
        ({"HOME": "/home/a"}, "darwin", "/home/a/.mcpgen/registry.json"),
        ({"HOME": "/home/a", "XDG_CONFIG_HOME": "/home/a/.config"}, "linux", "/home/a/.config/mcpgen/registry.json"),
        ({"HOME": "/home/a", "XDG_CONFIG_HOME": ""}, "linux", "/home/a/.mcpgen/registry.json"),
        ({"HOME": "/home/a", "XDG_CONFIG_HOME": "relative"}, "linux", "/home/a/.mcpgen/registry.json"),
        ({"HOME": "/home/a", "LOCALAPPDATA": "/local"}, "win32", "/local/mcpgen/registry.json"),
        ({"HOME": "/home/a"}, "win32", "/home/a/AppData/Local/mcpgen/registry.json"),
        ({"HOME": "/a", "XDG_CONFIG_HOME": "/b", "MCPGEN_REGISTRY": "/c/d.json"}, "linux", "/c/d.json"),
        ({"HOME": "/a", "MCPGEN_REGISTRY": "/c/../d.json"}, "win32", "/d.json"),
    ],
)
def test_the_registry_is_where_the_system_keeps_such_files(environ, platform, path):
    assert registry_path(environ, platform) == path


@posix
def test_milo_has_its_registry_in_its_own_folder():
    assert milo_path({"HOME": "/home/a"}, "linux") == "/home/a/.milo/registry.json"
    assert milo_path({"HOME": "/home/a", "LOCALAPPDATA": "/local"}, "win32") == "/local/milo/registry.json"


def test_a_relative_override_is_made_absolute(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert registry_path({"MCPGEN_REGISTRY": "here.json"}) == str(tmp_path / "here.json")
