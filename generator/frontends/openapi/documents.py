"""An API description and everything it refers to: each file read once, below one folder, within one budget.

A reference is taken in two steps. First the resource: the address before `#`, relative to the nearest `$id` or `$self`
around the reference, is a resource that is already known, a file below the root, or, when that is allowed, a fetched
document. Then the fragment: a JSON pointer or an anchor in that resource. Nothing is opened that was not allowed, and
what is refused is refused with the place of the reference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...diagnostics.model import Diagnostic
from ...diagnostics.rules import rule
from .limits import MAX_REFERENCE_CHAIN
from .load_file import LoadedFile
from .load_library import Library, Refused
from .load_problem import LoadProblem, ReferenceProblem, TextProblem, cut
from .place import Place
from .references import join, member, refused, scheme_of, tokens_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Documents", "LoadOptions", "LoadProblem", "ReferenceProblem", "open_description"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """From where files may come: `ref_root` None is the description's own folder."""

    ref_root: Path | None = None
    allow_remote_refs: bool = False
    allow_private_hosts: bool = False


def open_description(source: str, *, options: LoadOptions | None = None) -> Documents:
    """Load the description at a path or an http(s) address; raises LoadProblem."""
    options = options or LoadOptions()
    library = Library(
        source,
        ref_root=options.ref_root,
        remote=options.allow_remote_refs,
        private_hosts=options.allow_private_hosts,
    )
    return Documents(library)


