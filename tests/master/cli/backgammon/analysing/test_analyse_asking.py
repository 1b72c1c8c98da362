from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.limits import SEED_DEFAULT
from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from engine_ext.control import RunControl
from master.cli.backgammon.analysing import analyse_asking
from master.cli.backgammon.analysing.analyse_asking import (
    AnswerOptions,
    MatchTask,
    analyse_together,
    answer_here,
    is_shallow,
    of_file,
    read_task,
)
from master.cli.backgammon.analysing.analyse_depth import Depth, depth_options
from master.cli.backgammon.rule_options import Rules
from master.cli.jobs import answering
from master.cli.place import Place
from master.games.backgammon.levels import LEVELS, TRIALS_DEFAULT, level_words
from master.games.backgammon.matches.files import parts_of
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import AnalysedMatch, Match
from master.games.backgammon.matches.second_pass import RolloutBounds
from master.games.errors import RecordError
from master.games.skipped import SkippedGame
from tests.master.cli.shown import match_questions
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

SHALLOW = Depth(AnalysisSettings(0, 0))


def test_little_is_answered_on_this_core_and_not_kept(state_dir: Path) -> None:
    questions = match_questions(3)
    assert (
        AnswerOptions(SHALLOW, Place(), True).answers(questions * 2) == answer_here(questions) * 2
    )
    assert not state_dir.exists()


@pytest.mark.sockets
@pytest.mark.slow
def test_what_is_kept_starts_no_fleet(monkeypatch: pytest.MonkeyPatch) -> None:
    questions, options = match_questions(4), AnswerOptions(SHALLOW, Place(local=1), True)
    first = options.answers(questions)

    def refuse(*args: object, **options: object) -> list[str]:
        raise AssertionError("a fleet is started")

    monkeypatch.setattr(answering, "answer_by_fleet", refuse)
    assert options.answers(questions[1:]) == first[1:]


def test_each_question_is_asked_once_and_all_of_them_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls: list[list[str]] = []

    def answer(place: Place, questions: list[str], *, is_quiet: bool, unit: str) -> list[str]:
        calls.append(questions)
        return [f"to {text}" for text in questions]

    monkeypatch.setattr(answering, "answer_by_fleet", answer)
    first, second = match_questions(2)
    options = AnswerOptions(Depth(AnalysisSettings(2, 2)), Place(), is_quiet=True)
    answers = options.answers([first, second, first])
    assert calls == [[first, second]]
    assert answers == [f"to {first}", f"to {second}", f"to {first}"]


@pytest.mark.when_changed
def test_rollouts_in_pieces_are_those_in_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    units: list[str] = []

    def answer(place: Place, questions: list[str], *, is_quiet: bool, unit: str) -> list[str]:
        units.append(unit)
        return answer_here(questions)

    monkeypatch.setattr(answering, "answer_by_fleet", answer)
    rolled = replace(SHALLOW.settings, rollout=RolloutSettings(70, truncation_ply=2, candidates=2))
    options = AnswerOptions(Depth(rolled, RolloutBounds(0.05)), Place(), is_quiet=True)
    task = MatchTask(AnalysedMatch(begun(5)))
    [pieced] = analyse_together([task], options)
    assert set(units) == {"parts of rollouts"}
    units.clear()
    monkeypatch.setattr(analyse_asking, "PIECEWISE_MAX", 0)
    assert analyse_together([task], options) == [pieced]
    assert set(units) == {"decisions"}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (AnalysisSettings(0, 0), True),
        (AnalysisSettings(1, 0), False),
        (AnalysisSettings(0, 1), False),
        (AnalysisSettings(0, 0, rollout=RolloutSettings(36)), False),
    ],
)
def test_only_static_evaluation_is_shallow(settings: AnalysisSettings, expected: bool) -> None:
    assert is_shallow(settings) is expected


def test_answers_stand_in_the_order_of_the_questions(state_dir: Path) -> None:
    first, second = match_questions(2)
    answers = answer_here([second, first, second])
    assert answers == [services.answer(each, RunControl()) for each in (second, first, second)]
    assert not state_dir.exists()


