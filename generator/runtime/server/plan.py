"""How one tool runs: its handler imported, its schemas and conversions compiled, everything looked up beforehand."""

from __future__ import annotations

from ..schema.arguments import compile_arguments
from ..schema.validator import compile_validator
from ..wire import limits
from .answer import answer
from .surroundings import surroundings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..schema.arguments import Bind
    from ..schema.enum_names import Names
    from ..schema.validator import Validator
    from .call import Call
    from .tool import Tool


LONGEST_NAME = 64
"""Characters of a parameter's name that every host accepts (decision 15)."""


def acceptable(name: str) -> bool:
    """Say whether a parameter's name can be advertised as it is."""
    letters = name.replace("_", "").replace(".", "").replace("-", "")
    return name.isascii() and len(name) <= LONGEST_NAME and (letters.isalnum() or not letters)


class Plan:
    """Everything a call needs that does not depend on the call, whatever kind of handler it has.

    `bind` turns checked arguments, and what `inject` has for those tools that have `contexts`, into positional values
    and keywords of `handler`; a subclass sets both. `answer` makes the result of what that returned.
    `result_check` is None when results are not checked; `guarded` plans have `middleware`, or ask for a confirmation.
    """

    __slots__ = (
        "accepts",
        "bind",
        "capture",
        "checks_results",
        "clean_up",
        "coerce_also",
        "coerces",
        "confirms",
        "contexts",
        "exact",
        "guarded",
        "handler",
        "load",
        "max_result_bytes",
        "middleware",
        "required",
        "result_check",
        "result_kind",
        "result_schema",
        "schema",
        "settings",
        "skipped",
        "spelled",
        "tool",
        "validator",
        "wrap",
    )

    drops_nulls = False  # Python tells null from nothing
    tells_coercions = True  # a client that sent another type than asked for is told
    answer = staticmethod(answer)
    plain = False  # a call of it can say nothing but its result
    python_formats = True  # what the conversions take, which is more than the formats' standards do in places
    bind: Bind
    handler: Callable[..., Any]

    def __init__(self, tool: Tool) -> None:
        entry, surroundings = tool.entry, surroundings_of(tool.catalog)
        call, options = entry["call"], tool.catalog.settings
        surroundings.lay()
        self.tool = tool
        self.load: Callable[[str], Any] = surroundings.load
        self.settings = surroundings.settings
        self.required = self.settings.needed_by(tool.name, tuple(entry.get("config") or ()))
        self.schema: dict[str, Any] = entry["definition"]["inputSchema"]
        self.skipped: tuple[str, ...] = tuple(entry.get("unenforced_patterns") or ())
        self.validator: Validator = compile_validator(
            self.schema, skip_patterns=self.skipped, python_formats=self.python_formats
        )
        self.accepts = self.validator.accepts
        self.coerces: bool = entry.get("coerce", options.get("coerce", True))
        self.coerce_also: tuple[str, ...] = tuple(options.get("coerce_also") or ())
        # Some names are not acceptable to every host and were changed; a model may have read the source's.
        self.spelled = {name: wire for wire, name in (call.get("names") or {}).items() if not acceptable(name)}
        self.exact: bool = call.get("exact_numbers", False)
        self.clean_up: dict[str, Any] | None = call.get("prepare")
        self.capture: bool = entry.get("capture_output", False)
        self.max_result_bytes: int = (entry.get("limits") or {}).get("max_result_bytes") or limits.MAX_RESULT_BYTES
        self.contexts: tuple[tuple[str, Any], ...] = ()
        self.confirms: bool = entry.get("confirm", False)
        around = tuple(options.get("middleware") or ()) if "result" in entry else ()  # offers have no tool's result
        self.middleware: tuple[Any, ...] = tuple(self.load(each) for each in around)
        self.guarded = self.confirms or bool(around)
        self._plan_result(entry, options.get("validate_results", "strict"))

    def names(self) -> Names | None:
        """Return the names that values of enumerations have among the arguments, None when values are all there is."""
        return None

    def cleaned(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments without what need not be given; asked where null may be left out, too."""
        return arguments

    def suited(self, _arguments: dict[str, Any], /) -> Plan:
        """Return the plan that these arguments are checked by; asked where null may be left out, too."""
        return self

    def inject(self, call: Call) -> dict[str, Any]:
        """Return the contexts by parameter; they win over what a client sent under such a name."""
        from .channel import CallChannel

        return {name: wanted(channel=CallChannel(call, self.settings)) for name, wanted in self.contexts}

    def _plan_result(self, entry: dict[str, Any], checks: str) -> None:
        result = entry.get("result") or {}
        self.result_kind: str = result.get("kind", "json")
        self.result_schema: Any = result.get("schema")
        self.wrap: bool = result.get("wrap", False)
        self.checks_results = checks
        wanted = self.result_schema is not None and checks != "off" and self.result_kind == "json"
        self.result_check: Validator | None = None
        if wanted:  # formats are what our own conversion writes: a time without a zone is right there
            self.result_check = compile_validator(self.result_schema, skip_patterns=self.skipped, assert_formats=False)


class FunctionPlan(Plan):
    """Everything a call of a Python function needs: the handler imported. Raises ImportProblem while it is made."""

    __slots__ = ("_names", "plain")

    def __init__(self, tool: Tool) -> None:
        super().__init__(tool)
        call = tool.entry["call"]
        self._names: Names | None = None
        handler: Any = self.load(call["target"])
        if call.get("inject"):
            from .channel import context_class
        self.handler = handler
        self.contexts = tuple(
            (name, context_class(handler, name, kind)) for name, kind in (call.get("inject") or {}).items()
        )
        self.plain = not (self.contexts or self.guarded)
        properties = self.schema.get("properties") or {}
        self.bind = compile_arguments(
            call, load=self.load, function=handler, properties=properties, skip_patterns=self.skipped
        )

    def names(self) -> Names:
        """Return the names of the members of enumerations among the arguments; collected when first asked for."""
        if self._names is None:
            from ..schema.enum_names import enum_names

            self._names = enum_names(self.tool.entry["call"], self.load)
        return self._names