class Documents:
    """The loaded description; see the module for how references are followed."""

    __slots__ = ("_cache", "_is_modern", "_library", "entry")

    def __init__(self, library: Library) -> None:
        self._library = library
        self.entry = Place(library.entry)
        self._cache: dict[tuple[str, str, str], tuple[object, Place]] = {}
        self._is_modern = True
        self._read_version()

    @property
    def root(self) -> object:
        """The description's value."""
        return self._library.entry.value

    @property
    def inputs(self) -> Mapping[str, str]:
        """The SHA-256 of every file read so far, by the path shown."""
        return self._library.inputs

    @property
    def size(self) -> int:
        """The bytes of every file read so far."""
        return self._library.size

    @property
    def notices(self) -> tuple[Diagnostic, ...]:
        """What is to be told about files that were read."""
        return tuple(
            Diagnostic(
                rule=rule("replaced-characters"),
                message="half of a surrogate pair was replaced by U+FFFD",
                span=file.span(file.repaired),
                pointer=Place(file, file.repaired).text,
            )
            for file in self._library.files
            if file.repaired is not None
        )

    def replace_root(self, content: object) -> None:
        """Take another value for the description, as overlays make one; places stay those of the text."""
        self._library.entry.replace(content)
        self._cache.clear()
        self._read_version()

    def read_beside(self, source: str) -> LoadedFile:
        """Read a file the user named, an overlay for example; raises LoadProblem."""
        return self._library.read_named(source)

    def resolve(self, reference: str, base: Place) -> tuple[object, Place]:
        """Return the value one reference at `base` leads to, and its place; raises ReferenceProblem.

        The value may be a reference again. `base` is the object that holds the `$ref`.
        """
        return self._resolve(reference, base, MAX_REFERENCE_CHAIN)

    def node(self, value: object, place: Place) -> tuple[object, Place]:
        """Follow `$ref`s of an object that is no schema until there is a value; raises ReferenceProblem.

        A `summary` or `description` beside a reference holds instead of the target's (OpenAPI 3.1).
        """
        written: dict[str, object] = {}
        seen: dict[Place, None] = {}
        start = place
        while isinstance(value, dict) and "$ref" in value:
            if place in seen or len(seen) > MAX_REFERENCE_CHAIN:
                raise self._circular(str(value["$ref"]), start, cycle=place in seen)
            seen[place] = None
            if self._is_modern:
                written = {k: value[k] for k in ("summary", "description") if isinstance(value.get(k), str)} | written
            value, place = self.resolve(value["$ref"], place)
        return ({**value, **written} if written and isinstance(value, dict) else value), place

    def _resolve(self, reference: Any, base: Place, budget: int) -> tuple[object, Place]:
        if not isinstance(reference, str):
            raise self._problem("unresolved-reference", "a reference must be text", "", base)
        file = base.file
        assert isinstance(file, LoadedFile)  # noqa: S101 - every place of a description is in a file loaded here
        address, scope = file.scopes(honour_ids=self._is_modern).base(base.pointer)
        key = (file.location, address, reference)
        if (known := self._cache.get(key)) is not None:
            return known
        reason = refused(reference)
        if reason is not None:
            raise self._problem("refused-reference", f"the reference is refused: {reason}", reference, base)
        resource, _, fragment = reference.partition("#")
        if resource:
            file, scope = self._resource(resource, address, file, reference, base)
            address = file.scopes(honour_ids=self._is_modern).base(scope)[0]
        found = self._cache[key] = self._fragment(fragment, file, scope, address, reference, base, budget)
        return found

    def _resource(
        self, resource: str, address: str, file: LoadedFile, reference: str, base: Place
    ) -> tuple[LoadedFile, tuple[str, ...]]:
        target = join(address, resource)
        if target is None:
            raise self._problem("unresolved-reference", "the reference is no address", reference, base)
        for candidate in self._candidates(target, address, resource, file):
            if (known := self._library.resource(candidate, honour_ids=self._is_modern)) is not None:
                return known
        problem: Refused | LoadProblem | TextProblem | None = None
        for candidate in self._candidates(target, address, resource, file):
            try:
                return self._library.load(candidate, from_file=file), ()
            except (Refused, LoadProblem, TextProblem) as why:
                problem = problem or why
        assert problem is not None  # noqa: S101 - there is one candidate at least
        raise self._unloaded(problem, reference, base)

    def _candidates(self, target: str, address: str, resource: str, file: LoadedFile) -> list[str]:
        """Return the address meant, then where that is beside the file when `$self` or `$id` moved the base."""
        candidates = [target]
        if address != file.location:
            if not scheme_of(resource):
                beside = join(file.location, resource)
            else:
                folder = file.scopes(honour_ids=self._is_modern).address.rpartition("/")[0] + "/"
                beside = join(file.location, target[len(folder) :]) if target.startswith(folder) else None
            if beside is not None and beside not in candidates:
                candidates.append(beside)
        return candidates

    def _fragment(
        self,
        fragment: str,
        file: LoadedFile,
        scope: tuple[str, ...],
        address: str,
        reference: str,
        base: Place,
        budget: int,
    ) -> tuple[object, Place]:
        if fragment and not fragment.startswith(("/", "%2F", "%2f")):
            return self._anchor(fragment, file, address, reference, base)
        tokens = tokens_of(fragment)
        if tokens is None:
            raise self._problem("unresolved-reference", "the reference has a malformed JSON pointer", reference, base)
        literal = tuple(fragment.split("/")[1:])
        spaced = tuple(token.replace("+", " ") for token in tokens)
        starts = [(file, scope), (file, ()), (self._library.entry, ())]
        for start, root in dict.fromkeys(starts if reference.startswith("#") else starts[:2]):
            for path in dict.fromkeys((tokens, literal, spaced)):
                if (found := self._walk(start, root, path, base, budget)) is not None:
                    return found
        raise self._missing(file, tokens, reference, base)

    def _walk(
        self, file: LoadedFile, scope: tuple[str, ...], tokens: tuple[str, ...], base: Place, budget: int
    ) -> tuple[object, Place] | None:
        """Go down a pointer; where it leads through a reference, go on in that one's target."""
        place, value = Place(file), file.value
        for number, token in enumerate((*scope, *tokens)):
            exists, inner = member(value, token)
            while (
                not exists and number >= len(scope) and isinstance(value, dict) and isinstance(value.get("$ref"), str)
            ):
                budget -= 1
                if budget < 0:
                    raise self._circular(value["$ref"], base, cycle=True)
                value, place = self._resolve(value["$ref"], place, budget // 2)
                exists, inner = member(value, token)
            if not exists:
                return None
            value, place = inner, place.at(token)
        return value, place

    def _anchor(
        self, fragment: str, file: LoadedFile, address: str, reference: str, base: Place
    ) -> tuple[object, Place]:
        scopes = file.scopes(honour_ids=self._is_modern)
        pointer = scopes.anchors.get((address, fragment), scopes.anchors.get((scopes.address, fragment)))
        if pointer is None:
            raise self._problem(
                "unresolved-reference", "the reference names an anchor that is not there", reference, base
            )
        found = self._walk(file, (), pointer, base, 0)
        assert found is not None  # noqa: S101 - the anchor was found in this very value
        return found

    def _missing(self, file: LoadedFile, tokens: tuple[str, ...], reference: str, base: Place) -> ReferenceProblem:
        value: object = file.value
        for count, token in enumerate(tokens):
            exists, value = member(value, token)
            if not exists:
                parent = Place(file, tokens[:count]).text if count else file.shown
                reason = f"`{cut(parent)}` has no `{cut(token)}`"
                return self._problem("unresolved-reference", f"the reference leads nowhere: {reason}", reference, base)
        return self._problem("unresolved-reference", "the reference leads nowhere", reference, base)

    def _unloaded(self, why: Refused | LoadProblem | TextProblem, reference: str, base: Place) -> ReferenceProblem:
        if isinstance(why, Refused):
            return self._problem("refused-reference", f"the reference is refused: {why}", reference, base)
        if isinstance(why, TextProblem):
            name = "unresolved-reference" if why.rule == "unreadable-description" else why.rule
            return self._problem(name, f"the reference cannot be followed: {why.message}", reference, base)
        inner = why.diagnostics[0]
        note = f"referred to by {base.text} as `{cut(reference)}`"
        return ReferenceProblem(
            Diagnostic(
                rule=inner.rule,
                message=inner.message,
                span=inner.span,
                pointer=base.text,
                notes=(note,),
                hint=inner.hint,
            )
        )

    def _circular(self, reference: str, base: Place, *, cycle: bool) -> ReferenceProblem:
        if cycle:
            reason = "the references lead to one another and never to a value"
        else:
            reason = f"the chain of references is longer than {MAX_REFERENCE_CHAIN}"
        return self._problem("circular-reference", reason, reference, base)

    def _problem(self, name: str, reason: str, reference: str, base: Place) -> ReferenceProblem:
        place = base.at("$ref")
        target = f" (`{cut(reference)}`)" if reference else ""
        return ReferenceProblem(
            Diagnostic(rule=rule(name), message=f"{reason}{target}", span=place.span, pointer=place.text)
        )

    def _read_version(self) -> None:
        root = self.root
        version = root.get("openapi") if isinstance(root, dict) else None
        older = isinstance(root, dict) and ("swagger" in root or str(version).startswith("3.0"))
        self._is_modern = not older
