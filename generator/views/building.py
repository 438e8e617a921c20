"""From what is said of views to resources of the IR: merged by URI, checked, with the files that the package carries.

What cannot be served is an error, and no link may lead to it: a view is part of the tools that show it.
"""

from __future__ import annotations

import difflib
import hashlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..diagnostics.model import Diagnostic
from ..diagnostics.rules import rule
from ..ir.model import Limits, Resource, SourceFile
from ..runtime.wire.dialects import VIEW_TYPE
from .files import ViewFile, read_view
from .metadata import csp_problem, domain_problem, permissions_problem, view_meta
from .uris import file_stem, uri_problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from .lint import ViewText
    from .statements import Statement

FOLDER = "_views"
"""Folder of the emitted package that holds the files of views."""

NEAR = 0.85
"""How alike two URIs are of which one was meant; those of one server begin alike."""

_CHECKS = (("csp", csp_problem), ("permissions", permissions_problem), ("domain", domain_problem))


@dataclass(slots=True, kw_only=True)
class Views:
    """The views of a server, the files they are read from with digests by source, and what was found.

    `refused` has the URIs of views that are spoken of and cannot be served.
    """

    resources: list[Resource] = field(default_factory=list)
    files: list[SourceFile] = field(default_factory=list)
    inputs: dict[str, str] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


def build_views(statements: Iterable[Statement]) -> Views:
    """Build the views that are spoken of; of two markers with one URI the first is served (MG313)."""
    found = Views()
    by_uri: dict[str, list[Statement]] = {}
    for each in statements:
        said = by_uri.setdefault(each.uri, [])
        if each.makes is not None and any(one.makes is not None for one in said):
            found.diagnostics.append(_twice(each))
            found.left_out += [each.unit] if each.unit else []
        else:
            said.append(each)
    for uri, said in by_uri.items():
        _build(uri, said, found, [one for one in by_uri if one != uri])
    return found


def _build(uri: str, said: Sequence[Statement], found: Views, others: Sequence[str]) -> None:
    errors = len(found.diagnostics)
    first = said[0]
    options = _merged(said, found)
    problem = uri_problem(uri)
    if problem is not None:
        message = f"the view {first.view} cannot have that URI: {problem}"
        hint = "Write it like `ui://weather/forecast`."
        found.diagnostics.append(_finding("invalid-view", message, first, hint=hint))
    found.diagnostics += _unusable(said)
    stated = next((one for one in reversed(said) if "file" in one.options), None)
    makes = next((one.makes for one in said if one.makes is not None), None)
    if stated is None and makes is None:
        found.diagnostics.append(_nothing(said, others))
    meta: dict[str, Any] = {} if len(found.diagnostics) > errors else view_meta(options)
    file = read_view(options["file"], stated.folder) if stated is not None and stated.folder is not None else None
    if file is not None and stated is not None and file.problem is not None:
        message = f"the file `{file.path[:80]}` of the view {stated.view} cannot be used: {file.problem}"
        found.diagnostics.append(_finding("invalid-view", message, stated, "file", hint=file.advice))
    texts = tuple(text for one in said for text in one.texts) if file is None else _text_of(file, stated)
    if texts:
        from .lint import lint  # a reader of HTML, which few servers need

        for text in texts:
            found.diagnostics += lint(text, first.view, meta, first.unit)
    if any(each.level == "error" for each in found.diagnostics[errors:]):
        found.left_out += [first.unit] if first.unit else []
        found.refused.append(uri)
        return
    found.resources.append(_resource(uri, makes, options, meta, _carried(uri, file, found), first))


def _resource(
    uri: str,
    makes: Resource | None,
    options: Mapping[str, Any],
    meta: Mapping[str, Any],
    file: str | None,
    by: Statement,
) -> Resource:
    made = makes or Resource(uri=uri, kind="ui", name=file_stem(uri), span=by.span)
    limits = {name: options.get(name, getattr(made.limits, name)) for name in _LIMITS}
    return replace(
        made,
        name=options.get("name", made.name),
        title=options.get("title", made.title),
        description=options.get("description", made.description),
        mime_type=VIEW_TYPE,
        limits=Limits(**limits),
        meta={**made.meta, **({"ui": dict(meta)} if meta else {})},
        call=None if file is not None else made.call,
        file=file,
    )


