"""A registry that is a link: whoever can set it chooses which of the user's files is read."""

from __future__ import annotations

import os

import pytest

from generator.runtime.registry.problems import RegistryError
from generator.runtime.registry.reading import read
from generator.runtime.registry.writing import change

posix = pytest.mark.skipif(os.name != "posix", reason="links and rights are of another kind there")


def refusal(path):
    with pytest.raises(RegistryError) as caught:
        read(str(path))
    return caught.value.problem


@posix
def test_a_link_that_others_may_exchange_is_refused(write, tmp_path):
    """The file it leads to may be anything of the user's: whoever sets the link chooses it."""
    path = write({"version": 1})
    link = tmp_path / "all" / "registry.json"
    link.parent.mkdir()
    link.symlink_to(path)
    assert read(str(link)).entries == {}
    link.parent.chmod(0o777)
    assert refusal(link).rule == "unsafe-registry"
    with pytest.raises(RegistryError):
        change(str(link), lambda document: document.update(more=1))


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() != 0, reason="only root may give links away on Linux")
def test_a_link_of_another_user_is_refused(write, tmp_path):
    link = tmp_path / "registry.json"
    link.symlink_to(write({"version": 1}))
    os.chown(link, 12345, -1, follow_symlinks=False)
    assert refusal(link).rule == "unsafe-registry"
