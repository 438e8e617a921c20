"""The examples of docs/authoring.md and docs/interaction.md run as they stand there."""

from __future__ import annotations

import asyncio
import importlib
import re
import sys

import pytest

from generator.runtime import authoring

BLOCK = re.compile(r"```python\n# (\w+)\.py\n(.*?)```", re.DOTALL)


@pytest.fixture
def example(root, tmp_path, monkeypatch):
    """Import an example by its name, with the authoring API as `mcpgen`."""
    documents = [(root / "docs" / name).read_text(encoding="utf-8") for name in ("authoring.md", "interaction.md")]
    blocks = dict(BLOCK.findall("\n".join(documents)))
    monkeypatch.setitem(sys.modules, "mcpgen", authoring)
    monkeypatch.syspath_prepend(str(tmp_path))

    def load(name):
        unique = f"documented_{name}"
        (tmp_path / f"{unique}.py").write_text(blocks[name], encoding="utf-8")
        module = importlib.import_module(unique)
        monkeypatch.delitem(sys.modules, unique)
        return module

    return load


def test_the_marked_functions_work(example):
    weather = example("weather")
    assert weather.forecast("Oslo") == {"days": 3}
    with pytest.raises(authoring.ToolError, match="Atlantis is not on the map"):
        weather.forecast("Atlantis")


def test_the_content_has_blocks(example):
    pictures = example("pictures")
    kinds = [item.to_block()["type"] for item in pictures.map_of("Oslo")]
    assert kinds == ["text", "image", "resource", "resource_link"]
    assert pictures.anthem("no").to_block()["type"] == "audio"


def test_the_contexts_can_be_made_by_hand(example):
    slow = example("slow")
    assert slow.compress("x", authoring.SyncContext()) == "x.gz"
    assert asyncio.run(slow.crawl("u", 1, ctx=authoring.Context())) == ["u#0"]


def test_the_resources_and_prompts_are_plain_functions(example):
    stations, prompts = example("stations"), example("prompts")
    assert stations.about().startswith("# Weather")
    assert stations.station(1, authoring.SyncContext()).name == "Blindern"
    assert asyncio.run(stations.map_of("no")).mime_type == "image/png"
    assert prompts.briefing("Oslo") == "Brief me on the weather of Oslo for 1 days, short."
    assert [each.role for each in prompts.interview("rain")] == ["user", "assistant"]
    assert prompts.cities("Os") == ["Oslo", "Osaka"]


def test_the_questions_have_answers_in_tests(example, monkeypatch):
    trips = example("trips")
    monkeypatch.setitem(sys.modules, "trips", trips)
    example("trips_test")
    assert trips.tidy(authoring.SyncContext(answers={"roots": [], "sure": False})) == "nothing was touched"
    answers = {"name": "Ada", "rhyme": authoring.Reply("jello")}
    assert asyncio.run(trips.introduce(authoring.Context(answers=answers))) == "Ada: jello"


def test_the_middleware_changes_arguments_and_results(example):
    guards = example("guards")
    call = authoring.ToolCall("forecast", {"city_name": "Oslo"}, client=authoring.Client(), meta={})
    guards.repair_names(call)
    assert call.arguments == {"city": "Oslo"}
    stamping = guards.stamp(call)
    next(stamping)
    result = {"content": []}
    with pytest.raises(StopIteration):
        stamping.send(result)
    assert result["content"] == [{"type": "text", "text": "(from forecast)"}]
    assert example("purge").purge(3) == "deleted what is older than 3 days"
