"""Who may listen to a task."""

from __future__ import annotations

import json

import pytest

from generator.runtime.wire.dialects import META_CAPABILITIES, META_VERSION

from .asking import catalog_of
from .tasking import Client, client_of, task


@task
def add():
    return 3


@task
def asks(ctx):
    ctx.elicit("who", "Who?", schema=str)


@pytest.mark.parametrize(("declared", "wanted"), [(False, ["x"]), (True, ["x"]), (False, [])])
def test_only_clients_with_the_extension_may_listen_to_tasks(declared, wanted):
    client = client_of(add, tasks=declared)
    told = []
    client.session.tell = lambda line, _: told.append(json.loads(line))
    meta = {META_VERSION: "2026-07-28", META_CAPABILITIES: client.capabilities}
    params = {"notifications": {"taskIds": wanted}, "_meta": meta}
    answer = client.session.receive({"jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen", "params": params})
    if wanted and not declared:
        assert json.loads(answer)["error"]["code"] == -32021
        assert told == []
    else:
        assert answer is None
        assert told[0]["params"]["notifications"] == ({"taskIds": []} if wanted else {})


def test_only_the_principal_that_started_a_task_can_listen_to_it():
    catalog = catalog_of(asks)
    ada, eve = Client(catalog, principal="ada"), Client(catalog, principal="eve")
    task_id = ada.start("asks")
    ada.until(task_id, "input_required")
    told = {"ada": [], "eve": []}
    for client in (ada, eve):
        lines = told[client.session.principal]
        client.session.tell = lambda line, _, lines=lines: lines.append(json.loads(line))
        meta = {META_VERSION: "2026-07-28", META_CAPABILITIES: client.capabilities}
        params = {"notifications": {"taskIds": [task_id]}, "_meta": meta}
        client.session.receive({"jsonrpc": "2.0", "id": 9, "method": "subscriptions/listen", "params": params})
    ada.request("tasks/cancel", taskId=task_id)
    ada.end(task_id)
    assert [each["params"].get("status") for each in told["ada"]] == [None, "input_required", "cancelled"]
    assert [each["params"].get("status") for each in told["eve"]] == [None]
