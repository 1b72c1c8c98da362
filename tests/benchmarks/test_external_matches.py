"""The match program in small: a real match with gnubg, and differences are found."""

from __future__ import annotations

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.notation import parse_move
from master.games.backgammon.external.fibs_board import BoardForm, Due, DueQuestion, board_of
from master.games.backgammon.matches.record import Double, Drop, Game, Match, Play, Result
from tests.benchmarks import external_matches
from tests.benchmarks.external_matches import (
    Exchange,
    Setting,
    complaints,
    differences,
    play_matches,
    play_served_matches,
)
from tests.benchmarks.gnubg_program import ABSENT, find_gnubg

GNUBG = find_gnubg()


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.reference
@pytest.mark.skipif(GNUBG is None, reason=ABSENT)
def test_matches_with_gnubg_are_played_to_the_end_from_either_session() -> None:
    assert GNUBG is not None
    for played in play_matches(GNUBG, Setting(length=2), count=2, seed=1):
        assert played.errors == ()
        assert played.asked > 3
        assert max(played.points) >= 2


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.reference
@pytest.mark.skipif(GNUBG is None, reason=ABSENT)
def test_matches_with_a_gnubg_that_serves_are_played_to_the_end() -> None:
    assert GNUBG is not None
    for played in play_served_matches(GNUBG, Setting(length=3), count=2, seed=1):
        assert played.errors == ()
        assert played.asked > 3
        assert max(played.points) >= 3


OPENING = Play(0, (3, 1), ((8, 5), (6, 5)))
REPLY = Play(1, (6, 5), ((24, 18), (18, 13)))
MATCH = Match(
    ("gnubg", "manyply"), 3,
    games=(Game((0, 0), actions=(OPENING, REPLY, Double(0), Drop(1)), result=Result(0, 1)),),
)  # fmt: skip


@pytest.fixture
def exchanges() -> list[Exchange]:
    """What gnubg asks of player 1 in that match, and what is answered."""
    after = START
    states = []
    for play in (OPENING, REPLY):
        match = MatchState(match_length=3, dice=play.dice, player_on_roll=play.player)
        states.append(GameState(after, match))
        after = parse_move(
            after, play.dice, " ".join(f"{a}/{b}" for a, b in play.steps)
        ).after.swapped()
    doubled = MatchState(match_length=3, is_double_offered=True, player_on_roll=0)
    asked = [
        (DueQuestion(Due.MOVE, states[1]), "24/18 18/13"),
        (DueQuestion(Due.ANSWER, GameState(after, doubled)), "drop"),
    ]
    return [
        Exchange(board_of(one, form=BoardForm(is_gnubg=True)).text, word) for one, word in asked
    ]


def test_match_that_went_as_it_was_answered_has_no_difference(exchanges: list[Exchange]) -> None:
    assert differences(MATCH, 1, exchanges) == []


@pytest.mark.parametrize(
    ("place", "old", "new", "text"),
    [
        (0, "", "24/13", ""),
        (0, "24/18 18/13", "13/7 13/8", "the record has Play"),
        (0, "24/18 18/13", "rubbish", "not a checker move"),
        (0, ":6:5:6:5:", ":6:4:6:4:", "the record has GameState"),
        (1, "drop", "take", "the record has Drop"),
        (1, "drop", "roll", "the record has Drop"),
        (1, ":3:0:0:", ":3:0:1:", "the record has GameState"),
        (1, ":1:1:1:1:1:-1:", ":2:1:0:1:1:-1:", "the record has GameState"),
    ],
)
def test_every_difference_is_found(
    exchanges: list[Exchange], place: int, old: str, new: str, text: str
) -> None:
    exchange = exchanges[place]
    exchanges[place] = Exchange(
        exchange.asked.replace(old, new, 1) if ":" in old else exchange.asked,
        exchange.answered if ":" in old else new,
    )
    found = differences(MATCH, 1, exchanges)
    assert bool(found) == bool(text)
    assert not text or text in found[0]


def test_questions_that_are_missing_or_too_many_are_found(exchanges: list[Exchange]) -> None:
    assert "1 actions that nobody was asked about" in differences(MATCH, 1, exchanges[:1])[0]
    assert "once more" in differences(MATCH, 1, [*exchanges, exchanges[0]])[0]


def test_complaints_of_gnubg_are_found_after_its_greeting() -> None:
    printed = "ABSOLUTELY NO WARRANTY\nSeed set to 1.\nWarning: badly formed cube response\nfine\n"
    assert complaints(printed) == ["Warning: badly formed cube response"]


def test_without_gnubg_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(external_matches, "find_gnubg", lambda: None)
    assert external_matches.main(["--matches", "1"]) == 0
    assert capsys.readouterr().out.strip() == ABSENT
