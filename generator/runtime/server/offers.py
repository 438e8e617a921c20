"""What a server offers besides tools: its resources, templates and prompts, each callable like a tool.

An `Offer` is a `Tool` to the shell: it has a time limit, runs on a worker or the loop, and can be cancelled. It differs
in how its answer is framed: what goes wrong is a JSON-RPC error, because these methods have no `isError` (MCP
server/resources, server/prompts), and an unforeseen exception is told by a number only, since people read these.
"""

from __future__ import annotations

from ..wire import jsonrpc
from .carried import gateway_of
from .outcome import META_ERROR
from .tool import Tool
from .uri_templates import LONGEST_URI, UriTemplate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..wire.dialects import Dialect
    from .call import Call
    from .catalog import Catalog
    from .session import Session

DESCRIBED = ("tools", "resources", "templates", "prompts")
"""What the description of a server lists."""

CALLED = ("python", "proxy")
"""Kinds of resources that are read by calling something."""

NO_ARGUMENTS = {"type": "object", "additionalProperties": False}
ANY_ARGUMENTS = {"type": "object"}
NOT_FOUND = "resource_not_found"
"""The reason of an outcome that says there is no such resource."""


class Offer(Tool):
    """One resource, template, prompt or completer, by its entry in the catalog."""

    reticent = True

    __slots__ = ("completers", "completions", "definition", "kind")

    def __init__(self, kind: str, name: str, entry: dict[str, Any], catalog: Catalog) -> None:
        schema = entry.get("arguments") or (ANY_ARGUMENTS if kind == "completion" else NO_ARGUMENTS)
        shaped: dict[str, Any] = {
            "definition": {
                "name": f"{kind} {name}",
                "inputSchema": schema,
                "annotations": {"readOnlyHint": True},  # what goes wrong may be asked for again
            },
            "call": {**entry["call"], "kind": kind},
            "coerce": True,  # arguments are texts here, whatever the function takes
        }
        shaped |= {name: entry[name] for name in ("limits", "scopes", "unenforced_patterns") if entry.get(name)}
        super().__init__(shaped, catalog)
        self.kind = kind
        self.definition: dict[str, Any] = entry.get("definition") or {}
        proxy = entry["call"].get("kind") == "proxy"
        self.completions: dict[str, Any] = {} if proxy else entry.get("completions") or {}
        needed = {"scopes": entry["scopes"]} if entry.get("scopes") else {}
        self.completers = {
            argument: Offer("completion", f"{argument} of {kind} {name}", {**how, **needed}, catalog)
            for argument, how in self.completions.items()
            if "call" in how
        }
        if proxy:
            self._go_elsewhere(entry["call"])

    def framing(self, session: Session, call: Call, result: dict[str, Any]) -> bytes:
        """Return the response's bytes: the result's members, or the error that an outcome amounts to."""
        if result.get("isError"):
            return jsonrpc.error_line(call.request_id, refusal(call, result))
        members = {**result}
        if self.kind == "resource":
            return jsonrpc.result_line(call.request_id, session.framed(members, call.dialect))
        if self.definition.get("description"):
            members = {"description": self.definition["description"], **members}
        return jsonrpc.result_line(call.request_id, session.completed(members, call.dialect))


class Offers:
    """All offers of one catalog: resources by URI, templates in order, prompts by name.

    Under the URIs in `described` the catalog itself is read, under those in `texts` a text that was built in.
    """

    __slots__ = ("described", "prompts", "resources", "templates", "texts", "views")

    def __init__(self, catalog: Catalog) -> None:
        data = catalog.data
        self.views: dict[str, Offer] | None = None  # those of MCP Apps, from the first that is read on
        self.resources = {
            entry["definition"]["uri"]: Offer("resource", entry["definition"]["name"], entry, catalog)
            for entry in data.get("resources", ())
            if entry["call"]["kind"] in CALLED
        }
        self.described = [
            entry["definition"]["uri"] for entry in data.get("resources", ()) if entry["call"]["kind"] == "schema"
        ]
        self.texts: dict[str, str | None] = {  # read when the first is asked for
            entry["definition"]["uri"]: None for entry in data.get("resources", ()) if entry["call"]["kind"] == "text"
        }
        self.templates = [
            (
                UriTemplate(entry["definition"]["uriTemplate"]),
                Offer("resource", entry["definition"]["name"], entry, catalog),
            )
            for entry in data.get("templates", ())
        ]
        self.prompts = {
            entry["definition"]["name"]: Offer("prompt", entry["definition"]["name"], entry, catalog)
            for entry in data.get("prompts", ())
        }

    def find(self, uri: str) -> tuple[Offer, dict[str, str]] | None:
        """Return what a URI means and the values of its variables: a resource of that very URI, else a template."""
        exact = self.resources.get(uri)
        if exact is not None:
            return exact, {}
        for template, offer in self.templates:
            values = template.match(uri)
            if values is not None:
                return offer, values
        return None


def offers_of(catalog: Catalog) -> Offers:
    """Return a catalog's offers, made when they are first asked for: all, whatever lists show of them."""
    if catalog.offers is None:
        catalog.offers = Offers(getattr(catalog, "whole", catalog))
    found: Offers = catalog.offers
    return found


def is_known(catalog: Catalog, uri: str) -> bool:
    """Say whether something can be read under a URI."""
    if catalog.header.get("gateway"):
        return gateway_of(catalog).routing.owner(uri) is not None
    offers = offers_of(catalog)
    if uri in offers.described or uri in offers.texts or offers.find(uri) is not None:
        return True
    return any(entry["definition"]["uri"] == uri for entry in catalog.data.get("views", ()))


def description_of(catalog: Catalog) -> dict[str, Any]:
    """Return everything a server offers, as lists show it in their newest form, without how it is called (R155)."""
    data = catalog.data
    members = {name: data[name] for name in ("server", "instructions") if data.get(name)}
    for kind in DESCRIBED:
        shown = [entry["definition"] for entry in data.get(kind, ()) if not entry.get("hidden")]
        if shown:
            members[kind] = shown
    return members


def not_found(uri: str, dialect: Dialect) -> jsonrpc.Refusal:
    """Build the error for a URI that means nothing here (resources: error handling); its code is the revision's."""
    code = jsonrpc.INVALID_PARAMS if dialect.modern else jsonrpc.RESOURCE_NOT_FOUND
    return jsonrpc.Refusal(code, "Resource not found", {"uri": uri[:LONGEST_URI]})


def refusal(call: Call, result: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON-RPC error for an outcome: wrong arguments are the client's, all else is internal."""
    facts: dict[str, Any] = (result.get("_meta") or {}).get(META_ERROR) or {}
    if facts.get("reason") == NOT_FOUND:
        return not_found(call.uri, call.dialect).body
    data = dict(result.get("errorData") or {name: value for name, value in facts.items() if name != "tool"})
    data.pop("tool", None)
    if "retryable" in facts:
        data["retryable"] = facts["retryable"]
    if call.uri:
        data["uri"] = call.uri
    wrong = str(facts.get("code", "")).startswith("M-INP")
    code = jsonrpc.INVALID_PARAMS if wrong else jsonrpc.INTERNAL_ERROR
    content = result.get("content") or ({"text": "It could not be run."},)
    return jsonrpc.error_body(code, content[0]["text"], data or None)
