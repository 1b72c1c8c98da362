"""Whoever serves is asked what it has to decide, and what it does wrong is found."""

from __future__ import annotations

from master.cli.backgammon.external.external_opponent import OpponentGoneError
from master.games.backgammon.external.best_action import Level, answer
from master.games.backgammon.external.fibs_board import Due, DueQuestion
from master.games.backgammon.external.session import read_reply
from master.games.backgammon.matches.record import Action, Take
from tests.benchmarks.external_served import THEIRS, play_served

LEVEL = Level()


class Served:
    """A program that decides as our static engine does, but for doubles, where it takes."""

    def __init__(self, *, takes_always: bool = False, has_gone: bool = False) -> None:
        self.takes_always = takes_always
        self.has_gone = has_gone
        self.asked = 0

    def decide(self, question: DueQuestion, player: int) -> Action | None:
        assert player == THEIRS
        self.asked += 1
        if self.has_gone:
            raise OpponentGoneError("served is lost")
        if self.takes_always and question.due is Due.TURN:
            return Take(player)
        return read_reply(question, player, answer(question, LEVEL))


def test_matches_and_money_games_are_played_to_their_end() -> None:
    for length in (3, 0):
        opponent = Served()
        played = play_served(opponent, length, LEVEL, seed=1)
        assert played.errors == ()
        assert played.asked == opponent.asked > 0
        assert max(played.points) >= max(length, 1)


def test_what_cannot_be_done_ends_the_match_and_is_an_error() -> None:
    played = play_served(Served(takes_always=True), 3, LEVEL, seed=1)
    assert len(played.errors) == 1
    assert "expected" in played.errors[0]


def test_program_that_has_gone_is_an_error() -> None:
    assert play_served(Served(has_gone=True), 3, LEVEL, seed=1).errors == ("served is lost",)
