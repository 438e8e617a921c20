"""Turn annotated Python modules and API descriptions into standalone MCP servers.

The door for programs: `build` takes what the command takes and returns a tree of files with diagnostics; nothing is
written and nothing of the source is run.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .pipeline import BuildResult

__all__ = ["__version__", "build"]

__version__ = "0.1.0"

__mcpgen__ = True
"""What the launcher looks for: another distribution may install a package of the same name."""


def build(
    source: str,
    *,
    name: str | None = None,
    package: str | None = None,
    python: str | None = None,
    config: str | None = None,
    link: bool = False,
) -> BuildResult:
    """Build a server in memory from a module's path, a package's folder or an installed module's dotted name.

    `name` and `package` win over the settings, `python` names the environment modules are looked up in, `config` a
    settings file. The result's `server` is None when nothing can be served; its diagnostics say why.
    """
    from .pipeline import BuildResult
    from .pipeline import build as build_tree
    from .request import Words, prepared

    words = Words(source=source, name=name, package=package, python=python, config=config, link=link)
    request, problems = prepared(words)
    return BuildResult(server=None, diagnostics=problems) if request is None else build_tree(request)
