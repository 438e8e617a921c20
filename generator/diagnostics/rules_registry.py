"""Rules about the registry: the file that says which servers there are, and its entries."""

from __future__ import annotations

from .model import Rule, Severity

E, W = Severity.ERROR, Severity.WARNING

REGISTRY_RULES: tuple[Rule, ...] = (
    Rule(
        code="MG501",
        name="broken-registry",
        severity=E,
        summary="The registry file cannot be read.",
        explanation=(
            "It is never reset: the file stays as it is, what cannot be parsed is copied to `registry.json.corrupt-1` "
            "beside it, and nothing is written until it is mended. A key that stands twice counts as broken, because "
            "programs differ in which of the two they take."
        ),
        action="Correct the file, or move it away and register the servers again.",
    ),
    Rule(
        code="MG502",
        name="unknown-registry-version",
        severity=E,
        summary="The registry file is of a version that is not known.",
        explanation="A newer mcpgen wrote it. Taking it for an older one could lose what that one keeps.",
        action="Use the mcpgen that wrote it, or name another file in MCPGEN_REGISTRY.",
    ),
    Rule(
        code="MG503",
        name="unsafe-registry",
        severity=E,
        summary="Somebody else can write to the registry file, its folder, or the folder of the gateway made of it.",
        explanation=(
            "The registry names commands that a gateway runs with your rights, and the gateway itself is run. So the "
            "files and their folders have to be yours, and not writable for the group or for all."
        ),
        action="Look at what it runs, then take the right away with `chmod go-w`.",
    ),
    Rule(
        code="MG504",
        name="unwritable-registry",
        severity=E,
        summary="The registry cannot be written.",
        explanation=(
            "Writers take turns by a lock on `registry.json.lock`, write a new file and rename it. Nothing was changed."
        ),
        action="Correct that, or name another file in MCPGEN_REGISTRY.",
    ),
    Rule(
        code="MG505",
        name="invalid-entry",
        severity=E,
        summary="An entry of the registry cannot be used; it is passed over.",
        explanation=(
            "An entry has a name of a-z, 0-9, `_` and `-` and either a `command`, a list that begins with an absolute "
            "path and is run without a shell, or a `url`. `schemas/registry-file.schema.json` has all of it. The other "
            "entries are used; if none is left, the run ends."
        ),
        action="Register the server again with `mcpgen registry add`.",
    ),
    Rule(
        code="MG506",
        name="unsafe-entry",
        severity=E,
        summary="What an entry runs can be changed by others, or its secrets are not safe.",
        explanation=(
            "Variables that loaders and interpreters obey (`LD_PRELOAD`, `PYTHONPATH`) change what a harmless command "
            "does, so each has to be allowed by --allow-env. A program that every user may write is everybody's. "
            "Secrets belong into the environment, from which `${NAME}` in a header takes them."
        ),
        action="Register the server again without it.",
    ),
    Rule(
        code="MG507",
        name="name-taken",
        severity=E,
        summary="Another server is registered under the name.",
        explanation="Its tools would become those of another program without anybody noticing, so that has to be said.",
        action="Choose another name, or remove that entry first with `mcpgen registry remove`.",
    ),
    Rule(
        code="MG508",
        name="missing-program",
        severity=E,
        summary="What a registered server needs to start is not there.",
        explanation="Its program, its package or its working folder was moved or deleted after it was registered.",
        action="Restore it, or remove the entry with `mcpgen registry remove`.",
    ),
    Rule(
        code="MG509",
        name="drifted-server",
        severity=E,
        summary="A server is not what was registered.",
        explanation=(
            "Registering keeps a digest of what a server offers and of its files. When they change, tools may do "
            "something else than what was agreed to, so somebody has to look and register the server again."
        ),
        action="Look at what changed, and register it again with `mcpgen registry add`.",
    ),
    Rule(
        code="MG510",
        name="older-server",
        severity=W,
        summary="A server was made with an older version.",
        explanation="It goes on working. Building it again gives it what was mended since.",
    ),
    Rule(
        code="MG511",
        name="unknown-entry",
        severity=E,
        summary="No server is registered under the name.",
        explanation="Names are those that `mcpgen registry list` shows.",
        action="See all of them with `mcpgen registry list`.",
    ),
    Rule(
        code="MG512",
        name="open-connection",
        severity=W,
        summary="A secret is sent over http.",
        explanation="Whoever is on the way between the two can read it, and use it.",
    ),
)
"""Every rule of this block."""
