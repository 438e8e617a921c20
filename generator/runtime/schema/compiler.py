"""Turn a schema into closures: one node for each schema, one site for each way to arrive in a resource.

Two things make references cheap and cycles harmless. A node is registered before it is built, so a schema that refers
to itself finds the node and calls it late. And `$dynamicRef` is decided while compiling: a site carries the dynamic
scope (the resources with dynamic anchors that were entered, outermost first), so one schema reached through two
scopes is two nodes, and nothing about scopes is left to do when a value is checked (JSON Schema 2020-12, 8.2.3.2).
"""

from __future__ import annotations

from .arrays import array_check
from .combinators import all_of, any_of, condition, conjunction, negation, one_of
from .equality import one_of_values
from .kinds import NAMES, PREDICATES, SchemaError, always, is_decimal, never, types_of
from .numeric import number_check
from .objects import object_check
from .strings import string_check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .kinds import Check
    from .problems import Step
    from .references import Library, Place

STRING, NUMBER, ARRAY, OBJECT = "string", "number", "array", "object"

FAMILY = {
    "minLength": STRING, "maxLength": STRING, "pattern": STRING, "format": STRING, "contentEncoding": STRING,
    "contentMediaType": STRING, "contentSchema": STRING,
    "minimum": NUMBER, "maximum": NUMBER, "exclusiveMinimum": NUMBER, "exclusiveMaximum": NUMBER, "multipleOf": NUMBER,
    "items": ARRAY, "prefixItems": ARRAY, "contains": ARRAY, "minContains": ARRAY, "maxContains": ARRAY,
    "minItems": ARRAY, "maxItems": ARRAY, "uniqueItems": ARRAY, "unevaluatedItems": ARRAY,
    "properties": OBJECT, "required": OBJECT, "additionalProperties": OBJECT, "patternProperties": OBJECT,
    "propertyNames": OBJECT, "minProperties": OBJECT, "maxProperties": OBJECT, "dependentRequired": OBJECT,
    "dependentSchemas": OBJECT, "unevaluatedProperties": OBJECT,
}  # fmt: skip
"""Keywords that say something about values of one type only."""

GENERAL: dict[str, Callable[[dict[str, Any], Site], Check]] = {
    "enum": lambda schema, _: one_of_values(schema["enum"]),
    "const": lambda schema, _: one_of_values([schema["const"]]),
    "$ref": lambda schema, site: site.refer(schema["$ref"]).accepts,
    "$dynamicRef": lambda schema, site: site.refer_dynamically(schema["$dynamicRef"]).accepts,
    "allOf": all_of,
    "anyOf": any_of,
    "oneOf": one_of,
    "not": negation,
    "if": condition,
}
"""Keywords that say something about values of any type."""


ANNOTATIONS = frozenset(("$ref", "$comment", "title", "description", "default", "examples", "deprecated"))
"""What may stand beside a `$ref` that is otherwise bare."""

LONGEST_CHAIN = 10
"""References in a row that are followed to see what an arm is; real chains are of one or two."""


class Options:
    """Switches of one compilation: what is asserted, and which patterns are left alone."""

    __slots__ = (
        "assert_content",
        "assert_formats",
        "python_formats",
        "returns",
        "searches",
        "skip_patterns",
        "strict_patterns",
    )

    def __init__(
        self,
        *,
        assert_formats: bool,
        assert_content: bool,
        strict_patterns: bool,
        skip_patterns: frozenset[str],
        python_formats: bool = False,
    ) -> None:
        self.assert_formats = assert_formats
        self.assert_content = assert_content
        self.strict_patterns = strict_patterns
        self.skip_patterns = skip_patterns
        self.python_formats = python_formats
        self.searches: dict[str, Any] = {}
        self.returns = 0  # how often a schema led back to one that was still being built


class Node:
    """A compiled schema: the schema, where it stands, its check, and its steps once `explain` has made them."""

    __slots__ = ("accepts", "built", "explanation", "schema", "site")

    def __init__(self, schema: Any, site: Site) -> None:
        self.schema = schema
        self.site = site
        self.built = False
        self.explanation: tuple[Check, tuple[Step, ...]] | None = None
        self.accepts: Check = lambda value: self.accepts(value)  # noqa: PLW0108 (late: `accepts` is replaced once built)


