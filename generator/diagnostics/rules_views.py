"""The rules about views (MG400-MG419, MCP Apps): what they are, what they ask for, and links to them."""

from __future__ import annotations

from .model import Rule, Severity

E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE

VIEW_RULES: tuple[Rule, ...] = (
    Rule(
        code="MG401",
        name="dangling-view",
        severity=E,
        summary="A tool is linked to a view that this server does not have.",
        explanation=(
            "A host reads the view from the server whose tool it called, so a link to any other URI shows nothing. The "
            "build fails, whatever else could be served: at run time it would be too late (M-UI-002)."
        ),
        action='Define it with `@ui_resource("ui://…")` or in [tool.mcpgen.ui."ui://…"], or correct the link.',
    ),
    Rule(
        code="MG402",
        name="invalid-view",
        severity=E,
        summary="A view cannot be served: its URI, its file or its HTML is not usable.",
        explanation=(
            "A view is a document of HTML under a URI of the scheme `ui`, made by a function without arguments or read "
            "from a file below the module's folder (or that of the settings), in UTF-8. The same fault at run time is "
            "M-UI-001."
        ),
        action='Write it like `@ui_resource("ui://weather/forecast", file="forecast.html")`.',
    ),
    Rule(
        code="MG403",
        name="view-permission",
        severity=E,
        summary="What a view asks of its host cannot be asked.",
        explanation=(
            "Hosts put the origins of `csp` into a Content-Security-Policy, so each is one origin: a scheme, a host, "
            "perhaps a port. A space, a `;` or a bare `*` would change the policy of the page around it. Permissions "
            "are camera, microphone, geolocation and clipboard_write."
        ),
        action="List single origins such as `https://api.example.com`, and permissions by their names.",
    ),
    Rule(
        code="MG404",
        name="reserved-scheme",
        severity=E,
        summary="A resource that is no view has a URI of the scheme `ui`.",
        explanation="Hosts take what is under `ui://` for views of tools, and show it in a sandbox.",
        action="Mark the function with `@ui_resource` if it makes a view, else choose another scheme.",
    ),
    Rule(
        code="MG405",
        name="view-markup",
        severity=W,
        summary="A view's HTML has no doctype.",
        explanation="Without `<!doctype html>` browsers lay the page out by rules for pages of the 1990s.",
    ),
    Rule(
        code="MG406",
        name="unlisted-origin",
        severity=W,
        summary="A view names something that its host will not let it load.",
        explanation=(
            "A view runs in a sandbox whose policy allows the origins in `csp` and nothing else, and it has no files "
            "beside it. Put scripts, styles and pictures into the page, or list their origins."
        ),
    ),
    Rule(
        code="MG407",
        name="view-secret",
        severity=W,
        summary="A view seems to hold a secret.",
        explanation=(
            "Whoever opens a view can read its source, and hosts may keep it. Let the view call a tool of the server, "
            "which has the secret from its environment."
        ),
    ),
    Rule(
        code="MG408",
        name="unlinked-view",
        severity=N,
        summary="No tool is linked to a view.",
        explanation="Hosts show a view with the result of a tool: `@tool(ui=…)` links it.",
    ),
)
"""Every rule of this block; errors always fail a build."""
