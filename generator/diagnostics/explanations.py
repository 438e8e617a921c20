"""What to do about each rule, by its name: the second half of `mcpgen explain` and of docs/rules.md.

The summary in `rules` says what is the case; here is why it matters and what a user can do. A rule that explains
itself in its row needs no entry.
"""

from __future__ import annotations

EXPLANATIONS = {
    "undeclared-scope": (
        "`scopes` in [tool.mcpgen] lists the scopes there are, as tokens have them; a tool asks for some of them by "
        "`@tool(scopes=[...])` or in its table. One that is only misspelt would let nobody in, so the build fails. "
        "What an API description says of its own operations counts as declared."
    ),
    # --- the Python front end
    "resource-uri": (
        "A resource is read by its URI, so that has to be one: a scheme, then printable ASCII. A template has a "
        "variable in braces for each parameter (RFC 6570 level 1). Operators such as `{+path}` or `{?query}`, one "
        "variable twice and two in a row are refused, because a URI could not be taken apart again for certain."
    ),
    "template-parameter": (
        "What stands in braces is passed to the parameter of that name, and only that: a client has no other way to "
        "give a resource an argument. Parameters with a default may be missing from the URI."
    ),
    "offer-collision": (
        "A client asks for a resource by its URI and for a prompt by its name, so only one can be meant. The first in "
        "the module is served."
    ),
    "unmatched-completer": (
        "`@completer(function, name)` names a function under `@prompt`, or under `@resource` with a template, and one "
        "of its arguments. The completer itself takes what was typed, and if it likes the arguments chosen so far."
    ),
    "effect-before-question": (
        "A client of 2026-07-28 sends the whole call again with its answers, and the function runs from its start. "
        "What changes something belongs behind the last question. A question that reads differently each time is "
        "asked again for ever: its answer was given to another one."
    ),
    "repeated-question-key": (
        "Answers are kept by their keys, so each question of a function has its own. In a loop make the key of what "
        "tells the rounds apart."
    ),
    "syntax-error": (
        "Nothing of a module can be read then. The place is where Python's own parser gave up; the cause often "
        "stands just before it."
    ),
    "untyped-parameter": (
        "The schema of such a parameter accepts everything, so a model has to guess, and the function gets what "
        "it sends unchecked. Annotate it; a default alone says nothing about other values."
    ),
    "undocumented-tool": (
        "A model chooses tools by their descriptions. Give the function a docstring whose first line says what it "
        "does, or set `description` in [tool.mcpgen.tools.NAME]."
    ),
    "undocumented-parameter": (
        "Add it to the docstring's section of parameters (Google, NumPy, Sphinx and epydoc styles are read), or "
        "annotate it with a text: `Annotated[int, Param(description=...)]`."
    ),
    "docstring-unknown-parameter": (
        "Usually the parameter was renamed and the docstring was not, so the real one stays undescribed."
    ),
    "mismatched-default": (
        "A client that sent the default it was shown would be refused. Correct the annotation or the default; until "
        "then the parameter is optional and Python's own default is used."
    ),
    "inapplicable-constraint": (
        "A length of a number, a bound of a text: nothing would ever be refused by it. Put it on the type that was "
        "meant, `list[Annotated[int, Ge(0)]]` instead of `Annotated[list[int], Ge(0)]`, or take it away."
    ),
    "contradictory-constraints": (
        "Every call that gives such an argument would be refused. Correct the smaller or the larger bound."
    ),
    "dropped-parameter": (
        "Its type is nothing that JSON can carry, such as a callable or an open file. Clients do not see it. If "
        "they should supply it, take the parts it is made from instead."
    ),
    "opaque-enum-values": (
        "Members like `A = 1` leave a model with bare numbers. Give them text values, or document what each means."
    ),
    "opt-in": (
        "Methods, lambdas, partials and names that other modules define are easily public by accident. Name it in "
        "`expose` to serve it, or give it a leading underscore."
    ),
    "runtime-only-constraint": (
        "Clients and models cannot see it, so wrong calls are found out late. Mention it in the parameter's "
        "description."
    ),
    "written-data-file": (
        "The emitted package has its own folder: what its server writes there is not the module's file, is part of no "
        "other copy, and may be lost when the package is installed again. A file that is also read is carried as it is "
        "now and never overwritten by a later build. Keep state outside the package, for example at a path from "
        "[tool.mcpgen.config], or install the module and use --link."
    ),
    "unimportable-link": (
        "A linked module is not copied: the server imports it by its name from the environment it runs in. Leave out "
        "--link to copy the file, or install it and name its environment with --python."
    ),
    "uncommon-type": "It works, but a model may not guess the form. Say in the description what the text looks like.",
    "unknown-decorator": (
        "What the decorator returns is not known without running it. If it keeps the signature, `functools.wraps` "
        "in the decorator tells; if it changes it, state `input_schema` in [tool.mcpgen.tools.NAME]."
    ),
    "cached-tool": (
        "Two clients that send equal arguments share one result object, and lists or dictionaries among the "
        "arguments cannot be cached at all. Leave the cache to an inner function when that matters."
    ),
    "hidden-characters": (
        "What people cannot see in a text but models read is a way to smuggle instructions. Remove them from the "
        "source; languages that need joiners keep them."
    ),
    "computed-default": (
        "The function's own default is still used when the argument is left out; only the schema cannot show it. "
        "Write it as a literal, or say in the description what happens."
    ),
    "implicit-optional": "Type checkers refuse this spelling. Write `| None`.",
    "source-encoding": "UTF-8, ASCII and some older encodings are read. Save the file as UTF-8.",
    "source-too-deep": (
        "Expressions nested this deep are generated or hostile. Move the data into a file that the module loads."
    ),
    "newer-syntax": (
        "The source is read with the parser of the Python that runs mcpgen. Install mcpgen with the newer one."
    ),
    "source-unreadable": (
        "Look at the spelling, the working folder, the permissions, and for a dotted name at the environment: "
        "--python names it."
    ),
    "non-ascii-name": (
        "Model APIs accept ASCII letters, digits, `_` and `-`. Set `name` in a marker or in [tool.mcpgen.tools.NAME]."
    ),
    "context-mismatch": (
        "The methods of `Context` must be awaited, those of `SyncContext` block. Annotate an async function with "
        "the first, any other with the second."
    ),
    "marker-conflict": "Both say the same thing differently and neither may win silently. Remove one of them.",
    "marker-argument": (
        "Markers are read from the source, so their arguments must be literals, or names bound to one, of the "
        "kind that the option takes."
    ),
    "undecidable-definition": (
        "Tests of Python's version, of the platform and of TYPE_CHECKING are decided; others only a run can. The "
        "last definition is read. Define the function once and branch inside it."
    ),
    "generic-result": "A client gets one answer, so the items are collected first, up to 100,000 of them.",
    "serving-function": (
        "A call would end by its time-out only. Leave the function out with `hide`, or name it in `expose` to keep it."
    ),
    "unsupported-feature": (
        "The message names what can be done instead. Often the tool can be given a schema of its own in "
        "[tool.mcpgen.tools.NAME]."
    ),
    "dynamic-import": (
        "What is imported by a text is not copied into the package and not listed as a dependency. Use an import "
        "statement, name the files in `include`, or build with --link."
    ),
    "missing-local-import": (
        "The emitted package would fail at its first call. Restore the module, or install what provides it."
    ),
    "missing-data-file": (
        "The module reads a file of this name beside itself. Restore it, or correct the pattern in `include`."
    ),
    "unknown-dependency": (
        "A distribution's name is never guessed from an import's. List it in the project's `dependencies` or in a "
        "`# /// script` block, or install it where --python looks."
    ),
    "verbatim-schema": (
        "Hosts expect an object at the root, without combinators beside it, and keys of letters, digits, `_`, `.` "
        "and `-`. Everything else about the schema is the author's business."
    ),
    "inexact-integer": (
        "The server itself keeps such numbers exact; a client that keeps numbers as doubles sends and shows another "
        "one. Bound the parameter, or take such numbers as text."
    ),
    "withheld-file": (
        "Secrets do not belong into a package: declare them in [tool.mcpgen.config] and take them from the "
        "environment. Other files must lie in the module's folder."
    ),
    "too-many-files": (
        "A package of thousands of files is usually a folder named by mistake. Name fewer in `include`, or install the "
        "module and use --link."
    ),
    # --- names and schemas
    "name-collision": (
        "The first one is kept. Rename one with `name` in a marker or in [tool.mcpgen.tools.NAME], or hide it."
    ),
    "illegal-tool-name": "That is what all model APIs accept. Set `name` in a marker or in [tool.mcpgen.tools.NAME].",
    "renamed-parameter": "Clients use the new name, the function still gets its own.",
    "invalid-schema": (
        "The schema was written by hand, in a marker or a setting. The message says where it breaks the specification."
    ),
    "unsupported-keyword": (
        "The keyword means nothing in draft 2020-12, so a client would believe in a check that nobody makes. Say "
        "the same with current keywords, such as `dependentRequired` for `dependencies`."
    ),
    "untranslatable-pattern": (
        "JSON Schema takes patterns of JavaScript. Clients see it, the server does not check it; check it in the "
        "function."
    ),
    "slow-pattern": (
        "A hostile text could keep the server busy for a long time. Clients see the pattern, the server does not "
        "check it. Rewrite it without nested repetitions, or check it in the function."
    ),
    "no-tools": (
        "The other findings say why each candidate was left out. Public functions of the module itself become "
        "tools; imported ones do not."
    ),
    "long-tool-name": (
        "Some hosts put both names together and drop what exceeds 64 characters. Shorten one of them with `name`."
    ),
    "illegal-server-name": (
        "Server and package names are lower-case ASCII letters, digits and `_`, a letter first, and no keyword or "
        "module of Python. Choose one with --name, --package or -o."
    ),
    "poisoned-description": (
        "Hosts and scanners treat such texts as attacks. Describe what the tool does instead of what the model "
        "should do."
    ),
    "long-description": "Say what the tool does and when to use it; the rest belongs into documentation.",
    # --- output
    "edited-file": "Move the edit to the source or a setting, or delete the file and build again.",
    "foreign-file": "Move it away, or build into another folder with -o.",
    "drift": "Build again without --check and review the change. An edited file is MG601, one of somebody else MG602.",
    "unwritable-output": "The message has the system's reason. Files that were there before are whole.",
    "broken-lock": (
        "Without it edits cannot be told from generated text, so nothing is touched. Restore it from version "
        "control, or build into a new folder."
    ),
    "broken-package": "The message has the child's last line. If it names a file of the runtime, please report it.",
    "unsuitable-folder": (
        "A project folder holds one server and nothing else: files that are no longer generated are deleted from it. "
        "Name another one with -o."
    ),
    # --- configuration
    "unknown-setting": (
        "A misspelt setting without effect is worse than an error. docs/configuration.md lists them all."
    ),
    "invalid-setting": "The message says what the setting takes.",
    "unmatched-expose": (
        "Patterns match the names of functions as they stand in the module, and `owner.method` for methods. "
        "Correct it or remove it."
    ),
    "unmatched-tool-setting": (
        "The key is the function's name in the module, not the name clients use. Correct it or remove it."
    ),
    "broken-configuration": "The place is where the TOML parser gave up.",
    "unmatched-hide": "Correct it or remove it; nothing is hidden by it.",
    "unusable-environment": "Name the folder of a virtual environment, or an interpreter.",
    "disabled": "Remove `enabled = false`, or name other settings with --config.",
    "wrong-usage": (
        "An option is not known, a word is missing, empty or of a wrong form, or words do not go together. Each verb "
        'has a `--help`. An empty word often is a variable of the shell that is not set: `mcpgen build "$SOURCE"`.'
    ),
    # --- our own faults
    "internal-error": (
        "Nothing is wrong with your input. The lines above the message and the source, if you can share it, make "
        "a good report."
    ),
}