class Site:
    """A resource as reached through one dynamic scope; compiles the schemas in it."""

    __slots__ = (
        "_kept",
        "_nodes",
        "_sites",
        "asserts_content",
        "asserts_formats",
        "library",
        "options",
        "place",
        "scope",
    )

    def __init__(
        self, library: Library, options: Options, place: Place, scope: tuple[Place, ...], sites: dict[Any, Site]
    ) -> None:
        self.library = library
        self.options = options
        self.place = place
        self.scope = scope
        self.asserts_formats = options.assert_formats or place.dialect.formats
        self.asserts_content = options.assert_content
        self._sites = sites
        self._nodes: dict[int, Node] = {}
        self._kept: list[Any] = []

    def enter(self, place: Place) -> Site:
        """Return the site of another resource entered from this one."""
        scope = self.scope
        if place.dynamic and place not in scope:
            scope = (*scope, place)
        elif place is self.place:
            return self
        key = (place, scope)
        found = self._sites.get(key)
        if found is None:
            found = self._sites[key] = Site(self.library, self.options, place, scope, self._sites)
        return found

    def node(self, schema: Any) -> Node:
        """Return the node of a schema in this resource, compiled."""
        found = self._nodes.get(id(schema))
        if found is not None:
            if not found.built:
                self.options.returns += 1
            return found
        if type(schema) is dict:
            place = self.library.place_of(schema, self.place)
            if place is not self.place:
                return self.enter(place).node(schema)
            node = self._nodes[id(schema)] = Node(schema, self)
            self._kept.append(schema)  # a node is found by identity, so its schema must live as long
            skipped = self.place.dialect.skipped
            used = {key: value for key, value in schema.items() if key not in skipped} if skipped else schema
            node.accepts = build(used, self)
            node.built = True
            return node
        if schema is True or schema is False:
            node = Node(schema, self)
            node.accepts = always if schema else never
            return node
        raise SchemaError("a schema is neither an object nor a boolean")

    def check(self, schema: Any) -> Check:
        """Return the check of a schema in this resource."""
        return self.node(schema).accepts

    def refer(self, reference: Any) -> Node:
        """Return the node a `$ref` names; raises SchemaError when there is none."""
        schema, place, _ = self._find(reference)
        return self.enter(place).node(schema)

    def refer_dynamically(self, reference: Any) -> Node:
        """Return the node a `$dynamicRef` names in this dynamic scope."""
        schema, place, anchor = self._find(reference)
        if anchor is not None and place.dynamic.get(anchor) is schema:
            for outer in self.scope:
                if anchor in outer.dynamic:
                    return self.enter(outer).node(outer.dynamic[anchor])
        return self.enter(place).node(schema)

    def _find(self, reference: Any) -> tuple[Any, Place, str | None]:
        if not isinstance(reference, str):
            raise SchemaError("a reference is not a string")
        return self.library.find(reference, self.place)

    def targets(self, schema: dict[str, Any]) -> list[Node]:
        """Return the nodes a schema's references name."""
        found = []
        if "$ref" in schema:
            found.append(self.refer(schema["$ref"]))
        if "$dynamicRef" in schema:
            found.append(self.refer_dynamically(schema["$dynamicRef"]))
        return found

    def followed(self, schema: Any) -> Any:
        """Return the schema that a bare `$ref` stands for, or the schema itself."""
        seen = 0
        while isinstance(schema, dict) and "$ref" in schema and seen < LONGEST_CHAIN and ANNOTATIONS.issuperset(schema):
            schema, place, _ = self._find(schema["$ref"])
            if place is not self.place:
                return None
            seen += 1
        return schema

    def search(self, pattern: Any) -> Callable[[str], object] | None:
        """Return the search method of a pattern, None when it is not to be enforced."""
        if not isinstance(pattern, str):
            raise SchemaError("a pattern is not a string")
        options = self.options
        if pattern in options.skip_patterns:
            return None
        if pattern not in options.searches:
            from .patterns import compile_pattern  # imports `re`

            options.searches[pattern] = compile_pattern(pattern, strict=options.strict_patterns)
        return options.searches[pattern]  # type: ignore[no-any-return] # what `compile_pattern` returned


def build(schema: dict[str, Any], site: Site) -> Check:
    """Compile one schema object: its keywords for single types first, then those for any type."""
    families = []
    general = []
    for keyword in schema:
        family = FAMILY.get(keyword)
        if family is not None:
            if family not in families:
                families.append(family)
        elif keyword in GENERAL:
            general.append(keyword)
    if "enum" in general or "const" in general:
        return _listed(schema, families, general, site)
    checks = [_typed(schema, families, site)]
    checks.extend(GENERAL[keyword](schema, site) for keyword in general)
    return conjunction(checks)


def _listed(schema: dict[str, Any], families: list[str], general: list[str], site: Site) -> Check:
    """Compile a schema that lists its values: only those of its type are kept, so the type needs no test of its own."""
    names = types_of(schema)
    members = schema["enum"] if "enum" in general else [schema["const"]]
    if names is not None and isinstance(members, (list, tuple)):
        members = [member for member in members if any(PREDICATES[name](member) for name in names)]
    first = "enum" if "enum" in general else "const"
    checks = [one_of_values(members)]
    if families:
        checks.append(_typed({key: value for key, value in schema.items() if key != "type"}, families, site))
    checks.extend(GENERAL[keyword](schema, site) for keyword in general if keyword != first)
    return conjunction(checks)


def _family_check(name: str, schema: dict[str, Any], site: Site, *, otherwise: bool) -> Check:
    if name == STRING:
        return string_check(schema, site, otherwise=otherwise)
    if name == ARRAY:
        return array_check(schema, site, otherwise=otherwise)
    if name == OBJECT:
        return object_check(schema, site, otherwise=otherwise)
    return number_check(schema, integral=name == "integer", otherwise=otherwise)


def _typed(schema: dict[str, Any], families: list[str], site: Site) -> Check:
    names = types_of(schema)
    if names is None:
        return conjunction([_family_check(family, schema, site, otherwise=True) for family in families])
    checks = {name: _type_check(name, schema, families, site) for name in names}
    if len(checks) == 1:
        return checks[names[0]]
    if len(checks) == 2 and "null" in checks:
        check = next(check for name, check in checks.items() if name != "null")
        return lambda value: value is None or check(value)
    return _one_of_types(checks)


def _type_check(name: str, schema: dict[str, Any], families: list[str], site: Site) -> Check:
    family = NUMBER if name == "integer" else name
    if family in families:
        return _family_check(name, schema, site, otherwise=False)
    return PREDICATES[name]


def _one_of_types(checks: dict[str, Check]) -> Check:
    table = {python: checks[name] for python, name in NAMES.items() if name in checks}
    number = checks.get("number")
    if number is None:
        number = checks.get("integer", never)
    table[int] = table[float] = number

    def of_types(value: object) -> bool:
        check = table.get(type(value))
        if check is not None:
            return check(value)
        return is_decimal(value) and number(value)

    return of_types
