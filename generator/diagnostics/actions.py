"""The next action after each kind of error, by the rule's name: the hint of a finding that has none of its own.

Where a finding is made, more is usually known (the nearest name, the option that helps), and its own hint says so.
"""

from __future__ import annotations

ACTIONS = {
    # --- the Python front end
    "unresolved-type": (
        "Install the package that defines it in the environment named by --python, or state the schema in "
        "[tool.mcpgen.tools.NAME]."
    ),
    "unsupported-type": (
        "Take the parts the value is made from as parameters, or state the schema in [tool.mcpgen.tools.NAME]."
    ),
    "syntax-error": "Correct the syntax; the cause often stands just before this place.",
    "opt-in": "Name it in `expose` to serve it.",
    "source-encoding": "Save the file as UTF-8.",
    "source-too-deep": "Move the data into a file that the module loads.",
    "newer-syntax": "Run mcpgen with the Python that the source is written for.",
    "source-unreadable": "Look at the spelling, the working folder and the permissions.",
    "non-ascii-name": 'Give it another name with `@tool(name="...")` or `name` in its [tool.mcpgen.tools] table.',
    "context-mismatch": "Annotate an async function with `Context`, any other with `SyncContext`.",
    "marker-conflict": "Remove one of the two.",
    "marker-argument": "Give the option a literal of the kind it takes.",
    "unsupported-feature": "State the schema in [tool.mcpgen.tools.NAME], or leave the function out with `hide`.",
    "missing-local-import": "Restore the module, or install what provides it and build with --link.",
    "missing-data-file": "Restore the file, or correct its name.",
    "withheld-file": "Move the file into the module's folder, or leave it out of `include`.",
    "unimportable-link": "Leave out --link to copy it, or install it and name its environment with --python.",
    "too-many-files": "Name fewer files in `include`, or install the module and use --link.",
    "resource-uri": "Write it like `weather://stations/{station}`: a scheme, and `{name}` for each parameter.",
    "template-parameter": "Give the URI a `{name}` for each required parameter, and no other.",
    "unmatched-completer": 'Write it like `@completer(briefing, "city")` on `def cities(typed: str) -> list[str]`.',
    # --- names and schemas
    "name-collision": 'Rename one of them with `@tool(name="...")` or `name` in its [tool.mcpgen.tools] table.',
    "offer-collision": "Change one of the two URIs, or rename one of the prompts with `name`.",
    "illegal-tool-name": 'Give it another name with `@tool(name="...")` or `name` in its [tool.mcpgen.tools] table.',
    "invalid-schema": "Correct the schema, or leave it out and let the annotations speak.",
    "unsupported-keyword": "Say the same with keywords of JSON Schema 2020-12.",
    "no-tools": (
        "Give the module a public function, or serve something else of it: by `expose`, or by a `target` in "
        "[tool.mcpgen.tools.NAME]."
    ),
    "illegal-server-name": "Choose another name with --name, --package or -o.",
    # --- output
    "edited-file": "Move the edit to the source or a setting, or delete the file; then build again.",
    "foreign-file": "Move it away, or build into another folder with -o.",
    "drift": "Build again without --check, and review the change.",
    "unwritable-output": "Choose another folder with -o.",
    "broken-lock": "Restore it from version control, or build into a new folder with -o.",
    "broken-package": "Correct the module it names; a file of `_runtime` is our fault, please report it.",
    "unsuitable-folder": "Choose another folder with -o.",
    # --- configuration
    "unknown-setting": "Correct its spelling, or remove it.",
    "invalid-setting": "Correct the value, or remove the setting.",
    "unmatched-expose": "Correct the pattern, or remove it; functions go by the names they have in the module.",
    "unmatched-hide": "Correct the pattern, or remove it; functions go by the names they have in the module.",
    "unmatched-tool-setting": "Use the function's name, or remove the table.",
    "broken-configuration": "Correct the file at this place.",
    "unusable-environment": "Name a virtual environment's folder or a Python interpreter.",
    "disabled": "Remove `enabled = false`, or name another file of settings with --config.",
    "undeclared-scope": "Declare the scope in [tool.mcpgen] scopes, or ask for one that is declared.",
    "wrong-usage": "See `mcpgen --help`.",
    # --- our own faults
    "internal-error": "Report it in mcpgen's issue tracker.",
}
