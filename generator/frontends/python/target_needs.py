"""What tools that are only named by an import string need: local modules to carry, distributions to have installed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .distributions import Distributions
from .requirement_text import requirement_name, sorted_requirements
from .standard_library import needs_installing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ...config import Config
    from .assemble import Carried
    from .local_imports import LocalModule, LocalModules


def target_modules(config: Config) -> tuple[str, ...]:
    """Return the modules that the settings name as targets of tools, for middleware, or to judge tokens."""
    targets = [tool.target for tool in config.tools.values() if tool.target is not None and not tool.hidden]
    targets += config.middleware
    verify = config.serve.get("verify")
    targets += [verify] if isinstance(verify, str) else []
    return tuple(dict.fromkeys(target.partition(":")[0] for target in targets))


def settings_of(config: Config, carried: Carried) -> dict[str, Any]:
    """Return what the server is told; a module that verifies tokens goes by its name in the emitted package."""
    told: dict[str, Any] = config.served
    verify = config.serve.get("verify")
    if isinstance(verify, str):
        module, _, name = verify.partition(":")
        told["serve"] = {**told["serve"], "verify": f"{carried.module_targets.get(module, module)}:{name}"}
    if carried.needs_site:
        told["needs_site"] = True
    return told


def local_ones(names: Sequence[str], modules: LocalModules) -> Iterator[LocalModule]:
    """Yield those of the modules that lie beside the source, each with the packages it stands in."""
    for name in names:
        top, *parts = name.split(".")
        found = modules.top(top)
        while found is not None:
            yield found
            if not parts:
                break
            found = modules.at((*found.place, parts.pop(0)))


def with_targets(carried: Carried, names: Sequence[str], search: Sequence[Path]) -> Carried:
    """Return what is carried with the distributions that the modules which are not come from."""
    outside = [name for name in names if name not in carried.module_targets]
    outside = [name for name in outside if needs_installing(name.partition(".")[0])]
    if not outside:
        return carried
    installed = Distributions(search)
    found = {one.name: one.version for one in map(installed.of, outside) if one is not None}
    listed = {requirement_name(text) for text in carried.dependencies}
    return replace(
        carried,
        dependencies=sorted_requirements([*carried.dependencies, *(name for name in found if name not in listed)]),
        needs_site=True,
        resolved=dict(sorted({**carried.resolved, **found}.items())),
    )
