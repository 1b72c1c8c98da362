import re
from pathlib import Path

import protocol
from protocol.messages import ANALYSER_MESSAGES, AnalyserHello, Bye, Challenge, Error
from protocol.states import LEGAL, LinkState, Role

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text()
ANYWHERE = {"ping", "pong", "error", "bye"}


def test_spec_prints_the_same_table() -> None:
    rows = re.findall(r"^\| ([A-Z]{5,}) \|(.*)\|(.*)\|$", SPEC, re.MULTILINE)
    assert len(rows) == len(LinkState) - 1
    for name, analyser, master in rows:
        for role, cell in ((Role.ANALYSER, analyser), (Role.MASTER, master)):
            moves = {message_type.verb for message_type in LEGAL[role][LinkState[name]]}
            assert moves - ANYWHERE == set(re.findall(r"`([a-z]+)`", cell)), name


def test_every_message_is_legal_somewhere() -> None:
    legal = {kind for table in LEGAL.values() for moves in table.values() for kind in moves}
    assert legal == set(ANALYSER_MESSAGES)


def test_nothing_precedes_the_greeting_nothing_follows_the_end_and_bye_leads_there() -> None:
    assert {*LEGAL[Role.ANALYSER][LinkState.GREETING]} == {AnalyserHello, Challenge, Error}
    assert {*LEGAL[Role.MASTER][LinkState.GREETING]} == {Error}
    for table in LEGAL.values():
        assert table[LinkState.CLOSED] == {}
        for state in set(LinkState) - {LinkState.GREETING, LinkState.CLOSED}:
            assert table[state][Bye] is LinkState.CLOSED
