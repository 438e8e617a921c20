"""The one table of rules: `mcpgen explain CODE` reads it, docs/rules.md is made from it.

Codes are never reused. MG1xx Python, MG2xx OpenAPI, MG3xx names and schemas, MG4xx UI, MG5xx registry and gateway,
MG6xx output, MG7xx configuration, MG9xx our own faults. A name reads well after "allow".
"""

from __future__ import annotations

from .actions import ACTIONS
from .explanations import EXPLANATIONS
from .model import Rule, Severity
from .rules_documents import DOCUMENT_RULES
from .rules_gateway import GATEWAY_RULES
from .rules_openapi import OPENAPI_RULES
from .rules_registry import REGISTRY_RULES
from .rules_verify import VERIFY_RULES
from .rules_views import VIEW_RULES

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE


def _rule(code: str, name: str, severity: Severity, summary: str, explanation: str = "") -> Rule:
    explanation = explanation or EXPLANATIONS.get(name, "")
    action = ACTIONS.get(name, "")
    return Rule(code=code, name=name, severity=severity, summary=summary, explanation=explanation, action=action)


RULES: tuple[Rule, ...] = (
    # --- MG1xx: the Python front end
    _rule(
        "MG101",
        "unresolved-type",
        E,
        "A type in an annotation cannot be found.",
        "The name was followed through the module's imports and no definition was found. Install the package that "
        "defines it in the environment named by --python, or give the tool a schema of its own in "
        "[tool.mcpgen.tools.NAME].",
    ),
    _rule(
        "MG102",
        "unsupported-type",
        E,
        "A type has no JSON form.",
        "A client can only send JSON. Take the parts the value is made from as parameters instead, give the parameter "
        "a default (it is then left out), or give the tool a schema of its own.",
    ),
    _rule("MG103", "syntax-error", E, "The module cannot be parsed."),
    _rule("MG104", "untyped-parameter", W, "A parameter has no annotation; any value is accepted."),
    _rule("MG105", "undocumented-tool", W, "A tool has no description."),
    _rule("MG106", "undocumented-parameter", W, "A parameter has no description."),
    _rule("MG107", "docstring-unknown-parameter", W, "The docstring describes a parameter the function does not have."),
    _rule("MG108", "dropped-parameter", W, "A parameter a client cannot supply is left out; its default is used."),
    _rule(
        "MG109",
        "opaque-enum-values",
        W,
        "Enum values say nothing to a model; the member names go into the description.",
    ),
    _rule("MG110", "opt-in", E, "This kind of object is a tool only when it is named in `expose`."),
    _rule(
        "MG111",
        "runtime-only-constraint",
        W,
        "A constraint cannot be said in JSON Schema; it is checked when the tool is called.",
    ),
    _rule("MG112", "uncommon-type", W, "A type whose JSON form is a convention of ours."),
    _rule("MG113", "unknown-decorator", W, "A decorator may change the signature; the written one is used."),
    _rule(
        "MG114", "cached-tool", W, "Results of a cached function are shared between calls; arguments must be hashable."
    ),
    _rule(
        "MG115",
        "hidden-characters",
        W,
        "Invisible or direction-changing characters were removed from text that models read.",
    ),
    _rule(
        "MG116",
        "computed-default",
        W,
        "A default cannot be read statically; the parameter is optional without a stated default.",
    ),
    _rule("MG117", "implicit-optional", W, "The default is None but the type does not say so; null is accepted."),
    _rule("MG118", "source-encoding", E, "The source's encoding is not accepted."),
    _rule("MG119", "source-too-deep", E, "The source is nested too deeply to be read safely."),
    _rule("MG120", "newer-syntax", E, "The source uses syntax newer than the Python that runs mcpgen."),
    _rule("MG121", "source-unreadable", E, "The source cannot be opened or found."),
    _rule("MG122", "non-ascii-name", E, "A tool's name is not ASCII."),
    _rule("MG123", "context-mismatch", E, "An async function takes `SyncContext`, or a sync function `Context`."),
    _rule("MG124", "marker-conflict", E, "A marker and a setting disagree."),
    _rule("MG125", "marker-argument", E, "A marker's argument cannot be used."),
    _rule(
        "MG126",
        "undecidable-definition",
        W,
        "A function is defined differently in branches that cannot be decided statically.",
    ),
    _rule("MG127", "generic-result", W, "A generator's results are collected into an array."),
    _rule("MG128", "serving-function", W, "The function looks as if it never returns."),
    _rule("MG129", "unsupported-feature", E, "A construct that this version does not read yet."),
    _rule(
        "MG130",
        "dynamic-import",
        W,
        "A module is imported by a computed or quoted name; it cannot be followed or copied.",
    ),
    _rule("MG131", "missing-local-import", E, "A local import cannot be found beside the module."),
    _rule("MG132", "missing-data-file", E, "A data file named by the module or by `include` does not exist."),
    _rule("MG133", "unknown-dependency", W, "An imported package could not be mapped to a distribution."),
    _rule("MG134", "verbatim-schema", W, "An author's own schema is emitted as it is; some hosts refuse such a form."),
    _rule("MG135", "inexact-integer", N, "A schema states an integer beyond 2**53, which JavaScript clients round."),
    _rule(
        "MG136",
        "withheld-file",
        E,
        "A file is not copied: it lies outside the module's folder, is too large, or looks like a secret.",
    ),
    _rule(
        "MG137",
        "too-many-files",
        E,
        "More local modules or data files than are copied into one package.",
    ),
    _rule("MG138", "mismatched-default", W, "A default does not fit its own type; it is not stated."),
    _rule("MG139", "inapplicable-constraint", W, "A constraint says nothing about values of its type; it is left out."),
    _rule("MG140", "contradictory-constraints", W, "No value can meet all constraints on it."),
    _rule(
        "MG141", "written-data-file", W, "The module writes a file beside itself; a server writes its own copy of it."
    ),
    _rule("MG142", "unimportable-link", E, "A file that is to be linked is not what an import of its name finds."),
    _rule("MG143", "resource-uri", E, "A resource's URI, or its template, cannot be used."),
    _rule(
        "MG144",
        "template-parameter",
        E,
        "A variable of a resource's URI has no parameter, or a required parameter no variable.",
    ),
    _rule("MG145", "unmatched-completer", E, "A completer completes nothing, or cannot be called as one."),
    _rule("MG151", "effect-before-question", W, "What stands before a question to the client is not repeatable."),
    _rule("MG152", "repeated-question-key", W, "A key stands for two questions of one function."),
    *DOCUMENT_RULES,
    *OPENAPI_RULES,
    # --- MG3xx: names and schemas
    _rule("MG301", "name-collision", E, "Two tools have the same name."),
    _rule("MG302", "illegal-tool-name", E, "A tool's or a prompt's name breaks `^[A-Za-z0-9_-]{1,64}$`."),
    _rule("MG303", "renamed-parameter", W, "A parameter's wire name was changed so that all hosts accept it."),
    _rule("MG304", "invalid-schema", E, "A schema is not valid JSON Schema 2020-12."),
    _rule("MG305", "unsupported-keyword", E, "A schema uses an assertion the validator cannot enforce."),
    _rule("MG306", "untranslatable-pattern", W, "A pattern cannot be enforced; it is advertised only."),
    _rule("MG307", "slow-pattern", W, "A pattern may take more than linear time; it is advertised only."),
    _rule("MG308", "no-tools", E, "Nothing is left to serve."),
    _rule(
        "MG309", "long-tool-name", W, "Server and tool name together exceed 60 characters; some hosts drop such tools."
    ),
    _rule("MG310", "illegal-server-name", E, "A server, package or output name is not acceptable."),
    _rule("MG311", "poisoned-description", W, "A description reads like an instruction to the model."),
    _rule("MG312", "long-description", W, "A description is too long for a model to read with profit; it is cut."),
    _rule("MG313", "offer-collision", E, "Two resources have the same URI, or two prompts the same name."),
    *VIEW_RULES,
    *REGISTRY_RULES,
    *GATEWAY_RULES,
    *VERIFY_RULES,
    # --- MG6xx: output
    _rule("MG601", "edited-file", E, "A generated file was edited; it is kept and the new version is not written."),
    _rule("MG602", "foreign-file", E, "A file that mcpgen did not write stands where one would go; it is not touched."),
    _rule("MG603", "drift", E, "The output differs from what would be written."),
    _rule("MG604", "unwritable-output", E, "The output cannot be written."),
    _rule("MG605", "broken-lock", E, "mcpgen.lock cannot be read."),
    _rule("MG606", "broken-package", E, "The emitted package cannot be imported."),
    _rule("MG607", "unsuitable-folder", E, "The output folder is another server's, or no place for a server."),
    # --- MG7xx: configuration
    _rule("MG701", "unknown-setting", E, "A setting is not known."),
    _rule("MG702", "invalid-setting", E, "A setting has a wrong value."),
    _rule("MG703", "unmatched-expose", E, "A pattern in `expose` matches nothing."),
    _rule("MG704", "unmatched-tool-setting", E, "A `tools.NAME` table names no tool."),
    _rule("MG705", "broken-configuration", E, "The configuration file cannot be parsed."),
    _rule("MG706", "unmatched-hide", E, "A pattern in `hide` matches nothing."),
    _rule("MG707", "unusable-environment", E, "The environment named by --python cannot be used."),
    _rule("MG708", "disabled", E, "The configuration says `enabled = false`."),
    _rule(
        "MG709",
        "undeclared-scope",
        E,
        "A tool, a resource, a prompt or a token has a scope that the server does not declare.",
    ),
    _rule("MG710", "wrong-usage", E, "The words of the command line cannot be used."),
    # --- MG9xx: our own faults
    _rule("MG901", "internal-error", E, "mcpgen itself failed; please report it."),
)

BY_CODE = {rule.code: rule for rule in RULES}
BY_NAME = {rule.name: rule for rule in RULES}


def rule(name: str) -> Rule:
    """Return the rule of this name; raises KeyError for a name that is not in the table."""
    return BY_NAME[name]
