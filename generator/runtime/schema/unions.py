"""Explain a refused `anyOf` or `oneOf` by the arm the value was most likely meant for; see `explain`."""

from __future__ import annotations

from .combinators import tags_of
from .kinds import NAMES, PREDICATES, kind, types_of
from .problems import Problem, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .compiler import Node
    from .explain import Explain, Maker
    from .problems import Path, Step

MOST_ARMS = 16
"""Arms that are explained to find the closest one; a larger union is reported as a whole."""


def _union(keyword: str) -> Maker:
    """Make the maker for `anyOf` or `oneOf`."""

    def maker(node: Node, explain: Explain) -> Step:
        schema = node.schema
        arms = [node.site.node(arm) for arm in schema[keyword]]
        tagged = _tagged(node, keyword, explain)
        several = sum(arm_types(arm) != ("null",) for arm in arms) > 1

        def step(value: Any, path: Path, report: Report) -> None:
            if tagged is not None and type(value) is dict and tagged(value, path, report):
                return
            matching = sum(arm.accepts(value) for arm in arms)
            if matching == 1 or (matching and keyword == "anyOf"):
                return
            if matching:
                report.add(Problem(path, "oneOf", {"oneOf": schema[keyword]}, value, schema, (str(matching),)))
                return
            likely = [arm for arm in arms if fits(arm, value)]
            if not likely or len(likely) > MOST_ARMS:
                names = dict.fromkeys(name for arm in arms for name in arm_types(arm))
                report.add(Problem(path, keyword, schema[keyword], value, schema, tuple(names) if not likely else ()))
            else:
                trial = _closest(likely, value, path, report, explain)
                for problem in trial:
                    report.add(_of_the_whole(problem, path, schema) if several else problem)

        return step

    return maker


def _tagged(node: Node, keyword: str, explain: Explain) -> Callable[[Any, Path, Report], bool] | None:
    """Make the step of a tagged union, for objects: the tag says which arm is meant; False when it does not.

    Arms that take no object (null above all) do not count.
    """
    objects = [arm for arm in node.schema[keyword] if "object" in (arm_types(node.site.node(arm)) or ("object",))]
    tags = tags_of(objects, node.site) or tags_of(objects, node.site, required=False)
    if tags is None:
        return None
    tag_name, table = tags
    optional = any(tag_name not in node.site.followed(arm).get("required", ()) for arm in objects)
    arms = {tag: node.site.node(arm) for tag, arm in table.items()}
    listed = {"enum": list(arms)}

    def step(value: Any, path: Path, report: Report) -> bool:
        if optional and tag_name not in value:
            return False
        tag = value.get(tag_name)
        arm = arms.get(tag) if type(tag) is str else None
        if arm is not None:
            if not arm.accepts(value):
                explain(arm, value, path, report)
        elif tag_name in value:
            report.add(Problem((*path, tag_name), "enum", listed["enum"], tag, listed))
        else:
            report.add(Problem((*path, tag_name), "required", True, None, listed))  # noqa: FBT003 (JSON)
        return True

    return step


def _of_the_whole(problem: Problem, path: Path, schema: dict[str, Any]) -> Problem:
    """Return a problem of the value itself with the whole union as what may be sent instead."""
    if problem.path != path or (isinstance(problem.schema, dict) and "writeOnly" in problem.schema):
        return problem
    return Problem(path, problem.keyword, problem.constraint, problem.value, schema, problem.names)


def _shared(arm: Node, value: Any) -> int:
    """Count the members of an object that an arm knows."""
    schema = arm.site.followed(arm.schema)
    known = schema.get("properties", ()) if isinstance(schema, dict) and type(value) is dict else ()
    return sum(name in known for name in value) if known else 0


def _closest(arms: list[Node], value: Any, path: Path, report: Report, explain: Explain) -> list[Problem]:
    """Return the problems of the arm with the fewest; of equals the one that knows most members, then got deepest."""
    best: list[Problem] = []
    score: tuple[int, int, int] | None = None
    for arm in arms:
        trial = Report(report.room, report.budget)
        explain(arm, value, path, trial)
        report.budget = trial.budget
        depth = max((len(problem.path) for problem in trial.problems), default=0)
        new = (len(trial.problems), -_shared(arm, value), -depth)
        if trial.problems and (score is None or new < score):
            best, score = trial.problems, new
    return best


def arm_types(arm: Node) -> tuple[str, ...]:
    """Name the JSON types an arm may accept; all of them when it does not say."""
    schema = arm.site.followed(arm.schema)
    if not isinstance(schema, dict):
        return ()
    names = types_of(schema)
    if names is not None:
        return names
    values = schema.get("enum", [schema["const"]] if "const" in schema else ())
    return tuple(dict.fromkeys(map(kind, values))) or tuple(NAMES.values())


def fits(arm: Node, value: Any) -> bool:
    """Say whether an arm speaks of values of this type at all."""
    if arm.schema is False:
        return False
    schema = arm.site.followed(arm.schema)
    if not isinstance(schema, dict):
        return True
    names = types_of(schema)
    if names is not None:
        return any(PREDICATES[name](value) for name in names)
    if "enum" in schema or "const" in schema:
        return kind(value) in arm_types(arm)
    return True


UNION_STEPS: dict[str, Maker] = {"anyOf": _union("anyOf"), "oneOf": _union("oneOf")}
"""How the step of each of these keywords is made."""
