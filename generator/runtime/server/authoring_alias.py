"""Answer `import mcpgen` in user code with the copy this server carries, whether or not mcpgen is installed.

The copy is imported only when a module asks for it; `mcpgen.content` and `_runtime.authoring.content` are one module.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

ALIAS = "mcpgen"
AUTHORING = f"{__package__.rpartition('.')[0]}.authoring"


class AuthoringAlias:
    """A finder and loader of the import system (PEP 451) for the one name and what is below it."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 # the import system's signature
        target: ModuleType | None = None,  # noqa: ARG002 # the same
    ) -> ModuleSpec | None:
        """Claim `mcpgen` and its submodules."""
        if name != ALIAS and not name.startswith(f"{ALIAS}."):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self)  # type: ignore[arg-type]  # a loader by its methods

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave the making of a module to the import system; `exec_module` replaces it."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the real module in the place of the new one, as the import system allows."""
        from importlib import import_module

        sys.modules[module.__name__] = import_module(AUTHORING + module.__name__.removeprefix(ALIAS))


def install() -> None:
    """Put the alias in front of all finders, once; a `mcpgen` that is already imported stays."""
    if not any(isinstance(finder, AuthoringAlias) for finder in sys.meta_path):
        sys.meta_path.insert(0, AuthoringAlias())
