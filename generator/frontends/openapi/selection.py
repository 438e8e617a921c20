"""Which operations become tools: all, or those that tags, paths, methods, names and the `expose` list choose.

Restrictions of different kinds hold together, patterns of one kind add up, and what is excluded or hidden is out. A
pattern that is to choose something and fits nothing is an error, one that is to exclude something a warning.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from ...diagnostics.model import Diagnostic, Severity
from ...diagnostics.rules import rule
from .findings import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...config.openapi import OperationRule
    from .findings import Findings
    from .model import Api, Operation
    from .settings import OpenApiRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An operation, the name of its tool, and what settings and extensions say of it."""

    operation: Operation
    name: str
    rule: OperationRule

    @property
    def spellings(self) -> tuple[str, ...]:
        """What patterns may call the operation: its tool's name, its id, its key."""
        identity = self.operation.operation_id
        return (self.name, self.operation.key) if identity is None else (self.name, identity, self.operation.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Option:
    """One list of patterns: whether what it fits is wanted or unwanted, and what it is compared with."""

    option: str
    patterns: Sequence[str]
    fits: Callable[[Candidate, str], bool]
    wanted: bool = True
    known: Callable[[], Iterable[str]] = field(default=tuple)

    @property
    def setting(self) -> str:
        """The key of [tool.mcpgen.openapi] that says the same as the option, if there is one."""
        return f"{self.option.removeprefix('--').replace('-', '_').removesuffix('s')}s"


def chosen(candidates: Sequence[Candidate], api: Api, request: OpenApiRequest, findings: Findings) -> list[Candidate]:
    """Return the candidates that become tools, in their order, and report patterns that fit nothing."""
    kept = [each for each in candidates if not each.rule.hide]
    for option in _options(candidates, request):
        if not option.patterns:
            continue
        fitting: set[str] = set()
        for pattern in option.patterns:
            found = {each.operation.key for each in candidates if option.fits(each, pattern)}
            if not found and not _unreadable(api, pattern):
                _report_unmatched(option, pattern, request, findings)
            fitting |= found
        kept = [each for each in kept if (each.operation.key in fitting) is option.wanted]
    return _exposed(kept, candidates, api, request, findings)


def exposing(request: OpenApiRequest) -> tuple[str, ...] | None:
    """Return the patterns of `expose`, or None when nobody gave any; an empty list is a list."""
    if request.expose is not None:
        return request.expose
    config = request.config
    return config.expose if config.expose or ("expose",) in config.places else None


def is_selective(request: OpenApiRequest) -> bool:
    """Return whether the user has chosen which operations to serve, by whatever means."""
    lists = (
        request.include_tags, request.exclude_tags, request.include_paths, request.exclude_paths, request.methods,
        request.operations, request.hide, request.config.hide,
    )  # fmt: skip
    return any(lists) or exposing(request) is not None


def _options(candidates: Sequence[Candidate], request: OpenApiRequest) -> tuple[_Option, ...]:
    def tags() -> set[str]:
        return {tag for each in candidates for tag in each.operation.tags}

    def paths() -> set[str]:
        return {each.operation.path for each in candidates}

    def methods() -> set[str]:
        return {each.operation.method.lower() for each in candidates}

    def names() -> set[str]:
        return {spelling for each in candidates for spelling in each.spellings}

    hidden = (*request.hide, *request.config.hide)
    return (
        _Option(option="--include-tag", patterns=request.include_tags, fits=_has_tag, known=tags),
        _Option(option="--exclude-tag", patterns=request.exclude_tags, fits=_has_tag, wanted=False, known=tags),
        _Option(option="--include-path", patterns=request.include_paths, fits=_has_path, known=paths),
        _Option(option="--exclude-path", patterns=request.exclude_paths, fits=_has_path, wanted=False, known=paths),
        _Option(option="--methods", patterns=request.methods, fits=_has_method, known=methods),
        _Option(option="--operation", patterns=request.operations, fits=is_called, known=names),
        _Option(option="hide", patterns=hidden, fits=is_called, wanted=False, known=names),
    )


def _has_tag(candidate: Candidate, pattern: str) -> bool:
    wanted = pattern.casefold()
    return any(fnmatch.fnmatchcase(tag.casefold(), wanted) for tag in candidate.operation.tags)


def _has_path(candidate: Candidate, pattern: str) -> bool:
    path = candidate.operation.path
    return path == pattern or fnmatch.fnmatchcase(path, _literal_brackets(pattern))


def _has_method(candidate: Candidate, pattern: str) -> bool:
    return candidate.operation.method == pattern.upper()


def is_called(candidate: Candidate, pattern: str) -> bool:
    """Return whether a name or a glob means this operation: by tool name, operation id or key."""
    method, space, path = pattern.partition(" ")
    wanted = f"{method.upper()} {path}" if space and path.startswith("/") else pattern
    return wanted in candidate.spellings or any(
        fnmatch.fnmatchcase(each, _literal_brackets(wanted)) for each in candidate.spellings
    )


def _literal_brackets(pattern: str) -> str:
    """Return a glob in which `[` means itself: keys and ids have brackets, character classes nobody needs."""
    return pattern.replace("[", "[[]")


def wants(key: str, request: OpenApiRequest) -> bool:
    """Return whether an operation that cannot be read was asked for, as far as its key alone tells."""
    method, _, path = key.partition(" ")

    def fits(patterns: Sequence[str], text: str) -> bool:
        return any(fnmatch.fnmatchcase(text, _literal_brackets(pattern)) for pattern in patterns)

    if request.methods and method.upper() not in {each.upper() for each in request.methods}:
        return False
    if request.include_tags or (request.include_paths and not fits(request.include_paths, path)):
        return False
    chosen_by_name = request.operations or exposing(request)
    if chosen_by_name and not fits(chosen_by_name, key):
        return False
    return not fits((*request.exclude_paths,), path) and not fits((*request.hide, *request.config.hide), key)


def may_be_wanted(request: OpenApiRequest, path: str, method: str | None, value: object) -> bool:
    """Return whether an operation, or one of a path where no method is given, can be among those asked for.

    `value` is the operation as written. Names of tools are not known yet: what only they choose is not found here.
    """

    def fits(patterns: Sequence[str], *texts: str) -> bool:
        return any(fnmatch.fnmatchcase(text, _literal_brackets(each)) for each in patterns for text in texts)

    if (request.include_paths and not fits(request.include_paths, path)) or fits(request.exclude_paths, path):
        return False
    if method is None or not isinstance(value, Mapping):
        return True
    if request.methods and method.upper() not in {each.upper() for each in request.methods}:
        return False
    written = value.get("tags")
    tags = [each.casefold() for each in written if isinstance(each, str)] if isinstance(written, list | tuple) else []
    if request.include_tags and not fits([each.casefold() for each in request.include_tags], *tags):
        return False
    names = (f"{method} {path}", str(value.get("operationId")))
    by_name = request.operations or exposing(request)
    return not by_name or fits(by_name, *names)


def _unreadable(api: Api, pattern: str) -> bool:
    """Whether a pattern names an operation that cannot be read, which has its own diagnostic."""
    return any(fnmatch.fnmatchcase(key, _literal_brackets(pattern)) for key in api.unreadable)


def _exposed(
    kept: list[Candidate], candidates: Sequence[Candidate], api: Api, request: OpenApiRequest, findings: Findings
) -> list[Candidate]:
    """Return those of the kept that `expose` names; without a list that is all (R121)."""
    patterns = exposing(request)
    if patterns is None:
        return kept
    if not patterns:
        _expose_problem("`expose` is empty, so nothing would be served", None, None, request, findings)
        return []
    known = {spelling for each in candidates for spelling in each.spellings}
    for position, pattern in enumerate(patterns):
        if not any(is_called(each, pattern) for each in candidates) and not _unreadable(api, pattern):
            message = f"`{shown(pattern)}` in `expose` fits no operation"
            _expose_problem(message, _nearest(pattern, known), position, request, findings)
    return [each for each in kept if any(is_called(each, pattern) for pattern in patterns)]


def _expose_problem(
    message: str, hint: str | None, position: int | None, request: OpenApiRequest, findings: Findings
) -> None:
    path = ("expose",) if position is None else ("expose", position)
    span = request.config.span(*path) if request.expose in (None, request.config.expose) else None
    hint = hint or "Name tools, operation ids or keys like `GET /pets/{id}`, or remove the setting to serve everything."
    findings(Diagnostic(rule=rule("unmatched-expose"), message=message, span=span, hint=hint, unit="expose"))


def _report_unmatched(option: _Option, pattern: str, request: OpenApiRequest, findings: Findings) -> None:
    path = _written(option, request)
    where = ".".join(path) or option.option
    found = Diagnostic(
        rule=rule("unmatched-selection"),
        message=f"`{shown(pattern)}` in `{where}` fits no operation",
        span=request.config.span(*path, option.patterns.index(pattern)) if path else None,
        unit=where,
        hint=_nearest(pattern, option.known()),
        severity=None if option.wanted else Severity.WARNING,
    )
    findings(found)


def _written(option: _Option, request: OpenApiRequest) -> tuple[str, ...]:
    """Return the keys of the setting that a list comes from; empty for one of the command line."""
    config = request.config
    if option.option == "hide":
        return ("hide",) if ("hide",) in config.places else ()
    path = ("openapi", option.setting)
    stated = getattr(config.openapi, option.setting, ())
    return path if stated == option.patterns and path in config.places else ()


def _nearest(pattern: str, known: Iterable[str]) -> str | None:
    close = get_close_matches(pattern, sorted(known), n=1)
    return f"Did you mean `{shown(close[0])}`?" if close else None