def test_how_far_it_is_is_shown_once_it_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[str] = []
    monkeypatch.setattr(analyse_asking, "show_count", reported.append)
    monkeypatch.setattr(analyse_asking, "COUNT_EVERY", 2)
    questions = match_questions(5)
    answer_here(questions)
    assert reported == []
    monkeypatch.setattr(analyse_asking, "COUNT_AFTER_S", 0.0)
    answer_here(questions)
    assert reported == ["decision 2 of 5", "decision 4 of 5", ""]


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
    assert begun(1).called("BOB") == (1,)
    assert begun(1).called("Carl") == ()
    named = replace(begun(1), players=("Ann  Lee", "Bob"))
    assert named.called(" ann\tlee ") == (0,)


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


found: list[Depth] = []


@click.command()
@depth_options
def command(depth: Depth) -> None:
    found.append(depth)


def ran(*args: str, configured: dict[str, Any] | None = None) -> Result:
    return CliRunner().invoke(command, args, default_map=configured or {})


def depth_of(*args: str, configured: dict[str, Any] | None = None) -> Depth:
    result = ran(*args, configured=configured)
    assert result.exit_code == 0, result.output
    return found.pop()


@pytest.mark.parametrize("name", LEVELS)
def test_level_is_what_its_words_say(name: str) -> None:
    settings = depth_of("--level", name).settings
    named = LEVELS[name]
    assert (settings.ply, settings.cube_ply) == (named.ply, named.cube_ply)
    assert (settings.move_filter, settings.luck_ply) == (named.move_filter, named.luck_ply)
    trials = None if settings.rollout is None else settings.rollout.trials
    assert trials == (None if named.rollout is None else named.rollout.trials)
    assert level_words(name) in " ".join(ran("--help").output.split())


def test_nothing_said_is_the_level_normal() -> None:
    assert depth_of() == depth_of("--level", "normal") == Depth(LEVELS["normal"])


def test_option_beside_a_level_overrules_it() -> None:
    assert depth_of("--level", "deep", "--plies", "1").settings == AnalysisSettings(1, 1, "large")
    settings = depth_of("--level", "deep", "--cube-plies", "0", "--filter", "tiny").settings
    assert settings == AnalysisSettings(3, 0, "tiny")
    rolled = depth_of("--level", "rollout", "--rollout", "36", "--seed", "5").settings
    assert rolled.rollout == RolloutSettings(36, 5)


def test_level_that_is_typed_overrules_the_configuration() -> None:
    configured = {"ply": "1", "move_filter": "tiny", "trials": "36"}
    assert depth_of("--level", "deep", configured=configured).settings == LEVELS["deep"]
    assert depth_of(configured=configured).settings == AnalysisSettings(
        1, 1, "tiny", rollout=RolloutSettings(36, SEED_DEFAULT)
    )
    both = {"level": "deep", "ply": "1"}
    assert depth_of(configured=both).settings == AnalysisSettings(1, 1, "large")
    assert depth_of("--plies", "2", configured=both).settings == AnalysisSettings(2, 2, "large")


def test_bound_brings_a_rollout_along() -> None:
    depth = depth_of("--rollout-errors", "0.05")
    assert depth.bounds == RolloutBounds(0.05, 0.0)
    assert depth.settings.rollout == RolloutSettings(TRIALS_DEFAULT, SEED_DEFAULT)
    assert depth.examined == LEVELS["normal"]
    assert depth_of("--rollout-close", "0.02", "--rollout", "36").bounds == RolloutBounds(inf, 0.02)


def test_bounds_are_said_in_words_and_numbers() -> None:
    depth = depth_of("--rollout-errors", "0.05", "--rollout-close", "0.02", "--rollout", "36")
    words = "Rolled out 36 times: errors of 0.05 and more and choices within 0.02."
    assert depth.bounds_words == words
    assert depth.bounds_report() == {"rollout_errors": 0.05, "rollout_close": 0.02}
    assert depth_of("--rollout-errors", "inf").bounds_words == "Rolled out 324 times: nothing."
    everything = depth_of("--rollout", "36")
    assert everything.bounds_words == ""
    assert everything.bounds_report() == {"rollout_errors": None, "rollout_close": None}


@pytest.mark.parametrize("option", ["--rollout-errors", "--rollout-close"])
@pytest.mark.parametrize("text", ["-0.1", "nan", "much"])
def test_what_is_no_bound_is_refused(option: str, text: str) -> None:
    result = ran(option, text)
    assert result.exit_code == 2
    assert "is no bound: expected an equity of 0 or more" in " ".join(result.output.split())
