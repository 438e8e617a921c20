"""Rounds of a modern child: its answer is that it needs answers, and it is sent its call again with them.

A modern caller gets the questions, and its retry is a passage of its own (`retries`). A legacy caller is asked on the
stream of its call and never sees the rounds.
"""

from __future__ import annotations

from time import time

from ..authoring.errors import ClientError
from ..server.asking_capabilities import check as check_capabilities
from ..server.faults import failed
from ..wire.dialects import LATEST_MODERN
from . import failures, states
from .bridging import Bridge, check
from .translate_questions import answer_for, question_of, questions_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .passage import Passage

MAX_ROUNDS = 32
"""How often a child may want its call again with answers of a legacy client, who cannot see the rounds."""


def input_required(passage: Passage, result: dict[str, Any]) -> None:
    """Do what an input-required result of a child asks for."""
    try:
        questions = questions_of(result.get("inputRequests"), passage.names)
    except ValueError as problem:
        passage.lost(failures.BROKEN, f"it wants what no client can be asked: {problem}")
        return
    state = result.get("requestState")
    if not questions and type(state) is not str:
        passage.lost(failures.BROKEN, "it wants an answer, and does not say what it asks")
        return
    if passage.call.dialect.modern:
        _pass_on(passage, questions, state)
    else:
        _bridge(passage, questions, state)


def url_required(passage: Passage, error: dict[str, Any]) -> bool:
    """Have a modern client asked for what a legacy child's error -32042 wants first; False where it cannot be.

    That error is of 2025-11-25 only. The retry is the call once more: the child knows what was done at the URL.
    """
    data = error.get("data")
    wanted = data.get("elicitations") if type(data) is dict else None
    if not passage.call.dialect.modern or type(wanted) is not list:
        return False
    questions = {
        f"url-{number}": question_of("elicitation/create", {"mode": "url", **each}, passage.names)
        for number, each in enumerate(wanted, 1)
        if type(each) is dict
    }
    if not questions:
        return False
    try:
        check_capabilities(passage.call, questions)
    except Exception as problem:  # noqa: BLE001 # the client cannot open URLs, or it is no question at all
        passage.end(failed(passage.call, problem))
        return True
    state = states.sealed(passage.call, {"child": passage.remote.child.server.id, "again": True}, time())
    passage.end({"resultType": "input_required", "inputRequests": questions, "requestState": state})
    return True


def _pass_on(passage: Passage, questions: dict[str, dict[str, Any]], state: Any) -> None:
    try:
        check_capabilities(passage.call, questions)  # the child was told what its caller can do, and may ignore it
    except Exception as problem:  # noqa: BLE001 # a missing capability, or a question that is none
        passage.end(failed(passage.call, problem))
        return
    told: dict[str, Any] = {"resultType": "input_required"}
    if questions:
        told["inputRequests"] = questions
    if type(state) is str:
        payload = {"child": passage.remote.child.server.id, "state": state}
        try:
            told["requestState"] = states.sealed(passage.call, payload, time())
        except states.TooLarge:
            passage.lost(failures.BROKEN, "it wants its caller to keep more than any client keeps")
            return
    passage.end(told)


def _bridge(passage: Passage, questions: dict[str, dict[str, Any]], state: Any) -> None:
    """Ask a legacy client what a modern child wants to know, and send the child its call again."""
    call = passage.call
    passage.rounds += 1
    if passage.rounds > MAX_ROUNDS:
        passage.end(failed(call, ClientError(f"The client was asked {MAX_ROUNDS} times, and there was no end of it.")))
        return
    extra = {"requestState": state} if type(state) is str else {}
    if not questions:
        passage.begin(extra)
        return
    methods = {key: question["method"] for key, question in questions.items()}

    def told(bridge: Bridge) -> None:
        if passage.claim() is not None:
            go_on(bridge)
            passage.remote.gateway.children.settle()

    def go_on(bridge: Bridge) -> None:
        try:
            answers = bridge.results()
        except ClientError as refused:
            passage.end(failed(call, refused))
            return
        version = LATEST_MODERN.version
        found = {key: answer_for(methods[key], answer, version) for key, answer in answers.items()}
        passage.begin({**extra, "inputResponses": found})

    try:
        check(call, questions)
        bridge = Bridge(call, questions, told)
        passage.bridge(bridge)
        bridge.send()
    except Exception as error:  # noqa: BLE001 # a capability is missing, or the revision has no such form
        passage.claim()
        passage.end(failed(call, error))
