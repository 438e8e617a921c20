"""Which era a child speaks, by what it answers to the first questions."""

import pytest

from generator.runtime.gateway.negotiating import DISCOVER, INITIALIZE, Negotiation
from generator.runtime.gateway.peer import LEGACY, MODERN, Peer

LEGACY_RESULT = {"result": {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "n"}}}
MODERN_RESULT = {"result": {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}}


def begun(known=""):
    peer = Peer({"name": "gateway"}, {"roots": {}})
    return peer, Negotiation(peer, known)


def error(code, **data):
    return {"error": {"code": code, "message": "no", **({"data": data} if data else {})}}


@pytest.mark.requirement("R013")
def test_a_discovery_that_names_a_modern_revision_makes_a_child_modern():
    peer, negotiation = begun()
    assert negotiation.due() == DISCOVER
    assert negotiation.params(DISCOVER) == {}
    negotiation.heard(DISCOVER, MODERN_RESULT)
    assert (negotiation.done, peer.era, peer.capabilities) == (True, MODERN, {"tools": {}})
    assert negotiation.due() == ""


@pytest.mark.requirement("R013")
@pytest.mark.parametrize(
    "answer",
    [
        error(-32601),
        error(-32602),
        error(-32000),
        error(-32022),
        error(-32022, supported=["2025-11-25"]),
        error(-32004, supported="2026-07-28"),
        {"result": {}},
        {"result": {"supportedVersions": ["2025-11-25"]}},
        {"result": {"supportedVersions": [3, None]}},
        {"result": {"tools": []}},
    ],
)
def test_any_other_answer_leads_to_the_handshake(answer):
    peer, negotiation = begun()
    negotiation.due()
    negotiation.heard(DISCOVER, answer)
    assert negotiation.due() == INITIALIZE
    assert negotiation.params(INITIALIZE) == {
        "protocolVersion": "2025-11-25",
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "gateway"},
    }
    negotiation.heard(INITIALIZE, LEGACY_RESULT)
    assert (negotiation.done, peer.era, peer.dialect.version) == (True, LEGACY, "2025-06-18")


@pytest.mark.parametrize("code", [-32022, -32004])
def test_a_child_that_refuses_a_revision_it_supports_is_asked_once_more(code):
    peer, negotiation = begun()
    negotiation.due()
    negotiation.heard(DISCOVER, error(code, supported=["2026-07-28"]))
    assert (negotiation.done, negotiation.due()) == (False, DISCOVER)
    negotiation.heard(DISCOVER, error(code, supported=["2026-07-28"]))
    assert (negotiation.done, peer.era) == (True, MODERN)


@pytest.mark.parametrize("code", [-32020, -32021])
def test_an_error_of_the_modern_era_makes_a_child_modern(code):
    peer, negotiation = begun()
    negotiation.due()
    negotiation.heard(DISCOVER, error(code))
    assert (negotiation.done, peer.era) == (True, MODERN)


@pytest.mark.requirement("R013")
def test_silence_leads_to_the_handshake_and_a_late_discovery_still_counts():
    peer, negotiation = begun()
    negotiation.due()
    negotiation.overdue(DISCOVER)
    negotiation.overdue(DISCOVER)
    assert (negotiation.due(), negotiation.due()) == (INITIALIZE, "")
    negotiation.heard(DISCOVER, MODERN_RESULT)
    assert (negotiation.done, peer.era) == (True, MODERN)
    negotiation.heard(INITIALIZE, LEGACY_RESULT)
    assert peer.era == MODERN


def test_after_silence_a_late_refusal_changes_nothing():
    peer, negotiation = begun()
    negotiation.due()
    negotiation.overdue(DISCOVER)
    negotiation.due()
    negotiation.heard(DISCOVER, error(-32601))
    assert (negotiation.failed, negotiation.due()) == ("", "")
    negotiation.heard(INITIALIZE, LEGACY_RESULT)
    assert (negotiation.done, peer.era) == (True, LEGACY)


def test_a_child_that_refuses_both_questions_fails_with_its_words():
    _, negotiation = begun()
    negotiation.due()
    negotiation.heard(DISCOVER, error(-32601))
    negotiation.due()
    negotiation.heard(INITIALIZE, error(-32603))
    assert negotiation.failed == "it refused initialize: no"
    assert not negotiation.done


@pytest.mark.parametrize("version", ["2023-01-01", "2026-07-28", 3, None])
def test_a_handshake_with_an_unknown_revision_fails(version):
    _, negotiation = begun()
    negotiation.due()
    negotiation.heard(DISCOVER, error(-32601))
    negotiation.due()
    negotiation.heard(INITIALIZE, {"result": {"protocolVersion": version}})
    assert negotiation.failed


def test_a_child_known_as_legacy_is_asked_for_the_handshake_first():
    peer, negotiation = begun(LEGACY)
    assert negotiation.due() == INITIALIZE
    negotiation.heard(INITIALIZE, LEGACY_RESULT)
    assert (negotiation.done, peer.era) == (True, LEGACY)


def test_a_child_that_has_unlearned_the_handshake_is_found_out():
    peer, negotiation = begun(LEGACY)
    negotiation.due()
    negotiation.heard(INITIALIZE, error(-32022, supported=["2026-07-28"]))
    assert negotiation.due() == DISCOVER
    negotiation.heard(DISCOVER, MODERN_RESULT)
    assert (negotiation.done, peer.era) == (True, MODERN)
