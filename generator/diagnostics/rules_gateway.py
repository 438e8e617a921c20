"""The rules about gateways (MG530-MG569): the servers that are put together, and the names they have there."""

from __future__ import annotations

from .model import Rule, Severity

E, W = Severity.ERROR, Severity.WARNING

GATEWAY_RULES: tuple[Rule, ...] = (
    Rule(
        code="MG530",
        name="unreadable-server",
        severity=E,
        summary="What is named as a server for a gateway is none.",
        explanation=(
            "A gateway is put together from project folders that mcpgen wrote, names in the registry, and servers of "
            "others, which are `NAME=https://…` or `NAME=COMMAND WORDS`. Lists are answered from what each of them "
            "offers when the gateway is built, so every one has to be readable then."
        ),
        action="Name a project folder, a name in the registry, `NAME=https://…` or `NAME=COMMAND WORDS`.",
    ),
    Rule(
        code="MG531",
        name="edited-server",
        severity=E,
        summary="A server's files are not as mcpgen wrote them.",
        explanation=(
            "What a gateway shows of a server is what its author built. A catalog that was changed by hand, or by "
            "somebody else, would be shown to models unseen."
        ),
        action="Build that server again, and review what changes.",
    ),
    Rule(
        code="MG532",
        name="outdated-server",
        severity=W,
        summary="A server was built by another version of mcpgen.",
        explanation=(
            "It carries its own runtime and works as it is; what the runtime has learned since, it does not do. "
            "`mcpgen registry doctor` lists such servers among those that are registered."
        ),
        action="Build that server again with this mcpgen.",
    ),
    Rule(
        code="MG533",
        name="gateway-name-collision",
        severity=E,
        summary="Two tools or prompts would have the same name in a gateway.",
        explanation=(
            "A client calls by name, so only one could be meant: dropping the other silently would make it depend on "
            "the order of the servers which one runs. `a` with `b__c` and `a__b` with `c` meet in this way."
        ),
        action="Give one of the servers another prefix with --prefix NAME=PREFIX, or leave one of the tools out.",
    ),
    Rule(
        code="MG534",
        name="illegal-gateway-name",
        severity=E,
        summary="A tool's or a prompt's name in a gateway is longer than models accept.",
        explanation="A name is a server's prefix and its own name for the tool, at most 64 characters in all.",
        action="Give the server a shorter prefix with --prefix NAME=PREFIX.",
    ),
    Rule(
        code="MG535",
        name="uri-collision",
        severity=E,
        summary="Two servers of a gateway have a resource of the same URI.",
        explanation=(
            "Resources keep their URIs, which models have read in other texts. Where two servers have the same one, "
            '`uris = "rewrite"` puts the name of a server before the scheme of all its URIs.'
        ),
        action='Set `uris = "rewrite"` for one of the servers, or leave one of the resources out.',
    ),
    Rule(
        code="MG536",
        name="dropped-offer",
        severity=W,
        summary="Something a foreign server offers cannot be shown to clients and is left out.",
        explanation=(
            "Official clients refuse a whole list for one entry that is not as MCP says: a name that is empty, too "
            "long or has other characters, a schema that is none. A name that passes for one of another server's is "
            "left out as well."
        ),
        action="Correct it in that server, or leave it out with `deny`.",
    ),
    Rule(
        code="MG537",
        name="dropped-view",
        severity=W,
        summary="A view of a server cannot be shown; its tools are served without it.",
        explanation=(
            "A view is a resource with a `ui://` URI and the type of MCP Apps. One that is not is left out, and so is "
            "the link of a tool to it: the tool works without."
        ),
        action="Correct the view in that server.",
    ),
    Rule(
        code="MG538",
        name="unreachable-server",
        severity=E,
        summary="A server that others wrote did not say what it offers.",
        explanation=(
            "Servers that mcpgen did not write are started, or asked over HTTP, when a gateway is built: their lists "
            "become a snapshot with a digest, so that the gateway can answer without them. The time for it is bounded."
        ),
        action="Start the server by hand to see what it says, and look at its words, its address and its credentials.",
    ),
    Rule(
        code="MG539",
        name="cut-list",
        severity=W,
        summary="A server's list is longer than is read.",
        explanation="Pages are followed up to a bound: a list without an end must not become a gateway without one.",
        action="Leave the server out, or name what is needed of it with `expose`.",
    ),
    Rule(
        code="MG540",
        name="literal-secret",
        severity=W,
        summary="A credential would be written into a file.",
        explanation=(
            "A gateway's folder is committed, copied and packaged, and a registry is read by every gateway. `${NAME}` "
            "in a header is filled from the environment when the server is reached, and `--env NAME` passes a variable "
            "on to a command, so that no secret has to be in a file."
        ),
        action="Write it like `--header crm:Authorization='Bearer ${CRM_TOKEN}'`, or `--env API_KEY` for a command.",
    ),
    Rule(
        code="MG541",
        name="unmatched-route",
        severity=W,
        summary="A pattern of a gateway's `expose` or `deny` matches nothing.",
        explanation="A misspelt `deny` would leave open what it should close.",
        action="Correct the pattern, or remove it; `python -m gateway --list` shows the names.",
    ),
    Rule(
        code="MG542",
        name="unknown-server",
        severity=E,
        summary="An option or a setting is about a server that the gateway does not have.",
        explanation="A misspelt name must not be without effect.",
        action="Use the name of one of the servers.",
    ),
    Rule(
        code="MG543",
        name="repeated-server",
        severity=E,
        summary="Two servers of a gateway have the same name.",
        explanation="Names of tools, views and files of the gateway follow from the names of its servers.",
        action="Give one of them another name: `NAME=FOLDER`.",
    ),
    Rule(
        code="MG544",
        name="nothing-routed",
        severity=E,
        summary="A gateway has nothing to offer.",
        explanation="No server was named, or everything was left out.",
        action="Name at least one server, and look at `expose` and `deny`.",
    ),
    Rule(
        code="MG545",
        name="cleaned-text",
        severity=W,
        summary="A foreign server's text had characters that nobody sees; they are taken out.",
        explanation=(
            "Control characters and those that change the direction of writing can make a person read something else "
            "than a model does."
        ),
        action="Read the text in that server's source before you trust it.",
    ),
    Rule(
        code="MG546",
        name="repeated-offer",
        severity=W,
        summary="A server has a tool, a resource or a prompt twice; the first is served.",
        explanation="A client asks by name or URI, so only one can be meant.",
        action="Rename or remove one of them in that server.",
    ),
    Rule(
        code="MG547",
        name="unusable-gateway-option",
        severity=E,
        summary="An option of `mcpgen gateway` is not usable.",
        explanation="Options about one server begin with its name: `--prefix NAME=PREFIX`, `--header NAME:Header=V`. "
        "Headers are for a server that is named by its address, variables for one that is started.",
        action="Write it as `mcpgen gateway --help` says.",
    ),
)
