"""How a value becomes XML: the `xml` objects of a schema as a plan for the request (OpenAPI 3.2.0, 4.8.26)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .facts import MAX_STEPS
from .follow import DeadReference, References, Resolver
from .naming import is_component
from .raw import Key, Raw, key_of

if TYPE_CHECKING:
    from ..model import SchemaNode

Plan = dict[str, Any]
"""`name`, and what holds of `namespace`, `prefix`, `attribute`, `text`, `cdata`, `none`, `wrapped`, `properties` …"""

MAX_NESTING = 60
"""Plans inside one another without a reference between them."""

_NODE_TYPES = ("attribute", "text", "cdata", "none")
_FALLBACK_NAME = "root"


def xml_plan(node: SchemaNode, documents: Resolver | References) -> tuple[Plan, dict[str, Plan]]:
    """Return the plan of a body and the plans it refers to by `ref`: those of components."""
    return _Planner(node, documents).plans(Raw(node.value, node.place))


class _Planner:
    __slots__ = ("_dialect", "_keys", "_references", "_waiting")

    def __init__(self, node: SchemaNode, documents: Resolver | References) -> None:
        self._references = documents if isinstance(documents, References) else References(documents)
        self._dialect = node.dialect
        self._keys: dict[Key, str] = {}
        self._waiting: list[tuple[str, Raw]] = []

    def plans(self, raw: Raw) -> tuple[Plan, dict[str, Plan]]:
        root = self._root(raw)
        definitions: dict[str, Plan] = {}
        while self._waiting:
            name, waiting = self._waiting.pop(0)
            definitions[name] = self._plan(waiting, "", 0)
        return root, definitions

    def _root(self, raw: Raw) -> Plan:
        """Return the plan of the root: it is named by its `xml` object, or like its component."""
        try:
            end = self._references.end(raw, self._dialect)
        except DeadReference:
            return {"name": _FALLBACK_NAME}
        component = end.place.pointer[-1] if is_component(end.place.pointer) else ""
        plan = self._plan(end, component, 0)
        if not plan.get("name"):
            plan["name"] = component or _FALLBACK_NAME
        return plan

    def _plan(self, raw: Raw, name: str, depth: int) -> Plan:
        self._references.room.take()
        plan: Plan = {"name": name} if name else {}
        views = self._views(raw)
        for value, _ in reversed(views):
            _read_xml(value.get("xml"), plan)  # type: ignore[attr-defined] # views are mappings
        if depth > MAX_NESTING:
            return plan
        for value, place in views:
            members = value.get("properties")  # type: ignore[attr-defined] # views are mappings
            if isinstance(members, dict):
                plans = plan.setdefault("properties", {})
                for member, inner in members.items():
                    if str(member) not in plans:
                        plans[str(member)] = self._inner(Raw(inner, place.at("properties", member)), str(member), depth)
            items = value.get("items")  # type: ignore[attr-defined] # views are mappings
            if isinstance(items, dict) and "items" not in plan:
                plan["items"] = self._inner(Raw(items, place.at("items")), "", depth)
        return plan

    def _inner(self, raw: Raw, name: str, depth: int) -> Plan:
        """Return the plan of a member or an item: that of a component by reference, with the name it has here."""
        value = raw.value
        if not isinstance(value, dict) or not isinstance(value.get("$ref"), str):
            return self._plan(raw, name, depth + 1)
        try:
            target = self._references.settle(value["$ref"], raw.place, self._dialect)
        except DeadReference:
            return {"name": name} if name else {}
        self._references.room.take()
        plan: Plan = {"name": name} if name else {}
        for view in reversed(self._views(target)):
            _read_xml(view.value.get("xml"), plan)  # type: ignore[attr-defined] # views are mappings
        # What stands beside the reference is nearer than what it refers to.
        _read_xml(value.get("xml") if self._dialect == "3.1" else None, plan)
        if _has_parts(target.value):
            plan["ref"] = self._named(target)
        return plan

    def _named(self, target: Raw) -> str:
        key = key_of(target.place)
        if key not in self._keys:
            wanted = target.place.pointer[-1] if target.place.pointer else _FALLBACK_NAME
            name = wanted
            while name in self._keys.values():
                name = f"{wanted}_{len(self._keys)}"
            self._keys[key] = name
            self._waiting.append((name, target))
        return self._keys[key]

    def _views(self, raw: Raw) -> list[Raw]:
        """Return what holds for a value in place, nearest first."""
        found: list[Raw] = []
        waiting = [raw]
        while waiting and len(found) < MAX_STEPS:
            current = waiting.pop(0)
            value, place = current
            if not isinstance(value, dict) or current in found:
                continue
            found.append(current)
            if isinstance(value.get("$ref"), str):
                try:
                    waiting.append(self._references.settle(value["$ref"], place, self._dialect))
                except DeadReference:
                    continue
            branches = value.get("allOf")
            if isinstance(branches, list | tuple):
                waiting.extend(Raw(item, place.at("allOf", index)) for index, item in enumerate(branches))
        return found


def _has_parts(value: object) -> bool:
    return isinstance(value, dict) and any(key in value for key in ("properties", "items", "allOf", "$ref"))


def _read_xml(written: object, plan: Plan) -> None:
    """Lay an `xml` object over a plan; what is malformed in it is left out."""
    if not isinstance(written, dict):
        return
    for keyword in ("name", "namespace", "prefix"):
        if isinstance(written.get(keyword), str) and written[keyword]:
            plan[keyword] = written[keyword]
    for keyword in ("attribute", "wrapped"):
        if written.get(keyword) is True:
            plan[keyword] = True
    node_type = written.get("nodeType")
    if isinstance(node_type, str):
        for kind in _NODE_TYPES:
            plan.pop(kind, None)
        if node_type in _NODE_TYPES:
            plan[node_type] = True
        plan.pop("wrapped", None)
        if node_type == "element":  # an array is no node unless it says so; as one it goes around its items
            plan["wrapped"] = True
