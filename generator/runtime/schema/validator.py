"""Validate JSON values against JSON Schema 2020-12, twice as it were: a quick pass that answers, and one that explains.

Theory of operation. `compile_validator` turns a schema into closures (`compiler`): each schema becomes one function
from value to bool, specialised for what the schema says (`kinds`, `numeric`, `strings`, `arrays`, `objects`,
`combinators`); a closed object with plain properties is one loop, a tagged union one look-up. References, anchors and
dynamic scopes are settled while compiling (`references`), and what is rare (`unevaluated`, `formats`, `patterns`,
`content`) is imported when a schema first needs it. No text of a schema ever becomes code.

A refused value is walked once more by `explain`, which collects problems as data (`problems`); `unions` picks the arm
a value was meant for, `wording` and `repair` turn problems into what a model reads.

Rules. Checks return bools and do not raise, except RecursionError for a value nested too deeply, which is caught here
and is a problem of the value like any other. Values are those of a JSON reader (dict, list, str, int, float, bool,
None) and `decimal.Decimal`. NaN and infinity are no numbers. A value is never put whole into a message.
"""

from __future__ import annotations

from .compiler import Node, Options, Site
from .kinds import SchemaError
from .problems import Problem, Report
from .references import Library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from .explain import Explain
    from .kinds import Check

BUDGET = 5_000
"""Parts one explanation may look at; a value with more wrong parts than this is reported by the first ones found."""


class Validator:
    """A compiled schema. `accepts` says whether a value is valid; one nested too deeply is not."""

    __slots__ = ("accepts", "node")

    def __init__(self, node: Node) -> None:
        self.node = node
        check = node.accepts

        def accepts(value: object) -> bool:
            try:
                return check(value)
            except RecursionError:
                return False

        self.accepts: Check = accepts

    def problems(self, value: object, limit: int = 10) -> list[Problem]:
        """Return at most `limit` problems of the value, none if it is valid."""
        report = Report(limit, BUDGET)
        try:
            (_explain or explainer())(self.node, value, (), report)
            if not report.problems and report.budget <= 0 and not self.node.accepts(value):
                return [Problem((), "schema", None, value, self.node.schema)]
        except RecursionError:
            return [Problem((), "depth", None, value, self.node.schema)]
        return report.problems


_explain: Explain | None = None


def explainer() -> Explain:
    """Return the second pass, imported when a value is first refused; an import statement in each call costs 1 us."""
    global _explain  # noqa: PLW0603 (a cache of one import)
    if _explain is None:
        from .explain import explain

        _explain = explain
    return _explain


def compile_validator(
    schema: Any,
    *,
    definitions: Mapping[str, Any] | None = None,
    remotes: Mapping[str, Any] | None = None,
    assert_formats: bool = True,
    assert_content: bool = True,
    strict_patterns: bool = False,
    skip_patterns: Iterable[str] = (),
    python_formats: bool = False,
) -> Validator:
    """Compile a schema.

    `definitions` are further `$defs` for a schema that refers to `#/$defs/…` without holding them; `remotes` maps
    URIs to documents that references may name. A pattern outside what `patterns` can translate is an annotation unless
    `strict_patterns`; the ones in `skip_patterns` always are. Raises SchemaError for a malformed schema, a reference
    that leads nowhere, and (strict) such a pattern. `python_formats` lets times
    lack a zone and durations have a sign, as their Python types do.
    """
    if definitions and isinstance(schema, dict):
        schema = {**schema, "$defs": {**definitions, **schema.get("$defs", {})}}
    library = Library(remotes)
    options = Options(
        assert_formats=assert_formats,
        assert_content=assert_content,
        strict_patterns=strict_patterns,
        skip_patterns=frozenset(skip_patterns),
        python_formats=python_formats,
    )
    place = library.read(schema)
    site = Site(library, options, place, (place,) if place.dynamic else (), {})
    try:
        return Validator(site.node(schema))
    except RecursionError:
        raise SchemaError("the schema is nested too deeply") from None
