"""Which subjects of a module become tools: the public functions, or what `__all__` and `expose` name, without `hide`.

A glob in `expose` and `hide` matches names as people write them (`station_*`, `calc.*`). What is a tool only on request
(a lambda, a partial, an alias, a method) must be named by `expose` itself or by a pattern that names its owner.
"""

from __future__ import annotations

import ast
import fnmatch
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule
from .decorators import Decorations, read_decorators
from .subjects import Subject, Subjects
from .unmatched import candidates_of, nearest
from .view_markers import marker_of
from .wrappers import makes_functions

if TYPE_CHECKING:
    from ...config import Config
    from .program import Module, Program
    from .resolve import Resolver


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A subject that becomes a tool, its decorations, and whether the user named it (then its failure is theirs)."""

    subject: Subject
    decorations: Decorations
    named: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The chosen subjects in the order of the source, the units that cannot be chosen, what was found on the way.

    `offered` are the functions that a marker makes a resource, a prompt, a completer or a view.
    """

    chosen: tuple[Chosen, ...]
    diagnostics: tuple[Diagnostic, ...]
    offered: tuple[Chosen, ...] = ()
    refused: tuple[str, ...] = ()


def select(module: Module, program: Program, resolver: Resolver, config: Config) -> Selection:
    """Choose the tools of a module."""
    return _Selector(module, program, resolver, config).run()


