"""The rules about API descriptions as documents (MG200-MG239): loading, references, shape."""

from __future__ import annotations

from .model import Rule, Severity

E, W = Severity.ERROR, Severity.WARNING


def _rule(code: str, name: str, severity: Severity, summary: str, explanation: str = "", action: str = "") -> Rule:
    return Rule(code=code, name=name, severity=severity, summary=summary, explanation=explanation, action=action)


DOCUMENT_RULES: tuple[Rule, ...] = (
    # --- MG200-MG219: loading and references
    _rule(
        "MG200",
        "unreadable-description",
        E,
        "A description or a file it refers to cannot be read.",
        "The file is missing, is no regular file, may not be read, or is larger than what is accepted.",
        "Check the path, and that the file may be read.",
    ),
    _rule(
        "MG201",
        "invalid-syntax",
        E,
        "A file is neither JSON nor YAML.",
        "What the text is decides how it is read, not the file's name: a text that begins with a bracket is read as "
        "JSON, everything else as YAML 1.2.",
        "Correct the text at the place shown.",
    ),
    _rule(
        "MG202",
        "unknown-encoding",
        E,
        "A file is not text in UTF-8, UTF-16 or UTF-32.",
        "JSON and YAML are written in Unicode. Other encodings cannot be told apart and are not guessed.",
        "Save the file as UTF-8.",
    ),
    _rule(
        "MG203",
        "duplicate-key",
        E,
        "An object has the same key twice.",
        "Readers disagree on which of the two holds, so that a reviewer may see one and a program use the other. JSON "
        "(RFC 8259) and YAML 1.2 both want keys to be unique.",
        "Remove or rename one of the two.",
    ),
    _rule(
        "MG204",
        "loading-limit",
        E,
        "A description exceeds a limit on size, depth, aliases, digits, files or time.",
        "The limits leave real descriptions several times the room they need, and stop a file that was made to exhaust "
        "memory, the stack or time.",
        "Split or simplify the description.",
    ),
    _rule(
        "MG205",
        "unsupported-yaml",
        E,
        "A YAML file uses what JSON cannot hold.",
        "A description is JSON data. Tags of other types, several documents in one file, keys that are not text and "
        "aliases inside of what they repeat have no form in it.",
        "Write the value without this YAML feature.",
    ),
    _rule(
        "MG206",
        "refused-reference",
        E,
        "A reference leads to where it may not.",
        "Files are read below the description's own folder, or below the folder named by --ref-root, symbolic links "
        "followed first; other hosts only with --allow-remote-refs, private addresses only with "
        "--allow-private-hosts (the description itself may be on this machine). A description from elsewhere could "
        "otherwise read any file, or ask any server, that the generator can reach.",
        "Copy what is referred to beside the description, or widen what may be read with --ref-root, "
        "--allow-remote-refs or --allow-private-hosts.",
    ),
    _rule(
        "MG207",
        "unresolved-reference",
        E,
        "A reference leads to nothing.",
        "The file, the anchor or the member that a reference names does not exist. References are case-sensitive.",
        "Correct the reference, or add what it names.",
    ),
    _rule(
        "MG208",
        "circular-reference",
        E,
        "References lead to one another without end.",
        "A schema may contain itself. A reference whose target is only another reference, and so on back to the first "
        "or through more than a thousand steps, never comes to a value.",
        "Let one of the references be a value.",
    ),
    _rule(
        "MG209",
        "replaced-characters",
        W,
        "Text with half of a surrogate pair was repaired.",
        "Half of a surrogate pair is no character and cannot be written in UTF-8. The replacement character stands in "
        "its place.",
    ),
    _rule(
        "MG210",
        "invalid-overlay",
        E,
        "An overlay, or one of its actions, cannot be applied.",
        "Overlays are read as the Overlay Specification 1.0 and 1.1 say, with targets in JSONPath (RFC 9535).",
        "Correct the overlay at the place shown.",
    ),
    _rule(
        "MG211",
        "unmatched-overlay-target",
        W,
        "An overlay's target selects nothing.",
        "The action changed nothing; the description may have changed since the overlay was written.",
    ),
    _rule(
        "MG212",
        "unreachable-reference",
        E,
        "A document could not be fetched.",
        "The server did not answer in time, answered with an error, or sent more than is accepted.",
        "Check the address, or download the document and refer to the copy.",
    ),
    # --- MG220-MG239: the document's shape
    _rule(
        "MG220",
        "not-an-api-description",
        E,
        "The document is no API description.",
        'An OpenAPI document has a member `openapi` with its version, a Swagger document `swagger: "2.0"`. AsyncAPI, '
        "Arazzo, overlays and bare JSON Schemas describe other things and are not read.",
        "Give the path of an OpenAPI 3.x or Swagger 2.0 document.",
    ),
    _rule(
        "MG221",
        "unsupported-version",
        E,
        "The document follows a version of the specification that cannot be read.",
        "Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are read. Later minor versions of OpenAPI 3 are read as the newest "
        "known one.",
        "Convert the document to OpenAPI 3.",
    ),
    _rule(
        "MG222",
        "unknown-version",
        W,
        "The document follows a minor version that is not known yet; it is read as the newest known one.",
        "Minor versions of OpenAPI 3 add members and keep the old ones, so what is known is read as always, and what "
        "is new is passed over.",
    ),
    _rule(
        "MG223",
        "version-not-text",
        W,
        "The version of the specification is written as a number.",
        "YAML reads `openapi: 3.1` as a number, and 3.10 as 3.1. Quote the version.",
    ),
    _rule(
        "MG224",
        "wrong-type",
        E,
        "Part of the description has another type than the specification asks for.",
        "What a request is made from is never guessed: an operation with such a part is left out, all others are "
        "served. Descriptions, examples and other parts that no request depends on are passed over instead.",
        "Correct the description at the place named, by an overlay if it is not yours.",
    ),
    _rule(
        "MG225",
        "missing-member",
        E,
        "A part of the description lacks a member that it needs.",
        "A parameter without `name` or `in` cannot be sent. The operation is left out, all others are served.",
        "Add the member at the place named, by an overlay if the description is not yours.",
    ),
    _rule(
        "MG226",
        "unsafe-path",
        E,
        "A path cannot be sent as it is written.",
        "A path is added to the server's address, so it must begin with `/` and hold no `//`, no dot segment (also "
        "percent-encoded), no control character and no brace without its partner: each could lead a request away from "
        "the server or the base path that the operator chose.",
        "Correct the path, or leave it out with --exclude-path.",
    ),
    _rule(
        "MG227",
        "undeclared-path-parameter",
        W,
        "A path names a parameter that is not declared; a required text is assumed.",
        "Declare the parameter with `in: path` to give it a type and a description.",
    ),
    _rule(
        "MG228",
        "unused-path-parameter",
        W,
        "A path parameter has no place in its path; it is left out.",
        "There is nowhere to send its value. Often its name differs from the one in the path in spelling or case.",
    ),
    _rule(
        "MG229",
        "duplicate-parameter",
        W,
        "A parameter is declared twice; the first is used.",
        "Name and location together identify a parameter. A parameter of an operation overrides that of its path, "
        "which is no duplicate.",
    ),
    _rule(
        "MG230",
        "reserved-header",
        W,
        "A header parameter that is not the caller's to give is left out.",
        "OpenAPI says that Accept, Content-Type and Authorization are described elsewhere: by media types and security "
        "schemes. Host, Content-Length, Cookie and the headers of a connection (RFC 9110, section 7.6.1) belong to the "
        "client: a value from outside could change which request the server sees.",
    ),
    _rule(
        "MG231",
        "unsendable-name",
        E,
        "A name cannot be sent.",
        "Names of headers, cookies and methods are tokens (RFC 9110, section 5.6.2): letters, digits and some signs, "
        "no space, colon or control character. The operation, or the operations that can only be authorised that way, "
        "are left out.",
        "Correct the name at the place named, by an overlay if the description is not yours.",
    ),
    _rule(
        "MG232",
        "unusable-security",
        W,
        "A security scheme is not declared or of no known kind; operations are served without its credentials.",
        "Other alternatives of the operation are kept. Declare the scheme under `components.securitySchemes` "
        "(`securityDefinitions` in Swagger 2.0) as apiKey, http, oauth2, openIdConnect or mutualTLS.",
    ),
    _rule(
        "MG233",
        "duplicate-operation",
        E,
        "A method of a path is described twice; the first is used.",
        "The same request can be written twice under `additionalOperations`, or by two paths that differ in nothing "
        "that is sent.",
        "Remove one of the two, by an overlay if the description is not yours.",
    ),
    _rule(
        "MG234",
        "path-item-cycle",
        E,
        "The references of a path item lead back to itself.",
        "A path item may refer to another one, but in the end there must be operations.",
        "Remove one of the references.",
    ),
    _rule(
        "MG235",
        "ignored-member",
        W,
        "A member has a value the specification does not know; it is passed over.",
        "The operation is served as if the member were not there, with the specification's default where it has one.",
    ),
    _rule(
        "MG236",
        "duplicate-operation-id",
        W,
        "Several operations have the same operationId.",
        "An operationId has to be unique. The tools are told apart by a hash in their names, which stay the same "
        "whichever of the operations are served. Give them names of their own in the settings, or with "
        "`x-mcp: {name: …}` in an overlay.",
    ),
    _rule(
        "MG237",
        "outgrown-description",
        E,
        "The parts that operations share make more of a description than a server is made of.",
        "A list of parameters, a body or a path that is referred to counts for each operation that has it, so that a "
        "description of 100 kB can ask for gigabytes. How much is made grows with the description; real ones take a "
        "small part of it. The operations that find no room are left out, in the order of the document; what options "
        "exclude takes none.",
        "Serve a part of the description: choose operations by --include-path, --methods or --include-tag, or leave "
        "out one that is too large alone by --exclude-path.",
    ),
)
