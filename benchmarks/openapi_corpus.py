"""Run `from-openapi` over a corpus of API descriptions and print what came of each, as a table.

    python benchmarks/openapi_corpus.py CORPUS [--only PREFIX ...] [--jobs N] [--write-docs]

CORPUS has an `index.tsv` (first column a file or folder, sixth its number of operations, eleventh its notes). Each
document is generated in a process of its own, bounded in time; every one must end with exit code 0 or 2 and without a
traceback. With --write-docs the table goes to docs/openapi-corpus.md.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "openapi-corpus.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"
SECONDS = 120
"""After this a document counts as a hang."""

COMMAND = "from generator.cli.app import main; main()"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One document of the corpus: its name in the index, the file to read, its folder, its operations by the index."""

    name: str
    path: Path
    root: Path
    operations: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one run came to; `skipped` counts the rules that left operations out.

    `seconds` are of processor time, which a busy machine hardly changes; sizes are in bytes.
    """

    entry: Entry
    code: int
    seconds: float
    memory: int
    tools: int = 0
    listing: int = 0
    left_out: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    trouble: str = ""


def entries(corpus: Path, only: list[str]) -> list[Entry]:
    """Return the documents of the index, those whose name begins with one of `only`."""
    csv.field_size_limit(1 << 24)
    with (corpus / "index.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    found = []
    for row in rows:
        if only and not row[0].startswith(tuple(only)):
            continue
        path = root = corpus / row[0]
        if path.is_dir():
            main = re.search(r"main=(\S+)|root (\S+\.ya?ml)", row[10])
            files = sorted(path.glob("*.yaml"))
            path = path / next(filter(None, main.groups())).rstrip(";") if main else files[-1]
        else:
            root = path.parent
        found.append(Entry(name=row[0], path=path, root=root, operations=int(row[5] or 0)))
    return found


def run(entry: Entry, *words: str) -> Outcome:
    """Generate one document in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="mcpgen-corpus-") as scratch:
        out = Path(scratch) / "out-mcp"
        command = [sys.executable, "-c", COMMAND, "from-openapi", str(entry.path), "--name", "corpus", "-o", str(out)]
        command += ["--base-url", "http://127.0.0.1:9", "--models", "none", "--format", "json"]
        command += ["--ref-root", str(entry.root), *words]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with Path(scratch, "said").open("w+", encoding="utf-8") as said:
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said, env=environment, cwd=scratch)
            killer = threading.Timer(SECONDS, os.kill, (child.pid, signal.SIGKILL))
            killer.start()
            _, status, usage = os.wait4(child.pid, 0)
            killer.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            seconds = usage.ru_utime + usage.ru_stime
            said.seek(0)
            text = said.read()
        figures = {"code": child.returncode, "seconds": seconds, "memory": usage.ru_maxrss * 1024}
        return _outcome(entry, text, out, figures)


def _outcome(entry: Entry, text: str, out: Path, figures: dict) -> Outcome:
    found, trouble = [], ""
    if "Traceback" in text or "MG901" in text:
        trouble = text.strip().splitlines()[-1][:200]
    for line in text.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            trouble = trouble or line[:200]
    if figures["code"] not in (0, 2):
        trouble = trouble or f"exit code {figures['code']}"
    errors = [one for one in found if isinstance(one, dict) and one.get("severity") == "error"]
    units = {one["unit"] for one in errors if one.get("unit") and " /" in one["unit"]}
    skipped = Counter(f"{one['code']} {one['name']}" for one in errors)
    if figures["code"] == 2 and not errors:
        trouble = trouble or "refused without an error"
    tools = listing = 0
    catalog = out / "corpus_mcp" / "catalog.json"
    if catalog.exists():
        content = json.loads(catalog.read_bytes())
        tools = len(content["tools"])
        listing = len(json.dumps([tool["definition"] for tool in content["tools"]], separators=(",", ":")))
    return Outcome(
        entry=entry, tools=tools, listing=listing, left_out=len(units), skipped=skipped, trouble=trouble, **figures
    )


def table(outcomes: list[Outcome]) -> str:
    """Return the summary by folder and the table of all documents, as Markdown."""
    lines = [
        "| part | documents | operations | served | share | no tool at all | slowest |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for part in dict.fromkeys(one.entry.name.partition("/")[0] for one in outcomes):
        group = [one for one in outcomes if one.entry.name.startswith(part + "/")]
        operations, tools = sum(one.entry.operations for one in group), sum(one.tools for one in group)
        share = f"{100 * tools / operations:.2f} %" if operations else ""
        none, slowest = sum(not one.tools for one in group), max(group, key=lambda one: one.seconds)
        lines.append(
            f"| {part} | {len(group)} | {operations} | {tools} | {share} | {none} |"
            f" {slowest.seconds:.1f} s ({slowest.entry.path.name}) |"
        )
    lines += [
        "",
        "| document | operations | tools | left out | s | MiB | tools/list bytes |",
        "|---|--:|--:|---|--:|--:|--:|",
    ]
    for one in outcomes:
        reasons = ", ".join(f"{name} x{count}" for name, count in sorted(one.skipped.items()))
        lines.append(
            f"| {one.entry.name} | {one.entry.operations} | {one.tools} | {one.trouble or reasons} |"
            f" {one.seconds:.1f} | {one.memory / 2**20:.0f} | {one.listing} |"
        )
    return "\n".join(lines) + "\n"


def main() -> int:
    """Run the corpus; return 1 when a document ended in a traceback, a hang or without a reason."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write-docs", action="store_true")
    options = parser.parse_args()
    with ThreadPoolExecutor(options.jobs) as threads:
        outcomes = list(threads.map(run, entries(options.corpus.resolve(), options.only)))
    report = table(outcomes)
    print(report)
    if options.write_docs:
        before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
        DOCUMENT.write_text(f"{before}{BEGIN}{report}{END}{rest.partition(END)[2]}", encoding="utf-8")
    troubled = [one for one in outcomes if one.trouble]
    for one in troubled:
        print(f"TROUBLE {one.entry.name}: {one.trouble}", file=sys.stderr)
    return 1 if troubled else 0


if __name__ == "__main__":
    sys.exit(main())
