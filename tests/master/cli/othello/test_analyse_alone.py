"""Games judged against the clock, by this process alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from master.cli.othello import analyse_alone as module
from master.cli.othello.analyse_alone import analyse_alone
from master.games.othello.analysis.judging import AnalysedGame, judged
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord, read_record
from tests.master.games.othello.games import random_game

LEVEL = Level(4, 4, 0.01)


def records(*texts: str) -> list[tuple[int, OthelloRecord]]:
    return [(number, read_record(text)[0]) for number, text in enumerate(texts, 1)]


def test_every_move_with_a_choice_is_judged() -> None:
    games: list[AnalysedGame] = []
    assert not analyse_alone(records("f5d6c3", "f5f6"), LEVEL, games, is_quiet=True)
    assert [game.number for game in games] == [1, 2]
    assert [len(game.moves) for game in games] == [3, 2]
    assert all(move.judgement is not None for game in games for move in game.moves)


def test_games_before_an_interruption_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[AnalysedGame] = []
    good = records("f5d6c3")[0]

    def until_the_second(record: OthelloRecord, *args: object) -> Iterator[object]:
        if record is not good[1]:
            raise KeyboardInterrupt
        return judged(record, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "judged", until_the_second)
    other = (2, OthelloRecord(random_game(1, 9)))
    assert analyse_alone([good, other], LEVEL, games, is_quiet=True)
    assert [game.number for game in games] == [1]
