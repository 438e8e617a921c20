"""YAML text to values. The only file that uses the YAML parser.

The C parser (libyaml) composes nodes where there is one, else the pure one does; both have the same hooks. PyYAML calls
`descend_resolver` and `ascend_resolver` around every node and `resolve` for every untagged one; scalars are resolved
later, each different text once. Composing is recursive. libyaml has its own limit from 0.2.6 on, and nothing is
watched; otherwise the hooks keep the chain of ancestors in a dict and look at its length.
"""

from __future__ import annotations

import operator
from importlib import import_module
from typing import Any

import yaml

from .json_places import nested_too_deep
from .limits import MAX_DEPTH
from .load_problem import TextProblem
from .yaml_events import NotPlain, PlainValues
from .yaml_scalars import STRING
from .yaml_values import Values, is_expanded

HAS_C_PARSER = hasattr(yaml, "CSafeLoader")

_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_C_LIMIT_SINCE = (0, 2, 6)
_C_HAS_LIMIT = HAS_C_PARSER and tuple(import_module("yaml._yaml").get_version()) >= _C_LIMIT_SINCE
_C_DEPTH = "maximum nesting depth"
"""What libyaml says at its own limit."""


class _DepthReached(Exception):
    def __init__(self, offset: int | None) -> None:
        super().__init__()
        self.offset = offset


def load_yaml(text: str, *, c_parser: bool = True) -> object:
    """Return the value of a YAML text of one document; raises TextProblem."""
    try:
        return _plain(text, c_parser=c_parser)
    except (NotPlain, yaml.YAMLError):
        pass  # by nodes everything can be read that can be, and told why not what cannot
    root = compose(text, c_parser=c_parser)
    if root is None:
        raise TextProblem("invalid-syntax", "the file has no document, only comments", 0)
    return Values(text).build(root)


def _plain(text: str, *, c_parser: bool) -> object:
    """Return the value of a plain document; raises NotPlain and YAMLError for what needs its nodes."""
    parser: Any = _parser(text, c_parser=c_parser)
    try:
        values = PlainValues(parser.get_event, yaml.events)
        value = values.build()
    finally:
        parser.dispose()
    if values.aliased and is_expanded(value):
        raise NotPlain
    return value


def _parser(text: str, *, c_parser: bool) -> Any:
    return (_PARSER if c_parser else yaml.SafeLoader)(text)


def compose(text: str, *, c_parser: bool = True) -> Any:
    """Return the root node of a YAML text, None for no document at all; raises TextProblem."""
    parser: Any = _parser(text, c_parser=c_parser)
    parser.resolve = _resolve
    parser.descend_resolver, parser.ascend_resolver = _hooks(watched=not (c_parser and _C_HAS_LIMIT))
    try:
        return parser.get_single_node()
    except yaml.MarkedYAMLError as problem:
        raise _problem(text, problem) from None
    except yaml.reader.ReaderError as problem:
        raise TextProblem("invalid-syntax", f"not YAML: {problem.reason}", problem.position) from None
    except _DepthReached as reached:
        raise nested_too_deep(reached.offset) from None
    finally:
        parser.dispose()


def _resolve(_kind: type, value: str | None, implicit: Any) -> str | None:
    """Return no tag for what is plain, the string tag for what is quoted."""
    return None if value is None or implicit[0] else STRING


def _hooks(*, watched: bool) -> tuple[Any, Any]:
    """Return what is called before a node, with its parent, and after it."""
    if not watched:
        return operator.is_, [].clear  # the quickest built-ins that take these arguments and do nothing
    chain: dict[Any, Any] = {}

    def descend(parent: Any, index: Any) -> None:
        chain[parent] = index
        if len(chain) > MAX_DEPTH + 1:  # the document itself has None for a parent
            raise _reached(chain)

    return descend, chain.popitem


def _reached(chain: dict[Any, Any]) -> _DepthReached:
    innermost = next(reversed(chain))
    return _DepthReached(innermost.start_mark.index if innermost is not None else None)


def _problem(text: str, problem: yaml.MarkedYAMLError) -> TextProblem:
    what = problem.problem or problem.context or "it cannot be parsed"
    mark = problem.problem_mark or problem.context_mark
    offset = min(mark.index, len(text)) if mark is not None else None
    if _C_DEPTH in what:
        return nested_too_deep(offset)
    if "another document" in what:
        return TextProblem("unsupported-yaml", "the file holds more than one document", offset)
    return TextProblem("invalid-syntax", f"not YAML: {what}", offset)