_LIMITS = ("timeout", "max_concurrent", "max_result_bytes")


def _merged(said: Sequence[Statement], found: Views) -> dict[str, Any]:
    """Return what is stated, the settings' word last; two places that disagree are told (MG124)."""
    options: dict[str, Any] = {}
    by: dict[str, Statement] = {}
    for one in said:
        for name, value in one.options.items():
            if name in options and not _same(name, options[name], value):
                found.diagnostics.append(_conflict(name, by[name], one))
            options[name], by[name] = value, one
        if "file" in one.options and one.makes is None:
            maker = next((each for each in said if each.makes is not None and "file" not in each.options), None)
            if maker is not None:
                found.diagnostics.append(_conflict("file", maker, one))
    return options


def _same(name: str, one: Any, other: Any) -> bool:
    """Return whether two places say the same: in either spelling, and permissions in any order."""
    if name in ("csp", "permissions") and not any(check(each) for check, each in _pairs(name, one, other)):
        return view_meta({name: one}) == view_meta({name: other})
    return bool(one == other)


def _pairs(name: str, one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    check = dict(_CHECKS)[name]
    yield from ((check, one), (check, other))


def _unusable(said: Sequence[Statement]) -> Iterator[Diagnostic]:
    for one in said:
        for name, check in _CHECKS:
            reason = check(one.options[name]) if name in one.options else None
            if reason is not None:
                yield _finding("view-permission", f"of the view {one.view}, {reason}", one, name)


def _carried(uri: str, file: ViewFile | None, found: Views) -> str | None:
    """Add the file of a view to those that are carried; return its path in the package."""
    if file is None:
        return None
    content = file.text.encode("utf-8")
    path = f"{FOLDER}/{file_stem(uri)}.html"
    if any(each.path.lower() == path.lower() for each in found.files):
        path = f"{FOLDER}/{file_stem(uri)}-{hashlib.sha256(uri.encode('utf-8')).hexdigest()[:8]}.html"
    found.files.append(SourceFile(path=path, content=content))
    found.inputs[file.path] = file.digest
    return path


def _text_of(file: ViewFile, stated: Statement | None) -> tuple[ViewText, ...]:
    if file.problem is not None:
        return ()
    from .lint import ViewText

    shown = stated.shown if stated is not None else ""
    return (ViewText(text=file.text, path=f"{shown}{file.path}"),)


def _nothing(said: Sequence[Statement], others: Sequence[str]) -> Diagnostic:
    first = said[0]
    by = next((one for one in said if one.function is not None), None)
    if by is not None:
        message = f"`{str(by.function)[:60]}` is no function of the module that could make the view {first.view}"
        return _finding("invalid-view", message, by, "function", hint="Name a public function, or a file by `file`.")
    near = difflib.get_close_matches(first.uri, others, n=1, cutoff=NEAR)
    message = f"there is no HTML for the view {first.view}: no file and no function is named in {first.place}"
    advice = f'Give it a file: [tool.mcpgen.ui."{first.uri[:80]}"] with `file = "view.html"`.'
    return _finding("invalid-view", message, first, hint=f"Did you mean `{near[0]}`?" if near else advice)


def _twice(one: Statement) -> Diagnostic:
    message = f"there is another view `{one.uri[:80]}`; `{one.unit}` is left out"
    return _finding("offer-collision", message, one, hint="Change one of the two URIs.")


def _conflict(name: str, one: Statement, other: Statement) -> Diagnostic:
    place = other.where(name)
    where = f" ({place.path}:{place.line})" if place is not None and place != one.where(name) else ""
    message = f"`{name}` of the view {one.view} is stated in {one.place} and in {other.place}{where}, differently"
    return _finding("marker-conflict", message, one, name, hint="Remove one of the two.")


def _finding(name: str, message: str, by: Statement, option: str = "", *, hint: str | None = None) -> Diagnostic:
    return Diagnostic(rule=rule(name), message=message, span=by.where(option), hint=hint, unit=by.unit)
