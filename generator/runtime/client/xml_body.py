"""XML bodies by the XML Object (OAS 3.0.4 §4.7.27, 3.2 §4.27): names, attributes, arrays, namespaces, text, CDATA.

Text is escaped, names and characters are checked against XML 1.0, and depth is bounded, so that no argument adds an
element, an entity or a declaration. There is no document type.
"""

from __future__ import annotations

import re

from .values import ArgumentProblem, in_charset, is_flat, text_of, utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    Plan = Mapping[str, Any]
    Namespaces = Mapping[str, str]

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

MAX_DEPTH = 100
"""Elements inside elements; parsers refuse some hundreds, and no API is that deep."""

_FIRST = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff"
)
_FIRST += "\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
_REST = _FIRST + "0-9.\xb7\u0300-\u036f\u203f\u2040-"
_NAME = re.compile(f"[{_FIRST}][{_REST}]*(?::[{_FIRST}][{_REST}]*)?")
"""A name with at most one prefix (XML 1.0 §2.3, Namespaces in XML §3)."""

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document can hold, not even as a reference (§2.2)."""

_REFERABLE = re.compile('"[^"]*"|>[^<]*')
"""Values of attributes and the text between tags: where a reference may stand for a character."""

_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)


def xml_bytes(value: Any, plan: Plan | None, definitions: Mapping[str, Plan], charset: str | None = None) -> bytes:
    """Encode a value as an XML document, in UTF-8 unless its media type names another charset.

    A string for a root that has members is taken for the finished document. Raises ArgumentProblem for what XML cannot
    hold and for a value nested too deeply.
    """
    writer = _Writer(definitions)
    plan = writer.plan(plan, value)
    if isinstance(value, str) and (not plan or "properties" in plan or "items" in plan):
        return in_charset(value, charset)
    name = str(plan.get("name") or "root")
    if isinstance(value, list):
        pieces = writer.element({**plan, "name": name}, name, value, {}, 0, wrap=True)
    else:
        pieces = writer.element({**plan, "none": False}, name, value, {}, 0)
    return _document("".join(pieces), charset)


def _document(text: str, charset: str | None) -> bytes:
    """Encode a document that says its charset; what that lacks stands as references, which CDATA cannot hold."""
    if charset is None or charset.lower() in ("utf-8", "utf8"):
        return utf8(DECLARATION + text)
    document = DECLARATION.replace("UTF-8", _checked_name(charset)) + text
    try:
        document.encode(charset)
    except UnicodeEncodeError:
        if "<![CDATA[" not in text:
            document = _REFERABLE.sub(
                lambda found: found.group().encode(charset, "xmlcharrefreplace").decode(charset), document
            )
    except LookupError:
        pass  # told below, as for texts
    return in_charset(document, charset)


class _Writer:
    """Writes elements; `definitions` are the plans that others refer to by name."""

    __slots__ = ("_definitions",)

    def __init__(self, definitions: Mapping[str, Plan]) -> None:
        self._definitions = definitions

    def plan(self, plan: Plan | None, value: Any = None) -> Plan:
        """Return the plan of a value: with what it refers to, and of a union with the branch that is most like it.

        What stands beside a reference wins, and a branch is named as it says itself.
        """
        found = self._referred(plan)
        for _ in range(MAX_DEPTH):
            choices = found.get("choices")
            if not choices or not isinstance(value, dict):
                break
            branch = max(map(self._referred, choices), key=lambda each: _likeness(each, value))
            properties = {**found.get("properties", {}), **branch.get("properties", {})}
            rest = {key: member for key, member in found.items() if key != "choices"}
            found = {**rest, **branch, "properties": properties}
        return found

    def _referred(self, plan: Plan | None) -> Plan:
        for _ in range(MAX_DEPTH):
            if not plan or "ref" not in plan:
                break
            own = {key: member for key, member in plan.items() if key != "ref"}
            plan = {**self._definitions.get(plan["ref"], {}), **own}
        return plan or {}

    def element(
        self, plan: Plan, name: str, value: Any, scope: Namespaces, depth: int, *, wrap: bool = False
    ) -> list[str]:
        """Return the pieces of a value's element: `wrap` gives an array one, which it otherwise has only if wrapped."""
        if depth > MAX_DEPTH:
            raise ArgumentProblem((), f"the value is nested deeper than {MAX_DEPTH}")
        if isinstance(value, list) and not wrap:
            return self._array(plan, name, value, scope, depth)
        tag, declarations, scope = _tag(plan, name, scope)
        attributes: list[str] = []
        if isinstance(value, list):
            content = self._items(plan, name, value, scope, depth)
        elif isinstance(value, dict):
            attributes, content = self._members(plan, value, scope, depth)
        else:
            content = [_leaf(plan, value)]
        opening = f"<{tag}{''.join(declarations)}{''.join(attributes)}"
        return [f"{opening}>", *content, f"</{tag}>"] if any(content) else [f"{opening}/>"]

    def _array(self, plan: Plan, name: str, value: list[Any], scope: Namespaces, depth: int) -> list[str]:
        if plan.get("wrapped"):
            return self.element(plan, name, value, scope, depth, wrap=True)
        # without a wrapper the array's own name means nothing (OAS 3.0.4 §4.7.27.2.4): items have the property's
        return self._items({**plan, "name": name}, name, value, scope, depth)

    def _items(self, plan: Plan, name: str, value: list[Any], scope: Namespaces, depth: int) -> list[str]:
        pieces = []
        for index, item in enumerate(value):
            items = self.plan(plan.get("items"), item)
            item_name = str(items.get("name") or plan.get("name") or name)
            try:
                pieces += self.element(items, item_name, item, scope, depth + 1, wrap=isinstance(item, list))
            except ArgumentProblem as problem:
                raise problem.below(index) from None
        return pieces

    def _members(
        self, plan: Plan, value: Mapping[str, Any], scope: Namespaces, depth: int
    ) -> tuple[list[str], list[str]]:
        """Return the attributes and the content of an object; null members are left out."""
        attributes: list[str] = []
        content: list[str] = []
        plans = plan.get("properties", {})
        for name, member in value.items():
            if member is None:
                continue
            try:
                self._member(self.plan(plans.get(name), member), name, member, scope, depth, attributes, content)
            except ArgumentProblem as problem:
                raise problem.below(name) from None
        return attributes, content

    def _member(
        self,
        plan: Plan,
        name: str,
        member: Any,
        scope: Namespaces,
        depth: int,
        attributes: list[str],
        content: list[str],
    ) -> None:
        if plan.get("attribute"):
            attributes.append(_attribute(plan, name, member, scope))
        elif (plan.get("text") or plan.get("cdata")) and is_flat(member):
            content.append(_leaf(plan, member))
        elif plan.get("none") and isinstance(member, dict):
            inner_attributes, inner = self._members(plan, member, scope, depth + 1)
            attributes += inner_attributes
            content += inner
        else:
            is_bare_list = isinstance(member, list) and not plan.get("wrapped")
            content += self.element(
                plan, name if is_bare_list else str(plan.get("name") or name), member, scope, depth + 1
            )


