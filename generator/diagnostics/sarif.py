"""Diagnostics as SARIF 2.1.0, the form that code scanning services read (OASIS, section numbers below)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from .collect import told
from .model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Diagnostic, Rule, Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def render(diagnostics: Iterable[Diagnostic], *, version: str) -> str:
    """Return one SARIF log with one run; `version` is mcpgen's own."""
    shown = tuple(diagnostics)
    rules = sorted({diagnostic.rule.code: diagnostic.rule for diagnostic in shown}.values(), key=lambda rule: rule.code)
    places = {rule.code: index for index, rule in enumerate(rules)}
    driver = {"name": "mcpgen", "version": version, "rules": [_rule(rule) for rule in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",  # 3.14.17: our columns count characters
        "results": [_result(diagnostic, places[diagnostic.rule.code]) for diagnostic in shown],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: Rule) -> dict[str, object]:
    described: dict[str, object] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }
    if rule.explanation:
        described["fullDescription"] = {"text": rule.explanation}
    return described


def _result(diagnostic: Diagnostic, index: int) -> dict[str, object]:
    text = "\n".join(told(diagnostic))
    result: dict[str, object] = {
        "ruleId": diagnostic.rule.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.level],
        "message": {"text": text},
    }
    location: dict[str, object] = {}
    if diagnostic.span is not None:
        location["physicalLocation"] = _physical(diagnostic.span)
    if diagnostic.unit is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": diagnostic.unit}]
    if location:
        result["locations"] = [location]
    return result


def _physical(span: Span) -> dict[str, object]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": max(span.end_line, span.line),
        "endColumn": span.end_column,
    }
    return {"artifactLocation": {"uri": quote(span.path.replace("\\", "/"))}, "region": region}
