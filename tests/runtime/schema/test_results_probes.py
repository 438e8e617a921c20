"""The given probes of results (p20), as far as the conversion decides them."""

from __future__ import annotations

import importlib.util
import json

import pytest

from generator.runtime.schema.results import ResultProblem, to_json

NOT_CONVERSION = {"o_wrong_type", "o_exception", "o_systemexit"}
"""Decided by the schema or by the call itself."""

NOT_INSTALLED = {"o_pandas"}
"""Needs a library that the tests do without; test_results_values has a stand-in."""


@pytest.fixture(scope="module")
def probes(shared):
    folder = shared / "cases" / "python"
    spec = importlib.util.spec_from_file_location("p20_outputs", folder / "p20_outputs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module, json.loads((folder / "p20_outputs.json").read_text(encoding="utf-8"))["tools"]


def test_every_probe_of_results_gives_its_value_or_its_error(probes):
    module, tools = probes
    checked = 0
    for name, tool in tools.items():
        if name in NOT_CONVERSION | NOT_INSTALLED:
            continue
        function = getattr(module, name)
        for arguments, expected in tool.get("value_cases") or [({}, tool.get("value"))]:
            if "error" in tool:
                with pytest.raises(ResultProblem) as caught:
                    to_json(function(**arguments))
                if " at result" in tool["error"]:
                    assert f"{caught.value.reason} at {caught.value.path}" == tool["error"]
            else:
                assert to_json(function(**arguments)) == expected, name
            checked += 1
    assert checked > 20
