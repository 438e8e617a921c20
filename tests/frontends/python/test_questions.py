"""What the reader sees of functions that ask their client, and of the middleware around them."""

from __future__ import annotations

import pytest

from .front import front

HEAD = """
import os, random, subprocess, time, uuid
from datetime import datetime
from pathlib import Path
import requests
from mcpgen import Context, Elicit, Roots, SyncContext, prompt, resource, tool

"""


def rules(body: str, *, head: str = "def f(ctx: SyncContext, db: dict[str, int] | None = None) -> str:") -> list[str]:
    text = HEAD + head + "\n" + "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    found = front(text)
    return [each.rule.name for each in found.diagnostics if "question" in each.rule.name]


EFFECT, KEY = "effect-before-question", "repeated-question-key"
ASK = 'ctx.elicit("k", "?", schema=bool)'


@pytest.mark.parametrize(
    "effect",
    [
        'open("log", "w").write("x")',
        'open("log", mode="a")',
        'Path("a").write_text("x")',
        'Path("a").unlink()',
        'os.remove("a")',
        'subprocess.run(["make"], check=True)',
        'requests.post("https://x.example")',
        'requests.put("https://x.example")',
        "db.commit()",
        'db.execute("DELETE FROM a")',
        'db.client.delete("x")',
        'os.system("x")',
    ],
)
def test_what_changes_something_before_a_question_is_told(effect):
    assert rules(f"{effect}\nreturn str({ASK})") == [EFFECT]
    assert rules(f"answer = {ASK}\n{effect}\nreturn str(answer)") == []


@pytest.mark.parametrize(
    "harmless",
    [
        'open("log").read()',
        'open("log", "rb")',
        '"a".replace("b", "c")',
        'Path("a").read_text()',
        'Path("a").mkdir(exist_ok=True)',
        'requests.get("https://x.example")',
        'db.execute("SELECT 1")',
        "print(1)",
        "time.time()",
        "db.update({})",
    ],
)
def test_what_can_be_repeated_is_not(harmless):
    assert rules(f"{harmless}\nreturn str({ASK})") == []


def test_paths_are_followed():
    assert rules(f'if db:\n    os.remove("a")\n    return ""\nreturn str({ASK})') == []
    assert rules(f'if db:\n    os.remove("a")\nreturn str({ASK})') == [EFFECT]
    assert rules(f'if db:\n    os.remove("a")\nelse:\n    return str({ASK})\nreturn ""') == []
    assert rules(f'with open("a", "w") as file:\n    return str({ASK})') == [EFFECT]
    assert rules(f'try:\n    os.remove("a")\nfinally:\n    {ASK}\nreturn ""') == [EFFECT]
    assert rules(f'for name in "ab":\n    os.remove(name)\n    break\nreturn str({ASK})') == []
    assert rules(f'for name in "ab":\n    os.remove(name)\nreturn str({ASK})') == [EFFECT]
    assert rules(f'def inner() -> None:\n    os.remove("a")\n{ASK}\ninner()\nreturn ""') == []
    assert rules(
        f'match db:\n    case None:\n        os.remove("a")\n    case _:\n        pass\nreturn str({ASK})'
    ) == [EFFECT]


def test_each_effect_is_told_once_and_names_the_question():
    found = front(
        HEAD + 'def f(ctx: SyncContext) -> str:\n    os.remove("a")\n    ctx.roots()\n    ctx.roots()\n    return ""\n'
    )
    one = found.one(EFFECT)
    assert one.message == "`os.remove` in `f` runs again when the client answers the question in line 10"
    assert one.span.line == 9


@pytest.mark.parametrize(
    "question",
    [
        'ctx.elicit("k", f"It is {time.time()}?", schema=bool)',
        'ctx.elicit(str(uuid.uuid4()), "?", schema=bool)',
        'ctx.sample("k", f"Number {random.randint(1, 6)}")',
        'ctx.elicit("k", f"At {datetime.now()}?")',
    ],
)
def test_a_question_that_reads_differently_each_time_is_told(question):
    assert rules(f"return str({question})") == [EFFECT]


def test_a_key_for_two_questions_is_told():
    two = 'a = ctx.elicit("k", "One?", schema=bool)\nb = ctx.elicit("k", "Two?", schema=bool)\nreturn f"{a}{b}"'
    assert rules(two) == [KEY]
    assert rules('ctx.elicit("k", "One?")\nctx.elicit("k", "One?")\nreturn ""') == []
    assert rules('ctx.ask(k=Elicit("One?"))\nctx.sample("k", "x")\nreturn ""') == [KEY]
    assert rules('ctx.roots()\nctx.roots(key="roots")\nreturn ""') == []
    assert rules('if db:\n    ctx.elicit("k", "One?")\nelse:\n    ctx.elicit("k", "Two?")\nreturn ""') == []
    assert rules('if db:\n    ctx.elicit("k", "One?")\nctx.elicit("k", "Two?")\nreturn ""') == [KEY]


def test_async_functions_resources_and_prompts_are_looked_at_too():
    body = f'os.remove("a")\nreturn str(await {ASK})'
    assert rules(body, head="async def f(ctx: Context) -> str:") == [EFFECT]
    assert rules(body, head="@prompt\nasync def f(ctx: Context) -> str:") == [EFFECT]
    assert rules(body, head='@resource("t://x")\nasync def f(ctx: Context) -> str:') == [EFFECT]


def test_other_objects_with_such_methods_are_not_contexts():
    assert rules('os.remove("a")\nreturn str(random.sample("abc", 1))') == []


@pytest.mark.requirement("R103")
def test_a_confirmation_is_said_by_marker_or_setting():
    marked = front("from mcpgen import tool\n@tool(confirm=True)\ndef f(a: int) -> int: ...")
    assert marked.tools["f"].confirm is True
    assert "unsupported-feature" not in marked.rules()
    assert front("def f(a: int) -> int: ...", toml="[tools.f]\nconfirm = true").tools["f"].confirm is True
    clash = front(
        "from mcpgen import tool\n@tool(confirm=True)\ndef f(a: int) -> int: ...", toml="[tools.f]\nconfirm = false"
    )
    assert clash.errors() == ["marker-conflict"]


@pytest.mark.requirement("R030")
def test_middleware_is_carried_and_named_as_the_server_reaches_it():
    found = front(
        "def f(a: int) -> int: ...",
        toml='middleware = ["guards:repair", "m:own", "json:loads"]\n',
        files={"guards.py": "import helper\ndef repair(call): ...\n", "helper.py": "X = 1\n"},
    )
    assert found.server.settings["middleware"] == (".guards:repair", "json:loads")
    assert [each.path for each in found.server.source.files] == ["guards.py", "helper.py", "m.py"]
    assert found.one("invalid-setting").message == "`middleware` names `m:own`, and `m` has no `own`"


def test_middleware_of_the_module_itself_is_no_tool():
    found = front("def own(call): ...\ndef f(a: int) -> int: ...", toml='middleware = ["m:own"]')
    assert list(found.tools) == ["f"]
    assert found.server.settings["middleware"] == (".m:own",)
    assert found.rules() == []


def test_middleware_that_is_not_there_is_an_error_at_its_place():
    found = front("def f(a: int) -> int: ...", toml='middleware = [\n  "nowhere:f",\n]\n')
    one = found.one("invalid-setting")
    assert one.message == "`middleware` names `nowhere:f`, and there is no module `nowhere`"
    assert one.span.line == 2
