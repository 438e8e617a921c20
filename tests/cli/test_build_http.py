"""What `build` says of a server whose settings say HTTP."""

import dataclasses

from .conftest import SERVER


def test_a_build_says_how_a_server_that_serves_http_is_started(run, pipeline):
    serve = {"transport": "http", "port": "${PORT}"}
    pipeline.server = dataclasses.replace(SERVER, settings={"serve": serve})
    lines = run("build", "weather.py").out.splitlines()
    assert lines[-2].startswith("serves HTTP: ")
    assert lines[-2].endswith("server.py   with PORT in its environment")
    assert lines[-1].endswith("server.py --mcp")
