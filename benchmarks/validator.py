"""Compare the emitted runtime's validator with fastjsonschema and jsonschema, on five schemas, in one run.

    python benchmarks/validator.py [--check] [--json]

Every validator must accept the valid value and refuse the invalid one before anything is timed. The validators take
turns within each round, and the ratios are medians over the rounds of process time, so that a busy machine slows all
alike. A refused value is timed as a server treats it: asked first, then explained; jsonschema collects its errors. A
peer that is not installed is named and left out; with --check that fails, and so does a target that is missed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from generator.runtime.schema.validator import Validator, compile_validator

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 9
SLICE = 0.012
"""Seconds one timing should take at least: far above the clock's resolution."""

TARGETS = {("valid", "fastjsonschema"): 1.3, ("valid", "jsonschema"): 25.0, ("invalid", "jsonschema"): 8.0}
STRETCH = {("valid", "fastjsonschema"): 1.6, ("valid", "jsonschema"): 35.0, ("invalid", "jsonschema"): 12.0}
"""How many times quicker than a peer the validator has to be, and could be."""

STRING, INTEGER, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}


def closed(required: list[str], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object that has these properties and no others."""
    return {**opened(required, **properties), "additionalProperties": False}


def opened(required: list[str], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object that may have other properties as well."""
    return {"type": "object", "properties": properties, "required": required}


def arm(kind: str, **properties: Any) -> dict[str, Any]:
    """Return one arm of a tagged union."""
    return opened(["kind", *properties], kind={"const": kind}, **properties)


POSITION = opened(["lat", "lon"], lat={"type": "number", "minimum": -90, "maximum": 90}, lon=NUMBER)
ADDRESS = opened(["street", "geo"], street=STRING, zip={"type": "string", "pattern": "^[0-9]{5}$"}, geo=POSITION)
USER = opened(["id", "address"], id={"type": "integer", "minimum": 1}, address=ADDRESS)
ORDER = closed(
    ["sku", "qty"], sku={"type": "string", "minLength": 1}, qty={"type": "integer", "minimum": 1}, price=NUMBER
)
LONG = "é" * 500_000


def user(lat: float) -> dict[str, Any]:
    """Return arguments for the nested schema."""
    address = {"street": "s", "zip": "12345", "geo": {"lat": lat, "lon": 2}}
    return {"user": {"id": 7, "address": address}, "mode": "fast"}


def orders(last: int) -> dict[str, Any]:
    """Return a hundred orders, the last of which has this quantity."""
    return {"items": [{"sku": f"s{n}", "qty": n + 1 if n < 99 else last, "price": 1.5} for n in range(100)]}


CASES: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "flat": (
        closed(["a", "b"], a=INTEGER, b=INTEGER, name={"type": "string", "maxLength": 50}),
        {"a": 1, "b": 2, "name": "x"},
        {"a": 1, "b": "2"},
    ),
    "nested": (closed(["user"], user=USER, mode={"enum": ["fast", "slow"]}), user(1.5), user(1000)),
    "array of 100": (
        closed(["items"], items={"type": "array", "items": ORDER, "minItems": 1, "maxItems": 1000}),
        orders(100),
        orders(0),
    ),
    "tagged union": (
        closed(
            ["op"],
            op={"oneOf": [arm("a", x=INTEGER), arm("b", y=STRING), arm("c", z={"type": "array", "items": NUMBER})]},
        ),
        {"op": {"kind": "c", "z": [1, 2, 3.5]}},
        {"op": {"kind": "c", "z": ["q"]}},
    ),
    "1 MB string": (
        closed(["text"], text={"type": "string", "maxLength": 1_000_000}, tag=STRING),
        {"text": LONG, "tag": "t"},
        {"text": LONG + LONG + "x"},
    ),
}
"""Name to schema, valid value, invalid value."""


def refused(validator: Validator) -> Callable[[Any], object]:
    """Return what a server does with arguments: ask, then explain."""
    return lambda value: validator.accepts(value) or validator.problems(value)


def contenders(schema: dict[str, Any], peers: dict[str, Any]) -> dict[tuple[str, str], Callable[[Any], object]]:
    """Return what is timed, by kind of value and name."""
    ours = compile_validator(schema)
    found: dict[tuple[str, str], Callable[[Any], object]] = {
        ("valid", "mcpgen"): ours.accepts,
        ("invalid", "mcpgen"): refused(ours),
    }
    if "fastjsonschema" in peers:
        found["valid", "fastjsonschema"] = peers["fastjsonschema"].compile(schema, use_default=False)
    if "jsonschema" in peers:
        other = peers["jsonschema"].Draft202012Validator(schema)
        found["valid", "jsonschema"] = other.is_valid
        found["invalid", "jsonschema"] = lambda value: list(other.iter_errors(value))
    return found


