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
"""`name`, and what holds of `namespace`, `prefix`, `attribute`, `text`, `cdata`, `none`, `wrapped`, `properties` …

`choices` are the plans of a union's branches, each with the members it `needs` and values that some can `only` have.
"""

MAX_NESTING = 60
"""Plans inside one another without a reference between them."""

MAX_CHOICES = 20
"""Branches of a union that a value is compared with."""

_UNIONS = ("oneOf", "anyOf")
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
        for choice in plan.get("choices", ()):
            if "ref" in choice and not component:  # a root is named like its component
                choice.setdefault("name", choice["ref"])
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
        if choices := [choice for view in views for choice in self._choices(view, depth)]:
            stated = [view.value.get("xml") for view in views]  # type: ignore[attr-defined] # views are mappings
            named = any(isinstance(xml, dict) and xml.get("name") for xml in stated)
            plan["choices"] = [{key: each[key] for key in each if not (named and key == "name")} for each in choices]
        return plan

    def _choices(self, view: Raw, depth: int) -> list[Plan]:
        """Return the plans of the branches of a schema's unions, and how a value is known to be of one."""
        value, place = view
        discriminator = value.get("discriminator")  # type: ignore[attr-defined] # views are mappings
        found = []
        for keyword in _UNIONS:
            branches = value.get(keyword)  # type: ignore[attr-defined] # views are mappings
            for index, branch in enumerate(branches[:MAX_CHOICES] if isinstance(branches, list | tuple) else ()):
                raw = Raw(branch, place.at(keyword, index))
                if isinstance(branch, dict) and branch.get("type") != "null":
                    found.append(self._inner(raw, "", depth) | self._signs(raw, discriminator))
        return found[:MAX_CHOICES]

    def _signs(self, raw: Raw, discriminator: object) -> Plan:
        """Return the members that a branch needs, and the values that one of them can only have."""
        needs: list[str] = []
        only: dict[str, list[object]] = {}
        for value, _ in self._views(raw):
            required, members = value.get("required"), value.get("properties")  # type: ignore[attr-defined] # views are mappings
            needs += [str(each) for each in required if str(each) not in needs] if isinstance(required, list) else []
            for name, member in members.items() if isinstance(members, dict) else ():
                if isinstance(member, dict) and ("const" in member or isinstance(member.get("enum"), list)):
                    only[str(name)] = [member["const"]] if "const" in member else list(member["enum"])
        if isinstance(discriminator, dict) and isinstance(raw.value.get("$ref"), str):  # type: ignore[attr-defined] # branches are mappings
            reference = raw.value["$ref"]  # type: ignore[index] # the same
            mapping = discriminator.get("mapping")
            listed = mapping.items() if isinstance(mapping, dict) else ()
            short = reference.rpartition("/")[2]
            names = [key for key, to in listed if to in (reference, short)]
            only[str(discriminator.get("propertyName"))] = [*names, short]
        return {**({"needs": needs} if needs else {}), **({"only": only} if only else {})}

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
    return isinstance(value, dict) and any(key in value for key in ("properties", "items", "allOf", "$ref", *_UNIONS))


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
