"""Resources and prompts that cannot be served, beside one that can."""

from typing import TextIO

from mcpgen import Context, completer, prompt, resource


def hello() -> str:
    """Say hello."""
    return "hello"


BASE = "notes://"


@resource(BASE + "all")
def everything() -> str:
    """All notes."""
    return ""


@resource("notes")
def no_scheme() -> str:
    return ""


@resource("notes://{+path}")
def operator(path: str) -> str:
    return path


@resource("notes://{name}")
def misspelled(nmae: str) -> str:
    return nmae


@resource("notes://all")
def again() -> str:
    return ""


@resource("notes://nothing")
def nothing() -> None:
    return None


@prompt
def from_file(file: TextIO) -> str:
    return file.read()


@prompt
def wrong_context(topic: str, ctx: Context) -> str:
    return topic


@prompt(name="not a name")
def named() -> str:
    return ""


@prompt
def ask(topic: str) -> str:
    return topic


@completer(ask, "topics")
def topics(typed: str) -> list[str]:
    return []


@completer(misspelled, "name")
def nobody(typed: str) -> list[str]:
    return []


@completer(ask, "topic")
def by_keyword(*, typed: str) -> list[str]:
    return []