class _Selector:
    __slots__ = (
        "_config",
        "_diagnostics",
        "_module",
        "_offered",
        "_refused",
        "_resolver",
        "_subjects",
        "_used",
        "_views",
    )

    def __init__(self, module: Module, program: Program, resolver: Resolver, config: Config) -> None:
        self._module = module
        self._resolver = resolver
        self._config = config
        self._subjects = Subjects(module, program, resolver)
        self._diagnostics: list[Diagnostic] = []
        self._used: set[str] = set()
        self._refused: list[str] = []
        self._offered: list[Chosen] = []
        self._views: dict[str, list[str]] = {}
        for uri, setting in config.ui.views.items():
            if setting.function is not None:
                self._views.setdefault(setting.function, []).append(uri)

    def run(self) -> Selection:
        exports = self._resolver.exports(self._module)
        if self._module.index.computed_exports:
            self._note_computed()
        chosen = [self._consider(name, exports) for name in self._subjects.names() if not self._verifies(name)]
        chosen += self._dotted()
        for position, pattern in enumerate(self._config.expose):
            if pattern not in self._used:
                self._report("unmatched-expose", pattern, "expose", position)
        for position, pattern in enumerate(self._config.hide):
            if pattern not in self._used and not pattern.startswith("_") and not self._exists(pattern):
                self._report("unmatched-hide", pattern, "hide", position)
        return Selection(
            chosen=tuple(each for each in chosen if each is not None),
            diagnostics=tuple(self._diagnostics),
            offered=tuple(self._offered),
            refused=tuple(self._refused),
        )

    def _verifies(self, name: str) -> bool:
        """Whether the settings name this function as the one that judges tokens: never a tool, as clients would try."""
        module, _, function = str(self._config.serve.get("verify", "")).partition(":")
        return function == name and module.rpartition(".")[2] == self._module.name.rpartition(".")[2]

    def _note_computed(self) -> None:
        """Tell that `__all__` does not decide: what it holds only a run could tell."""
        binding = self._module.index.names.get("__all__")
        message = "`__all__` is computed and cannot be read statically; all public functions are served"
        span = self._module.span(binding.node) if binding is not None else None
        hint = "Write `__all__` as a list of names, or choose with `expose` in [tool.mcpgen]."
        self._diagnostics.append(Diagnostic(rule=rule("undecidable-definition"), message=message, span=span, hint=hint))

    def _exists(self, pattern: str) -> bool:
        """Whether a pattern of `hide` fits a name of the module that is no tool anyway: that one is hidden indeed."""
        owner = pattern.partition(".")[0]
        units = [subject.unit for subject in self._subjects.members(owner)] if "." in pattern else []
        return any(fnmatch.fnmatchcase(unit, pattern) for unit in (*self._subjects.names(), *units))

    def _report(self, name: str, pattern: str, table: str, position: int) -> None:
        message = f"`{pattern[:60]}` in `{table}` matches nothing"
        hint = nearest(pattern, candidates_of(self._subjects, pattern))
        span = self._config.span(table, position)
        self._diagnostics.append(Diagnostic(rule=rule(name), message=message, span=span, hint=hint, unit=table))

    def _consider(self, name: str, exports: tuple[str, ...] | None) -> Chosen | None:
        """Decide one module-level name."""
        subject = self._subjects.find(name)
        if subject is None:
            if exports is not None and name in exports:
                self._note_unreadable(name)
            return None
        decorations = self._decorations(subject)
        named = name in self._config.expose
        public = not name.startswith("_") if exports is None else name in exports
        marked = decorations.marker is not None and subject.kind == "function"
        if self._is_offer_only(subject, decorations, exports, named=named):
            return None
        if named:
            self._used.add(name)
        elif subject.kind == "reexport" or subject.opt_in:
            if exports is None or name not in exports or subject.kind in ("method", "instance"):
                self._note_opt_in(subject, exports)
                return None
        elif not public and not marked:
            self._hidden(name)
            return None
        if not named and not self._exposed(name):
            return None
        if self._hidden(name) or self._excluded(subject, decorations, named=named):
            return None
        return Chosen(subject=subject, decorations=decorations, named=named)

    def _is_offer_only(
        self, subject: Subject, decorations: Decorations, exports: tuple[str, ...] | None, *, named: bool
    ) -> bool:
        """Keep what a marker makes a resource, a prompt or a completer; False if it may be a tool as well, or only.

        `expose` chooses tools, so it has no say here; a pattern of it that matches only this is no mistake.
        """
        if not decorations.offers or not (subject.kind == "function" or named or subject.unit in (exports or ())):
            return False
        self._exposed(subject.unit)
        if not self._hidden(subject.unit):
            self._offered.append(Chosen(subject=subject, decorations=decorations, named=named))
        return decorations.marker is None

    def _dotted(self) -> list[Chosen | None]:
        """Return the methods that `expose` names: `calc.add`, `calc.*`, or an instance or class by its own name."""
        chosen: dict[str, Chosen | None] = {}
        for pattern in self._config.expose:
            owner, dot, rest = pattern.partition(".")
            binding = self._module.index.runtime.get(owner)
            if binding is None or binding.kind not in ("class", "value"):
                continue
            if not dot and binding.kind == "value" and self._subjects.find(owner) is not None:
                continue  # a lambda, a partial or an instance that is itself called
            for subject in self._subjects.members(owner):
                if subject.unit in chosen or not fnmatch.fnmatchcase(subject.unit, pattern if dot else f"{owner}.*"):
                    continue
                self._used.add(pattern)
                if self._hidden(subject.unit):
                    continue
                decorations = self._decorations(subject)
                named = bool(rest) and "*" not in rest
                if not self._excluded(subject, decorations, named=named):
                    chosen[subject.unit] = Chosen(subject=subject, decorations=decorations, named=named)
        return list(chosen.values())

    def _decorations(self, subject: Subject) -> Decorations:
        if isinstance(subject.node, ast.Lambda):
            return Decorations()
        found = read_decorators(subject.node, subject.module, self._resolver, subject.owners)
        if all(kind != "view" for kind, _ in found.offers):
            found.offers += [("view", marker_of(uri, subject.node)) for uri in self._views.get(subject.unit, ())]
        return found

    def _exposed(self, name: str) -> bool:
        """Whether the patterns of `expose` let a name through; without patterns everything is."""
        if not self._config.expose:
            return True
        matching = [pattern for pattern in self._config.expose if fnmatch.fnmatchcase(name, pattern)]
        self._used.update(matching)
        return bool(matching)

    def _hidden(self, name: str) -> bool:
        matching = [pattern for pattern in self._config.hide if fnmatch.fnmatchcase(name, pattern)]
        self._used.update(matching)
        return bool(matching)

    def _excluded(self, subject: Subject, decorations: Decorations, *, named: bool) -> bool:
        """Whether something about the definition makes it no tool; what the user named is told why."""
        node = subject.node
        if isinstance(node, ast.Lambda):
            return False
        reason = decorations.excluded
        if reason is None and decorations.overload:
            reason = "it has overloads and no implementation"
        if reason is None and decorations.marker is None and makes_functions(node):
            reason = "it returns a function (a decorator, or a maker of functions)"
        if reason is not None and (named or decorations.marker is not None):
            self._refuse(subject, f"`{subject.unit}` cannot be a tool: {reason}")
        elif reason is not None:
            self._note_passed_over(subject, reason)
        return reason is not None

    def _note_passed_over(self, subject: Subject, reason: str) -> None:
        self._diagnostics.append(
            Diagnostic(
                rule=rule("opt-in"),
                severity=Severity.NOTE,
                message=f"`{subject.unit}` is no tool: {reason}",
                span=subject.module.span(subject.node),
                unit=subject.unit,
            )
        )

    def _refuse(self, subject: Subject, message: str) -> None:
        span = subject.module.span(subject.node)
        found = Diagnostic(rule=rule("unsupported-feature"), message=message, span=span, unit=subject.unit)
        self._diagnostics.append(found)
        self._refused.append(subject.unit)

    def _note_opt_in(self, subject: Subject, exports: tuple[str, ...] | None) -> None:
        """Tell that a lambda or a partial could be a tool; aliases and instances are too common to be told of."""
        if subject.kind not in ("lambda", "partial") or subject.unit.startswith("_") or exports is not None:
            return
        article = "a lambda" if subject.kind == "lambda" else "a `functools.partial`"
        node = self._module.index.runtime[subject.unit].node
        self._diagnostics.append(
            Diagnostic(
                rule=rule("opt-in"),
                severity=Severity.NOTE,
                message=f"`{subject.unit}` is {article} and becomes a tool only when `expose` names it",
                span=self._module.span(node),
                unit=subject.unit,
            )
        )

    def _note_unreadable(self, name: str) -> None:
        """Tell that a name in `__all__` leads to no source, unless it is bound to something that is no function."""
        binding = self._module.index.names.get(name)
        if binding is not None and binding.kind != "import":
            return
        found = self._resolver.name(name, self._module)
        if type(found).__name__ != "Unknown":
            return
        self._diagnostics.append(
            Diagnostic(
                rule=rule("unsupported-feature"),
                severity=Severity.NOTE,
                message=f"`{name[:60]}` in `__all__` has no Python source that can be read; it is not a tool",
                span=self._module.span(binding.node) if binding is not None else None,
                unit=name,
            )
        )