def _likeness(plan: Plan, value: Mapping[str, Any]) -> tuple[int, int, int]:
    """Return how well a value fits a branch: by values that it can only have, then by members needed and known."""
    only, members = plan.get("only", {}), plan.get("properties", {})
    told = sum(1 if value[name] in allowed else -1 for name, allowed in only.items() if name in value)
    missing = sum(name not in value for name in plan.get("needs", ()))
    return told, -missing, sum(1 if name in members else -1 for name in value)


def _tag(plan: Plan, name: str, scope: Namespaces) -> tuple[str, list[str], Namespaces]:
    """Return an element's name, the namespaces it declares, and the namespaces known inside it."""
    name = str(plan.get("name") or name)
    prefix, namespace = str(plan.get("prefix") or ""), plan.get("namespace")
    declarations = []
    if namespace is not None and scope.get(prefix) != namespace:
        attribute = f"xmlns:{_checked_name(prefix)}" if prefix else "xmlns"
        declarations.append(f' {attribute}="{_escaped(str(namespace), _ATTRIBUTE)}"')
        scope = {**scope, prefix: str(namespace)}
    if prefix and prefix in scope:
        name = f"{prefix}:{name}"
    return _checked_name(name), declarations, scope


def _attribute(plan: Plan, name: str, value: Any, scope: Namespaces) -> str:
    name = str(plan.get("name") or name)
    prefix, namespace = str(plan.get("prefix") or ""), plan.get("namespace")
    declaration = ""
    if prefix and (namespace is not None or prefix in scope):
        if namespace is not None and scope.get(prefix) != namespace:
            declaration = f' xmlns:{_checked_name(prefix)}="{_escaped(str(namespace), _ATTRIBUTE)}"'
        name = f"{prefix}:{name}"
    text = " ".join(map(text_of, value)) if isinstance(value, list) else text_of(value)
    return f'{declaration} {_checked_name(name)}="{_escaped(text, _ATTRIBUTE)}"'


def _leaf(plan: Plan, value: Any) -> str:
    text = text_of(value)
    if not plan.get("cdata"):
        return _escaped(text, _TEXT)
    _escaped(text, {})
    return f"<![CDATA[{text.replace(']]>', ']]]]><![CDATA[>')}]]>"


def _escaped(text: str, table: Mapping[int, str]) -> str:
    found = _FORBIDDEN.search(text)
    if found:
        raise ArgumentProblem((), f"character {found.start() + 1} (U+{ord(found.group()):04X}) cannot stand in XML")
    return text.translate(table)


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ArgumentProblem((), f"{name[:60]!r} cannot be the name of an XML element or attribute")
    return name
