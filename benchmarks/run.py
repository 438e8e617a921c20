"""Measure everything the project promises about speed, in one run, and print a table.

    python benchmarks/run.py [--quick] [--check] [--only NAME ...] [--write-docs] [--environments FOLDER]

Environments are made from the interpreter that runs this (see environments.py). With --check a missed target is exit
code 1. A busy machine changes milliseconds, not so much ratios; the load is printed.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench import Bench
from environments import ROOT, prepare
from experiments import EXPERIMENTS, WITH_PEERS
from measure import ServerFailed
from rows import table

if TYPE_CHECKING:
    from rows import Row

QUICK = 0.25
"""The part of the rounds that --quick runs."""

DOCUMENT = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"
"""What --write-docs writes between."""


def main() -> int:
    """Run the experiments; return 1 if --check is given and a target is missed, 2 if a server cannot be measured."""
    options = _options()
    names = options.only or list(EXPERIMENTS)
    with tempfile.TemporaryDirectory(prefix="mcpgen-benchmarks-") as scratch:
        folder = Path(scratch)
        kept = Path(options.environments) if options.environments else folder / "environments"
        environments = prepare(kept.resolve(), peers=not WITH_PEERS.isdisjoint(names))
        bench = Bench(environments=environments, folder=folder, scale=QUICK if options.quick else 1)
        rows: list[Row] = []
        before = os.getloadavg()[0]
        try:
            bench.build()
            for name in names:
                print(f"measuring: {name} …", file=sys.stderr)
                rows += EXPERIMENTS[name](bench)
        except ServerFailed as failure:
            print(f"cannot measure: {failure}", file=sys.stderr)
            return 2
    report = _report(rows, before, quick=options.quick)
    print(report)
    if options.write_docs:
        _write(report)
    missed = [row.what for row in rows if row.missed]
    for what in missed:
        print(f"missed: {what}", file=sys.stderr)
    return 1 if options.check and missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a quarter of the rounds")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    parser.add_argument("--only", action="append", choices=EXPERIMENTS, metavar="NAME", help=", ".join(EXPERIMENTS))
    parser.add_argument("--write-docs", action="store_true", help=f"put the table into {DOCUMENT.relative_to(ROOT)}")
    parser.add_argument("--environments", metavar="FOLDER", help="keep the environments here for the next run")
    return parser.parse_args()


def _report(rows: list[Row], before: float, *, quick: bool) -> str:
    load = f"load {before:.1f} at the start, {os.getloadavg()[0]:.1f} at the end"
    where = (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.system()}, {os.cpu_count()} cores"
    )
    return f"{where}, {load}{', --quick' if quick else ''}.\n\n{table(rows)}"


def _write(report: str) -> None:
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    DOCUMENT.write_text(f"{before}{BEGIN}{report}{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
