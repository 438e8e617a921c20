"""What a build says when mcpgen itself fails or is interrupted."""

import json


def test_a_failure_of_ours_says_so_and_exits_70(run, pipeline):
    pipeline.failure = RuntimeError("surprise")
    ended = run("build", "weather.py")
    assert (ended.code, ended.out) == (70, "")
    assert "MG901" in ended.err
    assert "nothing is wrong with your input" in ended.err
    assert "issue tracker" in ended.err


def test_a_failure_of_ours_is_a_diagnostic_for_machines_too(run, pipeline):
    pipeline.failure = RuntimeError("surprise")
    ended = run("build", "weather.py", "--format", "json")
    document = json.loads(ended.err)
    assert (ended.code, document["code"], "RuntimeError: surprise" in document["notes"][0]) == (70, "MG901", True)


def test_an_interruption_exits_130(run, pipeline):
    pipeline.failure = KeyboardInterrupt()
    ended = run("build", "weather.py")
    assert (ended.code, "Traceback" in ended.err) == (130, False)
