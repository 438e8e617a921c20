"""A tool that answers what a test plans."""

from __future__ import annotations

import pytest

from .calling import Bench, forget
from .made import Api, Tools, operation


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Return a function that answers a call with a planned answer."""
    opened = []

    def call(planned, arguments=None, *, output=None, wrap=False, properties=None, env=None, entry=None, **request):
        for name, value in (env or {}).items():
            monkeypatch.setenv(name, value)
        api = Api({"/x": planned})
        opened.append(api)
        request.setdefault("json", output is not None)
        path = request.pop("path", "/x")
        tools = Tools().add(
            "x", operation(path, **request), output=output, wrap=wrap, properties=properties, **(entry or {})
        )
        bench = Bench(tools, api, tmp_path / str(len(opened)), monkeypatch)
        call.bench = bench
        return bench.call("x", arguments)

    yield call
    for api in opened:
        api.close()
    forget()
