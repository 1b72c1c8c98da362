from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.cli.backgammon.analysing.analyse_asking import (
    AnswerOptions,
    MatchTask,
    analyse_together,
    of_file,
    players_called,
    read_task,
)
from master.cli.backgammon.analysing.analyse_depth import Depth
from master.cli.backgammon.rule_options import Rules
from master.cli.place import Place
from master.games.backgammon.matches.files import parts_of
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import AnalysedMatch, Match
from master.games.backgammon.matches.second_pass import RolloutBounds
from master.games.errors import RecordError
from master.games.skipped import SkippedGame
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

PROBE = AnswerOptions(Depth(AnalysisSettings(0, 0)), Place(), True)


def begun(seed: int, length: int = 3, actions: int = 8) -> Match:
    """The first actions of a match."""
    match = random_match(seed, length, habits=Habits(resign=0.0, drop=0.0))
    game = match.games[0]
    return replace(match, games=(replace(game, actions=game.actions[:actions], result=None),))


def task(seed: int, players: tuple[int, ...] = (0, 1)) -> MatchTask:
    return MatchTask(AnalysedMatch(begun(seed)), players)


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(st.integers(1, 6), min_size=1, max_size=3))
@pytest.mark.when_changed
def test_matches_analysed_together_are_what_each_is_alone(seeds: list[int]) -> None:
    tasks = [task(seed) for seed in seeds]
    alone = [analyse_together([each], PROBE)[0] for each in tasks]
    assert analyse_together(tasks, PROBE) == alone


@pytest.mark.sockets
@pytest.mark.slow
@pytest.mark.when_changed
def test_rollouts_together_are_what_each_is_alone() -> None:
    rollout = RolloutSettings(1, truncation_ply=2)
    depth = Depth(AnalysisSettings(0, 0, rollout=rollout), RolloutBounds(errors=0.1))
    answering = AnswerOptions(depth, Place(local=2), True)
    tasks = [task(seed) for seed in (1, 2)]
    together = analyse_together(tasks, answering)
    assert together == [analyse_together([each], answering)[0] for each in tasks]
    assert together != analyse_together(tasks, PROBE)


def test_what_was_found_while_reading_stays() -> None:
    stored = AnalysedMatch(begun(1), warnings=("odd",))
    assert analyse_together([MatchTask(stored)], PROBE)[0].warnings == ("odd",)
    missing = SkippedGame(2, "why", 7)
    stored = AnalysedMatch(begun(1), skipped=(missing,))
    assert analyse_together([MatchTask(stored)], PROBE)[0].skipped == (missing,)


def test_one_player_of_one_game_is_looked_at() -> None:
    known = analyse_together([task(1, players=(1,))], PROBE)[0]
    actions = known.match.games[0].actions
    for number, action in enumerate(actions):
        assert (known.of(0, number) is None) is (action.player == 0)


def test_players_are_found_by_their_names() -> None:
    assert players_called(begun(1), "BOB") == (1,)
    assert players_called(begun(1), "Carl") == ()
    named = replace(begun(1), players=("Ann  Lee", "Bob"))
    assert players_called(named, " ann\tlee ") == (0,)


def test_bad_file_is_named_once_by_its_whole_path(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Sir or Madam,\n")
    none = tmp_path / "none.mat"
    (part,) = parts_of(letter)
    for file, read in (
        (letter, lambda: read_task(letter, part, PROBE, Rules())),
        (none, lambda: parts_of(none)),
    ):
        with pytest.raises(RecordError) as caught:
            read()
        assert str(caught.value).startswith(f"{file}: ")
        assert str(caught.value).count(file.name) == 1
    assert of_file(Path("a/b.mat"), "b.mat:3: what") == "a/b.mat: 3: what"


def test_rules_that_are_not_for_a_file_are_its_mistake(tmp_path: Path) -> None:
    file = tmp_path / "a.mat"
    file.write_text(write_mat(begun(1)))
    (part,) = parts_of(file)
    with pytest.raises(RecordError, match=r"a.mat: --jacoby and --beavers are for money play"):
        read_task(file, part, PROBE, Rules(jacoby=True))
