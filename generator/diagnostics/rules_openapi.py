"""The rules about what is made of an API description (MG240-MG299): schemas, operations, models, budget."""

from __future__ import annotations

from .model import Rule, Severity

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE


def _rule(code: str, name: str, severity: Severity, summary: str, explanation: str = "", action: str = "") -> Rule:
    return Rule(code=code, name=name, severity=severity, summary=summary, explanation=explanation, action=action)


OPENAPI_RULES: tuple[Rule, ...] = (
    # --- MG240-MG249: schemas
    _rule(
        "MG241",
        "malformed-keyword",
        W,
        "A schema keyword has a value that it cannot have; it is ignored.",
        "The keyword is left out and the rest of the schema is used, so that the operation can be served. The service "
        "itself still checks what it is sent. All cases of one keyword are reported together, at the first of them.",
    ),
    _rule(
        "MG242",
        "contradictory-schema",
        W,
        "Parts of a schema contradict each other; the part named is ignored.",
        "A default that its own type refuses, enumerated values of another type, a minimum above the maximum. Kept as "
        "they are they would make a client send what the server then refuses, or refuse everything.",
    ),
    _rule(
        "MG243",
        "deep-schema",
        W,
        "A schema is nested too deeply; any value is accepted below that level.",
        "What is deeper cannot be read by clients, and takes tools down that use recursion.",
    ),
    _rule(
        "MG244",
        "large-schema",
        W,
        "The schemas a tool needs are too large; the outermost are kept, any value is accepted inside the others.",
        "A tool's arguments are read by a model with every request. Hide members nobody sets with an overlay.",
    ),
    _rule(
        "MG245",
        "unreadable-answer-schema",
        W,
        "The schema of an answer refers to something that cannot be read; any value is accepted there.",
        "The operation can be called all the same: only the description of its answer is poorer.",
    ),
    # --- MG250-MG279: operations and tools
    _rule(
        "MG250",
        "renamed-tool",
        N,
        "A tool is not called as its operation is.",
        "Clients accept `^[A-Za-z0-9_-]{1,64}$`, and every name once. Where an operationId cannot be a name, or two "
        "operations would have the same one, the name has a part that is a hash of method and path: it stays the same "
        "when operations are added or moved. The lock keeps it for later runs.",
    ),
    _rule(
        "MG267",
        "exposed-credential",
        W,
        "A parameter looks like a credential.",
        "What a description declares as a plain parameter is an argument: the model has to know its value and writes "
        "it into the conversation. A value in `defaults` is no way out, because it is written into the server's files.",
    ),
    _rule(
        "MG266",
        "taken-name",
        E,
        "A name that was asked for is also that of another operation.",
        "The settings or an extension name a tool as another operation of the description is called. Names that "
        "somebody asks for are never changed, and one tool cannot quietly take the other's place.",
        "Choose another name, or name the other operation too.",
    ),
    _rule(
        "MG251",
        "unmatched-selection",
        E,
        "An option that chooses operations fits none.",
        "Tags are those of the operations, paths are compared whole (`/repos/*`), operations are named by key "
        "(`GET /pets/{id}`), operationId or tool name. What excludes something and fits nothing is a warning only.",
        "Correct the pattern, or remove the option.",
    ),
    _rule(
        "MG252",
        "refused-extension",
        W,
        "A member of an extension such as `x-mcp` has no effect.",
        "Extensions may name, describe, hide and annotate a tool, and bound its time. Values of another kind and, in "
        "`x-mcp`, names nobody knows are passed over; views, imports and code cannot come from a description at all.",
    ),
    _rule(
        "MG253",
        "refused-server",
        E,
        "A server of the description is refused.",
        "Requests go to http and https addresses without a user, a password or control characters. Another server of "
        "the description is used where there is one.",
        "Give --base-url, or correct the description.",
    ),
    _rule(
        "MG254",
        "incomplete-server",
        W,
        "A server of the description has no complete address.",
        "A relative address, or a variable without a value, says nothing in a description that was read from a file. "
        "The generated server needs its base URL from the environment, or from --base-url.",
    ),
    _rule(
        "MG255",
        "private-server",
        W,
        "A server of the description is a private address.",
        "A description from elsewhere must not be able to point a server at what only its network can reach. Loopback "
        "is asked; other private addresses need the operator's base URL or --allow-private-hosts.",
    ),
    _rule(
        "MG256",
        "refused-address",
        W,
        "An address of a security scheme is not used.",
        "Client secrets and tokens are sent to http and https addresses without a user or control characters only. A "
        "ready token still works.",
    ),
    _rule(
        "MG257",
        "renamed-credential",
        W,
        "A credential's environment variable has a number, because another one has its name.",
        "Names of schemes are upper-cased, and every character that is no letter or digit becomes `_`.",
    ),
    _rule(
        "MG258",
        "unused-security",
        N,
        "Security schemes are declared, and no operation needs one.",
        "Credentials are sent where `security` says so and nowhere else.",
    ),
    _rule(
        "MG259",
        "unserved-part",
        N,
        "Webhooks, callbacks and links are no tools.",
        "Webhooks and callbacks are requests that the API makes. Links tell which operation follows on an answer; they "
        "are kept beside the operation's request.",
    ),
    _rule(
        "MG260",
        "writing-tools",
        N,
        "Some tools may change data.",
        "Everything that is not GET, HEAD, OPTIONS or QUERY is taken to write unless the description or a setting says "
        "otherwise. Hosts ask their user before they call such a tool, if its annotations tell them.",
    ),
    _rule(
        "MG261",
        "missing-server",
        W,
        "The description names no server.",
        "The generated server needs its base URL from the environment, or from --base-url.",
    ),
    _rule(
        "MG262",
        "no-security",
        N,
        "The description names no credentials, although it has answers for callers without.",
        "Credentials are sent where the description's `securitySchemes` and `security` say so and nowhere else. Some "
        "descriptions leave them out although the API asks for a token: an overlay adds them.",
    ),
    _rule(
        "MG265",
        "unoffered-media-type",
        N,
        "A body may have further media types that are not offered.",
        "Media types with the default's schema are chosen by an argument, and up to four other schemas by an argument "
        "of their own. More, or more than 20,000 bytes of them, are not offered: everybody who lists the tools "
        "would pay for them. An overlay that removes media types makes others be used.",
    ),
    _rule(
        "MG268",
        "undivided-body",
        N,
        "A body has too many members to be arguments of their own; it is one argument.",
        "Up to 400 members of an object become arguments. Nothing is lost: the one argument has the same schema. An "
        "overlay that hides members nobody sets makes the others arguments.",
    ),
    # --- MG280-MG299: models, overlays, budget
    _rule(
        "MG280",
        "unusable-base-url",
        E,
        "The base URL that was given cannot be used.",
        "A base URL is where the requests of a server go: an http or https address with a host, without a user, a "
        "password, a query or a fragment. Credentials come from the environment when the server runs.",
        "Give an address such as `https://api.example.com/v1`.",
    ),
    _rule(
        "MG281",
        "unusable-option",
        E,
        "An option of the command has a value that cannot be used.",
        "What an option takes is checked before anything is read, so that a misspelt one never selects nothing or "
        "everything.",
        "Correct the option; `mcpgen from-openapi --help` says what each takes.",
    ),
    _rule(
        "MG282",
        "not-a-description",
        E,
        "The source is not a description of an API.",
        "`mcpgen from-openapi` reads OpenAPI and Swagger documents in YAML or JSON; `mcpgen build` reads Python.",
        "Name an OpenAPI document, or use `mcpgen build` for a module.",
    ),
    _rule(
        "MG283",
        "models-left-out",
        N,
        "No types are written for an API with very many schemas.",
        "Types for hundreds of schemas take long to make and to check, and few of them are ever used. The server is "
        "the same without them.",
        "Add `--models typeddict` to have them, or `--models none` to leave them out without this note.",
    ),
    _rule(
        "MG289",
        "kept-handlers",
        N,
        "handlers.py was edited; it is kept as it is, and gets no further functions.",
        "The file is yours from the first edit on. Until then, and when it is gone, a build writes it.",
        "Add the functions you need, or move the file away and build again to have it with all of them.",
    ),
    _rule(
        "MG284",
        "models-failed",
        W,
        "The types of the schemas could not be made; the server is the same without them.",
        "Types are made from the shapes of the schemas alone, in models.py, for those who write handlers. What was "
        "made is checked before it is written; when it is not what was expected it is left out.",
        "Add `--models none`, or correct the schema that is named.",
    ),
    _rule(
        "MG291",
        "broken-handlers",
        E,
        "handlers.py does not do what it is to do.",
        "`--check` imports the file as the server does. `before_request` and `after_response` are called with an "
        "operation and a request or response, and not awaited; `operations` has functions by operation, such as "
        "`GET /pets/{id}`. What is wrong there fails, or has no effect, only when a tool is called.",
        "Correct the file; it is yours.",
    ),
    _rule(
        "MG290",
        "budget-exposure",
        N,
        "What is shown was chosen so that it fits the budget.",
        "A list of tools is read by a model with every request. `--budget` takes the fullest of three exposures that "
        "fits: every tool whole, every tool in few words, or three tools that find, describe and call the others.",
    ),
)
