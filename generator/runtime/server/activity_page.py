"""The page that shows a server's calls: it loads nothing, and writes what it is told as text, never as HTML.

What is told comes from clients: names, arguments, errors. The policy lets only this very script and style run, by
their digests, and only this server be asked.
"""

from __future__ import annotations

from binascii import b2a_base64
from hashlib import sha256

STYLE = """
:root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
body { margin: 1rem; }
h1 { font-size: 1.1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; }
td { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
td.n { text-align: right; white-space: nowrap; }
tr.error td.s, tr.rejected td.s { color: #c33; }
tr.asked td.s, tr.cancelled td.s { color: #b80; }
tr.success td.s { color: #393; }
"""

SCRIPT = """
"use strict";
const MOST_ROWS = 500;
const rows = document.getElementById("rows");
const state = document.getElementById("state");
const text = (value) => (value === undefined || value === null ? "" : String(value));
const time = (seconds) => new Date(seconds * 1000).toLocaleTimeString();
const shown = (call) => {
  const values = call.arguments;
  if (values === undefined || values === null || typeof values !== "object") return text(values);
  return Object.entries(values).map(([name, value]) => name + "=" + JSON.stringify(value)).join(" ");
};
const add = (call) => {
  const row = document.createElement("tr");
  if (["success", "error", "rejected", "cancelled", "asked"].includes(call.status)) row.className = call.status;
  const cells = [
    [time(call.timestamp)], [call.tool], [shown(call)], [call.status + (call.error ? " " + call.error : ""), "s"],
    [text(call.duration_ms) + " ms", "n"], [call.principal], [text(call.call_id).slice(0, 8)],
  ];
  for (const [value, name] of cells) {
    const cell = row.insertCell();
    cell.textContent = text(value);
    if (name) cell.className = name;
  }
  rows.prepend(row);
  while (rows.children.length > MOST_ROWS) rows.lastChild.remove();
};
const source = new EventSource(location.pathname);
source.onopen = () => { state.textContent = "connected"; };
source.onerror = () => { state.textContent = "not connected"; };
source.addEventListener("call", (event) => add(JSON.parse(event.data)));
"""

PAGE = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Activity</title><style>{STYLE}</style></head>
<body>
<h1>Activity <small id="state">connecting</small></h1>
<table>
<thead><tr><th>time</th><th>tool</th><th>arguments</th><th>status</th><th>took</th><th>who</th><th>id</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<script>{SCRIPT}</script>
</body>
</html>
"""


def page() -> bytes:
    """Return the page; it is the same for everybody."""
    return PAGE.encode("ascii")


def policy() -> str:
    """Return the page's Content-Security-Policy."""
    return (
        f"default-src 'none'; script-src '{_digest(SCRIPT)}'; style-src '{_digest(STYLE)}'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _digest(content: str) -> str:
    return f"sha256-{b2a_base64(sha256(content.encode('ascii')).digest(), newline=False).decode('ascii')}"