def assert_right(schema: dict[str, Any], good: Any, bad: Any, peers: dict[str, Any]) -> None:
    """Raise AssertionError unless every validator accepts the one value and refuses the other."""
    ours = compile_validator(schema)
    assert ours.accepts(good)
    assert not ours.accepts(bad)
    assert ours.problems(bad)
    if "jsonschema" in peers:
        other = peers["jsonschema"].Draft202012Validator(schema)
        assert other.is_valid(good)
        assert not other.is_valid(bad)
    if "fastjsonschema" in peers:
        check = peers["fastjsonschema"].compile(schema, use_default=False)
        check(good)
        try:
            check(bad)
        except peers["fastjsonschema"].JsonSchemaValueException:
            return
        raise AssertionError("fastjsonschema accepts the invalid value")


def microseconds(action: Callable[[Any], object], value: Any, count: int) -> float:
    """Time `count` calls; return microseconds of process time for one."""
    start = time.process_time()
    for _ in range(count):
        action(value)
    return (time.process_time() - start) / count * 1e6


def calls_for(action: Callable[[Any], object], value: Any) -> int:
    """Return how many calls fill a slice."""
    count = 1
    while microseconds(action, value, count) * count < SLICE * 1e6:
        count *= 2
    return count


def measure(case: tuple[dict[str, Any], Any, Any], peers: dict[str, Any]) -> dict[tuple[str, str], list[float]]:
    """Return the timings of each contender, one for each round, taken in turns."""
    schema, good, bad = case
    assert_right(schema, good, bad, peers)
    values = {"valid": good, "invalid": bad}
    actions = contenders(schema, peers)
    counts = {key: calls_for(action, values[key[0]]) for key, action in actions.items()}
    timings: dict[tuple[str, str], list[float]] = {key: [] for key in actions}
    for _ in range(ROUNDS):
        for key, action in actions.items():
            timings[key].append(microseconds(action, values[key[0]], counts[key]))
    return timings


def compile_time(schema: dict[str, Any]) -> float:
    """Return the median microseconds that compiling the schema takes."""
    return statistics.median(microseconds(compile_validator, schema, 20) for _ in range(ROUNDS))


def main() -> int:
    """Run the comparison; return 1 if --check is given and a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail when a target is missed or a peer is not installed")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    options = parser.parse_args()
    peers: dict[str, Any] = {}
    for name in ("fastjsonschema", "jsonschema"):
        try:
            peers[name] = import_module(name)
        except ImportError:
            print(f"{name} is not installed for {sys.executable}: its ratios are missing", file=sys.stderr)
    results, missed = [], []
    for name, case in CASES.items():
        timings = measure(case, peers)
        row: dict[str, Any] = {"schema": name, "compile_us": round(compile_time(case[0]), 1)}
        for kind in ("valid", "invalid"):
            ours = timings[kind, "mcpgen"]
            row[f"{kind}_us"] = round(statistics.median(ours), 3)
            for peer in peers:
                if (kind, peer) in timings:
                    pairs = zip(timings[kind, peer], ours, strict=True)
                    ratio = statistics.median(theirs / own for theirs, own in pairs)
                    row[f"{kind}_{peer}"] = round(ratio, 2)
                    if ratio < TARGETS[kind, peer]:
                        missed.append(f"{name}, {kind}: {ratio:.1f}x {peer}, target {TARGETS[kind, peer]}x")
        results.append(row)
    print_results(results, as_json=options.json)
    for text in missed:
        print(f"missed: {text}", file=sys.stderr)
    return 1 if options.check and (missed or len(peers) < 2) else 0


def print_results(results: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print the table, or the same as JSON."""
    if as_json:
        print(json.dumps({"python": sys.version.split()[0], "results": results}, indent=2))
        return
    columns = list(dict.fromkeys(key for row in results for key in row))
    print("times in microseconds; the others say how many times quicker than the peer")
    for row in [dict(zip(columns, columns, strict=True)), *results]:
        print("  ".join(f"{row.get(column, ''):>22}" for column in columns))
    for label, table in (("target", TARGETS), ("stretch", STRETCH)):
        print(f"{label}: " + ", ".join(f"{kind} {peer} {times}x" for (kind, peer), times in table.items()))


if __name__ == "__main__":
    sys.exit(main())
