"""Generate servers of small descriptions that ask for gigabytes, print what each takes, fail where it is too much.

    python benchmarks/amplified.py [NAME ...]

The tests run some of them every time and the others in turn; this runs all of them, on a machine that is idle.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 5.0
"""CPU time of a description below a megabyte."""

MEGABYTES = 300
"""Memory of it."""


def cpu_seconds() -> float:
    """Return the CPU time of all processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Run the cases that are named, all of them without a name."""
    sys.path.insert(0, str(ROOT))
    from tests.security.amplified_descriptions import CASES
    from tests.security.description_runs import generate

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    cases = list(CASES)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=cases, default=cases, help="one case")
    failed = []
    print(f"{'case':40} {'kB':>4} {'exit':>4} {'CPU s':>6} {'MB':>4} {'written kB':>10}")
    for name in parser.parse_args().names:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            text = json.dumps(CASES[name](), separators=(",", ":"))
            (folder / "api.json").write_text(text, encoding="utf-8")
            before = cpu_seconds()
            run = generate(folder, "api.json")
            seconds, megabytes = cpu_seconds() - before, run.memory / 2**20
            size = sum(each.stat().st_size for each in folder.glob("demo-mcp/demo_mcp/*.json"))
        print(f"{name:40} {len(text) / 1e3:4.0f} {run.code:4} {seconds:6.2f} {megabytes:4.0f} {size / 1e3:10.0f}")
        if seconds > SECONDS or megabytes > MEGABYTES or run.code not in (0, 2) or "Traceback" in run.said:
            failed.append(name)
    print(f"too much: {', '.join(failed)}" if failed else "none takes too much")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
